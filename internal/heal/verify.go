package heal

import (
	"context"
	"fmt"

	"fettle/internal/diag"
	"fettle/internal/verdict"
	"fettle/internal/verify"
)

// verify tries the round's patch in a private copy. When several proposals together do not pass, each is tried alone, and
// those that do are tried together once more.
func (l *Loop) verify(ctx context.Context, s *State) (string, error) {
	ev, err := l.try(ctx, s, s.Proposals)
	if err != nil {
		return "", err
	}
	if !ev.Green && len(s.Proposals) > 1 {
		l.tell(s, Event{Kind: Noted, Text: "together the changes do not pass (" + ev.Reason + "); trying each alone"})
		if ev, err = l.apart(ctx, s, ev); err != nil {
			return "", err
		}
	}
	s.Evidence = &ev
	s.current().Evidence = &ev
	l.tell(s, Event{Kind: Measured, Text: summary(ev)})
	return "measured", nil
}

// try verifies proposals as one patch.
func (l *Loop) try(ctx context.Context, s *State, ps []Proposal) (verdict.Evidence, error) {
	s.Proposals = ps
	if outcome, err := l.combine(s); err != nil || outcome == "refused" {
		return verdict.Evidence{Reason: "a file was changed by somebody else meanwhile"}, err
	}
	var targets []diag.Diagnostic
	for _, p := range s.Proposals {
		targets = append(targets, p.Targets...)
	}
	return l.Lab.Verify(ctx, verify.Request{Patch: s.Patch, Targets: targets, Known: s.Known})
}

// apart tries each proposal alone and then the good ones together. It leaves in the state what its evidence is about; when no
// proposal is good, that is the first one.
func (l *Loop) apart(ctx context.Context, s *State, all verdict.Evidence) (verdict.Evidence, error) {
	whole := s.Proposals
	var good []Proposal
	var evidence []verdict.Evidence
	for _, p := range whole {
		ev, err := l.try(ctx, s, []Proposal{p})
		if err != nil {
			return ev, err
		}
		if !ev.Green {
			l.refuse(s, p, ev.Reason, true)
			l.useless(ctx, s, p, ev.Reason)
			continue
		}
		good, evidence = append(good, p), append(evidence, ev)
	}
	switch len(good) {
	case 0:
		s.Proposals = whole
		_, err := l.combine(s)
		return all, err
	case 1:
		s.Proposals = good
		_, err := l.combine(s)
		return evidence[0], err
	case len(whole):
		// Each is good, together they are not: the first goes in, the others come again on top of it.
		s.Proposals = good[:1]
		_, err := l.combine(s)
		return evidence[0], err
	}
	ev, err := l.try(ctx, s, good)
	if err == nil && !ev.Green {
		s.Proposals = good[:1]
		_, err = l.combine(s)
		return evidence[0], err
	}
	return ev, err
}

func summary(ev verdict.Evidence) string {
	if !ev.Green {
		return "not good enough: " + ev.Reason
	}
	if n := len(ev.Delta.Gone); n != 1 {
		return fmt.Sprintf("%d findings are gone, nothing broke", n)
	}
	return "one finding is gone, nothing broke"
}
