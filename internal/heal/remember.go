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
// turns out to be otherwise. Nothing is recalled any more afterwards.
func (l *Loop) sure(ctx context.Context, s *State, outcome string) (string, error) {
	if s.Known == nil || !s.Known.Recalled() {
		return outcome, nil
	}
	remembered := s.Known
	s.Known = verify.NewKnown(remembered.Digest).Afresh()
	if err := l.measure(ctx, s); err != nil {
		return "", err
	}
	if err := l.Lab.Baseline(ctx, s.Known, l.planned(s)); err != nil {
		return "", err
	}
	s.Known.Flaky, s.Known.Seen = remembered.Flaky, remembered.Seen
	same := func(was, is map[string]check.Result) bool {
		for name, now := range is {
			if before, ok := was[name]; ok && !alike(before, now) {
				return false
			}
		}
		return true
	}
	if same(remembered.Online, s.Known.Online) && same(remembered.Narrow, s.Known.Narrow) {
		return outcome, nil
	}
	l.tell(s, Event{Kind: Noted, Text: "the checks do not say any more what they said about these very files: the round begins again"})
	s.clear()
	s.Reason = ""
	return "not as remembered", nil
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
