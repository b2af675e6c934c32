package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/phrase"
	"fettle/internal/workspace"

	"github.com/spf13/cobra"
)

func (a *app) applyCmd() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "apply FILE|-",
		Short: "Apply edits to files safely: exactly, all or none, undoably",
		Long: `Apply edits from FILE, or from standard input. The form is recognised: a unified diff; line edits
{"file", "edits": [{"line", "old", "new"}]}; search/replace blocks; whole files {"operation": "create", "path", "content"}.

An edit that does not find what it expects is refused, and then nothing at all is changed. Line endings, modes and a missing
final newline are kept; links, devices and files outside the repository are refused; fettle undo takes the change back.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("name one file with edits, or - for standard input: fettle apply FILE")
			}
			return a.apply(cmd.Context(), args[0], dryRun)
		},
	}
	cmd.Flags().BoolVarP(&dryRun, "dry-run", "n", false, "show what would change; change nothing")
	return cmd
}

// mostEdits bounds what apply reads: more than this is no set of edits.
const mostEdits = 64 << 20

func (a *app) apply(ctx context.Context, file string, dryRun bool) error {
	data, err := a.readAll(file)
	if err != nil {
		return err
	}
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.Close()
	patch, notes, err := edit.Read(data, h.tree.Source())
	if err != nil {
		return err
	}
	for _, n := range notes {
		a.say("note: %s", n)
	}
	if dryRun {
		if err := h.tree.Check(patch); err != nil {
			return err
		}
		if a.json {
			text, err := patch.Unified(h.tree.Source())
			if err != nil {
				return err
			}
			return a.printJSON(map[string]any{"version": 1, "kind": "apply", "dry_run": true, "files": patch.Paths(), "diff": text})
		}
		a.showPatch(h, patch)
		a.say("Dry-run: Changes not applied")
		return nil
	}
	if err := h.lock(ctx, a, "fettle apply"); err != nil {
		return err
	}
	set, err := h.tree.Apply(ctx, patch, workspace.Why{Author: "a person", Reason: "fettle apply", Kind: journal.Apply})
	if err != nil {
		return err
	}
	return a.done(map[string]any{"version": 1, "kind": "apply", "dry_run": false, "files": patch.Paths(), "set": set},
		"applied to %s; take it back with fettle undo", phrase.Count(len(patch), "file"))
}

func (a *app) readAll(file string) ([]byte, error) {
	in := a.io.In
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, usage("%v", err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, mostEdits+1))
	if err != nil {
		return nil, fmt.Errorf("read the edits: %w", err)
	}
	if len(data) > mostEdits {
		return nil, usage("%s: more than %d MiB are no set of edits", file, mostEdits>>20)
	}
	return data, nil
}
