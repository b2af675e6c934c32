package search

import (
	"context"
	"iter"
	"slices"
	"time"

	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/verdict"
)

// Bounds of what is asked of the whole check: patches, the best first, and for each of them a run, as long as it took before and a little more.
const (
	mostElsewhere = 4
	longElsewhere = time.Minute
)

// elsewhere has the check itself tell what passes here apart by its other failing tests, those in other suites and those that the task is not about: one
// fault can fail many, and the right patch heals them all. What breaks a test is taken out, unless each of them does. What cannot be told leaves everything as it was.
func (h *hunt) elsewhere(ctx context.Context, hits []hit) []hit {
	if len(hits) == 0 || len(hits) == 1 && len(h.touching(hits[0])) == 0 || h.task.TryWhole == nil || len(runner.Failing(h.task.Check, h.task.Baseline.Diagnostics)) <= len(h.suite.Failing()) || h.task.Baseline.Wall > longElsewhere {
		return hits
	}
	n := min(len(hits), mostElsewhere)
	var asked []hit // of the others it is known
	var at []int    // where they stand
	for i, x := range hits[:n] {
		if !x.elsewhere {
			asked, at = append(asked, x), append(at, i)
		}
	}
	if len(asked) == 0 {
		return hits
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(2*n)*(h.task.Baseline.Wall+5*time.Second))
	defer cancel()
	trials := make([]verdict.Trial, 0, len(at))
	for trial, err := range h.task.TryWhole(ctx, patchesOf(asked)) {
		if err != nil {
			return hits
		}
		trials = append(trials, trial)
	}
	if len(trials) < len(at) {
		return hits
	}
	broken := make([]bool, len(hits))
	for _, trial := range trials {
		x := &hits[at[trial.Index]]
		x.healed, x.elsewhere = union(x.healed, trial.Healed), true
		broken[at[trial.Index]] = len(trial.Broken) > 0
	}
	var kept []hit
	for i, x := range hits {
		if !broken[i] {
			kept = append(kept, x)
		}
	}
	if len(kept) == 0 {
		return hits
	}
	return kept
}

// Bounds of what the check that judges types is asked: patches, and how long.
const (
	mostTyped = 5
	longTyped = 30 * time.Second
)

// typed takes out what the check that judges types complains of, up to the first that it accepts: a patch that passes every test is none if it does not hold
// as it is written. Where nothing is left, everything stays as it was, and verification says why.
func (h *hunt) typed(ctx context.Context, hits []hit) []hit {
	if h.task.TryTypes == nil || len(hits) < 2 {
		return hits
	}
	began, wrong := time.Now(), 0
	for trial, err := range h.task.TryTypes(ctx, patchesOf(hits[:min(len(hits), mostTyped)])) {
		if err != nil || trial.Plausible {
			break
		}
		if wrong++; time.Since(began) > longTyped {
			break
		}
	}
	if wrong == len(hits) {
		return hits
	}
	return hits[wrong:]
}

// patchesOf are the patches of what passes.
func patchesOf(hits []hit) iter.Seq[edit.Patch] {
	return func(yield func(edit.Patch) bool) {
		for _, x := range hits {
			if !yield(x.patch) {
				return
			}
		}
	}
}

// union is what is in either list, once.
func union(a, b []string) []string {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}
