package heal

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"fettle/internal/audit/challenge"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/verdict"
)

// Returned is a patch that the challenger was not satisfied with. It went back to its author, or waits for a person where it had gone back often enough.
type Returned struct {
	fix.Candidate
	Fixer   string             `json:"fixer"`
	Targets []diag.Fingerprint `json:"targets"`
	Why     string             `json:"why"`
	Last    bool               `json:"last,omitempty"` // it is for a person
}

// judgement is what the challenger says of a proposal.
type judgement struct {
	Proposal
	of         challenge.Opinion
	objections string // what it asks for, without secrets
}

// judgement is the part of an opinion that is about a proposal's findings. What is about none of them approves of nothing.
func (l *Loop) judgement(p Proposal, issues []issue, o challenge.Opinion) judgement {
	ids := identities(p.Targets)
	about := func(code string) bool {
		return slices.ContainsFunc(issues, func(i issue) bool {
			return i.Code == code && slices.ContainsFunc(i.found, func(d diag.Diagnostic) bool { return slices.Contains(ids, d.ID) })
		})
	}
	part := o
	part.Scores = slices.DeleteFunc(slices.Clone(o.Scores), func(s challenge.Score) bool { return !about(s.Code) })
	part.Score, part.Approved = 100, len(part.Scores) > 0
	for _, s := range part.Scores {
		part.Score, part.Approved = min(part.Score, s.Score), part.Approved && s.Solved
	}
	said := part.Feedback()
	if len(said) == 0 {
		said = o.Feedback()
	}
	return judgement{p, part, l.Lab.Discreet(strings.Join(said, " "))}
}

// sorted are the round's proposals by whether the challenger approves of them. Those of which it does go on alone, where they pass without the others; else none does.
func (l *Loop) sorted(ctx context.Context, s *State, issues []issue, o challenge.Opinion) (good, bad []judgement, err error) {
	all := make([]judgement, 0, len(s.Proposals))
	for _, p := range s.Proposals {
		c := l.judgement(p, issues, o)
		if all = append(all, c); o.Approved || c.of.Approved {
			good = append(good, c)
		} else {
			bad = append(bad, c)
		}
	}
	switch {
	case len(bad) == 0:
		return all, nil, nil
	case len(good) == 0:
		return nil, all, nil
	}
	var rest []Proposal
	for _, c := range good {
		rest = append(rest, c.Proposal)
	}
	switch alone, err := l.goOnWith(ctx, s, rest); {
	case err != nil:
		return nil, nil, err
	case !alone:
		return nil, all, nil
	}
	return good, bad, nil
}

// goOnWith leaves these of the round's proposals in it, if they pass without the others.
func (l *Loop) goOnWith(ctx context.Context, s *State, rest []Proposal) (bool, error) {
	all, whole := s.Proposals, s.Patch
	ev, err := l.try(ctx, s, rest)
	if err != nil {
		return false, err
	}
	if !ev.Green {
		s.Proposals, s.Patch = all, whole
		return false, nil
	}
	s.Evidence, s.current().Evidence = &ev, &ev
	return true, nil
}

// insisted asks a person about what was sent back before and comes again as it was: its author stands by it. Where others are beside it, it waits for the next round.
func (l *Loop) insisted(ctx context.Context, s *State, v *verdict.Verdict) (asks bool, err error) {
	var again, rest []Proposal
	var why []string
	for _, p := range s.Proposals {
		r, before := s.returned(p.Candidate.Patch)
		switch {
		case !before:
			rest = append(rest, p)
			continue
		case r.Last:
			why = append(why, "the challenger was not satisfied: "+r.Why)
		default:
			why = append(why, "its author stands by it"+s.stance()+", though the challenger was not satisfied: "+r.Why)
		}
		again = append(again, p)
	}
	if len(again) == 0 {
		return false, nil
	}
	if len(rest) > 0 {
		if alone, err := l.goOnWith(ctx, s, rest); alone || err != nil {
			s.Held = append(s.Held, again...)
			return false, err
		}
	}
	v.Decision = verdict.Ask
	v.Feedback = append(v.Feedback, why...)
	return true, nil
}

// returned tells whether a patch was sent back before, and why.
func (s *State) returned(p edit.Patch) (Returned, bool) {
	for _, r := range slices.Backward(s.SentBack) {
		if r.Patch.Digest() == p.Digest() {
			return r, true
		}
	}
	return Returned{}, false
}

// last reports whether a proposal's findings had as many patches judged as may be: what the challenger says of this one, a person has to weigh.
func (l *Loop) last(s *State, p Proposal) bool {
	for _, id := range identities(p.Targets) {
		n := 1
		for _, r := range s.SentBack {
			if slices.Contains(r.Targets, id) {
				n++
			}
		}
		if n >= cmp.Or(l.Config.Models.Judged, judged) {
			return true
		}
	}
	return false
}

// decline sends a proposal back to its author, who may offer it once more: a challenger is not infallible. One that went back often enough waits for a person, who is asked in the next round.
func (l *Loop) decline(ctx context.Context, s *State, c judgement) {
	p := c.Proposal
	l.refuse(ctx, s, p, "the challenger is not satisfied: "+c.objections, nil)
	delete(s.Tried, tried(p.Candidate.Patch))
	last := l.last(s, p)
	if last {
		s.Held = append(s.Held, p)
	}
	s.SentBack = append(s.SentBack, Returned{p.Candidate, p.Step.Fixer, identities(p.Targets), c.objections, last})
}

// held are the proposals that wait for a person, as far as they are of use.
func (l *Loop) held(s *State) (out []Proposal) {
	for _, p := range s.Held {
		p.Round = cmp.Or(p.Round, s.Iteration-1) // it was held in the last one
		open := slices.ContainsFunc(s.Findings, func(d diag.Diagnostic) bool { return slices.Contains(identities(p.Targets), d.ID) })
		if open && l.tree.Check(p.Candidate.Patch) == nil {
			out = append(out, p)
		}
	}
	s.Held = nil
	return out
}

// sentBack is a fixer's own patch for a step's findings that was sent back, as far as it still fits.
func (s *State) sentBack(step Step) fix.Candidate {
	for _, r := range slices.Backward(s.SentBack) {
		if r.Fixer == step.Fixer && step.aboutAny(r.Targets) && !s.Tried[tried(r.Patch)] {
			return r.Candidate
		}
	}
	return fix.Candidate{}
}
