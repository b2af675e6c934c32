package heal

import (
	"context"
	"slices"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/verify"
)

// Remembered results save time on the way to a proposal, and no more: a check can depend on what no key names (a package that
// was installed since, a service that runs again). Before a verdict or an end is built on them, they are measured again.

// sure is the outcome of a node that is about to build on what is known: the outcome itself, or "not as remembered" when that
// turns out to be otherwise. What it builds on is not recalled any more afterwards.
func (l *Loop) sure(ctx context.Context, s *State, outcome string) (string, error) {
	if s.Known == nil {
		return outcome, nil
	}
	var doubted []check.Check
	remembered := map[string]check.Result{}
	for _, c := range l.Lab.Checks {
		if s.Known.Recalled[c.Name] && (outcome != "proposed" || s.concerns(c)) {
			doubted, remembered[c.Name] = append(doubted, c), s.Known.Online[c.Name]
		}
	}
	if err := l.Lab.Measured(ctx, s.Known, doubted); err != nil {
		return "", err
	}
	for name, before := range remembered {
		if !alike(before, s.Known.Online[name]) {
			l.tell(s, Event{Kind: Noted, Text: "the checks do not say any more what they said about these very files: the round begins again"})
			s.clear()
			s.Reason = ""
			return "not as remembered", nil
		}
	}
	return outcome, nil
}

// concerns reports whether what is proposed in this round is made for a check, or can change its answer.
func (s *State) concerns(c check.Check) bool {
	return slices.ContainsFunc(s.Proposals, func(p Proposal) bool {
		return p.Step.about(c.Name) || slices.ContainsFunc(p.Candidate.Patch.Paths(), c.Concerns)
	})
}

// alike reports whether two results say the same.
func alike(a, b check.Result) bool {
	ids := func(ds []diag.Diagnostic) []diag.Fingerprint {
		var out []diag.Fingerprint
		for _, d := range ds {
			out = append(out, d.ID)
		}
		slices.Sort(out)
		return out
	}
	return a.Status == b.Status && slices.Equal(ids(a.Diagnostics), ids(b.Diagnostics)) && len(verify.Broken(a.Tests, b.Tests)) == 0 &&
		len(verify.Broken(b.Tests, a.Tests)) == 0
}
