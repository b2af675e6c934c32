package heal

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"unicode/utf8"

	"fettle/internal/audit"
	"fettle/internal/audit/examples"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/glob"
	"fettle/internal/lang"
	"fettle/internal/phrase"
	"fettle/internal/verdict"
)

// gate lets through what may be tried: proposals that the fixer itself believes in, that the audit does not refuse, and
// that the user's tree could take. What goes on is one patch, the proposals merged.
func (l *Loop) gate(ctx context.Context, s *State) (string, error) {
	if err := l.refuseOverwriting(s); err != nil {
		return "", err
	}
	var through []Proposal
	unsure := 0
	for _, p := range s.Proposals {
		p.Audit = l.audit(ctx, s, p)
		if err := ctx.Err(); err != nil { // what was stopped is no word on the proposal
			return "", err
		}
		more := ""
		if least, _ := l.least(p.Step, p.Candidate); p.Candidate.Confidence < least {
			more = l.unsure(s, p)
			unsure++
		}
		if why := l.objection(p); why != "" {
			l.refuse(ctx, s, p, why+more, nil)
			continue
		}
		through = append(through, p)
	}
	if unsure > 0 && unsure == len(s.Proposals) {
		s.Proposals = nil
		return "unsure", nil // nothing was tried: the next fixer, or the next fault, has its turn in this round
	}
	s.Proposals = through
	return l.combine(ctx, s)
}

// refuseOverwriting drops the proposals that touch a file that is not what it was when the round began. A fixer that was at work
// while somebody typed would take what was typed for a part of the baseline, and its patch would delete it.
func (l *Loop) refuseOverwriting(s *State) error {
	if l.Lab.Changed == nil {
		return nil
	}
	var kept []Proposal
	for _, p := range s.Proposals {
		changed, err := l.Lab.Changed(s.Known.Digest, p.Candidate.Patch.Paths())
		if err != nil {
			return fmt.Errorf("see whether files were changed meanwhile: %w", err)
		}
		if len(changed) == 0 {
			kept = append(kept, p)
			continue
		}
		why := fmt.Sprintf("%s was changed by somebody else while %s was at work", changed[0], p.Candidate.Author)
		l.tell(s, Event{Kind: Refused, Text: why})
	}
	s.Proposals = kept
	return nil
}

// audit judges a proposal by what it introduces. A tool's own fix for a finding that is no failing test may change test
// files, since it was not asked to make them pass; weakening one still needs a person. Whoever has to make tests pass may not
// change what they ask and expect.
func (l *Loop) audit(ctx context.Context, s *State, p Proposal) audit.Report {
	limits := audit.Limits{Edits: l.Config.Limits.EditsPerFile, FileSize: int(l.Config.Limits.MaxFileSize)}
	tool := p.Step.Rung == fix.RungTool
	if tool { // one tool's own fix is as large as what it found
		limits.Edits, limits.Files, limits.Lines = math.MaxInt, math.MaxInt, math.MaxInt
	}
	c, _ := l.Lab.Find(p.Step.Check)
	by := audit.Healer
	if c.Kind() != "test" {
		by = audit.Tidier
	}
	return audit.Audit(ctx, audit.Input{
		Patch: p.Candidate.Patch, Source: l.tree.Source(), Limits: limits, Evidence: l.evidence(p.Targets), Files: l.Files,
		Goal: audit.Goal{
			InScope: l.inScope(s),
			By:      by,
			Tests:   tool && by == audit.Tidier,
			Protected: func(path string) bool {
				return l.judges()[path] || slices.ContainsFunc(l.Config.Protect, func(g string) bool { return glob.Match(g, path) })
			},
		},
	})
}

// evidence are the files of tests that failing tests name: where they stand, and what was running when they failed; and those scripts of checks that
// do what a test does, whatever they are called.
func (l *Loop) evidence(targets []diag.Diagnostic) []string {
	var out []string
	for _, script := range slices.Sorted(maps.Keys(l.judges())) {
		if f, err := l.tree.Source()(script); err == nil && f.Exists && examples.IsProof(script, f.Data) {
			out = append(out, script)
		}
	}
	add := func(file string) {
		if lang.IsTest(file) && !slices.Contains(out, file) {
			out = append(out, file)
		}
	}
	for _, d := range targets {
		add(d.File)
		for _, f := range d.Frames {
			add(f.File)
		}
	}
	return out
}

// mostObjections is how many of the audit's findings are told of a patch.
const mostObjections = 5

// objection says what stands against a proposal; empty when nothing does.
func (l *Loop) objection(p Proposal) string {
	if least, why := l.least(p.Step, p.Candidate); p.Candidate.Confidence < least {
		return fmt.Sprintf("Low confidence, skipping fix: %s is %.0f%% sure of it, and what is less than %.0f%% sure is not applied by itself%s", p.Candidate.Author, 100*p.Candidate.Confidence, 100*least, why)
	}
	if name := odd(p.Candidate.Patch); name != "" {
		return fmt.Sprintf("the name of %q is no UTF-8: a change to it cannot be written down", name)
	}
	if p.Audit.Decision() == verdict.Refuse {
		return "the audit refuses it: " + phrase.Several(p.Audit.Verdict().Feedback, mostObjections)
	}
	if err := l.tree.Check(p.Candidate.Patch); err != nil {
		return err.Error()
	}
	return ""
}

// unsure closes the step of a fixer that is not sure of its best candidate: what it offers next is less likely still. Nor would it be surer if it
// were asked again about a part of the tests that it saw pass. A model, which can think of something else, is asked once more; then what it is asked for is returned.
func (l *Loop) unsure(s *State, p Proposal) (more string) {
	if r := p.Step.Rung; r >= fix.RungModel && r < fix.RungAgent && !s.Tried[surer(p.Step)] {
		s.Tried[surer(p.Step)] = true
		return "; a more robust solution, with higher confidence, is asked for once"
	}
	s.Tried[p.Step.Key] = true
	f, c, err := l.whose(p.Step)
	if err != nil {
		return ""
	}
	for _, part := range parts(p.Targets) {
		if !slices.ContainsFunc(part, func(d diag.Diagnostic) bool { return !slices.Contains(p.Candidate.Heals, d.Test) }) {
			s.Tried[s.step(c, f, part).Key] = true
		}
	}
	return ""
}

// surer is the name under which it is remembered that a step's fixer was not sure, and was asked for more.
func surer(step Step) string { return "surer " + step.Key }

// odd is a path of a patch that no session can hold, as sessions are text; or "".
func odd(p edit.Patch) string {
	for _, path := range p.Paths() {
		if !utf8.ValidString(path) {
			return path
		}
	}
	return ""
}

// refuse takes a proposal out of the running: its patch is not offered again, unless by somebody who is sure of what this author was not; the next round learns why, and the most promising
// one is kept for a person, who may know better. Measured is what was seen when it was tried and did not do, nil where it was not; such an answer, and one that the audit refuses, is not paid for again.
func (l *Loop) refuse(ctx context.Context, s *State, p Proposal, why string, measured *verdict.Evidence) {
	bad := measured != nil || p.Audit.Decision() == verdict.Refuse
	if bad {
		l.useless(ctx, s, p, why)
	}
	failed := l.failed(p, "was refused: "+why, measured)
	if least, _ := l.least(p.Step, p.Candidate); p.Candidate.Confidence < least {
		s.Tried[doubted(p.Candidate.Patch)] = true
		failed.Untried = true
	} else {
		s.Tried[tried(p.Candidate.Patch)] = true
	}
	s.learn(failed)
	r := s.current()
	r.Refused = append(r.Refused, RefusedChange{p.Candidate.Author, p.Step.Check, p.Candidate.Explanation, sureness(p.Candidate), why})
	l.tell(s, Event{Kind: Refused, Text: fmt.Sprintf("%s: %s", p.Candidate.Author, why)})
	if odd(p.Candidate.Patch) != "" {
		return // nobody could take it
	}
	s.consider(Kept{
		Patch: p.Candidate.Patch, Author: p.Candidate.Author, Explanation: p.Candidate.Explanation, Why: why, Lesson: p.lesson(), Iteration: s.Iteration,
		Promise: promise(p, measured != nil), Bad: bad,
	})
}

// promise is how likely a refused proposal is right: as likely as its author said, or not at all when it was tried and did
// not do.
func promise(p Proposal, measured bool) float64 {
	if measured {
		return 0
	}
	return p.Candidate.Confidence
}

// combine merges the proposals into the round's patch. One that conflicts with an earlier one is left for another round.
func (l *Loop) combine(ctx context.Context, s *State) (string, error) {
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
			l.refuse(ctx, s, prop, p+" was changed by somebody else meanwhile", nil)
		}
		s.Proposals = nil
		return "refused", nil
	}
	if err != nil {
		return "", fmt.Errorf("merge the proposals: %w", err)
	}
	out := map[int]string{}
	for _, c := range conflicts {
		out[c.Left] = "it overlaps another one"
	}
	for _, i := range idle(l.tree.Source(), patches, merged) {
		out[i] = "it is contained in another one"
	}
	var kept []Proposal
	for i, p := range s.Proposals {
		if why, left := out[i]; left {
			l.tell(s, Event{Kind: Noted, Text: fmt.Sprintf("%s: %s (%s; the next round shows whether it is needed still)", p.Candidate.Author, p.Candidate.Explanation, why)})
			continue
		}
		kept = append(kept, p)
	}
	s.Proposals, s.Patch = kept, merged
	return "passed", nil
}

// idle are the patches that add nothing to the others: without them, the merged patch is the same. Whether such a patch is
// needed after all shows in the next round.
func idle(src edit.Source, patches []edit.Patch, merged edit.Patch) []int {
	var out []int
	for i := range patches {
		var rest []edit.Patch
		for j, p := range patches {
			if j != i && !slices.Contains(out, j) {
				rest = append(rest, p)
			}
		}
		if len(rest) == 0 || !slices.ContainsFunc(rest, func(p edit.Patch) bool { return meet(p, patches[i]) }) {
			continue
		}
		if without, _, err := edit.Merge(src, rest...); err == nil && without.Digest() == merged.Digest() {
			out = append(out, i)
		}
	}
	return out
}

// meet reports whether two patches touch one file.
func meet(a, b edit.Patch) bool {
	paths := b.Paths()
	return slices.ContainsFunc(a.Paths(), func(p string) bool { return slices.Contains(paths, p) })
}
