#!/usr/bin/env bash
# Runs every fuzz target of the module for a while: scripts/fuzz.sh [TIME]. A crash leaves its input in testdata/fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10s}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# fuzz PACKAGE TARGET. The go command reports "context deadline exceeded" and nothing else when its time is over at an awkward
# moment: that is no finding. A finding always names the failing input.
fuzz() {
  echo "fuzz $1 $2 $time"
  if go test -run '^$' -fuzz "^$2\$" -fuzztime "$time" -fuzzminimizetime 1s "./$1" </dev/null >"$log" 2>&1; then
    tail -n 1 "$log"
  elif grep -q 'context deadline exceeded' "$log" && ! grep -qE 'Failing input|panic|\.go:[0-9]+:' "$log"; then
    echo "  time was over"
  else
    cat "$log"
    return 1
  fi
}

while read -r file; do
  while read -r target; do
    fuzz "$(dirname "$file")" "$target"
  done < <(sed -nE 's/^func (Fuzz[A-Za-z0-9_]*)\(.*/\1/p' "$file")
done < <(grep -rlE '^func Fuzz' --include='*_test.go' internal cmd | sort)
