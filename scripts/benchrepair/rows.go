package main

import (
	_ "embed"

	"fettle/scripts/benchrepair/rows"
)

//go:embed readings.json
var readings []byte

// config is the fettle.yaml of a row: its one check. The first candidate is applied however sure fettle is of it, because what is measured
// is what it holds likeliest, and how sure it is.
func config(r rows.Row) string {
	check := map[string]string{
		"python":     `{run: [python3, -m, pytest, -q, --tb=short, -o, junit_family=xunit1, "--junit-xml={report}"], parser: pytest-junit, timeout: 8s}`,
		"go":         `{run: [go, test, -json, -vet=off, -timeout=5s, ./...], parser: gotest, env: {GOFLAGS: "", GOWORK: "off"}, timeout: 60s}`,
		"javascript": `{run: [node, --test, --test-reporter=tap], parser: tap, lang: javascript, timeout: 20s}`,
		"java":       `{run: [sh, -c, "mkdir -p out && javac -d out *.java && java -cp out Main"], lang: java, timeout: 60s}`,
	}[r.Language]
	return "version: 1\nchecks:\n  test: " + check + "\nlimits: {confidence: 0, iterations: 1}\n"
}
