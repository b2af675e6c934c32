package heal

import (
	"context"
	"fmt"
	"slices"

	"fettle/internal/verify"
)

// undisturbed reports whether the tree that is about to be called healthy is the one that was checked. Reading the tree takes a
// while, and goes on beside the checks: so it counts, too, that since the tree was read before, nobody changed it but this round.
func (l *Loop) undisturbed(ctx context.Context, s *State, before *verify.Known) (bool, error) {
	digest, err := l.Lab.Digest(ctx)
	if err != nil {
		return false, fmt.Errorf("read the working tree: %w", err)
	}
	calm := digest == s.Known.Digest
	if calm && before != nil {
		if calm, err = l.onlyOurs(ctx, s, before); err != nil {
			return false, err
		}
	}
	if !calm {
		l.fresh = nil
		l.tell(s, Event{Kind: Noted, Text: "files were changed by somebody else during the last check: checking again"})
	}
	return calm, nil
}

// onlyOurs reports whether this round's change is all that the tree has been through since it was read for an earlier baseline.
func (l *Loop) onlyOurs(ctx context.Context, s *State, before *verify.Known) (bool, error) {
	if l.Lab.Between == nil {
		return true, nil
	}
	paths, ok := l.Lab.Between(before.Digest, s.Known.Digest)
	ours := s.Patch.Paths()
	if !ok || slices.ContainsFunc(paths, func(p string) bool { return !slices.Contains(ours, p) }) {
		return false, nil
	}
	return l.tree.Holds(ctx, s.Session, s.Iteration)
}
