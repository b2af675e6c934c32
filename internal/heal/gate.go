package heal

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fettle/internal/audit"
	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/verdict"
)

// gate lets through what may be tried: proposals that the fixer itself believes in, that the audit does not refuse, and
// that the user's tree could take. What goes on is one patch, the proposals merged.
func (l *Loop) gate(_ context.Context, s *State) (string, error) {
	var through []Proposal
	unsure := 0
	for _, p := range s.Proposals {
		p.Audit = l.audit(s, p)
		if p.Candidate.Confidence < l.Config.Limits.Confidence {
			unsure++
		}
		if why := l.objection(s, p); why != "" {
			l.refuse(s, p, why)
			continue
		}
		through = append(through, p)
	}
	if unsure > 0 && unsure == len(s.Proposals) {
		s.Proposals = nil
		return "unsure", nil // nothing was tried: the next fixer, or the next fault, has its turn in this round
	}
	s.Proposals = through
	return l.combine(s)
}

// audit judges a proposal by what it introduces. A tool's own fix for a finding that is no failing test may change test
// files, since it was not asked to make them pass; weakening one still needs a person.
func (l *Loop) audit(s *State, p Proposal) audit.Report {
	limits := audit.Limits{Edits: l.Config.Limits.EditsPerFile, FileSize: int(l.Config.Limits.MaxFileSize)}
	tool := p.Step.Rung == fix.RungTool
	if tool { // one tool's own fix is as large as what it found
		limits.Edits, limits.Files, limits.Lines = math.MaxInt, math.MaxInt, math.MaxInt
	}
	c, _ := l.Lab.Find(p.Step.Check)
	return audit.Audit(audit.Input{
		Patch: p.Candidate.Patch, Source: l.tree.Source(), Limits: limits,
		Goal: audit.Goal{
			InScope: l.inScope(s),
			Tests:   tool && c.Kind() != "test",
			Protected: func(path string) bool {
				return l.judges()[path] || slices.ContainsFunc(l.Config.Protect, func(g string) bool { return check.MatchGlob(g, path) })
			},
		},
	})
}

// objection says what stands against a proposal; empty when nothing does.
func (l *Loop) objection(s *State, p Proposal) string {
	if c, least := p.Candidate.Confidence, l.Config.Limits.Confidence; c < least {
		s.Tried[p.Step.Key] = true // what the fixer offers next is less likely still
		return fmt.Sprintf("Low confidence, skipping fix: %.2f is below the threshold of %.2f", c, least)
	}
	if p.Audit.Decision() == verdict.Refuse {
		return "the audit refuses it: " + p.Audit.Verdict().Feedback[0]
	}
	if err := l.tree.Check(p.Candidate.Patch); err != nil {
		return err.Error()
	}
	return ""
}

// refuse takes a proposal out of the running: its patch is not offered again, the next round learns why, and it is kept
// for a person, who may know better.
func (l *Loop) refuse(s *State, p Proposal, why string) {
	s.Tried[tried(p.Candidate.Patch)] = true
	s.learn(fmt.Sprintf("a patch by %s (%s) was refused: %s", p.Candidate.Author, p.Candidate.Explanation, why))
	if s.Kept == nil || s.Kept.Iteration < s.Iteration && p.Candidate.Confidence >= s.Kept.Confidence {
		s.keep(p.Candidate.Patch, p.Candidate.Author, p.Candidate.Explanation, why)
		s.Kept.Confidence = p.Candidate.Confidence
	}
	l.tell(s, Event{Kind: Refused, Text: fmt.Sprintf("%s: %s", p.Candidate.Author, why)})
}

// combine merges the proposals into the round's patch. One that conflicts with an earlier one is left for another round.
func (l *Loop) combine(s *State) (string, error) {
	if len(s.Proposals) == 0 {
		return "refused", nil
	}
	patches := make([]edit.Patch, len(s.Proposals))
	for i, p := range s.Proposals {
		patches[i] = p.Candidate.Patch
	}
	merged, conflicts, err := edit.Merge(l.tree.Source(), patches...)
	if p, changed := changedMeanwhile(err); changed {
		for _, prop := range s.Proposals {
			l.refuse(s, prop, p+" was changed by somebody else meanwhile")
		}
		s.Proposals = nil
		return "refused", nil
	}
	if err != nil {
		return "", fmt.Errorf("merge the proposals: %w", err)
	}
	out := map[int]bool{}
	for _, c := range conflicts {
		out[c.Left] = true
	}
	var kept []Proposal
	for i, p := range s.Proposals {
		if out[i] {
			l.tell(s, Event{Kind: Noted, Text: fmt.Sprintf("the change by %s overlaps another one and waits for the next round", p.Candidate.Author)})
			continue
		}
		kept = append(kept, p)
	}
	s.Proposals, s.Patch = kept, merged
	return "passed", nil
}
