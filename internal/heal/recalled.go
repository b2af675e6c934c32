package heal

import (
	"context"
	"slices"

	"fettle/internal/fix"
)

// recalled has those who are paid offer what they have answered to the very same before, behind the tools and before anybody searches for it anew. Nobody is asked for that, and whoever
// remembers nothing has its turn later, as if there had been none.
func (l *Loop) recalled(ctx context.Context, s *State) error {
	if len(s.Proposals) > 0 || len(s.Plan) == 0 || s.Plan[0].Rung == fix.RungTool {
		return nil
	}
	for _, step := range s.Plan {
		if !l.recalls(ctx, s, step) || s.offered(step) {
			continue
		}
		step.known = true
		a := l.propose(ctx, s, step, 0)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if a.err != nil || a.proposal == nil {
			continue
		}
		a.step.known, a.proposal.Step.known = false, false
		l.hear(ctx, s, a)
		if err := l.turned(ctx, s, a); err != nil {
			return err
		}
	}
	return nil
}

// recalls reports whether the fixer of a step may remember something that it was paid for.
func (l *Loop) recalls(ctx context.Context, s *State, step Step) bool {
	f, c, err := l.whose(step)
	if err != nil {
		return false
	}
	r, ok := f.(fix.Recaller)
	return ok && r.Recalls(ctx, fix.Task{Check: c, Diagnostics: s.shared(step.shares()[0])})
}

// offered reports whether the round has a proposal for one of a step's findings.
func (s *State) offered(step Step) bool {
	return slices.ContainsFunc(s.Proposals, func(p Proposal) bool { return step.aboutAny(identities(p.Targets)) })
}
