package node_test

import (
	"testing"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/runner/node"
	"fettle/internal/runner/runnertest"
)

func TestStopsAnywhere(t *testing.T) {
	p := lay(t, archive(sums))
	results, err := check.Run(t.Context(), p, []check.Check{nodeTest()}, check.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := results[0]
	const file = "lib/sum.js"
	runnertest.Stops(t, node.New(), runner.Job{Place: p, Check: nodeTest(), Baseline: r, Failing: runner.Failing(nodeTest(), r.Diagnostics)}, []edit.Patch{
		replace(t, p, file, "xs.length - 1", "xs.length - 2"),
		replace(t, p, file, "let total = start;", "for (;;) start++;"),
		replace(t, p, file, "xs.length - 1", "xs.length"),
		replace(t, p, file, "let total = start;", "process.kill(process.pid, 'SIGKILL');"),
		replace(t, p, file, "xs.length - 1", "xs.length - 0"),
		replace(t, p, file, "xs.length - 1", "1"),
	})
}
