#!/usr/bin/env bash
# Compiles tree-sitter's grammars to WebAssembly, one module for each language, into ../grammars: make generate. The sources are
# downloaded with npm and cargo and checked against the file sources. The same compiler makes the same bytes: the script fails
# when they are not those of ../grammars/SHA256SUMS, unless it is told that they are meant to change:
#
#   internal/syntax/build/build.sh --update    after a change of parse.c, heap.c, a version or the compiler: writes checksums and licences too
set -euo pipefail
cd "$(dirname "$0")"
update=${1:-}
here=$PWD
out=$(cd .. && pwd)/grammars
work=$(mktemp -d "${TMPDIR:-/tmp}/fettle-grammars.XXXXXX")
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
die() { printf '%s\n' "$@" >&2; exit 1; }

# The compiler is that of Debian 12.
packages="clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32"
clang=clang-14
if ! command -v $clang wasm-ld-14 >/dev/null || [ ! -e /usr/lib/wasm32-wasi/libc.a ] || [ ! -e /usr/lib/llvm-14/lib/clang/14.0.6/lib/wasi ]; then
  command -v apt-get >/dev/null || die "the grammars are compiled on Debian 12 (a container will do), with: $packages"
  sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  # shellcheck disable=SC2086
  $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $packages >/dev/null
fi
command -v npm >/dev/null || die "npm downloads the grammars: please install Node.js"
command -v cargo >/dev/null || die "cargo downloads tree-sitter: please install Rust, 1.90 or newer"

# npm NAME VERSION SHA256: a package, unpacked to NAME.
npm_package() {
  npm pack --silent "$1@$2" >/dev/null 2>&1 || die "cannot download $1@$2 with npm pack"
  echo "$3  $1-$2.tgz" | sha256sum --check --quiet || die "$1 $2 is not what it was when it was pinned"
  mkdir "$1"
  tar -xzf "$1-$2.tgz" -C "$1" --strip-components=1
}

# crate NAME VERSION SHA256: a crate, unpacked to NAME. cargo brings its dependencies along, which nobody looks at.
crate() {
  mkdir "$1.crate"
  (
    cd "$1.crate"
    printf '[package]\nname = "grammars"\nversion = "0.0.0"\n[lib]\npath = "lib.rs"\n[dependencies]\n%s = { version = "=%s", default-features = false }\n' "$1" "$2" >Cargo.toml
    touch lib.rs
    cargo vendor --quiet >/dev/null || die "cannot download the crate $1 $2 with cargo vendor"
    grep -qF "\"package\":\"$3\"" "vendor/$1/.cargo-checksum.json" || die "the crate $1 $2 is not what it was when it was pinned"
  )
  mv "$1.crate/vendor/$1" "$1"
}

cd "$work"
while read -r kind name version sum; do
  case $kind in
    npm) npm_package "$name" "$version" "$sum" ;;
    crate) crate "$name" "$version" "$sum" ;;
  esac
done <"$here/sources"

flags="--target=wasm32-wasi -O2 -flto -DNDEBUG -Itree-sitter/include -Itree-sitter/src"
strict="-Wall -Wextra -Werror"
compile() { # OBJECT SOURCE [FLAG…]
  # shellcheck disable=SC2086
  $clang $flags "${@:3}" -c "$2" -o "$1"
}
mkdir obj wasm
cp "$here"/*.[ch] .
compile obj/core.o tree-sitter/src/lib.c
for part in heap nothing; do compile obj/$part.o $part.c $strict; done

grammar() { # NAME FOLDER
  local objects=(obj/core.o obj/heap.o obj/nothing.o "obj/$1-parse.o" "obj/$1-parser.o")
  compile "obj/$1-parse.o" parse.c $strict "-DGRAMMAR=tree_sitter_$1"
  compile "obj/$1-parser.o" "$2/src/parser.c" "-I$2/src"
  if [ -e "$2/src/scanner.c" ]; then
    compile "obj/$1-scanner.o" "$2/src/scanner.c" "-I$2/src"
    objects+=("obj/$1-scanner.o")
  fi
  # The stack lies below everything else, so that running over its end is a trap. There is memory for a usual source from the
  # beginning, as more of it is had by copying what there is.
  $clang --target=wasm32-wasi -nostartfiles -Wl,--no-entry,--gc-sections,--strip-all,--lto-O2,--stack-first,-z,stack-size=524288,--initial-memory=8388608 \
    "${objects[@]}" -o "wasm/$1.wasm"
  if grep -q wasi_snapshot "wasm/$1.wasm"; then die "$1.wasm wants something from outside: see nothing.c"; fi
}
for name in go java javascript python rust; do grammar $name tree-sitter-$name; done
for name in typescript tsx; do grammar $name tree-sitter-typescript/$name; done

# licences copies the terms of everything that has become a part of the modules.
licences() {
  local to=$here/../LICENSES
  mkdir -p "$to"
  for license in tree-sitter*/LICENSE; do cp "$license" "$to/$(dirname "$license").txt"; done
  cp tree-sitter/src/unicode/LICENSE "$to/icu.txt"
  cp /usr/share/doc/wasi-libc/copyright "$to/wasi-libc.txt"
  cp /usr/share/doc/libclang-rt-14-dev-wasm32/copyright "$to/compiler-rt.txt"
}

# The checksums are those of the modules themselves: compressors differ.
mkdir -p "$out"
(cd wasm && sha256sum -- *.wasm) >SHA256SUMS
if [ "$update" = --update ]; then
  cp SHA256SUMS "$out/SHA256SUMS"
  licences
elif ! diff "$out/SHA256SUMS" SHA256SUMS; then
  die "the grammars are others now (< checked in, > compiled here by $($clang --version | head -n 1)); if they are meant to be: $0 --update"
fi
for file in wasm/*.wasm; do
  packed=$out/$(basename "$file").gz
  gzip -dc "$packed" 2>/dev/null | cmp -s - "$file" || gzip -9 --no-name --stdout "$file" >"$packed"
done
cat SHA256SUMS
