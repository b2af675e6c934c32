package verdict_test

import (
	"testing"

	"fettle/internal/verdict"
)

// Scripts rely on these numbers.
func TestExitCodesAreStable(t *testing.T) {
	want := map[verdict.End]int{
		verdict.Converged: 0, verdict.Exhausted: 1, verdict.Rejected: 3, verdict.Budget: 4, verdict.Stuck: 5, verdict.Halted: 6,
		verdict.Paused: 7, verdict.Interrupted: 130,
	}
	if len(want) != len(verdict.Ends) {
		t.Fatalf("there are %d ends, the test knows %d", len(verdict.Ends), len(want))
	}
	last := -1
	for _, e := range verdict.Ends {
		code := e.ExitCode()
		if code != want[e] || code == verdict.ExitUsage || code <= last {
			t.Errorf("%s: exit code %d, want %d, in rising order, and never that of wrong use", e, code, want[e])
		}
		if e.Meaning() == string(e) {
			t.Errorf("%s has no meaning", e)
		}
		last = code
	}
}

// An end that is not known is not a success.
func TestUnknownEndIsNoSuccess(t *testing.T) {
	if verdict.End("sideways").ExitCode() == 0 {
		t.Error("an unknown end exits with 0")
	}
}
