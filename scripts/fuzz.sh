#!/usr/bin/env bash
# Runs every fuzz target of the module for a while: scripts/fuzz.sh [TIME]. A crash leaves its input in testdata/fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10s}
grep -rlE '^func Fuzz' --include='*_test.go' internal cmd | sort | while read -r file; do
  for target in $(sed -nE 's/^func (Fuzz[A-Za-z0-9_]*)\(.*/\1/p' "$file"); do
    echo "fuzz $(dirname "$file") $target $time"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 1s "./$(dirname "$file")"
  done
done
