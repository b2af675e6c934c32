package heal

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/fix"
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
	switch parts := l.files(s); {
	case ev.Green:
	case len(s.Proposals) > 1:
		l.tell(s, Event{Kind: Noted, Text: "together the changes do not pass (" + ev.Reason + "); trying each alone"})
		ev, err = l.apart(ctx, s, s.Proposals, ev)
	case len(parts) > 1:
		l.tell(s, Event{Kind: Noted, Text: "as a whole the change does not pass (" + ev.Reason + "); trying what concerns each file alone"})
		ev, err = l.apart(ctx, s, parts, ev)
	}
	if err != nil {
		return "", err
	}
	s.Evidence = &ev
	s.current().Evidence = &ev
	l.tell(s, Event{Kind: Measured, Text: summary(ev)})
	return "measured", nil
}

// try verifies proposals as one patch.
func (l *Loop) try(ctx context.Context, s *State, ps []Proposal) (verdict.Evidence, error) {
	s.Proposals = ps
	if outcome, err := l.combine(ctx, s); err != nil || outcome == "refused" {
		return verdict.Evidence{Reason: "a file was changed by somebody else meanwhile"}, err
	}
	var targets []diag.Diagnostic
	for _, p := range s.Proposals {
		targets = append(targets, p.Targets...)
	}
	return l.Lab.Verify(ctx, verify.Request{Patch: s.Patch, Targets: targets, Known: s.Known})
}

// mostFiles is how many files a change may concern to be tried file by file: each takes a verification.
const mostFiles = 8

// files are the parts of what somebody made who was asked about everything at once, a file each: what is wrong about one of them need not spoil the others. None: there is nothing to take apart.
func (l *Loop) files(s *State) (out []Proposal) {
	if len(s.Proposals) != 1 {
		return nil
	}
	p := s.Proposals[0]
	f, _, err := l.whose(p.Step)
	if err != nil || p.Step.Rung == fix.RungTool || !whole(f) || len(p.Candidate.Patch) > mostFiles {
		return nil
	}
	for i := range p.Candidate.Patch {
		part := p
		part.Candidate.Patch = p.Candidate.Patch[i : i+1]
		where := part.Candidate.Patch.Paths()
		part.Candidate.Explanation += " (" + strings.Join(where, ", ") + ")"
		part.Targets = slices.DeleteFunc(slices.Clone(p.Targets), func(d diag.Diagnostic) bool { return d.Test == "" && !slices.Contains(where, d.File) })
		if len(part.Targets) == 0 {
			part.Targets = p.Targets
		}
		out = append(out, part)
	}
	return out
}

// apart tries each of these parts of the round's proposals alone and then the good ones together. It leaves in the state what its evidence is about; when none is good, that is
// everything.
func (l *Loop) apart(ctx context.Context, s *State, parts []Proposal, all verdict.Evidence) (verdict.Evidence, error) {
	whole := s.Proposals
	var good []Proposal
	var evidence []verdict.Evidence
	bad := map[int]verdict.Evidence{}
	for i, p := range parts {
		ev, err := l.try(ctx, s, []Proposal{p})
		if err != nil {
			return ev, err
		}
		if !ev.Green {
			bad[i] = ev
			continue
		}
		good, evidence = append(good, p), append(evidence, ev)
	}
	if len(good) > 0 || len(whole) == len(parts) { // else they are refused as what they are parts of
		for _, i := range slices.Sorted(maps.Keys(bad)) {
			ev := bad[i]
			l.refuse(ctx, s, parts[i], ev.Reason, &ev)
		}
	}
	switch len(good) {
	case 0:
		s.Proposals = whole
		_, err := l.combine(ctx, s)
		return all, err
	case 1:
		s.Proposals = good
		_, err := l.combine(ctx, s)
		return evidence[0], err
	case len(parts):
		// Each is good, together they are not: the first goes in, the others come again on top of it.
		s.Proposals = good[:1]
		_, err := l.combine(ctx, s)
		return evidence[0], err
	}
	ev, err := l.try(ctx, s, good)
	if err == nil && !ev.Green {
		s.Proposals = good[:1]
		_, err = l.combine(ctx, s)
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
