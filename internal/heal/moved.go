package heal

import (
	"context"
	"fmt"
	"slices"

	"fettle/internal/edit"
	"fettle/internal/flow"
	"fettle/internal/lang"
	"fettle/internal/verify"
)

// MovedError says that a session stopped because its checks are not those that it began with. Resuming it, with a loop that was
// made from the configuration as it is now, begins its round again.
type MovedError struct{ Err error }

func (e *MovedError) Error() string {
	return "the configuration was changed meanwhile: " + e.Err.Error()
}

func (e *MovedError) Unwrap() error { return e.Err }

// stillConfigured stops the session after a step when its checks were configured otherwise meanwhile. What it has measured so far
// holds for one configuration only.
func (l *Loop) stillConfigured(ctx context.Context, g *flow.Graph[State], step flow.Step) error {
	if l.Moved == nil || g.IsEnd(step.Next) {
		return nil
	}
	if err := l.Moved(ctx); err != nil {
		return &MovedError{err}
	}
	return nil
}

// beginAnew forgets what the round has measured, and takes back what it has applied without having confirmed it.
func (l *Loop) beginAnew(ctx context.Context, s *State, why string) error {
	if a, err := l.tree.Applied(ctx, s.Session, s.Iteration); err != nil {
		return err
	} else if a.stands && s.current().Successful == 0 {
		if err := l.tree.Rollback(context.WithoutCancel(ctx), s.Session, s.Iteration); err != nil {
			return fmt.Errorf("take back what was applied before %s: %w", why, err)
		}
		s.Void = a.set
		r := s.current()
		r.Applied, r.Changes = 0, nil
	}
	l.tell(s, Event{Kind: Noted, Text: why + ": the round begins again"})
	s.clear()
	s.Known, s.Kept, l.fresh = nil, nil, nil
	return nil
}

// reconfigured reports whether files that configure the checks' tools were changed by somebody else between two looks at the tree:
// what was measured then and what is measured now cannot be compared.
func reconfigured(before, now *verify.Known, p edit.Patch) bool {
	ours := slices.ContainsFunc(p.Paths(), lang.IsCheckConfig)
	return !ours && before.Setup != "" && now.Setup != "" && before.Setup != now.Setup
}
