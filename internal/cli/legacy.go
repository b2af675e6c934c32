package cli

import (
	"context"
	"path/filepath"
	"slices"

	"fettle/internal/check"
	"fettle/internal/phrase"

	"github.com/spf13/cobra"
)

// legacyFlags say which findings are to be left alone.
type legacyFlags struct {
	since      string
	noBaseline bool
}

// legacy are the findings that are left alone: those of the baseline file, and, with a revision, those in files that have not
// changed since the commit at which the present work left it.
func (h *house) legacy(ctx context.Context, f legacyFlags) (*check.Legacy, []string, error) {
	if f.noBaseline && f.since == "" {
		return nil, nil, nil
	}
	l := &check.Legacy{}
	if !f.noBaseline {
		var err error
		if l, err = check.LoadLegacy(h.root); err != nil {
			return nil, nil, usage("%v", err)
		}
	}
	if f.since == "" {
		return l, nil, nil
	}
	if h.repo == nil {
		return nil, nil, usage("--since needs a git repository, and %s is none", h.root)
	}
	base, err := h.repo.MergeBase(ctx, f.since, "HEAD")
	if err != nil {
		return nil, nil, usage("--since: %v", err)
	}
	if base == "" {
		base = f.since // no common ancestor: compare with the revision itself
	}
	changed, err := h.repo.ChangedSince(ctx, base)
	if err != nil {
		return nil, nil, err
	}
	l.Since(f.since, changed)
	return l, changed, nil
}

// affected are the checks whose answer a changed file can change. Those for tests that were named stay.
func affected(checks []check.Check, changed []string) []check.Check {
	return slices.DeleteFunc(slices.Clone(checks), func(c check.Check) bool { return !slices.ContainsFunc(changed, c.Concerns) })
}

// writeBaseline writes the baseline file for what the checks say now.
func (a *app) writeBaseline(h *house, results []check.Result) error {
	text, n := check.Baseline(results)
	file := filepath.Join(h.root, check.BaselineFile)
	if err := put(file, text); err != nil {
		return err
	}
	return a.done(map[string]any{"version": 1, "kind": "baseline", "file": file, "findings": n},
		"%s: %s; they are left alone from now on, failing tests are not", file, phrase.Count(n, "finding"))
}

func (f *legacyFlags) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.since, "since", "", "only what files that changed since `REV` concern counts")
	cmd.Flags().BoolVar(&f.noBaseline, "no-baseline", false, "count also the findings in "+check.BaselineFile)
}
