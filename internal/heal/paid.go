package heal

import (
	"context"

	"fettle/internal/learn"
)

// What somebody was paid for answering is written down where it was asked (fix/prompt). What became of the answer is known here: one that will not do is asked for no second time, in this
// session or in another, and one that was taken is forgotten, as the same question means something else when it comes again.

// useless writes down that an answer will not do.
func (l *Loop) useless(ctx context.Context, s *State, p Proposal, why string) {
	if l.Book == nil || p.Candidate.Question == "" {
		return
	}
	a := learn.Answer{Fixer: p.Candidate.Author, Useless: l.Lab.Discreet(why)}
	if err := l.Book.Answered(context.WithoutCancel(ctx), p.Candidate.Question, a); err != nil {
		l.tell(s, Event{Kind: Noted, Text: err.Error()}) // it costs money to forget it, and no more
	}
}

// used forgets the answers that were taken.
func (l *Loop) used(ctx context.Context, s *State) error {
	for _, p := range s.Proposals {
		if p.Candidate.Question == "" {
			continue
		}
		if err := l.Book.Used(ctx, p.Candidate.Question); err != nil {
			return err
		}
	}
	return nil
}
