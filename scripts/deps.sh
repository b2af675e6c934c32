#!/usr/bin/env bash
# Installs what the tests and the demo need, into .tools/ of this checkout: the Python tools in a virtual environment, the Go
# tools as binaries. Versions are pinned here and nowhere else. Safe to run again: what is there already is left alone.
#
#   scripts/deps.sh          everything (make deps)
#   scripts/deps.sh demo     only what `make demo` needs
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-all}
tools=$PWD/.tools
mkdir -p "$tools/bin"

say() { printf '  %s\n' "$*"; }

# apt NAME…: Debian packages, if a program that they bring is missing.
apt() {
  if ! command -v apt-get >/dev/null; then
    echo "deps: please install these with your system's package manager, then run this again: $*" >&2
    exit 1
  fi
  local sudo=""
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "deps: please run as root: apt-get install -y $*" >&2; exit 1; }
    sudo=sudo
  fi
  say "apt-get install $*"
  $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

command -v go >/dev/null || { echo "deps: Go 1.26 or newer is needed: see https://go.dev/doc/install" >&2; exit 1; }
need=()
command -v git >/dev/null || need+=(git)
python3 -c 'import venv, ensurepip' 2>/dev/null || need+=(python3 python3-venv)
if [ ${#need[@]} -gt 0 ]; then apt "${need[@]}"; fi

# Python tools, in a virtual environment of their own.
py_pins="pytest==9.2.0 ruff==0.17.6 mypy==2.4.1 flake8==7.5.0 black==26.10.1 isort==9.0.2"
[ "$what" = demo ] && py_pins="pytest==9.2.0 ruff==0.17.6"
stamp="$tools/py/.installed-$(printf '%s' "$py_pins" | cksum | cut -d' ' -f1)"
if [ ! -e "$stamp" ]; then
  say "python tools: $py_pins"
  [ -x "$tools/py/bin/python" ] || python3 -m venv "$tools/py"
  # shellcheck disable=SC2086
  "$tools/py/bin/pip" install --quiet --disable-pip-version-check $py_pins
  touch "$stamp"
fi

# gobin PACKAGE@VERSION: a Go program, built from the module proxy.
gobin() {
  local pkg=$1 name
  name=$(basename "${pkg%@*}")
  local stamp="$tools/bin/.$name-${pkg##*@}"
  if [ ! -e "$stamp" ]; then
    say "go install $pkg"
    GOBIN="$tools/bin" GOFLAGS=-buildvcs=false go install "$pkg" 2>&1 | { grep -v "^go: downloading" || true; }
    touch "$stamp"
  fi
}
gobin golang.org/x/tools/cmd/goimports@v0.52.0
if [ "$what" = all ]; then
  gobin github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
fi

# The tools of the other ecosystems, one file each. They use say, apt and $tools.
if [ "$what" = all ]; then
  for part in scripts/deps.d/*.sh; do
    [ -e "$part" ] || continue
    # shellcheck disable=SC1090
    . "$part"
  done
fi
