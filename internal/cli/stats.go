package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fettle/internal/budget"
	"fettle/internal/fix/search"
	"fettle/internal/learn"
	"fettle/internal/phrase"

	"github.com/spf13/cobra"
)

func (a *app) statsCmd() *cobra.Command {
	reset := false
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Show what became of repairs here, and what models have cost",
		Long: `Show what became of the search's repairs in this working tree, by language and by the idea they were made by: how many are still there,
how many were taken back (fettle undo, fettle rollback), how many were turned down (fettle reject, fettle discard). Ideas whose
repairs are kept come earlier the next time, and are surer; the others later, and less sure. Nothing of it leaves this tree.

What became of the patches of models, agents, plug-ins and tools, beside how sure they were of them, and how sure they have to be by now for a patch to be tried
(limits.confidence, moved as fixers.trust in fettle.yaml allows).

What became of each fixer's turns, by the kind of check, with what they have cost and how long they took. What a dry run offers has healed nothing until it is accepted.

And what calls to models have cost here, by role, model and fixer. What a healed finding has cost is what the sessions have in which a fixer that is paid has healed something, by
the findings that such fixers healed in them; what other sessions have cost was spent in vain. What is asked outside of these (fettle doctor --models, fettle confirm, the guard's validator, the
MCP server) is a line of its own.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.stats(cmd.Context(), reset) },
	}
	cmd.Flags().BoolVar(&reset, "reset", false, "forget all of it, and what models were asked and answered")
	return cmd
}

func (a *app) stats(ctx context.Context, reset bool) error {
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.Close()
	if reset {
		if err := h.lock(ctx, a, "fettle stats --reset"); err != nil {
			return err
		}
		n, err := h.book().Reset(ctx)
		if err != nil {
			return err
		}
		return a.done(map[string]any{"version": 1, "kind": "stats", "forgotten": n}, "forgot %s", phrase.Count(int(n), "lesson"))
	}
	all, err := h.learnt(ctx)
	if err != nil {
		return err
	}
	paid, err := h.spent(ctx)
	if err != nil {
		return err
	}
	scores, err := h.book().Scores(ctx)
	if err != nil {
		return err
	}
	trust, err := h.trust(ctx)
	if err != nil {
		return err
	}
	moved := thresholds(h.config, trust)
	if a.json {
		return a.printJSON(map[string]any{"version": 1, "kind": "stats", "ideas": weighed(all), "models": paid, "fixers": scores, "thresholds": moved})
	}
	a.printSpent(paid)
	a.printScores(scores)
	a.printThresholds(moved)
	if len(all) == 0 && len(moved) > 0 {
		return nil
	}
	if len(all) == 0 {
		a.say("nothing was learnt yet: the search has repaired nothing here")
		return nil
	}
	a.print("%-40s %6s %6s %8s %8s %6s", "idea", "kept", "undone", "rejected", "thought", "sure")
	for _, c := range weighed(all) {
		lang, name, _ := strings.Cut(c.Idea, "/")
		a.print("%-40s %6d %6d %8d %8s %6s", lang+" "+name, c.Kept, c.Undone, c.Rejected, percent(c.Thought), percent(c.Sure))
	}
	return nil
}

// weighedIdea is what was learnt of an idea, and what that makes of it.
type weighedIdea struct {
	learn.Count
	Thought *float64 `json:"thought,omitempty"` // 0–1: how many of its repairs are right, before anything was learnt; nil: it is no idea any more
	Sure    *float64 `json:"sure,omitempty"`    // and now: its place among the others moves by as much
}

func weighed(all []learn.Count) []weighedIdea {
	out := make([]weighedIdea, len(all))
	for i, c := range all {
		out[i].Count = c
		if before, now, known := search.Sureness(c); known {
			out[i].Thought, out[i].Sure = &before, &now
		}
	}
	return out
}

// percent is a share for people; a dash where there is none.
func percent(share *float64) string {
	if share == nil {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", *share*100)
}

// printScores prints what became of fixers' turns as a table.
func (a *app) printScores(all []learn.Score) {
	if len(all) == 0 {
		return
	}
	a.print("%-24s %-8s %6s %6s %7s %7s %6s %10s %10s %10s", "fixer", "check", "turns", "healed", "refused", "nothing", "failed", "cost", "a healing", "time")
	for _, s := range all {
		each := "-"
		if s.Healed > 0 && s.USD > 0 {
			each = budget.Dollars(s.USD / float64(s.Healed)).String()
		}
		cost := "-"
		if s.USD > 0 {
			cost = budget.Dollars(s.USD).String()
		}
		a.print("%-24s %-8s %6d %6d %7d %7d %6d %10s %10s %10s", s.Fixer, s.Kind, s.Turns, s.Healed, s.Refused, s.Nothing, s.Failed, cost, each, s.Took.Round(10*time.Millisecond))
	}
}
