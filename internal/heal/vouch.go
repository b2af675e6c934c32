package heal

import (
	"context"
	"maps"
	"slices"

	"fettle/internal/check"
	"fettle/internal/phrase"
	"fettle/internal/verdict"
)

// A round runs the checks that its change concerns: those whose `files` name a file that it touches. In a tree of many projects that
// is most of the time saved. But what concerns a check is somebody's word, and what is remembered is yesterday's: before a tree
// is called healthy, or a session that changed something ends, every check runs on it. What turns out to have broken one that
// seemed to be no concern of it is taken back (unravel.go), and from then on that check is run with every change.

// vouch is the outcome of a tree that seems clean: clean, when every check was run on it and nothing is worse; findings or broken;
// or "taken back": then nothing is known of the tree any more.
func (l *Loop) vouch(ctx context.Context, s *State) (string, error) {
	standing, err := l.standing(ctx, s)
	if err != nil {
		return "", err
	}
	todo := l.unvouched(s, len(standing) > 0)
	if len(todo) == 0 {
		return "clean", nil
	}
	before := maps.Clone(s.Known.Online)
	if err := l.Lab.Afresh(ctx, s.Known, todo); err != nil {
		return "", err
	}
	if len(standing) == 0 {
		return l.weigh(s), nil
	}
	for _, c := range todo {
		was, known := before[c.Name]
		is := s.Known.Online[c.Name]
		if is.Status == check.Passed || known && worse(was, is, s.Known.Flaky) == "" {
			continue
		}
		without, why, err := l.hearing(ctx, s, c)
		if err != nil {
			return "", err
		}
		if why != "" {
			return "taken back", l.unravel(ctx, s, c, without, why)
		}
	}
	return l.weigh(s), nil
}

// unvouched are the checks that were not run on this very tree: the goal's, and all of them once something was changed.
func (l *Loop) unvouched(s *State, changed bool) []check.Check {
	return slices.DeleteFunc(slices.Clone(l.Lab.Checks), func(c check.Check) bool {
		_, narrow := s.Goal.Narrow[c.Name]
		asked := slices.Contains(s.Goal.Checks, c.Name) && !narrow
		return !asked && !changed || s.Known.Firsthand(c.Name)
	})
}

// vouchAtTheEnd is vouch for a session that ends without having healed everything, again and again until nothing has to be taken
// back any more: each time, a round goes.
func (l *Loop) vouchAtTheEnd(ctx context.Context, s *State, end verdict.End) error {
	if slices.Contains([]verdict.End{verdict.Converged, verdict.Paused, verdict.Interrupted}, end) {
		return nil // the first is vouched for, the others go on
	}
	reason := s.Reason
	defer func() { s.Reason = reason }()
	for taken := false; ; taken = true {
		if taken { // the report tells what is left
			if err := l.look(ctx, s); err != nil {
				return err
			}
			if err := l.measure(ctx, s); err != nil {
				return err
			}
			l.weigh(s)
		}
		if standing, err := l.standing(ctx, s); err != nil || len(standing) == 0 || s.Known == nil {
			return err
		}
		if outcome, err := l.vouch(ctx, s); err != nil || outcome != "taken back" {
			return err
		}
	}
}

// mostNamed is how many names one line gives.
const mostNamed = 5

// unableToVouch notes the checks that could not be run again before the session ended.
func (l *Loop) unableToVouch(s *State) {
	if s.Known == nil || !slices.ContainsFunc(s.History, func(r Iteration) bool { return r.Applied > 0 }) {
		return
	}
	var names []string
	for _, c := range l.unvouched(s, true) {
		names = append(names, c.Name)
	}
	if len(names) > 0 {
		s.note("not run since the last change, which should not concern them: %s", phrase.Some(names, mostNamed))
	}
}

// standing are the rounds whose changes are in the tree, as places in the history, the last one last. The history is told of those
// that were taken back meanwhile: by a person, or by a fettle that was killed on the way.
func (l *Loop) standing(ctx context.Context, s *State) ([]int, error) {
	var out []int
	for i := range s.History {
		r := &s.History[i]
		if r.Applied == 0 {
			continue
		}
		a, err := l.tree.Applied(ctx, s.Session, r.Number)
		if err != nil {
			return nil, err
		}
		if a.stands {
			out = append(out, i)
		} else {
			r.rolledBack()
		}
	}
	return out, nil
}

func (r *Iteration) rolledBack() {
	r.Status, r.Applied, r.Successful, r.Gone, r.Changes = "rolled back", 0, 0, 0, nil
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
