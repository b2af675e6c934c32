package heal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/workspace"
)

// apply writes the approved patch to the user's tree, all of it or nothing, recorded in the journal first. When somebody
// changed one of the files meanwhile, their work stays and the round starts over.
func (l *Loop) apply(ctx context.Context, s *State) (string, error) {
	set, stands, err := l.applied(ctx, s)
	switch {
	case err != nil:
		return "", err
	case set != nil && !stands:
		s.learn("the last change was taken back by a person")
		return "changed meanwhile", nil
	case set == nil:
		author, explanation := s.credits()
		set, err = l.Tree.Apply(ctx, s.Patch, workspace.Why{
			Session: s.Session, Iteration: s.Iteration, Author: author, Reason: explanation, Kind: journal.Apply,
		})
		if path, ok := changedMeanwhile(err); ok {
			s.learn(path + " was changed by somebody else while the patch was tried")
			l.tell(s, Event{Kind: Refused, Text: err.Error()})
			return "changed meanwhile", nil
		}
		if err != nil {
			return "", fmt.Errorf("apply the patch: %w", err)
		}
	}
	l.record(s, set.ID)
	for _, c := range s.current().Changes {
		l.tell(s, Event{Kind: Applied, Text: fmt.Sprintf("%s (%s)", c.Explanation, strings.Join(c.Files, ", "))})
	}
	return "applied", nil
}

// changedMeanwhile tells which file was not as the patch expects it: it had passed the gate, so somebody edited it, or put
// something else in its place, since then.
func changedMeanwhile(err error) (path string, ok bool) {
	var mismatch *edit.MismatchError
	var changed *workspace.ChangedError
	var refused *workspace.Refused
	switch {
	case errors.As(err, &mismatch):
		return mismatch.Path, true
	case errors.As(err, &changed):
		return changed.Path, true
	case errors.As(err, &refused):
		return refused.Path, true
	}
	return "", false
}

// applied finds this round's set in the journal: a session that was killed after the change and before its checkpoint comes
// here a second time. Stands is false when the change was made and somebody took it back since.
func (l *Loop) applied(ctx context.Context, s *State) (set *journal.Set, stands bool, err error) {
	sets, err := l.Journal.List(ctx, journal.Filter{Session: s.Session, State: journal.Done})
	if err != nil {
		return nil, false, fmt.Errorf("read the journal: %w", err)
	}
	for _, found := range sets {
		if found.Iteration == s.Iteration && found.Kind == journal.Apply {
			set = &found
			break
		}
	}
	if set == nil {
		return nil, false, nil
	}
	stack, err := l.Journal.Stack(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("read the journal: %w", err)
	}
	stands = slices.ContainsFunc(stack.Undo, func(st journal.Standing) bool {
		return st.Set.ID == set.ID && len(st.Entries) == len(set.Entries)
	})
	return set, stands, nil
}

// record notes in the round's history what was applied, and what it healed.
func (l *Loop) record(s *State, set int64) {
	r := s.current()
	r.Changes = nil
	for _, p := range s.Proposals {
		r.Changes = append(r.Changes, AppliedChange{
			Author: p.Candidate.Author, Check: p.Step.Check, Explanation: p.Candidate.Explanation,
			Files: p.Candidate.Patch.Paths(), Healed: healed(s, p), Set: set,
		})
	}
	r.Applied = len(s.Proposals)
}
