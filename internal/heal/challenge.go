package heal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"fettle/internal/audit/challenge"
	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/model"
	"fettle/internal/phrase"
	"fettle/internal/verdict"
	"fettle/internal/verify"
)

// Challenger is somebody else who judges a patch that has good evidence already; [challenge.Judge.Ask] is one.
type Challenger func(ctx context.Context, c challenge.Case) (challenge.Opinion, error)

// judged is how many patches of a session a challenger judges where nothing else is configured: the first one, and one made after its objections. What it does not approve then is for a
// person.
const judged = 2

// challenged has a second model judge a patch in which a model or an agent had a hand. It is asked after the evidence, and never in its place: it can only hold back what
// the evidence would let through, and of that only the proposals about whose findings it is not satisfied. What it has sent back before, and whose author stands by it, is for a person.
func (l *Loop) challenged(ctx context.Context, s *State, v *verdict.Verdict) (string, error) {
	if l.Challenger == nil || v.Decision != verdict.Approve || !slices.ContainsFunc(s.Proposals, func(p Proposal) bool { return p.Step.Rung >= fix.RungModel }) {
		return "", nil
	}
	if asks, err := l.insisted(ctx, s, v); asks || err != nil {
		return "", err
	}
	issues := l.issues(s)
	o, err := l.opinion(ctx, s, issues)
	if o == nil || err != nil {
		return l.unjudged(ctx, s, v, err)
	}
	good, bad, err := l.sorted(ctx, s, issues, *o)
	if err != nil {
		return "", err
	}
	l.credit(s, v, *o, good)
	if len(good) > 0 {
		for _, c := range bad {
			l.decline(ctx, s, c)
		}
		return "", nil
	}
	for _, c := range bad {
		v.Feedback = append(v.Feedback, c.objections)
	}
	if slices.ContainsFunc(bad, func(c judgement) bool { return l.last(s, c.Proposal) }) {
		v.Decision = verdict.Ask
		return "", nil
	}
	v.Decision = verdict.Refuse
	s.Idle-- // a patch that passes and goes back is no round for nothing; how many there may be is bounded
	for _, c := range bad {
		l.decline(ctx, s, c)
	}
	return "not good enough", nil
}

// opinion is what the challenger thinks of the round's patch; none where somebody has changed its files: whoever applies it says so.
func (l *Loop) opinion(ctx context.Context, s *State, issues []issue) (*challenge.Opinion, error) {
	if moved, err := l.edited(s, s.Patch.Paths()); moved || err != nil {
		return nil, err
	}
	diff, err := s.Patch.Unified(l.tree.Source())
	if err != nil {
		return nil, fmt.Errorf("show the change to the challenger: %w", err)
	}
	fresh, err := l.stillMeasured(s)
	if err != nil {
		return nil, err
	}
	c := challenge.Case{
		Diff: l.Lab.Discreet(diff), Files: s.Patch.Paths(), Evidence: s.Evidence, Fresh: fresh, Earlier: s.judgements(), Makers: s.makers(), About: s.about(), Tree: &challenge.Tree{Open: l.patched(s), State: string(edit.Sum([]byte(s.Known.Digest + "\n" + s.Patch.Digest())))},
	}
	for _, i := range issues {
		c.Issues = append(c.Issues, i.Issue)
	}
	o, err := l.Challenger(ctx, c)
	s.Cost += o.Cost.Float()
	s.Unpriced = s.Unpriced || o.Unpriced
	if err != nil {
		return nil, &unjudgedError{err}
	}
	if o.Known {
		s.note("%s has judged the very same within the last day, and was not asked again; fettle fix --fresh asks it anew", o.Who())
	}
	s.current().Challenge = &o
	return &o, nil
}

// unjudgedError says that the challenger has not judged, and why.
type unjudgedError struct{ error }

func (e *unjudgedError) Unwrap() error { return e.error }

// unjudged is the outcome where there is no opinion. What nobody but its author has judged is for a person. A limit of theirs that does not let the challenger be asked ends the session, as it
// does when it is a fixer's turn: the patch is kept.
func (l *Loop) unjudged(ctx context.Context, s *State, v *verdict.Verdict, err error) (string, error) {
	var none *unjudgedError
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case !errors.As(err, &none):
		return "", err
	}
	reason := l.Lab.Discreet(err.Error())
	l.tell(s, Event{Kind: Noted, Text: reason})
	why := "nobody but its author has judged it: " + reason
	v.Decision = verdict.Ask
	v.Feedback = append(v.Feedback, why)
	limit := s.passed(err)
	if limit == "" {
		return "", nil
	}
	author, explanation := s.credits()
	s.keep(s.Patch, author, explanation, why)
	s.note("%s", reason)
	s.Reason = fmt.Sprintf("%s%s; what was made passes the checks and is kept: fettle diff %s shows it, fettle accept %[3]s takes it", limit, l.left(s), s.Session)
	return "budget", nil
}

// credit writes down who has judged what goes in, and how good it is; of what does not, how good all of it is.
func (l *Loop) credit(s *State, v *verdict.Verdict, o challenge.Opinion, good []judgement) {
	score := o.Score
	if len(good) > 0 {
		score = 100
		for _, c := range good {
			score = min(score, c.of.Score)
		}
		l.tell(s, Event{Kind: Measured, Text: fmt.Sprintf("%s gives it %d of 100", o.Who(), score)})
	}
	if len(good) > 0 && !o.Independent() {
		s.note("no independent model has judged what %s has made: %s approves of it, which counts for nothing, so its evidence decided", strings.Join(s.makers(), ", "), o.Who())
		return
	}
	v.Judge, v.Score, v.Independent = o.Who(), score, o.Independent()
}

// patched opens a private copy with the round's patch in it.
func (l *Loop) patched(s *State) func(context.Context) (fs.FS, func(), error) {
	return func(ctx context.Context) (fs.FS, func(), error) {
		place, done, err := l.Lab.Borrow(ctx, false)
		if err != nil {
			return nil, nil, err
		}
		if err := place.Apply(ctx, s.Patch); err != nil {
			done()
			return nil, nil, err
		}
		return place.FS(), done, nil
	}
}

// about is what all of the round's proposals are about: their check and its kind, or only that.
func (s *State) about() []string {
	var names, kinds []string
	for _, p := range s.Proposals {
		for _, share := range p.Step.shares() {
			names, kinds = append(names, share.Check), append(kinds, check.Check{Name: share.Check}.Kind())
		}
	}
	return slices.Concat(sole(names), sole(kinds))
}

// sole is what all of these are; none, where they differ.
func sole(all []string) []string {
	if all = slices.Compact(all); len(all) == 1 {
		return all
	}
	return nil
}

// makers are the models and agents that had a hand in the round's patch. What was answered long ago does not always say by which model.
func (s *State) makers() (out []string) {
	for _, p := range s.Proposals {
		if p.Step.Rung >= fix.RungModel {
			out = append(out, cmp.Or(p.Candidate.Model, model.Unknown))
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

// stillMeasured reports whether checks have run on this very patch, and what its findings name is still what it was then.
func (l *Loop) stillMeasured(s *State) (bool, error) {
	ran := slices.ContainsFunc(s.Evidence.Steps, func(step verdict.Step) bool { return step.Passed })
	if !ran || s.Evidence.Of != s.Patch.Digest() {
		return false, nil
	}
	var named []string
	for _, d := range s.healed() {
		for _, f := range append([]diag.Frame{{File: d.File}}, d.Frames...) {
			if f.File != "" && !slices.Contains(named, f.File) {
				named = append(named, f.File)
			}
		}
	}
	moved, err := l.edited(s, named)
	return !moved, err
}

// edited reports whether one of these files was changed since the round began.
func (l *Loop) edited(s *State, files []string) (bool, error) {
	if l.Lab.Changed == nil {
		return false, nil
	}
	changed, err := l.Lab.Changed(s.Known.Digest, files)
	if err != nil {
		return false, fmt.Errorf("see whether files were changed meanwhile: %w", err)
	}
	return len(changed) > 0, nil
}

// mostIssues bounds how many of a check's findings the challenger gives marks, each by itself; mostListed how many it is told of the others, which are one issue together.
const (
	mostIssues = 8
	mostListed = 20
)

// issue is one that the challenger gives marks, and the findings that it is.
type issue struct {
	challenge.Issue
	found []diag.Diagnostic
}

// issues are what the round's proposals were made to heal, and have, as far as that was measured: a finding each, and one for those of a check that are too many for that. They are called as their check, and where
// there are several of it by their places.
func (l *Loop) issues(s *State) (out []issue) {
	byCheck := map[string][]diag.Diagnostic{}
	var order []string
	for _, d := range s.healed() {
		if byCheck[d.Check] == nil {
			order = append(order, d.Check)
		}
		byCheck[d.Check] = append(byCheck[d.Check], d)
	}
	called := map[string]int{}
	add := func(name string, found []diag.Diagnostic, title string) {
		i := issue{challenge.Issue{Code: name, Title: title, Text: l.Lab.Discreet(described(found)), Files: places(found)}, found}
		if called[name]++; called[name] > 1 {
			i.Code = fmt.Sprintf("%s (%d)", name, called[name])
		}
		out = append(out, i)
	}
	for _, name := range order {
		found := byCheck[name]
		alone := found[:min(len(found), mostIssues)]
		for _, d := range alone {
			code := name
			if len(found) > 1 {
				code = strings.TrimSpace(name + " " + at(d))
			}
			add(code, []diag.Diagnostic{d}, fmt.Sprintf("the check %s complains", name))
		}
		if more := found[len(alone):]; len(more) > 0 {
			add(name, more, fmt.Sprintf("the check %s complains of %s more", name, phrase.Count(len(more), "thing")))
		}
	}
	return out
}

// healed are the findings that the round's proposals are about and that are gone with them; all that they are about, where none of these is known to be gone.
func (s *State) healed() []diag.Diagnostic {
	var all, gone []diag.Diagnostic
	for _, p := range s.Proposals {
		all = append(all, p.Targets...)
	}
	for _, d := range all {
		if slices.ContainsFunc(s.Evidence.Delta.Gone, func(g diag.Diagnostic) bool { return g.ID == d.ID }) {
			gone = append(gone, d)
		}
	}
	if len(gone) == 0 {
		return all
	}
	return gone
}

// at is where a finding is: its test, or its place.
func at(d diag.Diagnostic) string {
	switch {
	case d.Test != "":
		return d.Test
	case d.Range.Start.Line > 0:
		return fmt.Sprintf("%s:%d", d.File, d.Range.Start.Line)
	}
	return d.File
}

// described is what a check says, a finding a line.
func described(found []diag.Diagnostic) string {
	var b strings.Builder
	for _, d := range found[:min(len(found), mostListed)] {
		fmt.Fprintf(&b, "%s\n", verify.Describe(d))
	}
	if more := len(found) - mostListed; more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	return b.String()
}

// elsewhere are the kinds of checks whose findings may have their cause in another file than the one that they name: what a test calls, what a compiler was told of a type.
var elsewhere = []string{"test", "type", "build"}

// places are the files in which what a check complains of lies; none where one of them may lie elsewhere, as what keeps a package from being looked at does (a linter says that, too).
func places(found []diag.Diagnostic) (files []string) {
	for _, d := range found {
		if d.File == "" || d.Test != "" || d.Masks >= diag.MasksDir || slices.Contains(elsewhere, check.Check{Name: d.Check}.Kind()) {
			return nil
		}
		if !slices.Contains(files, d.File) {
			files = append(files, d.File)
		}
	}
	return files
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
