package heal

import (
	"context"
	"slices"

	"fettle/internal/learn"
)

// What somebody was paid for answering is written down where it was asked (fix/prompt). What became of the answer is known here: one that will not do is asked for no second time, in this
// session or in another, and one that was taken is had again for nothing, until a person takes its patch back.

// useless writes down that an answer will not do.
func (l *Loop) useless(ctx context.Context, s *State, p Proposal, why string) {
	l.spoil(ctx, s, learn.Bought{Author: p.Candidate.Author, Question: p.Candidate.Question}, why)
}

func (l *Loop) spoil(ctx context.Context, s *State, b learn.Bought, why string) {
	if l.Book == nil || b.Question == "" {
		return
	}
	a := learn.Answer{Fixer: b.Author, Useless: l.Lab.Discreet(why)}
	if err := l.Book.Answered(context.WithoutCancel(ctx), b.Question, a); err != nil {
		l.tell(s, Event{Kind: Noted, Text: err.Error()}) // it costs money to forget it, and no more
	}
}

// buy remembers whose answers the round has taken: it may be taken back, or turned down.
func (s *State) buy() {
	for _, b := range s.lesson().Bought {
		if s.Bought == nil {
			s.Bought = map[int][]learn.Bought{}
		}
		if !slices.Contains(s.Bought[s.Iteration], b) { // a round goes on after a crash
			s.Bought[s.Iteration] = append(s.Bought[s.Iteration], b)
		}
	}
}
