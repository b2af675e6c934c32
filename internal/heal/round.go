package heal

import (
	"context"
	"fmt"
	"time"

	"fettle/internal/verdict"
)

// maxIdle is how many rounds in a row may pass without a change that was applied.
const maxIdle = 2

// round begins a round, or says why there is none. It is the entry of the loop: every limit is checked here.
func (l *Loop) round(_ context.Context, s *State) (string, error) {
	l.closeRound(s, verdict.Exhausted)
	switch {
	case s.Iteration >= s.Goal.Iterations:
		s.Reason = fmt.Sprintf("Max iterations reached (%d); fix what is left by hand, or allow more with --max-iterations", s.Goal.Iterations)
		return "limit", nil
	case s.Goal.Budget > 0 && s.Cost >= s.Goal.Budget:
		s.Reason = s.spent() + l.left(s)
		return "budget", nil
	case s.Idle >= maxIdle:
		s.Reason = fmt.Sprintf("%d rounds without progress", s.Idle)
		return "stuck", nil
	case s.Circles:
		s.Reason = "the last change brought back a state that was there before"
		return "stuck", nil
	}
	s.clear()
	s.Iteration++
	s.Idle++ // until something is applied
	s.History = append(s.History, Iteration{Number: s.Iteration, Started: time.Now(), Before: s.Spent})
	return "go", nil
}
