package prompt

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/learn"
	"fettle/internal/phrase"
	"fettle/internal/verdict"
)

// sample is an answer, and what was seen when it was tried.
type sample struct {
	fix.Candidate
	again []string // further questions to which the same patch was the answer
	trial *verdict.Trial
}

// passes reports whether it passed when it was tried.
func (s *sample) passes() bool { return s.trial != nil && s.trial.Plausible }

// best asks for all answers, tries them, and hands out those that pass, the smallest first. Where none does it is the most promising one, which is judged like any other: so it is known what
// is wrong with it, and the model can be told.
func (f *fixer) best(ctx context.Context, t fix.Task, all iter.Seq2[fix.Candidate, error], note func(string, ...any)) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		asked, cost, err := distinct(all)
		if err == nil {
			err = try(ctx, t, asked)
		}
		if err != nil {
			if t.Spent != nil {
				t.Spent(cost, true) // what was asked before it is paid for
			}
			yield(fix.Candidate{}, err)
			return
		}
		passed := slices.DeleteFunc(slices.Clone(asked), func(s *sample) bool { return !s.passes() })
		slices.SortStableFunc(passed, func(a, b *sample) int { return cmp.Compare(size(a.Patch), size(b.Patch)) })
		alternatives := max(0, len(passed)-1)
		if tried := slices.DeleteFunc(slices.Clone(asked), func(s *sample) bool { return s.trial == nil }); len(passed) == 0 && len(tried) > 0 {
			passed = []*sample{slices.MinFunc(tried, promise)}
			note("none of the model's answers passes, of %s: %s; the most promising one is judged like any other", phrase.Count(len(tried), "different one"), passed[0].trial.Note)
		}
		for _, s := range asked {
			f.spoil(ctx, s, slices.Contains(passed, s), note)
		}
		for i, s := range passed {
			c := s.Candidate
			c.Alternatives, c.Heals = alternatives, s.trial.Healed
			if c.Cost = 0; i == 0 { // the first pays for all that was asked
				c.Cost = cost
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// distinct are the answers that do different things, and what all of them cost.
func distinct(all iter.Seq2[fix.Candidate, error]) (out []*sample, cost float64, err error) {
	at := map[edit.Hash]*sample{}
	for c, err := range all {
		if err != nil {
			return nil, cost, err
		}
		cost += c.Cost
		s := at[c.Patch.Digest()]
		if s == nil {
			s = &sample{Candidate: c}
			at[c.Patch.Digest()], out = s, append(out, s)
			continue
		}
		s.again = append(s.again, c.Question)
	}
	return out, cost, nil
}

// promise orders answers that do not pass: those that heal most first, and of these those that break least.
func promise(a, b *sample) int {
	return cmp.Or(cmp.Compare(len(b.trial.Healed), len(a.trial.Healed)), cmp.Compare(len(a.trial.Broken), len(b.trial.Broken)))
}

// spoil writes down that an answer did not pass when it was tried: nobody asks for it again. What becomes of one that is offered all the same is written down by whoever judges it.
func (f *fixer) spoil(ctx context.Context, s *sample, offered bool, note func(string, ...any)) {
	if f.o.Book == nil || s.trial == nil || s.passes() {
		return
	}
	questions := s.again
	if !offered {
		questions = append(questions, s.Question)
	}
	for _, question := range questions {
		a := learn.Answer{Fixer: f.Name(), Model: s.Model, Useless: f.o.Redactor.RedactString("it was tried, and did not pass: " + s.trial.Note)}
		if err := f.o.Book.Answered(ctx, question, a); err != nil {
			note("%v", err) // it costs money to forget it, and no more
		}
	}
}

// try has each answer tried.
func try(ctx context.Context, t fix.Task, asked []*sample) error {
	patches := func(yield func(edit.Patch) bool) {
		for _, s := range asked {
			if !yield(s.Patch) {
				return
			}
		}
	}
	for trial, err := range t.TryAll(ctx, patches) {
		if err != nil {
			return err
		}
		asked[trial.Index].trial = &trial
	}
	return nil
}

// size is how many bytes a patch takes away and brings.
func size(p edit.Patch) int {
	n := 0
	for _, c := range p {
		for _, e := range c.Edits {
			n += e.End - e.Start + len(e.New)
		}
	}
	return n
}
