package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"fettle/internal/phrase"
	"fettle/internal/workspace"

	"github.com/spf13/cobra"
)

func (a *app) gcCmd() *cobra.Command {
	age, cache := 30*24*time.Hour, false
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "Forget old sessions and give back the space they use",
		Long: `Forget the sessions, results and changes that are older than --older-than, and remove the private copies that nobody uses.
Changes that are forgotten can no longer be undone. The working tree is not touched.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.gc(cmd.Context(), age, cache) },
	}
	cmd.Flags().DurationVar(&age, "older-than", age, "forget what is older than `D`")
	cmd.Flags().BoolVar(&cache, "cache", false, "also empty the checks' build caches; the next run is slower")
	return cmd
}

func (a *app) gc(ctx context.Context, age time.Duration, cache bool) error {
	if age < 0 {
		return usage("--older-than must not be negative")
	}
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := h.lock(ctx, a, "fettle gc"); err != nil {
		return err
	}
	before := time.Now().Add(-age)
	pruned, err := h.journal.Prune(ctx, before)
	if err != nil {
		return err
	}
	sessions, results, err := h.sessions.Forget(ctx, before)
	if err != nil {
		return err
	}
	if err := h.forgetTalks(ctx); err != nil {
		return err
	}
	copies, err := workspace.CleanCopies(h.copiesDir())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if cache {
		inUse, err := workspace.CleanCaches(filepath.Join(h.state, "cache"))
		if err != nil {
			return err
		}
		if inUse > 0 {
			a.say("%s in use by a running check and stays", phrase.Count(inUse, "cache"))
		}
	}
	return a.done(
		map[string]any{"version": 1, "kind": "gc", "sessions": sessions, "results": results, "changes": pruned.Sets, "images": pruned.Images, "bytes": pruned.Bytes, "copies": copies},
		"forgotten: %s, %s, %d remembered results, %d images (%d bytes), %d private copies",
		phrase.Count(int(sessions), "session"), phrase.Count(int(pruned.Sets), "change"), results, pruned.Images, pruned.Bytes, copies)
}
