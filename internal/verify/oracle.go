package verify

import (
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

// Oracle is the fast oracle for healing these findings of a check in a private copy; nil when there is none, because the
// findings are no tests or the check cannot be narrowed. Where a language has a fast way of running its tests, that is
// used; everything else is tried by the check itself, narrowed to the failing tests and then to their folders.
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
	alone, ok := narrowed(c, targets)
	if !ok {
		return nil
	}
	s := &slow{run: l.one, place: place, alone: alone, targets: ids(targets), baseline: baseline}
	s.near, _ = nearby(c, targets)
	return s.tryAll
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
	alone, near check.Check
	targets     []string
	baseline    check.Result
}

func (s *slow) tryAll(ctx context.Context, candidates iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
	return func(yield func(verdict.Trial, error) bool) {
		i := 0
		for p := range candidates {
			t, err := s.try(ctx, p)
			t.Index = i
			i++
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// try applies one candidate, runs the failing tests, then those of their folders, and takes the candidate out again.
func (s *slow) try(ctx context.Context, p edit.Patch) (t verdict.Trial, err error) {
	start := time.Now()
	defer func() { t.Duration = time.Since(start) }()
	t.Patch = p
	undo, err := p.Invert(s.place.Source())
	if err == nil {
		err = s.place.Apply(ctx, p)
	}
	if err != nil {
		t.Note = err.Error()
		return t, nil
	}
	defer func() {
		if e := s.place.Apply(context.WithoutCancel(ctx), undo); e != nil && err == nil {
			err = fmt.Errorf("take a candidate out again: %w", e)
		}
	}()
	r, err := s.run(ctx, s.place, s.alone)
	if err != nil {
		return t, err
	}
	t.Built = r.Status != check.Broken
	for _, id := range s.targets {
		if r.Tests[id] == parse.Pass {
			t.Healed = append(t.Healed, id)
		}
	}
	if len(t.Healed) < len(s.targets) {
		t.Note = fmt.Sprintf("%d of %d failing tests pass", len(t.Healed), len(s.targets))
		return t, nil
	}
	if r, err = s.run(ctx, s.place, s.near); err != nil {
		return t, err
	}
	t.Broken = slices.DeleteFunc(Broken(s.baseline.Tests, r.Tests), func(id string) bool {
		_, ran := r.Tests[id]
		return !ran
	})
	t.Plausible = len(t.Broken) == 0
	return t, nil
}
