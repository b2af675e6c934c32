package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"fettle/internal/check"
	"fettle/internal/phrase"

	"github.com/spf13/cobra"
)

func (a *app) initCmd() *cobra.Command {
	var force, show bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Find the checks of this repository and write fettle.yaml",
		Long: `Look at the repository (go.mod, pyproject.toml, tool configurations, test files), find its checks, and write them to
fettle.yaml for you to read and change. Looking executes nothing from the repository.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.init(cmd.Context(), force, show) },
	}
	cmd.Flags().BoolVar(&force, "force", false, "overwrite an existing fettle.yaml")
	cmd.Flags().BoolVar(&show, "print", false, "write to standard output instead of the file")
	return cmd
}

func (a *app) init(ctx context.Context, force, show bool) error {
	root, err := a.where(ctx)
	if err != nil {
		return err
	}
	config := check.Default()
	if config.Checks, config.Notes, err = check.Discover(ctx, root); err != nil {
		return err
	}
	if show {
		if a.json {
			return a.printJSON(map[string]any{"version": 1, "kind": "init", "text": string(config.Marshal()), "checks": config.Checks, "notes": config.Notes})
		}
		a.printRaw(config.Marshal())
		return nil
	}
	file := filepath.Join(root, check.FileName)
	if _, err := os.Lstat(file); err == nil && !force {
		return usage("%s exists already; change it by hand, or write it anew with --force", file)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := put(file, config.Marshal()); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"version": 1, "kind": "init", "file": file, "checks": config.Checks, "notes": config.Notes})
	}
	for _, n := range config.Notes {
		a.say("note: %s", noteText(n))
	}
	a.say("%s: %s", file, phrase.Count(len(config.Checks), "check"))
	for _, c := range config.Checks {
		a.say("  %-14s %s", c.Name, quoteArgv(c.Run))
	}
	if len(config.Checks) == 0 {
		a.say("Nothing was found that fettle knows how to check; add your own commands to %s.", check.FileName)
		return nil
	}
	a.say("Next: fettle run")
	return nil
}

func noteText(n check.Note) string {
	if n.File == "" {
		return n.Text
	}
	return n.File + ": " + n.Text
}
