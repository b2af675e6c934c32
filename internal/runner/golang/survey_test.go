package golang_test

import (
	"slices"
	"testing"

	checks "fettle/internal/check"
	"fettle/internal/runner"
	"fettle/internal/runner/golang"
)

// What a panic kept from being seen is to be healed as well where it fails, and not where it takes long.
func TestBehindAPanic(t *testing.T) {
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
	"testing"
	"time"
)

func TestAt(t *testing.T) { At([]int{1}, 0) }

func TestLast(t *testing.T) { At([]int{1, 2}, 1) }

func TestLong(t *testing.T) {
	for began := time.Now(); time.Since(began) < 3*time.Second; {
		At([]int{1, 2}, 0)
	}
}
`)
	c := checks.Check{Name: "test", Run: []string{"go", "test", "-json", "./..."}, Parser: "gotest", Env: map[string]string{"GOFLAGS": "", "GOWORK": "off"}}
	results, err := checks.Run(t.Context(), p, []checks.Check{c}, checks.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	suites, err := golang.New().Suites(t.Context(), runner.Job{Place: p, Check: c, Baseline: results[0], Failing: runner.Failing(c, results[0].Diagnostics)})
	if err != nil || len(suites) != 1 {
		t.Fatal(suites, err)
	}
	defer suites[0].Close()
	if got, want := slices.Sorted(slices.Values(suites[0].Failing())), []string{".:TestAt", ".:TestLast"}; !slices.Equal(got, want) {
		t.Errorf("%q are to be healed, want %q", got, want)
	}
}
