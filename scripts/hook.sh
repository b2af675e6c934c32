#!/usr/bin/env bash
# Builds the guard's hook as it is installed: small, and quick to start, so without symbols, with little inlined, and with no sum that is written anew for each kind of processor. What is released, tested and measured is built
# here alone: scripts/hook.sh FILE
set -euo pipefail
case $1 in
  /*) file=$1 ;;
  *) file=$PWD/$1 ;;
esac
cd "$(dirname "$0")/.."
flags=(-trimpath -tags=purego -ldflags='-s -w -funcalign=1')
for packages in fettle/... mvdan.cc/... golang.org/... encoding/... fmt reflect regexp/... syscall/... time/... unicode/... strings sort bufio compress/... hash/... internal/stringslite internal/bytealg internal/sync internal/runtime/... runtime; do
  flags+=(-gcflags="$packages=-l")
done
# The parser's printer, which no hook uses, brings regular expressions along, and compiles two of them at every start. So the parser is compiled out of a copy of it that asks for none; where that lies is written into the program, and is
# the same for every build.
parser=bin/hook/$(go list -m -f '{{.Version}}' mvdan.cc/sh/v3)
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
if [ ! -d "$parser" ]; then
  mkdir -p bin/hook
  copy=$(mktemp -d bin/hook/made.XXXXXX)
  from=$(go list -f '{{.Module.Dir}}' mvdan.cc/sh/v3/syntax)
  mkdir "$copy/syntax" "$copy/fileutil"
  cp "$from/go.mod" "$copy/"
  cp "$from"/syntax/*.go "$copy/syntax/"
  printf 'package fileutil\n\nfunc Shebang([]byte) string { panic("the hook prints no shell") }\n' >"$copy/fileutil/file.go"
  mv "$copy" "$parser" # whole, as others may build at the same time
fi
cp go.sum "$made/"
go mod edit -replace "mvdan.cc/sh/v3=./$parser" -print >"$made/go.mod"
export CGO_ENABLED=0
# Nor does anybody need to know on which line of a function it was: what the program knows of lines would be 180 KB of it.
mkdir "$made/unlined"
go list -modfile="$made/go.mod" -tags=purego -deps -json=Dir,GoFiles,Module ./cmd/fettle-guard | env -u GOOS -u GOARCH go run ./scripts/unlined "$made/unlined" >"$made/overlay.json"
go build -modfile="$made/go.mod" -overlay="$made/overlay.json" "${flags[@]}" -o "$file" ./cmd/fettle-guard
