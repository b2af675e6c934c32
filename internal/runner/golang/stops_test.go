package golang_test

import (
	"testing"

	checks "fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/runner/golang"
	"fettle/internal/runner/runnertest"
)

func TestStops(t *testing.T) {
	p := lay(t, `
-- go.mod --
module example.com/few

go 1.22
-- few.go --
package few

const none = 0

func Sum(xs []int) int {
	n := none
	for i := 1; i < len(xs); i++ {
		n += xs[i]
	}
	return n
}
-- few_test.go --
package few

import "testing"

func TestSum(t *testing.T) {
	if Sum([]int{1, 2, 3}) != 6 {
		t.Error("wrong")
	}
}

func TestNothing(t *testing.T) {
	if Sum(nil) != 0 {
		t.Error("wrong")
	}
}
`)
	c := checks.Check{Name: "test", Run: []string{"go", "test", "-json", "./..."}, Parser: "gotest", Env: map[string]string{"GOFLAGS": "", "GOWORK": "off"}}
	results, err := checks.Run(t.Context(), p, []checks.Check{c}, checks.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const file = "few.go"
	runnertest.Stops(t, golang.New(), runner.Job{Place: p, Check: c, Baseline: results[0], Failing: runner.Failing(c, results[0].Diagnostics)}, []edit.Patch{
		replace(t, p, file, "i := 1", "i := 2", 0),
		replace(t, p, file, "n += xs[i]", "i--", 0),
		replace(t, p, file, "i := 1", "i := 0", 0),
		replace(t, p, file, "return n", "panic(n)", 0),
		replace(t, p, file, "n := none", "n := missing", 0),
		replace(t, p, file, "none = 0", "none = 1", 0),
	})
}
