package heal

import (
	"context"
	"slices"

	"fettle/internal/learn"
)

// What somebody was paid for answering is written down where it was asked (fix/prompt). What became of the answer is known here: one that will not do is asked for no second time, in this
// session or in another, and one that was taken is forgotten, as the same question means something else when it comes again.

// Bought is an answer that was taken in a round: who has given it, and to what.
type Bought struct {
	Author   string `json:"author"`
	Question string `json:"question"`
}

// useless writes down that an answer will not do.
func (l *Loop) useless(ctx context.Context, s *State, p Proposal, why string) {
	l.spoil(ctx, s, Bought{p.Candidate.Author, p.Candidate.Question}, why)
}

func (l *Loop) spoil(ctx context.Context, s *State, b Bought, why string) {
	if l.Book == nil || b.Question == "" {
		return
	}
	a := learn.Answer{Fixer: b.Author, Useless: l.Lab.Discreet(why)}
	if err := l.Book.Answered(context.WithoutCancel(ctx), b.Question, a); err != nil {
		l.tell(s, Event{Kind: Noted, Text: err.Error()}) // it costs money to forget it, and no more
	}
}

// used forgets the answers that were taken, but for whose they were: their round may be taken back.
func (l *Loop) used(ctx context.Context, s *State) error {
	for _, p := range s.Proposals {
		if p.Candidate.Question == "" {
			continue
		}
		if err := l.Book.Used(ctx, p.Candidate.Question); err != nil {
			return err
		}
		if s.Bought == nil {
			s.Bought = map[int][]Bought{}
		}
		if b := (Bought{p.Candidate.Author, p.Candidate.Question}); !slices.Contains(s.Bought[s.Iteration], b) { // a round goes on after a crash
			s.Bought[s.Iteration] = append(s.Bought[s.Iteration], b)
		}
	}
	return nil
}
