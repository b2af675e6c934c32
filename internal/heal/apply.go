package heal

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/workspace"
)

// apply writes the approved patch to the user's tree, all of it or nothing, recorded in the journal first. When somebody
// changed one of the files meanwhile, their work stays and the round starts over.
func (l *Loop) apply(ctx context.Context, s *State) (string, error) {
	a, err := l.tree.Applied(ctx, s.Session, s.Iteration)
	if a.done && a.set != 0 && a.set == s.Void {
		a = applied{}
	}
	switch {
	case err != nil:
		return "", err
	case a.done && !a.stands:
		for _, p := range s.Proposals {
			s.learn(l.failed(p, "was taken back by a person", nil))
		}
		return "changed meanwhile", nil
	case !a.done:
		if other, err := l.otherwiseConfigured(s); err != nil {
			return "", err
		} else if other {
			l.tell(s, Event{Kind: Refused, Text: "the configuration of a check was changed meanwhile: the round begins again with it"})
			return "changed meanwhile", nil
		}
		author, explanation := s.credits()
		a.set, err = l.tree.Apply(ctx, s.Patch, workspace.Why{
			Session: s.Session, Iteration: s.Iteration, Author: author, Reason: explanation, Kind: journal.Apply,
		})
		if _, ok := changedMeanwhile(err); ok {
			l.tell(s, Event{Kind: Refused, Text: err.Error()})
			return "changed meanwhile", nil
		}
		if err != nil {
			return "", fmt.Errorf("apply the patch: %w", err)
		}
	}
	l.record(s, a.set)
	s.buy()
	if l.Book != nil && !s.Goal.DryRun {
		if err := l.Book.Applied(ctx, a.set, s.lesson()); err != nil {
			return "", err
		}
	}
	kind := Applied
	if s.Goal.DryRun {
		kind = Previewed
	}
	for _, c := range s.current().Changes {
		l.tell(s, Event{Kind: kind, Text: fmt.Sprintf("%s (%s)", c.Explanation, strings.Join(c.Files, ", "))})
	}
	return "applied", nil
}

// otherwiseConfigured reports whether a file that configures a check's tool is not what it was when the round's checks ran. What was
// measured says nothing of what is now.
func (l *Loop) otherwiseConfigured(s *State) (bool, error) {
	if l.Lab.Reconfigured == nil || s.Known == nil {
		return false, nil
	}
	return l.Lab.Reconfigured(s.Known.Digest)
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

// record notes in the round's history what was applied, and what it healed.
func (l *Loop) record(s *State, set int64) {
	r := s.current()
	r.Changes = nil
	for _, p := range s.Proposals {
		r.Changes = append(r.Changes, AppliedChange{
			Author: p.Candidate.Author, Check: p.Step.Check, Explanation: p.Candidate.Explanation, Sureness: sureness(p.Candidate),
			Files: p.Candidate.Patch.Paths(), Healed: healed(s, p), Set: set,
		})
	}
	r.Applied = len(s.Proposals)
}
