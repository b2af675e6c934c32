package heal

import (
	"fmt"
	"slices"

	"fettle/internal/check"
	"fettle/internal/fix"
	"fettle/internal/lang"
	"fettle/internal/learn"
)

// least is how sure a candidate's author has to be of it, and why that is not what is configured; empty: it is. Who has ideas to go by is as sure as
// they have proved to be, so what is configured holds.
func (l *Loop) least(step Step, c fix.Candidate) (least float64, why string) {
	bounds := l.demands(step.Fixer)
	base := bounds.Base
	if bounds.Least == bounds.Most || len(c.Ideas) > 0 {
		return base, ""
	}
	least, record := l.Trust.Threshold(bounds, step.Fixer, check.Check{Name: step.Check}.Kind(), language(c.Patch.Paths()))
	if least == base {
		return base, ""
	}
	return least, fmt.Sprintf(" (%.0f%% is configured; of %d patches by %s that were as sure as %.0f right ones, %d were kept: fettle stats)",
		100*base, record.Patches(), step.Fixer, record.Sure, record.Kept)
}

// demands are how sure a fixer has to be as it is configured, and how far that moves.
func (l *Loop) demands(fixer string) (b learn.Bounds) {
	by := ""
	if i := slices.IndexFunc(l.Ladder, func(f fix.Fixer) bool { return f.Name() == fixer }); i >= 0 {
		by = l.Ladder[i].Rung().String()
	}
	b.Base, b.Least, b.Most = l.Config.Confidence(by)
	return b
}

// language is that of files, as far as they have one; the first that does counts.
func language(files []string) string {
	for _, f := range files {
		if of := lang.Of(f); of != lang.Unknown {
			return string(of)
		}
	}
	return ""
}

// lesson is what there is to learn from what becomes of a proposal.
func (p Proposal) lesson() learn.Lesson {
	l := lesson(p.Candidate.Ideas, p.Step.Fixer, p.Step.Check, p.Candidate.Patch.Paths(), p.Candidate.Confidence)
	if p.Candidate.Question != "" {
		l.Bought = []learn.Bought{{Author: p.Candidate.Author, Question: p.Candidate.Question}}
	}
	return l
}

func lesson(ideas []string, fixer, about string, files []string, sure float64) learn.Lesson {
	if len(ideas) > 0 {
		return learn.Lesson{Ideas: ideas}
	}
	return learn.Lesson{Words: []learn.Word{{Fixer: fixer, Kind: check.Check{Name: about}.Kind(), Lang: language(files), Sure: sure}}}
}

// lesson is what there is to learn from what becomes of the round's proposals, or, when there are none, of what was changed in all rounds.
func (s *State) lesson() (out learn.Lesson) {
	add := func(l learn.Lesson) {
		out.Ideas, out.Words, out.Bought = append(out.Ideas, l.Ideas...), append(out.Words, l.Words...), append(out.Bought, l.Bought...)
	}
	for _, p := range s.Proposals {
		add(p.lesson())
	}
	if len(s.Proposals) == 0 {
		for _, r := range s.History {
			for _, c := range r.Changes {
				add(lesson(c.Ideas, c.Author, c.Check, c.Files, c.Confidence))
			}
			add(learn.Lesson{Bought: s.Bought[r.Number]})
		}
	}
	slices.Sort(out.Ideas)
	out.Ideas = slices.Compact(out.Ideas)
	return out
}
