package heal

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/phrase"
	"fettle/internal/verdict"
)

// A round runs the checks that its change concerns: those whose `files` name a file that it touches. In a tree of many projects that
// is most of the time saved. But what concerns a check is somebody's word, and what is remembered is yesterday's: before a tree
// is called healthy, or a session that changed something ends, every check runs on it. What turns out to have broken one that
// seemed to be no concern of it is taken back, and from then on that check is run with every change.

// vouch is the outcome of a tree that seems clean: clean, when every check was run on it and nothing is worse; findings or broken;
// or "taken back".
func (l *Loop) vouch(ctx context.Context, s *State) (string, error) {
	changed := s.lastApplied() != nil
	var todo []check.Check
	for _, c := range l.Lab.Checks {
		_, narrow := s.Goal.Narrow[c.Name]
		asked := slices.Contains(s.Goal.Checks, c.Name) && !narrow
		if (asked || changed) && !s.Known.Firsthand(c.Name) {
			todo = append(todo, c)
		}
	}
	if len(todo) == 0 {
		return "clean", nil
	}
	before := maps.Clone(s.Known.Online)
	if err := l.Lab.Afresh(ctx, s.Known, todo); err != nil {
		return "", err
	}
	if changed {
		for _, c := range todo {
			was, known := before[c.Name]
			is := s.Known.Online[c.Name]
			if is.Status == check.Passed || known && worse(was, is, s.Known.Flaky) == "" {
				continue
			}
			without, told, err := l.withoutUs(ctx, s, c)
			if err != nil {
				return "", err
			}
			if why := worse(without, is, s.Known.Flaky); told && why != "" {
				return "taken back", l.unravel(ctx, s, c, without, why)
			}
		}
	}
	return l.weigh(s), nil
}

// mostNamed is how many names one line gives.
const mostNamed = 5

// vouchAtTheEnd is vouch for a session that ends without having healed everything.
func (l *Loop) vouchAtTheEnd(ctx context.Context, s *State, end verdict.End) error {
	if s.Known == nil || !slices.Contains([]verdict.End{verdict.Stuck, verdict.Exhausted, verdict.Rejected, verdict.Budget}, end) {
		return nil
	}
	if ctx.Err() == nil {
		outcome, err := l.vouch(ctx, s)
		if err != nil || outcome != "taken back" {
			return err
		}
		if err := l.look(ctx, s); err != nil { // the report tells of what is left
			return err
		}
		if err := l.measure(ctx, s); err != nil {
			return err
		}
		l.weigh(s)
		return nil
	}
	var left []string
	for _, c := range l.Lab.Checks {
		if s.Known.Carried[c.Name] {
			left = append(left, c.Name)
		}
	}
	if len(left) > 0 {
		s.note("time was over before checks that the changes should not concern could be run again: %s", phrase.Some(left, mostNamed))
	}
	return nil
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
	if err == nil {
		err = lab.Afresh(ctx, k, []check.Check{c})
	}
	return k.Online[c.Name], err == nil, err
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

// unravel takes rounds back, the last one first, until a check that the session broke says no more than it does without it. The
// loop begins again from there.
func (l *Loop) unravel(ctx context.Context, s *State, c check.Check, without check.Result, why string) error {
	l.tell(s, Event{Kind: Noted, Text: fmt.Sprintf("%s: %s, though no file that concerns it was changed", c.Name, why)})
	s.note("%s depends on more files than its `files` say; it was run with every change", c.Name)
	l.spread(s, c.Name)
	s.Commands = l.commands()
	for {
		round := s.lastApplied()
		if round == nil {
			break
		}
		if err := l.tree.Rollback(context.WithoutCancel(ctx), s.Session, round.Number); err != nil {
			return fmt.Errorf("round %d broke %s (%s) and could not be rolled back: %w", round.Number, c.Name, why, err)
		}
		round.Status, round.Applied, round.Successful, round.Gone, round.Changes = "rolled back", 0, 0, 0, nil
		l.tell(s, Event{Kind: Reverted, Text: fmt.Sprintf("round %d was rolled back", round.Number)})
		k, err := l.Lab.Look(ctx)
		if err == nil {
			err = l.Lab.Afresh(ctx, k, []check.Check{c})
		}
		if err != nil {
			return err
		}
		if worse(without, k.Online[c.Name], s.Known.Flaky) == "" {
			break
		}
	}
	s.clear()
	s.Known, s.Trees, s.Circles, l.fresh = nil, nil, false, nil
	return nil
}

// lastApplied is the last round whose change stands; nil when none does.
func (s *State) lastApplied() *Iteration {
	for i := range slices.Backward(s.History) {
		if s.History[i].Applied > 0 {
			return &s.History[i]
		}
	}
	return nil
}

// spread has every file concern a check from now on.
func (l *Loop) spread(s *State, names ...string) {
	checks := slices.Clone(l.Lab.Checks)
	for i, c := range checks {
		if slices.Contains(names, c.Name) {
			checks[i].Files = nil
			if !slices.Contains(s.Spread, c.Name) {
				s.Spread = append(s.Spread, c.Name)
			}
		}
	}
	l.Lab.Checks = checks
}
