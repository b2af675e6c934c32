package jvm_test

import (
	"testing"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/runner/jvm"
	"fettle/internal/runner/runnertest"
)

func TestStops(t *testing.T) {
	needJava(t)
	p := lay(t, program)
	results, err := check.Run(t.Context(), p, []check.Check{programCheck}, check.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const file = "Solution.java"
	runnertest.Stops(t, jvm.New(), runner.Job{Place: p, Check: programCheck, Baseline: results[0], Failing: []string{"Main"}}, []edit.Patch{
		replace(t, p, file, "c == ')') {\n                depth++", "c == ')') {\n                depth += 2"),
		replace(t, p, file, "i++;", ";"), // without end
		replace(t, p, file, "c == ')') {\n                depth++", "c == ')') {\n                depth--"),
		replace(t, p, file, "return most;", "System.exit(1); return most;"),
		replace(t, p, file, "return most;", "return more;"),
	})
}
