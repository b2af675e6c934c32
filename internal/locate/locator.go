package locate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/runner"
)

// Locator has failing tests run by those who can, and ranks the lines.
type Locator struct {
	Harnesses []runner.Harness
	History   History // nil: nobody knows what is new
}

// History tells which lines of a file, by its slash path from the root, were changed lately.
type History func(ctx context.Context, file string) ([]Recent, error)

// Found is where the fault may be that one suite's failing tests tell of.
type Found struct {
	Suite    string   // its name, for people
	Failing  []string // ids of its failing tests
	Suspects []Suspect
	Notes    []string // what kept tests from being traced
}

// Harness is the one that can run a check's tests; nil when none can.
func (l *Locator) Harness(c check.Check) runner.Harness { return runner.Taking(l.Harnesses, c) }

// Locate runs a job's failing tests one by one, and some passing ones, in the job's place. mayChange, which may be nil, says in which files
// the fault is looked for. Without a failing test, or a harness that takes the check, there is nothing to find; an error that wraps
// [runner.ErrForeign] says that these tests cannot be run.
func (l *Locator) Locate(ctx context.Context, job runner.Job, mayChange func(file string) bool) (out []Found, err error) {
	by := l.Harness(job.Check)
	if by == nil || !job.Fails() {
		return nil, nil
	}
	suites, err := by.Suites(ctx, job)
	defer func() {
		for _, s := range suites {
			err = errors.Join(err, s.Close())
		}
	}()
	if err != nil {
		return nil, err
	}
	for _, s := range suites {
		trace, err := s.Trace(ctx, runner.TraceOptions{Values: true})
		if err != nil {
			return nil, fmt.Errorf("trace %s: %w", s.Name(), err)
		}
		found, err := Suspects(ctx, s, trace, job.Baseline.Diagnostics, l.History, mayChange)
		if err != nil {
			return nil, err
		}
		if job.Place != nil {
			found = Typed(ByName(found, s.Failing(), job.Place.ReadFile), trace.Seen, job.Place.ReadFile)
		}
		out = append(out, Found{Suite: s.Name(), Failing: s.Failing(), Suspects: found, Notes: trace.Notes})
	}
	return out, nil
}

// Suspects is [Locator.Locate] for who wants one answer: the suspects of all suites, most suspicious first. Tests that cannot be run tell
// of none.
func (l *Locator) Suspects(ctx context.Context, job runner.Job, mayChange func(file string) bool) ([]Suspect, error) {
	all, err := l.Locate(ctx, job, mayChange)
	if errors.Is(err, runner.ErrForeign) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Suspect
	for _, f := range all {
		out = append(out, f.Suspects...)
	}
	slices.SortStableFunc(out, func(a, b Suspect) int { return cmp.Compare(b.Score, a.Score) })
	return out, nil
}

// mostAsked bounds of how many files the history is asked.
const mostAsked = 10

// Suspects ranks the lines of a suite's sources by what its tests were seen to run, by the stacks of its failures, and by what was changed
// lately in the files that this makes the most suspicious.
func Suspects(ctx context.Context, s runner.Suite, t runner.Trace, ds []diag.Diagnostic, recent History, mayChange func(file string) bool) ([]Suspect, error) {
	skip := func(file string) bool { return !s.Owns(file) || mayChange != nil && !mayChange(file) }
	var spectrum Spectrum
	ev := spectrum.Trace(t, s.Owns)
	failing := s.Failing()
	for _, d := range ds {
		if slices.Contains(failing, d.Test) {
			ev.Stack(d.Frames, s.Owns)
		}
	}
	first := Rank(&spectrum, ev, skip)
	if recent == nil {
		return first, nil
	}
	asked := map[string]bool{}
	for _, x := range first {
		if asked[x.File] || len(asked) == mostAsked {
			continue
		}
		asked[x.File] = true
		lines, err := recent(ctx, x.File)
		if err != nil {
			return nil, err
		}
		ev.Recent = append(ev.Recent, lines...)
	}
	if len(ev.Recent) == 0 {
		return first, nil
	}
	return Rank(&spectrum, ev, skip), nil
}
