package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fettle/internal/journal"
	"fettle/internal/workspace"

	"github.com/spf13/cobra"
)

func (a *app) undoCmd() *cobra.Command {
	steps := 1
	cmd := &cobra.Command{
		Use:   "undo [FILE…]",
		Short: "Take back the last change, or the last change of some files",
		Long: `Take back the last change that fettle made to the working tree; with FILE, only that file's part of the last change that
touched it. A file that somebody changed since is left alone, and fettle says so. Undo survives restarts; fettle redo carries
out again what was taken back.`,
		Example: "  fettle undo\n  fettle undo --steps 3\n  fettle undo internal/parse/parse.go",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.change(cmd.Context(), "fettle undo", "undo", false, func(ctx context.Context, h *house) ([]journal.Set, error) {
				if steps < 1 {
					return nil, usage("--steps must be 1 or more")
				}
				if len(args) == 0 {
					return h.tree.Undo(ctx, steps)
				}
				var paths []string
				for _, p := range args {
					rel, err := h.pathArg(p)
					if err != nil {
						return nil, err
					}
					paths = append(paths, rel)
				}
				return h.tree.UndoFile(ctx, paths...)
			})
		},
	}
	cmd.Flags().IntVarP(&steps, "steps", "n", 1, "how many changes to take back")
	return cmd
}

func (a *app) redoCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "redo",
		Short: "Carry out again what the last undo took back",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.change(cmd.Context(), "fettle redo", "redo", false, func(ctx context.Context, h *house) ([]journal.Set, error) {
				return h.tree.Redo(ctx)
			})
		},
	}
}

func (a *app) rollbackCmd() *cobra.Command {
	revert := false
	cmd := &cobra.Command{
		Use:   "rollback [SESSION[:ITERATION]]",
		Short: "Take back all changes of a session, or of one of its rounds",
		Long: `Take back all changes of a session, or of one of its rounds, in the working tree. A commit that the session made stays on its
branch; with --revert, a commit that takes it back is added there.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, round, err := sessionAndRound(arg(args))
			if err != nil {
				return err
			}
			return a.change(cmd.Context(), "fettle rollback", "rollback", revert, func(ctx context.Context, h *house) ([]journal.Set, error) {
				rec, err := h.sessions.Load(ctx, id)
				if err != nil {
					return nil, err
				}
				sets, err := h.tree.Rollback(ctx, rec.Session, round)
				if revert && rec.Commit != "" && errors.Is(err, workspace.ErrNothingToUndo) {
					return []journal.Set{{Session: rec.Session}}, nil // the tree is as before, but the commit may not be reverted yet
				}
				return sets, err
			})
		},
	}
	cmd.Flags().BoolVar(&revert, "revert", false, "also revert the session's commit, on its branch")
	return cmd
}

func sessionAndRound(arg string) (id string, round int, err error) {
	id, n, ok := strings.Cut(arg, ":")
	if !ok {
		return id, 0, nil
	}
	round, err = strconv.Atoi(n)
	if err != nil || round < 1 {
		return "", 0, usage("%q: the round after the colon must be a number from 1", arg)
	}
	return id, round, nil
}

// change opens the house, locks the tree, changes it through the journal, and says which files changed.
func (a *app) change(ctx context.Context, who, kind string, revert bool, do func(context.Context, *house) ([]journal.Set, error)) error {
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := h.lock(ctx, a, who); err != nil {
		return err
	}
	sets, err := do(ctx, h)
	if err != nil {
		return err
	}
	var left aftermath
	if kind != "redo" {
		if left, err = h.after(ctx, a, sets, revert); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"version": 1, "kind": kind, "sets": sets, "left": left})
	}
	told := map[string]bool{} // a file that several changes touched is named once
	for _, s := range sets {
		for _, e := range s.Entries {
			if line := changeLine(kind, e); !told[line] {
				a.say("%s", line)
				told[line] = true
			}
		}
	}
	left.tell(a)
	return nil
}

func changeLine(kind string, e journal.Entry) string {
	switch {
	case kind == "redo":
		return fmt.Sprintf("Changed %s again", e.Path)
	case !e.After.Exists:
		return fmt.Sprintf("Reverted changes to %s (it was created, and is gone again)", e.Path)
	case !e.Before.Exists:
		return fmt.Sprintf("Reverted changes to %s (it was deleted, and is back)", e.Path)
	}
	return "Reverted changes to " + e.Path
}
