package heal

import (
	"cmp"
	"context"
	"fmt"

	"fettle/internal/fix"
	"fettle/internal/learn"
)

// Turns are what a fixer did in a session.
type Turns struct {
	Rung   fix.Rung `json:"rung"`
	Misses int      `json:"misses,omitempty"` // turns in a row that healed nothing
	Cost   float64  `json:"cost_usd,omitempty"`
}

// turned writes down what came of a fixer's turn, as far as it is known when it has answered: what it offers counts as refused until it is confirmed.
func (l *Loop) turned(ctx context.Context, s *State, a answer) error {
	t := learn.Turn{Session: s.Session, Iteration: s.Iteration, Step: a.step.Key, Fixer: a.step.Fixer, Outcome: learn.Refused, USD: a.spent, Took: a.took}
	if c, ok := l.Lab.Find(a.step.Check); ok {
		t.Kind = c.Kind()
	}
	switch {
	case a.err != nil:
		t.Outcome = learn.Failed
	case a.proposal == nil:
		t.Outcome = learn.Nothing
	default:
		t.USD += a.proposal.Candidate.Cost
	}
	if s.Turns == nil {
		s.Turns = map[string]Turns{}
	}
	sum := s.Turns[a.step.Fixer]
	s.Turns[a.step.Fixer] = Turns{Rung: a.step.Rung, Misses: sum.Misses + 1, Cost: sum.Cost + t.USD}
	if l.Book == nil {
		return nil
	}
	return l.Book.Turned(ctx, t)
}

// healing writes down that what the round's fixers offered is confirmed. What a dry run confirms is in nobody's tree: it has healed nothing until a person takes it.
func (l *Loop) healing(ctx context.Context, s *State) error {
	for _, p := range s.Proposals {
		if t, ok := s.Turns[p.Step.Fixer]; ok {
			t.Misses = 0
			s.Turns[p.Step.Fixer] = t
		}
		if l.Book == nil || s.Goal.DryRun {
			continue
		}
		if err := l.Book.Healing(ctx, s.Session, cmp.Or(p.Round, s.Iteration), p.Step.Key, p.Step.Fixer); err != nil {
			return err
		}
	}
	return nil
}

// failing writes down that what was confirmed of a round has healed nothing after all: it was taken back.
func (l *Loop) failing(ctx context.Context, s *State, round int, changes []AppliedChange) error {
	for _, c := range changes {
		if t, ok := s.Turns[c.Author]; ok {
			t.Misses++
			s.Turns[c.Author] = t
		}
	}
	if l.Book == nil {
		return nil
	}
	return l.Book.Unhealing(ctx, s.Session, round)
}

// stops says why a fixer that costs money is not asked any more in this session; empty: it is.
func (l *Loop) stops(s *State, fixer string, r fix.Rung) string {
	if r < fix.RungModel {
		return ""
	}
	if most := l.Config.Fixers.GiveUp; most > 0 && s.Turns[fixer].Misses >= most {
		return fmt.Sprintf("%s was not asked any more: %d of its turns in a row have healed nothing (fixers: {give_up: %[2]d})", fixer, most)
	}
	if left, limited := l.shareLeft(s, r); limited && left <= 0 {
		return fmt.Sprintf("no %s was asked any more: their share of the budget is spent (fixers: {shares: {%[1]s: %g}})", r, l.Config.Fixers.Shares[r.String()])
	}
	return ""
}

// shareLeft is how many US dollars the fixers of a rung may still spend in this session of what is theirs of its budget, and whether anything limits that.
func (l *Loop) shareLeft(s *State, r fix.Rung) (left float64, limited bool) {
	share, ok := l.Config.Fixers.Shares[r.String()]
	if !ok || s.Goal.Budget <= 0 {
		return 0, false
	}
	left = share * s.Goal.Budget
	for _, t := range s.Turns {
		if t.Rung == r {
			left -= t.Cost
		}
	}
	return left, true
}
