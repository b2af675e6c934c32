package verify

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/runner/golang"
	"fettle/internal/verdict"
)

// TryAll is a fast oracle: it tries candidate patches lazily and tells of each trial as it ends.
type TryAll = func(ctx context.Context, candidates iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error]

// Oracle is the fast oracle for healing these findings of a check in a private copy. Where a language has a fast way of running its
// tests, that is used; other tests are tried by the check itself, narrowed to the failing tests and then to their folders, as far as its
// command can be. Findings that are no tests are tried by the check as it is.
func (l *Lab) Oracle(place Copy, c check.Check, targets []diag.Diagnostic, baseline check.Result) TryAll {
	if dir, ok := oneGoPackage(c, targets); ok {
		o := &golang.Oracle{
			Suite: golang.Suite{
				Place: place, Dir: dir, Env: c.Env, Flags: golang.BuildFlags(c.Run), Args: golang.TestArgs(c.Run),
			},
			Targets: ids(targets), Passing: passed(baseline),
		}
		return o.TryAll
	}
	if !slices.ContainsFunc(targets, func(d diag.Diagnostic) bool { return d.Test != "" }) {
		return oneByOne(place, (&reader{run: l.one, place: place, check: around(c, targets), targets: targets, baseline: baseline}).try)
	}
	s := &slow{run: l.one, place: place, alone: c, targets: ids(targets), baseline: baseline}
	if alone, ok := narrowed(c, targets); ok {
		s.alone = alone
		s.near, _ = nearby(c, targets)
	}
	return oneByOne(place, s.try)
}

func passed(r check.Result) []string {
	var out []string
	for _, id := range sortedKeys(r.Tests) {
		if r.Tests[id] == parse.Pass {
			out = append(out, id)
		}
	}
	return out
}

// oneGoPackage is the folder of the Go package in which all targets stand.
func oneGoPackage(c check.Check, targets []diag.Diagnostic) (string, bool) {
	if c.Parser != "gotest" || len(targets) == 0 {
		return "", false
	}
	dir := ""
	for i, d := range targets {
		at, _, ok := golang.SplitID(d.Test)
		if !ok || i > 0 && at != dir {
			return "", false
		}
		dir = at
	}
	return dir, true
}

// slow tries candidates one after the other by the check itself.
type slow struct {
	run         func(context.Context, check.Place, check.Check) (check.Result, error)
	place       Copy
	alone, near check.Check // near without a command: alone is the whole check already
	targets     []string
	baseline    check.Result
}

// try runs the failing tests, and then those of their folders.
func (s *slow) try(ctx context.Context, t *verdict.Trial) error {
	r, err := s.run(ctx, s.place, s.alone)
	if err != nil {
		return err
	}
	t.Built = r.Status != check.Broken
	for _, id := range s.targets {
		if r.Tests[id] == parse.Pass {
			t.Healed = append(t.Healed, id)
		}
	}
	if len(t.Healed) < len(s.targets) {
		t.Note = fmt.Sprintf("%d of %d failing tests pass", len(t.Healed), len(s.targets))
		return nil
	}
	if len(s.near.Run) > 0 {
		if r, err = s.run(ctx, s.place, s.near); err != nil {
			return err
		}
	}
	t.Broken = slices.DeleteFunc(Broken(s.baseline.Tests, r.Tests), func(id string) bool {
		_, ran := r.Tests[id]
		return !ran
	})
	t.Plausible = len(t.Broken) == 0
	return nil
}

// reader tries candidates one after the other by a check that reads sources.
type reader struct {
	run      func(context.Context, check.Place, check.Check) (check.Result, error)
	place    Copy
	check    check.Check
	targets  []diag.Diagnostic
	baseline check.Result
}

// try runs the check. What a finding that is gone had hidden is no fault of the candidate's, but it is told.
func (s *reader) try(ctx context.Context, t *verdict.Trial) error {
	r, err := s.run(ctx, s.place, s.check)
	if err != nil {
		return err
	}
	if t.Built = r.Status == check.Passed || r.Status == check.Failed; !t.Built {
		t.Note = r.Reason
		return nil
	}
	delta := diag.Compare(s.baseline.Diagnostics, r.Diagnostics)
	for _, d := range s.targets {
		if slices.ContainsFunc(delta.Gone, func(g diag.Diagnostic) bool { return g.ID == d.ID }) {
			t.Healed = append(t.Healed, string(d.ID))
		}
	}
	for _, d := range delta.New {
		t.Broken = append(t.Broken, string(d.ID))
	}
	for _, d := range delta.Unmasked {
		if d.Test != "" || d.Masks != diag.MasksNothing { // tests that fail, and errors that keep them from running
			t.Shown = append(t.Shown, cmp.Or(d.Test, string(d.ID)))
		}
	}
	for id, outcome := range r.Tests {
		if _, before := s.baseline.Tests[id]; !before && outcome == parse.Pass {
			t.Passing++
		}
	}
	t.Plausible = len(t.Healed) == len(s.targets) && len(t.Broken) == 0
	if !t.Plausible {
		t.Note = fmt.Sprintf("%d of %d findings gone, %d new", len(t.Healed), len(s.targets), len(t.Broken))
	}
	return nil
}

// around is the check for the folders of these findings alone, if it can be narrowed to them. Elsewhere than in Go, folders of sources
// are no folders of tests.
func around(c check.Check, targets []diag.Diagnostic) check.Check {
	if c.Lang == "go" {
		if n, ok := c.Narrow(folders(c, targets)...); ok {
			return n
		}
	}
	return c
}

// oneByOne lays one candidate after the other over the copy, has it tried, and takes it out again.
func oneByOne(place Copy, try func(context.Context, *verdict.Trial) error) TryAll {
	return func(ctx context.Context, candidates iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
		return func(yield func(verdict.Trial, error) bool) {
			i := 0
			for p := range candidates {
				t := verdict.Trial{Index: i, Patch: p}
				err := laidOver(ctx, place, &t, try)
				i++
				if !yield(t, err) || err != nil {
					return
				}
			}
		}
	}
}

func laidOver(ctx context.Context, place Copy, t *verdict.Trial, try func(context.Context, *verdict.Trial) error) (err error) {
	start := time.Now()
	defer func() { t.Duration = time.Since(start) }()
	undo, err := t.Patch.Invert(place.Source())
	if err == nil {
		err = place.Apply(ctx, t.Patch)
	}
	if err != nil {
		t.Note = err.Error()
		return nil
	}
	defer func() {
		if e := place.Apply(context.WithoutCancel(ctx), undo); e != nil && err == nil {
			err = fmt.Errorf("take a candidate out again: %w", e)
		}
	}()
	return try(ctx, t)
}
