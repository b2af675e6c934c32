package heal_test

import (
	"context"
	"errors"
	"iter"
	"testing"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/verdict"
)

// idle is a fixer that is asked, and brings nothing.
type idle struct {
	rung  fix.Rung
	err   error
	asked int
}

func (f *idle) Name() string                            { return "idle" }
func (f *idle) Rung() fix.Rung                          { return f.rung }
func (f *idle) Takes(check.Check, diag.Diagnostic) bool { return true }
func (f *idle) Propose(context.Context, fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		f.asked++
		if f.err != nil {
			yield(fix.Candidate{}, f.err)
		}
	}
}

// A model that brings nothing for all of the failing tests of a folder, nor for two of them by themselves, is not paid for each of the others.
func TestVainQuestionsAreFew(t *testing.T) {
	failing := check.Check{Name: "test", Parser: "tap", Run: []string{"sh", "-c", "echo 1..6; for i in 1 2 3 4 5 6; do echo \"not ok $i - t$i\"; done; exit 1"}}
	for name, c := range map[string]struct {
		rung fix.Rung
		err  error
		want int
	}{
		"a search looks at all, and at each": {rung: fix.RungSearch, want: 7},
		"a model":                            {rung: fix.RungModel, want: 3},
		"an agent":                           {rung: fix.RungAgent, want: 3},
		"a model that cannot be asked":       {rung: fix.RungModel, err: errors.New("it refuses the key"), want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			f := &idle{rung: c.rung, err: c.err}
			s, end := set(t, map[string]string{"a.txt": "x\n"}, []check.Check{failing}, f).start(t, heal.Goal{Checks: []string{"test"}})
			if end != verdict.Stuck || f.asked != c.want {
				t.Errorf("ended %s (%s); it was asked %d times, want %d", end, s.Reason, f.asked, c.want)
			}
		})
	}
}
