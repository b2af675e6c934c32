package heal

import (
	"context"
	"fmt"
	"slices"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/learn"
	"fettle/internal/verify"
)

// confirm runs the checks that the change concerns once more, on the user's tree as it now is, and every check before the tree is
// called healthy: the last test run must be younger than the last edit. When something is worse than before after all, the round's change is taken back.
func (l *Loop) confirm(ctx context.Context, s *State) (string, error) {
	before := s.Known
	if a, err := l.tree.Applied(ctx, s.Session, s.Iteration); err != nil {
		return "", err
	} else if !a.stands { // taken back already, before a crash or by a person
		l.unapply(s, "the change was taken back before it was confirmed")
		return "worse", nil
	}
	now, err := l.Lab.Again(ctx, before, s.concerns)
	if err != nil {
		return "", err
	}
	if reconfigured(before, now, s.Patch) { // the change was tried under another one
		return "again", l.beginAnew(ctx, s, "the configuration of a check was changed meanwhile")
	}
	switch why, err := l.worse(ctx, s, before, now); {
	case err != nil:
		return "", err
	case why != "":
		return "worse", l.takeBack(ctx, s, why)
	}
	s.Known, l.fresh = now, now
	s.Circles = slices.Contains(s.Trees, now.Digest)
	s.Trees = append(s.Trees, now.Digest)
	s.Idle = 0
	r := s.current()
	r.Successful, r.Gone = r.Applied, len(s.Evidence.Delta.Gone)
	if err := l.healing(ctx, s); err != nil {
		return "", err
	}
	if err := l.measure(ctx, s); err != nil {
		return "", err
	}
	if l.weigh(s) != "clean" {
		return "better", nil
	}
	switch outcome, err := l.vouch(ctx, s); {
	case err != nil:
		return "", err
	case outcome == "taken back":
		return "worse", nil
	case outcome != "clean":
		return "better", nil
	}
	if calm, err := l.undisturbed(ctx, s, before); err != nil || !calm {
		return "better", err
	}
	return "clean", nil
}

// worse says what the checks say now that they did not say before; empty when nothing is worse. The change has passed them in a private copy:
// what fails now and passes when it runs again is flaky, and no reason to take a good change back.
func (l *Loop) worse(ctx context.Context, s *State, before, now *verify.Known) (string, error) {
	for _, c := range l.Lab.Checks {
		was, known := before.Online[c.Name]
		if _, run := now.Online[c.Name]; !known || !run {
			continue
		}
		if why, err := l.worseStill(ctx, s, now, c, was); err != nil || why != "" {
			return why, err
		}
	}
	return "", nil
}

// worse says what a check says that it did not say before; empty when nothing is worse.
func worse(was, is check.Result, flaky map[string]bool) string {
	w := verify.Worsened(was, is, flaky)
	switch {
	case w.Broken != "":
		return fmt.Sprintf("%s cannot run any more: %s", is.Check, w.Broken)
	case len(w.Tests) > 0:
		return w.Tests[0] + " passed before and does not now"
	case len(w.Delta.New) > 0:
		return "new: " + verify.Describe(w.Delta.New[0])
	}
	return ""
}

// takeBack rolls the round's change back and keeps its patch for a person.
func (l *Loop) takeBack(ctx context.Context, s *State, why string) error {
	if err := l.tree.Rollback(context.WithoutCancel(ctx), s.Session, s.Iteration); err != nil {
		return fmt.Errorf("the change made things worse (%s) and could not be rolled back: %w", why, err)
	}
	l.unapply(s, why)
	for _, p := range s.Proposals {
		l.useless(ctx, s, p, "rolled back: "+why)
	}
	return nil
}

// unapply records that the round's change is not in the tree any more.
func (l *Loop) unapply(s *State, why string) {
	s.Tried[tried(s.Patch)] = true
	author, explanation := s.credits()
	s.keep(s.Patch, author, explanation, "rolled back: "+why)
	if s.Kept != nil {
		s.Kept.Bad, s.Kept.Lesson = true, learn.Lesson{} // that it was taken back counts against them already
	}
	r := s.current()
	for _, p := range s.Proposals {
		s.learn(l.failed(p, "was rolled back: "+why, nil))
		r.Refused = append(r.Refused, RefusedChange{p.Candidate.Author, p.Step.Check, p.Candidate.Explanation, sureness(p.Candidate), "rolled back: " + why})
	}
	r.Status, r.Applied, r.Changes = "rolled back", 0, nil
	l.tell(s, Event{Kind: Reverted, Text: "rolled back: " + why})
}

// healed lists, one line each, the findings that a proposal took away: all that are gone when it was the only one of its round,
// else those that it was made for.
func healed(s *State, p Proposal) []string {
	if s.Evidence == nil {
		return nil
	}
	gone := s.Evidence.Delta.Gone
	if len(s.Proposals) > 1 {
		gone = slices.DeleteFunc(slices.Clone(gone), func(d diag.Diagnostic) bool {
			return !slices.ContainsFunc(p.Targets, func(t diag.Diagnostic) bool { return t.ID == d.ID })
		})
	}
	var out []string
	for _, d := range gone {
		out = append(out, d.Check+": "+verify.Describe(d))
	}
	return out
}
