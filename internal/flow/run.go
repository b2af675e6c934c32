package flow

import (
	"context"
	"fmt"
	"time"
)

// Step is one node that ran: what it ended with and where that leads.
type Step struct {
	Node    string        `json:"node"`
	Outcome string        `json:"outcome"`
	Next    string        `json:"next"` // the node that comes next, or the end
	Err     string        `json:"error,omitempty"`
	At      time.Time     `json:"at"`
	Took    time.Duration `json:"took_ns"`
}

// Hooks are what a run tells its surroundings.
type Hooks[S any] struct {
	// Enter is called before a node runs. May be nil.
	Enter func(node, does string)
	// Checkpoint stores the state after a node ran, and before anything else happens. Its error ends the run: a step
	// that is not recorded did not happen. May be nil.
	Checkpoint func(ctx context.Context, s *S, step Step) error
}

// Run runs the graph from the node called from (the graph's entry when empty) until an end, and returns the end's name.
//
// A cancelled context stops the run before the next node, and within a node when the node heeds it; Run then returns the
// context's error, and the last checkpoint is where a resumed run goes on. The step in which the context was cancelled is
// not recorded.
func (g *Graph[S]) Run(ctx context.Context, s *S, from string, h Hooks[S]) (string, error) {
	at := from
	if at == "" {
		at = g.entry
	}
	for !g.IsEnd(at) {
		n, ok := g.find(at)
		if !ok {
			return "", fmt.Errorf("%s: no node is called %q", g.name, at)
		}
		if err := ctx.Err(); err != nil {
			return "", context.Cause(ctx)
		}
		if h.Enter != nil {
			h.Enter(n.name, n.does)
		}
		step, err := g.step(ctx, n, s)
		if err != nil {
			return "", err
		}
		if h.Checkpoint != nil {
			// The step has happened: its record must not be lost to a cancellation that came a moment later.
			if err := h.Checkpoint(context.WithoutCancel(ctx), s, step); err != nil {
				return "", fmt.Errorf("record step %q: %w", n.name, err)
			}
		}
		at = step.Next
	}
	return at, nil
}

func (g *Graph[S]) step(ctx context.Context, n node[S], s *S) (Step, error) {
	step := Step{Node: n.name, At: time.Now()}
	outcome, err := n.run(ctx, s)
	step.Took = time.Since(step.At)
	if err != nil {
		if ctx.Err() != nil {
			return Step{}, context.Cause(ctx)
		}
		step.Err = err.Error()
		if g.fault != nil {
			step.Next = g.fault(err)
		}
		if step.Next == "" {
			return Step{}, fmt.Errorf("%s: %w", n.name, err)
		}
		step.Outcome = "error"
		return step, nil
	}
	step.Outcome = outcome
	step.Next, err = n.next(outcome)
	return step, err
}
