package heal_test

import (
	"context"
	"iter"
	"testing"

	"fettle/internal/check"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/verdict"
)

// paid is a model that remembers what it was paid for, or does not.
type paid struct {
	*script
	knows bool
	free  int32 // tasks for which nobody had to be asked
}

func (p *paid) Recalls(context.Context, fix.Task) bool { return p.knows }

func (p *paid) Propose(ctx context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	if t.Known {
		p.free++
	}
	return p.script.Propose(ctx, t)
}

// TestRecalledBeforeTheSearch: what was paid for before is had before anybody searches for it anew, and who remembers nothing has its turn behind the search.
func TestRecalledBeforeTheSearch(t *testing.T) {
	for name, c := range map[string]struct {
		knows            bool
		text             string // what the model has
		searched, models int32  // turns
		left             string
	}{
		"it is remembered":               {true, "good", 0, 1, "good\n"},
		"nothing is":                     {false, "good", 1, 0, "found\n"},
		"what is remembered does not do": {true, "BADLY", 1, 2, "found\n"}, // the second time it is known that it does not
	} {
		t.Run(name, func(t *testing.T) {
			seeker := &script{name: "search", rung: fix.RungSearch, answers: func(k fix.Task) []fix.Candidate { return []fix.Candidate{replace(k, "a.txt", "BAD", "found")} }}
			model := &paid{script: better(c.text), knows: c.knows}
			b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, seeker, model)
			_, end := b.start(t, heal.Goal{})
			if end != verdict.Converged || b.read(t, "a.txt") != c.left || seeker.proposed.Load() != c.searched || model.proposed.Load() != c.models || model.free != c.models {
				t.Errorf("ended %s with %q; %d searches, %d turns of the model, %d of them for nothing", end, b.read(t, "a.txt"), seeker.proposed.Load(), model.proposed.Load(), model.free)
			}
		})
	}
}
