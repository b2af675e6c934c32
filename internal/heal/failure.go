package heal

import (
	"fmt"
	"slices"

	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/phrase"
	"fettle/internal/verdict"
)

// Failure is an attempt at some findings that led nowhere.
type Failure struct {
	fix.Failure
	Fixer   string             `json:"fixer"`
	Targets []diag.Fingerprint `json:"targets"`
	Untried bool               `json:"untried,omitempty"` // its author was not sure of it: whoever is may offer the same
}

// What later rounds are told: the last few failures say more than all of them.
const (
	mostFailures = 100  // of a session
	mostTold     = 20   // of a task
	mostWhy      = 1500 // bytes of what stands against a patch
	mostDiff     = 1500 // … of the patch
)

// learn remembers a failure for whoever tries again.
func (s *State) learn(f Failure) {
	if slices.ContainsFunc(s.Failures, func(o Failure) bool {
		return o.Fixer == f.Fixer && o.Why == f.Why && o.Patch == f.Patch && slices.Equal(o.Targets, f.Targets)
	}) {
		return
	}
	s.Failures = append(s.Failures, f)
	s.Failures = s.Failures[max(0, len(s.Failures)-mostFailures):]
}

// feedback is what failed at any of a step's findings, whoever tried. What failed at others says nothing about these.
func (s *State) feedback(step Step) (out []fix.Failure) {
	for _, f := range s.Failures {
		if step.aboutAny(f.Targets) {
			if f.Own = f.Fixer == step.Fixer; f.Untried && !f.Own {
				f.Patch = ""
			}
			out = append(out, f.Failure)
		}
	}
	return out[max(0, len(out)-mostTold):]
}

// aboutAny reports whether a step is about one of these findings.
func (s Step) aboutAny(ids []diag.Fingerprint) bool {
	return slices.ContainsFunc(s.shares(), func(p Share) bool {
		return slices.ContainsFunc(p.Targets, func(id diag.Fingerprint) bool { return slices.Contains(ids, id) })
	})
}

// failed is the failure of a proposal, with what was measured of it; nil: nothing was.
func (l *Loop) failed(p Proposal, what string, ev *verdict.Evidence) Failure {
	f := Failure{Fixer: p.Step.Fixer, Targets: identities(p.Targets)}
	f.Why = l.why(p.Candidate.Author, p.Candidate.Explanation, what)
	f.Patch = l.shown(p.Candidate.Patch)
	if ev != nil {
		f.Report = ev.Report
	}
	return f
}

// why says in a sentence what became of whose patch.
func (l *Loop) why(author, explanation, what string) string {
	return phrase.Ends(l.Lab.Discreet(fmt.Sprintf("a patch by %s (%s) %s", author, explanation, what)), mostWhy)
}

// shown is a patch as a diff, as far as it may be told and there is room; empty where its files are not what it is made for.
func (l *Loop) shown(p edit.Patch) string {
	diff, err := p.Unified(l.tree.Source())
	if err != nil {
		return ""
	}
	return phrase.Ends(l.Lab.Discreet(diff), mostDiff)
}

func identities(ds []diag.Diagnostic) (ids []diag.Fingerprint) {
	for _, d := range ds {
		ids = append(ids, d.ID)
	}
	return ids
}
