package cli

import (
	"cmp"
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/fix/agent"
	"fettle/internal/fix/prompt"
	"fettle/internal/learn"
)

// threshold is how sure a fixer has to be, and what became of its patches.
type threshold struct {
	learn.Record
	Threshold float64 `json:"threshold"`
}

// thresholds are those that hold for whatever something became of, in the order of the records.
func thresholds(c *check.Config, trust learn.Trust) []threshold {
	out := make([]threshold, 0, len(trust))
	for _, r := range trust {
		var bounds learn.Bounds
		bounds.Base, bounds.Least, bounds.Most = c.Confidence(kindOf(r.Fixer, c.Fixers.Plugins))
		holds, _ := trust.Threshold(bounds, r.Fixer, r.Kind, r.Lang)
		out = append(out, threshold{r, holds})
	}
	return out
}

// kindOf is the kind of a fixer that was asked once; today it may not be there.
func kindOf(fixer string, plugins []check.Plugin) string {
	switch {
	case slices.ContainsFunc(plugins, func(p check.Plugin) bool { return p.Name == fixer }):
		return check.ByPlugin
	case slices.Contains(agent.Kinds, agent.Kind(fixer)):
		return check.ByAgent
	case strings.HasPrefix(fixer, prompt.Prefix):
		return check.ByModel
	}
	return fixer // tools and the search have the name of their kind
}

// printThresholds prints as a table how sure fixers were, what became of it, and how sure they have to be.
func (a *app) printThresholds(all []threshold) {
	if len(all) == 0 {
		return
	}
	a.print("%-24s %-8s %-12s %6s %6s %8s %8s %9s", "fixer", "check", "language", "kept", "undone", "rejected", "thought", "threshold")
	for _, t := range all {
		a.print("%-24s %-8s %-12s %6d %6d %8d %8.1f %9.2f", t.Fixer, t.Kind, cmp.Or(t.Lang, "-"), t.Kept, t.Undone, t.Rejected, t.Sure, t.Threshold)
	}
}
