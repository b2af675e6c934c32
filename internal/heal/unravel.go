package heal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/verify"
)

// reruns is how often a check that seems to be broken by the session has another chance: nobody is blamed for one that fails now and then.
const reruns = 2

// hearing finds out whether a check is worse because of the session's changes, by what it says of the tree without them. Why is empty
// when it is not, or when that cannot be told.
func (l *Loop) hearing(ctx context.Context, s *State, c check.Check) (without check.Result, why string, err error) {
	without, told, err := l.withoutUs(ctx, s, c)
	if err != nil || !told {
		return without, "", err
	}
	why, err = l.worseStill(ctx, s, s.Known, c, without)
	return without, why, err
}

// worseStill says what a check says of a tree that it did not say before, however often it runs; empty when nothing is worse.
func (l *Loop) worseStill(ctx context.Context, s *State, k *verify.Known, c check.Check, was check.Result) (why string, err error) {
	first := k.Online[c.Name]
	why = worse(was, first, k.Flaky)
	for n := 0; why != "" && n < reruns; n++ {
		delete(k.Online, c.Name)
		if err := l.Lab.Measured(ctx, k, []check.Check{c}); err != nil {
			return "", err
		}
		again := k.Online[c.Name]
		if worse(was, again, k.Flaky) == "" {
			l.flaky(s, k, c, first, again)
			why = ""
		}
	}
	return why, nil
}

// flaky notes a check that failed and passed on the same content, and its tests that did.
func (l *Loop) flaky(s *State, k *verify.Known, c check.Check, failed, passed check.Result) {
	names := verify.Broken(passed.Tests, failed.Tests)
	for _, id := range names {
		k.Flaky[id] = true
		if !slices.Contains(s.Flaky, id) {
			s.Flaky = append(s.Flaky, id)
		}
	}
	if len(names) == 0 {
		names = []string{c.Name}
	}
	s.note("%s failed and passed on the same content", strings.Join(names, ", "))
}

// withoutUs is what a check says of the tree without the session's changes; told is false when that cannot be found out, because
// somebody has edited since what was changed.
func (l *Loop) withoutUs(ctx context.Context, s *State, c check.Check) (r check.Result, told bool, err error) {
	lab := l.real // a dry run has not changed it
	if !s.Goal.DryRun {
		back, err := l.inverse(ctx, s)
		if err != nil {
			return r, false, err
		}
		if _, err := back.Apply(l.tree.Source()); err != nil {
			s.note("%s says something new; whether that is of fettle's doing cannot be told, as files that it changed were edited since", c.Name)
			return r, false, nil
		}
		lab = lab.Ahead(func() (edit.Patch, error) { return back, nil })
	}
	defer lab.Close()
	k, err := lab.Look(ctx)
	if err != nil {
		return r, false, fmt.Errorf("read the working tree: %w", err)
	}
	if err := lab.Afresh(ctx, k, []check.Check{c}); err != nil {
		return r, false, err
	}
	return k.Online[c.Name], true, nil
}

// inverse is the patch that takes all of a session's changes back.
func (l *Loop) inverse(ctx context.Context, s *State) (edit.Patch, error) {
	spans, err := Spans(ctx, l.Journal, s.Session)
	if err != nil {
		return nil, err
	}
	before, after := map[string]edit.File{}, map[string]edit.File{}
	for path, span := range spans {
		before[path], after[path] = span.Before, span.After
	}
	return edit.Between(after, before), nil
}

// unravel takes rounds back, the last one first, until a check that the session broke says no more than it does without it. Nothing
// is known of the tree afterwards. The round that was to blame is not tried again as it was, and kept for a person.
func (l *Loop) unravel(ctx context.Context, s *State, c check.Check, without check.Result, why string) error {
	l.tell(s, Event{Kind: Noted, Text: fmt.Sprintf("%s: %s, though no file that concerns it was changed", c.Name, why)})
	s.note("%s depends on more files than its `files` say: name them in %s", c.Name, check.FileFor(l.Config.Written))
	l.spread(s, c.Name)
	s.Commands = l.commands()
	standing, err := l.standing(ctx, s)
	if err != nil {
		return err
	}
	flaky := s.Known.Flaky
	for _, i := range slices.Backward(standing) {
		round := &s.History[i]
		patch, err := l.tree.Patch(ctx, s.Session, round.Number)
		if err != nil {
			return err
		}
		if err := l.tree.Rollback(context.WithoutCancel(ctx), s.Session, round.Number); err != nil {
			return fmt.Errorf("round %d broke %s (%s) and could not be rolled back: %w", round.Number, c.Name, why, err)
		}
		changes := round.Changes
		round.rolledBack()
		if err := l.failing(context.WithoutCancel(ctx), s, round.Number, changes); err != nil {
			return err
		}
		l.tell(s, Event{Kind: Reverted, Text: fmt.Sprintf("round %d was rolled back", round.Number)})
		k, err := l.Lab.Look(ctx)
		if err == nil {
			err = l.Lab.Afresh(ctx, k, []check.Check{c})
		}
		if err != nil {
			return err
		}
		if worse(without, k.Online[c.Name], flaky) == "" {
			l.blame(ctx, s, round, patch, changes, fmt.Sprintf("rolled back: it broke %s: %s", c.Name, why))
			break
		}
	}
	s.clear()
	s.Known, s.Trees, s.Circles, l.fresh = nil, nil, false, nil
	return nil
}

// healed are the findings that were gone with what the round has changed.
func (r Iteration) healed() []diag.Fingerprint {
	if r.Evidence == nil {
		return nil
	}
	return identities(r.Evidence.Delta.Gone)
}

// blame remembers a round's change that was to blame for something, so that it is not tried again, nor paid for again, and keeps it for a person. The round may be any of the session's: what is said is
// of its own authors and not of those who are at work. That it was taken back counts against them already.
func (l *Loop) blame(ctx context.Context, s *State, round *Iteration, p edit.Patch, changes []AppliedChange, why string) {
	var authors, explanations []string
	for _, c := range changes {
		if !slices.Contains(authors, c.Author) {
			authors = append(authors, c.Author)
		}
		explanations = append(explanations, c.Explanation)
		round.Refused = append(round.Refused, RefusedChange{c.Author, c.Check, c.Explanation, c.Sureness, why})
	}
	for _, b := range s.Bought[round.Number] {
		l.spoil(ctx, s, b, why)
	}
	s.Tried[tried(p)] = true
	if len(p) > 0 {
		s.Kept = &Kept{Patch: p, Author: strings.Join(authors, ", "), Explanation: strings.Join(explanations, "; "), Why: why, Bad: true, Iteration: round.Number}
	}
	patch, targets := l.shown(p), round.healed()
	for _, c := range changes {
		s.learn(Failure{Failure: fix.Failure{Why: l.why(c.Author, c.Explanation, "was "+why), Patch: patch}, Fixer: c.Author, Targets: targets})
	}
}
