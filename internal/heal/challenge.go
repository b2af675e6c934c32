package heal

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"fettle/internal/audit/challenge"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/verdict"
	"fettle/internal/verify"
)

// Challenger is somebody else who judges a patch that has good evidence already; [challenge.Judge.Ask] is one.
type Challenger func(ctx context.Context, c challenge.Case) (challenge.Opinion, error)

// maxDeclined is how many patches of a session a challenger may send back: the first one, and none of those made after it. What it does not approve
// then is for a person.
const maxDeclined = 1

// challenged has a second model judge a patch in which a model or an agent had a hand. It is asked after the evidence, and never in its place: it can only hold back what
// the evidence would let through. A patch that it has sent back before, and whose author stands by it, is for a person.
func (l *Loop) challenged(ctx context.Context, s *State, v *verdict.Verdict) (string, error) {
	if l.Challenger == nil || v.Decision != verdict.Approve || !slices.ContainsFunc(s.Proposals, func(p Proposal) bool { return p.Step.Rung >= fix.RungModel }) {
		return "", nil
	}
	if why, stands := s.Declined[s.Patch.Digest()]; stands {
		v.Decision = verdict.Ask
		v.Feedback = append(v.Feedback, "its author stands by it"+s.stance()+", though the challenger was not satisfied: "+why)
		return "", nil
	}
	diff, err := s.Patch.Unified(l.tree.Source())
	if err != nil {
		return "", fmt.Errorf("show the change to the challenger: %w", err)
	}
	o, err := l.Challenger(ctx, challenge.Case{
		Issues: l.issues(s), Diff: l.Lab.Discreet(diff), Files: s.Patch.Paths(), Evidence: s.Evidence, Fresh: true, Earlier: s.judgements(), Makers: s.makers(),
	})
	s.Cost += o.Cost.Float()
	s.Unpriced = s.Unpriced || o.Unpriced
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		why := l.Lab.Discreet(err.Error())
		l.tell(s, Event{Kind: Noted, Text: why})
		v.Decision = verdict.Ask
		v.Feedback = append(v.Feedback, "nobody but its author has judged it: "+why)
		return "", nil
	}
	s.current().Challenge = &o
	if o.Approved && !o.Independent() {
		s.note("no independent model has judged what %s has made: %s approves of it, which counts for nothing, so its evidence decided", strings.Join(s.makers(), ", "), o.Who())
	} else {
		v.Judge, v.Score, v.Independent = o.Who(), o.Score, o.Independent()
	}
	if o.Approved {
		l.tell(s, Event{Kind: Measured, Text: fmt.Sprintf("%s gives it %d of 100", o.Who(), o.Score)})
		return "", nil
	}
	feedback := o.Feedback()
	for i, text := range feedback {
		feedback[i] = l.Lab.Discreet(text)
	}
	v.Feedback = append(v.Feedback, feedback...)
	if len(s.Declined) >= maxDeclined {
		v.Decision = verdict.Ask
		return "", nil
	}
	v.Decision = verdict.Refuse
	l.decline(ctx, s, strings.Join(feedback, " "))
	return "not good enough", nil
}

// decline sends the round's proposals back to their authors, who may offer them once more: a challenger is not infallible.
func (l *Loop) decline(ctx context.Context, s *State, why string) {
	if s.Declined == nil {
		s.Declined = map[edit.Hash]string{}
	}
	s.Declined[s.Patch.Digest()] = why
	for _, p := range s.Proposals {
		l.refuse(ctx, s, p, "the challenger is not satisfied: "+why, false)
		delete(s.Tried, tried(p.Candidate.Patch))
		s.SentBack = append(s.SentBack, p.Candidate)
	}
}

// sentBack is a fixer's own patch that was sent back, as far as it still fits.
func (s *State) sentBack(fixer string) edit.Patch {
	for _, c := range slices.Backward(s.SentBack) {
		if c.Author == fixer && !s.Tried[tried(c.Patch)] {
			return c.Patch
		}
	}
	return nil
}

// makers are the models and agents that had a hand in the round's patch.
func (s *State) makers() (out []string) {
	for _, p := range s.Proposals {
		if p.Step.Rung >= fix.RungModel {
			out = append(out, cmp.Or(p.Candidate.Model, p.Candidate.Author))
		}
	}
	return out
}

// stance is what the authors of the round's patch say to the objections.
func (s *State) stance() string {
	for _, p := range s.Proposals {
		if st := p.Candidate.Stance; st != nil {
			return fmt.Sprintf(" (%s: %s)", st.Decision, st.Reason)
		}
	}
	return ""
}

// mostListed bounds how many findings of one check the challenger is told.
const mostListed = 20

// issues are what the round's proposals were made to heal, a check each. In which files a failing test's fault lies is not known, so none is named.
func (l *Loop) issues(s *State) []challenge.Issue {
	byCheck := map[string][]diag.Diagnostic{}
	var order []string
	for _, p := range s.Proposals {
		for _, d := range p.Targets {
			if byCheck[d.Check] == nil {
				order = append(order, d.Check)
			}
			byCheck[d.Check] = append(byCheck[d.Check], d)
		}
	}
	var out []challenge.Issue
	for _, name := range order {
		found := byCheck[name]
		var b strings.Builder
		for _, d := range found[:min(len(found), mostListed)] {
			fmt.Fprintf(&b, "%s\n", verify.Describe(d))
		}
		if more := len(found) - mostListed; more > 0 {
			fmt.Fprintf(&b, "and %d more\n", more)
		}
		out = append(out, challenge.Issue{Code: name, Title: fmt.Sprintf("the check %s complains", name), Text: l.Lab.Discreet(b.String())})
	}
	return out
}

// judgements are what challengers have said so far in this session.
func (s *State) judgements() (out []string) {
	for _, i := range s.History {
		if i.Challenge != nil {
			out = append(out, i.Challenge.Feedback()...)
		}
	}
	return out
}
