package cli

import (
	"context"
	"strings"

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

And what calls to models have cost here, by role, model and fixer, and for each finding that was healed in sessions that cost something.`,
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
	if a.json {
		return a.printJSON(map[string]any{"version": 1, "kind": "stats", "ideas": all, "models": paid})
	}
	a.printSpent(paid)
	if len(all) == 0 {
		a.say("nothing was learnt yet: the search has repaired nothing here")
		return nil
	}
	a.print("%-40s %6s %6s %8s", "idea", "kept", "undone", "rejected")
	for _, c := range all {
		lang, name, _ := strings.Cut(c.Idea, "/")
		a.print("%-40s %6d %6d %8d", lang+" "+name, c.Kept, c.Undone, c.Rejected)
	}
	return nil
}
