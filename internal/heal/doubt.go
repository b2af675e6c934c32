package heal

import (
	"context"
	"fmt"
	"slices"

	"fettle/internal/verdict"
	"fettle/internal/verify"
)

// weighDoubtful tries, at the end of a session that could not heal everything, the patches that were refused only because their
// authors were not sure enough: a person who is to decide on one deserves to know what it does. The first that stands the test
// is the one that is kept.
func (l *Loop) weighDoubtful(ctx context.Context, s *State, end verdict.End) error {
	if end != verdict.Stuck && end != verdict.Exhausted || s.Goal.DryRun || s.Known == nil {
		return nil
	}
	for i, k := range s.Doubtful {
		if k.Bad || k.Promise == 0 || l.moved(k) {
			continue
		}
		l.tell(s, Event{Kind: Noted, Text: fmt.Sprintf("trying what %s was not sure of: %s", k.Author, k.Explanation)})
		ev, err := l.Lab.Verify(ctx, verify.Request{Patch: k.Patch, Known: s.Known})
		if err != nil {
			return fmt.Errorf("try a doubtful change: %w", err)
		}
		if !ev.Green {
			s.Doubtful[i].Bad = true
			s.Doubtful[i].Why += "; it was tried all the same and did not do: " + ev.Reason
			continue
		}
		k.Why += "; it was tried all the same, and " + summary(ev)
		s.Doubtful[i].Why, s.Kept = k.Why, &k
		return nil
	}
	if best := slices.IndexFunc(s.Doubtful, func(k Kept) bool { return !k.Bad }); best >= 0 {
		s.Kept = &s.Doubtful[best]
	}
	return nil
}

// moved reports whether a patch does not fit the tree any more.
func (l *Loop) moved(k Kept) bool { return l.tree.Check(k.Patch) != nil }
