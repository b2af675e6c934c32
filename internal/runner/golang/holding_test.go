package golang_test

import (
	"slices"
	"testing"

	checks "fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/runner/golang"
	"fettle/internal/verdict"
)

// A part of a test that panics keeps those behind it from being seen: what heals it alone and makes the next one panic is not what heals the test.
func TestPartsBehindAPanic(t *testing.T) {
	p := lay(t, `
-- go.mod --
module example.com/few

go 1.22
-- few.go --
package few

func At(xs []int, i int) int { return xs[i+1] }
-- few_test.go --
package few

import (
	"fmt"
	"testing"
)

func TestAt(t *testing.T) {
	xs := []int{5, 6, 7}
	for _, i := range []int{2, 0, 1} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := At(xs, i); got != 5+i {
				t.Error(got)
			}
		})
	}
}
`)
	c := checks.Check{Name: "test", Run: []string{"go", "test", "-json", "./..."}, Parser: "gotest", Env: map[string]string{"GOFLAGS": "", "GOWORK": "off"}}
	results, err := checks.Run(t.Context(), p, []checks.Check{c}, checks.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	failing := runner.Failing(c, results[0].Diagnostics)
	if !slices.Equal(failing, []string{".:TestAt/2"}) {
		t.Fatalf("%q fail", failing)
	}
	suites, err := golang.New().Suites(t.Context(), runner.Job{Place: p, Check: c, Baseline: results[0], Failing: failing})
	if err != nil || len(suites) != 1 {
		t.Fatal(suites, err)
	}
	defer suites[0].Close()
	candidates := []edit.Patch{replace(t, p, "few.go", "i+1", "max(i, 2)", 0), replace(t, p, "few.go", "i+1", "i", 0)}
	got := make([]verdict.Trial, len(candidates))
	for trial, err := range suites[0].TryAll(t.Context(), slices.Values(candidates)) {
		if err != nil {
			t.Fatal(err)
		}
		got[trial.Index] = trial
	}
	if got[0].Plausible || !got[1].Plausible {
		t.Errorf("the first part alone: %+v, all: %+v", got[0], got[1])
	}
}
