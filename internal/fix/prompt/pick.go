package prompt

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"fettle/internal/edit"
	"fettle/internal/fix"
)

// best asks for all answers, tries them, and hands out those that pass, the smallest first.
func best(ctx context.Context, t fix.Task, all iter.Seq2[fix.Candidate, error], note func(string, ...any)) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		var asked []fix.Candidate
		cost := 0.0
		for c, err := range all {
			if err != nil {
				yield(fix.Candidate{}, err)
				return
			}
			cost += c.Cost
			if !slices.ContainsFunc(asked, func(o fix.Candidate) bool { return o.Patch.Digest() == c.Patch.Digest() }) {
				asked = append(asked, c)
			}
		}
		if len(asked) == 0 {
			return
		}
		passed, why, err := try(ctx, t, asked)
		if err != nil {
			yield(fix.Candidate{}, err)
			return
		}
		if len(passed) == 0 {
			note("none of %d different answers of the model passed; of one: %s", len(asked), why)
			return
		}
		slices.SortStableFunc(passed, func(a, b fix.Candidate) int { return cmp.Compare(size(a.Patch), size(b.Patch)) })
		for i, c := range passed {
			c.Alternatives = len(passed) - 1
			if c.Cost = 0; i == 0 { // the first pays for all that was asked
				c.Cost = cost
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// try gives those that pass, and why one of the others did not.
func try(ctx context.Context, t fix.Task, asked []fix.Candidate) (passed []fix.Candidate, why string, err error) {
	patches := func(yield func(edit.Patch) bool) {
		for _, c := range asked {
			if !yield(c.Patch) {
				return
			}
		}
	}
	for trial, err := range t.TryAll(ctx, patches) {
		if err != nil {
			return nil, "", err
		}
		if !trial.Plausible {
			why = trial.Note
			continue
		}
		c := asked[trial.Index]
		c.Heals = trial.Healed
		passed = append(passed, c)
	}
	return passed, why, nil
}

// size is how many bytes a patch takes away and brings.
func size(p edit.Patch) int {
	n := 0
	for _, c := range p {
		for _, e := range c.Edits {
			n += e.End - e.Start + len(e.New)
		}
	}
	return n
}
