#!/usr/bin/env bash
# Measures the figures that docs/benchmarks.md shows, each beside its own yardstick in the same run: scripts/bench.sh [COUNT].
# Run it on a quiet machine.
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-3}
bench() { # PACKAGE PATTERN BENCHTIME [FLAG…]
  go test -run '^$' -bench "$2" -benchtime "$3" -count "$count" "${@:4}" "$1" | grep -E '^Benchmark|^panic|FAIL' || true
}
bench ./internal/heal '^BenchmarkIteration$' 10x
bench ./internal/heal '^BenchmarkEightFaults$' 3x
bench ./internal/heal '^BenchmarkOneOfFifty$' 3x
bench ./internal/heal '^BenchmarkThousandSessions$' 1x
bench ./internal/cli '^Benchmark(Version|Run)$' 20x
bench ./internal/cli '^BenchmarkHugeRepository$' 3x
bench ./internal/cli '^BenchmarkSearchInLarge$' 1x
bench ./internal/model '^BenchmarkCall$' 200x
bench ./internal/workspace '^BenchmarkSafeWrite' 200x
bench ./internal/workspace "^Benchmark(CopyOpenRunClose|CopyRun|HostRun|CopyApplyChangesReset|Manifest)$" 20x
bench ./internal/workspace '^BenchmarkCopyHuge$' 1x
bench ./internal/check/parse '^BenchmarkNoise' 3x
bench ./internal/syntax '^Benchmark(Parse|Start)$' 20x
bench ./internal/policy/shell '^BenchmarkJudge$' 1s
bench ./internal/audit '^BenchmarkLargeFiles$' 1x
bench ./cmd/fettle-guard '^BenchmarkProcess$' 300x
# Candidates that a warm runner tries, on one core and on two.
bench ./internal/runner/python '^BenchmarkTryAll$' 20000x -cpu 1,2
bench ./internal/runner/golang '^BenchmarkTryAll$' 1x -cpu 1,2
bench ./internal/runner/golang '^BenchmarkCompiles$' 3x
bench ./internal/runner/node '^BenchmarkTryAll$' 1x
bench ./internal/runner/jvm '^Benchmark(Program|Statics|JUnit5)$' 1x -cpu 1,2
