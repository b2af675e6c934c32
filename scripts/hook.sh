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
CGO_ENABLED=0 go build "${flags[@]}" -o "$file" ./cmd/fettle-guard
