package heal

import (
	"context"
	"fmt"
	"strings"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/verify"
)

// check runs the goal's checks on the user's tree as it is now, in a private copy. What is known of this very content is
// not measured again.
func (l *Loop) check(ctx context.Context, s *State) (string, error) {
	if err := l.look(ctx, s); err != nil {
		return "", err
	}
	if err := l.measure(ctx, s); err != nil {
		return "", err
	}
	outcome := l.weigh(s)
	if outcome == "clean" {
		var err error
		if outcome, err = l.vouch(ctx, s); err != nil || outcome == "taken back" {
			return outcome, err
		}
	}
	l.begin(s)
	if outcome == "clean" {
		if calm, err := l.undisturbed(ctx, s, nil); err != nil || !calm {
			return "changed meanwhile", err
		}
	}
	return outcome, nil
}

// look finds out whether what is known is about the tree as it is now. What confirm measured a moment ago is: an edit by
// somebody else since then counts as one that came during this round.
func (l *Loop) look(ctx context.Context, s *State) error {
	fresh := l.fresh != nil && l.fresh == s.Known
	l.fresh = nil
	if fresh {
		return nil
	}
	now, err := l.Lab.Look(ctx)
	if err != nil {
		return fmt.Errorf("read the working tree: %w", err)
	}
	if s.Known == nil || s.Known.Digest != now.Digest {
		s.Known = now
	}
	if len(s.Trees) == 0 {
		s.Trees = append(s.Trees, now.Digest)
	}
	return nil
}

// measure fills in the results of the goal's checks on the present tree.
func (l *Loop) measure(ctx context.Context, s *State) error {
	var whole, narrow []check.Check
	for _, name := range s.Goal.Checks {
		if c, ok := s.Goal.Narrow[name]; ok {
			narrow = append(narrow, c)
		} else if c, ok := l.Lab.Find(name); ok {
			whole = append(whole, c)
		}
	}
	if err := l.Lab.Narrowed(ctx, s.Known, narrow); err != nil {
		return err
	}
	return l.Lab.Baseline(ctx, s.Known, whole)
}

// weigh takes the findings of the goal's checks into the state and tells what follows: clean, findings, or broken.
func (l *Loop) weigh(s *State) string {
	s.Findings, s.Broken = nil, nil
	for _, r := range l.results(s) {
		if r.Status == check.Passed && r.Reason != "" {
			s.note("%s: %s", r.Check, r.Reason)
		}
		_, narrow := s.Goal.Narrow[r.Check]
		switch r.Status {
		case check.Passed:
			if narrow && r.Tests != nil && len(r.Tests) == 0 {
				s.Broken = append(s.Broken, BrokenCheck{r.Check, "no test ran that fits what was named"})
			}
		case check.Broken:
			s.Broken = append(s.Broken, BrokenCheck{r.Check, r.Reason})
		default:
			s.Findings = append(s.Findings, r.Diagnostics...)
		}
	}
	switch {
	case len(s.Findings) > 0:
		return "findings"
	case len(s.Broken) > 0:
		var why []string
		for _, b := range s.Broken {
			why = append(why, b.Check+": "+b.Reason)
		}
		s.Reason = strings.Join(why, "; ")
		return "broken"
	}
	return "clean"
}

// results are what the goal's checks said about the present tree, in the goal's order.
func (l *Loop) results(s *State) []check.Result {
	var out []check.Result
	for _, name := range s.Goal.Checks {
		r, ok := s.Known.Narrow[name]
		if !ok {
			r, ok = s.Known.Online[name]
		}
		if !ok { // the configuration was changed since the session began
			r = check.Result{Check: name, Status: check.Broken, Reason: "there is no such check any more"}
		}
		out = append(out, l.Legacy.Forgive(r))
	}
	return out
}

// begin writes into the round's record what the checks say at its beginning.
func (l *Loop) begin(s *State) {
	const sample = 5
	r := s.current()
	r.Checks, r.Passing, r.Failing, r.Findings = nil, nil, nil, len(s.Findings)
	for _, res := range l.results(s) {
		c := CheckCount{Check: res.Check, Status: res.Status, Findings: len(res.Diagnostics), Old: res.Old}
		if res.Status == check.Passed {
			r.Passing, c.Findings = append(r.Passing, res.Check), 0
		} else {
			r.Failing = append(r.Failing, res.Check)
			for _, d := range res.Diagnostics[:min(sample, len(res.Diagnostics))] {
				c.Sample = append(c.Sample, verify.Describe(d))
			}
			if res.Status == check.Broken {
				c.Sample = []string{res.Reason}
			}
		}
		r.Checks = append(r.Checks, c)
	}
}

// of are the findings of one check.
func of(ds []diag.Diagnostic, name string) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, d := range ds {
		if d.Check == name {
			out = append(out, d)
		}
	}
	return out
}
