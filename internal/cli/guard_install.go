package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fettle/internal/edit"
	"fettle/internal/guard/hook"
	"fettle/internal/guard/setup"

	"github.com/spf13/cobra"
)

// guarded says whose settings a guard command is about.
type guarded struct {
	claude, codex, project, user bool
	dryRun                       bool
}

func (g *guarded) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&g.claude, "claude", false, "Claude Code's settings (the default, with Codex's if that is there)")
	f.BoolVar(&g.codex, "codex", false, "Codex's settings")
	f.BoolVar(&g.user, "user", false, "your own settings, which count in every project (the default)")
	f.BoolVar(&g.project, "project", false, "this project's settings that are yours alone (.claude/settings.local.json)")
	cmd.MarkFlagsMutuallyExclusive("user", "project")
}

// wheres are the settings that are meant. Without a flag they are the user's, of Claude Code and, where it has been used, of Codex.
func (g *guarded) wheres(ctx context.Context, dir string) ([]setup.Where, error) {
	project := ""
	if g.project {
		var h house
		if err := h.find(ctx, dir); err != nil {
			return nil, err
		}
		project = h.root
	}
	var all []setup.Where
	if g.claude || !g.codex {
		all = append(all, setup.Where{Client: setup.Claude, Project: project, Getenv: os.Getenv})
	}
	codex := setup.Where{Client: setup.Codex, Project: project, Getenv: os.Getenv}
	if g.codex {
		return append(all, codex), nil
	}
	if file, err := codex.File(); err == nil && !g.claude {
		if _, err := os.Stat(filepath.Dir(file)); err == nil {
			all = append(all, codex)
		}
	}
	return all, nil
}

func (a *app) guardInstallCmd() *cobra.Command {
	var g guarded
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Let the guard judge every tool call of Claude Code and Codex",
		Long: `Hook the guard into the settings of coding agents' clients, so that it judges every tool call before it happens. What the settings hold stays as it is;
what is added is shown. The hook's program is written to ~/.local/share/fettle/bin. Codex asks once whether hooks from its settings are to be trusted.`,
		Example: "  fettle guard install\n  fettle guard install --project --dry-run",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			program, err := setup.Program(os.Getenv)
			if err != nil {
				return err
			}
			if !g.dryRun {
				if err := setup.Place(program); err != nil {
					return fmt.Errorf("write the hook's program: %w", err)
				}
				if err := noteEngine(); err != nil {
					return fmt.Errorf("note where fettle is: %w", err)
				}
			}
			return a.settle(cmd.Context(), &g, "guarded", func(w setup.Where, _ string) (setup.Change, error) { return setup.Install(w, program) }, setup.Change.Apply)
		},
	}
	g.flags(cmd)
	cmd.Flags().BoolVar(&g.dryRun, "dry-run", false, "show what would change, and change nothing")
	return cmd
}

// noteEngine tells the hook where this fettle is: it reads people's policies for it.
func noteEngine() error {
	dir, err := hook.Folder(os.Getenv)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return hook.WriteEngine(dir, self)
}

func (a *app) guardUninstallCmd() *cobra.Command {
	var g guarded
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Take the guard out of the settings again",
		Long: `Take the guard's hook out of the settings. If they are still as the guard left them, every byte is as it was before; if they were changed since, only the guard's own entries
are taken out. Its log stays (fettle guard log).`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.settle(cmd.Context(), &g, "no longer guarded", setup.Uninstall, setup.Change.Revert)
		},
	}
	g.flags(cmd)
	cmd.Flags().BoolVar(&g.dryRun, "dry-run", false, "show what would change, and change nothing")
	return cmd
}

// settled is what became of one settings file.
type settled struct {
	Client  setup.Client `json:"client"`
	File    string       `json:"file"`
	Changed bool         `json:"changed"`
	Diff    string       `json:"diff,omitempty"`
}

// settle makes the same change to all settings that are meant, or to none if one of them cannot be read.
func (a *app) settle(ctx context.Context, g *guarded, done string, plan func(setup.Where, string) (setup.Change, error), carry func(setup.Change, string) error) error {
	dir, err := hook.Folder(os.Getenv)
	if err != nil {
		return err
	}
	wheres, err := g.wheres(ctx, a.dir)
	if err != nil {
		return err
	}
	var all []settled
	var changes []setup.Change
	for _, w := range wheres {
		c, err := plan(w, dir)
		if err != nil {
			return err
		}
		s := settled{Client: w.Client, File: c.File, Changed: !c.None()}
		if s.Diff, err = diffOf(c); err != nil {
			return err
		}
		all, changes = append(all, s), append(changes, c)
	}
	for i, c := range changes {
		if !g.dryRun && all[i].Changed {
			if err := carry(c, dir); err != nil {
				return err
			}
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"version": 1, "kind": "guard-settings", "dry_run": g.dryRun, "settings": all})
	}
	for _, s := range all {
		switch {
		case !s.Changed:
			a.print("%s: nothing to change in %s", s.Client, s.File)
		case g.dryRun:
			a.print("%s would be %s:\n%s", s.Client, done, s.Diff)
		default:
			a.print("%s is %s:\n%s", s.Client, done, s.Diff)
		}
	}
	return nil
}

// diffOf shows a change of settings.
func diffOf(c setup.Change) (string, error) {
	files := func(data []byte) map[string]edit.File {
		if data == nil {
			return nil
		}
		return map[string]edit.File{strings.TrimPrefix(c.File, "/"): {Data: data, Exists: true}}
	}
	return edit.Diff(files(c.Before), files(c.After))
}

func (a *app) guardStatusCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say which agents are guarded, and whether the guard held when it was last tried",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.guardStatus(cmd.Context()) },
	}
	return cmd
}

func (a *app) guardStatus(ctx context.Context) error {
	dir, err := hook.Folder(os.Getenv)
	if err != nil {
		return err
	}
	wheres := []setup.Where{{Client: setup.Claude, Getenv: os.Getenv}, {Client: setup.Codex, Getenv: os.Getenv}}
	var h house
	if err := h.find(ctx, a.dir); err == nil {
		wheres = append(wheres, setup.Where{Client: setup.Claude, Project: h.root, Getenv: os.Getenv})
	}
	var all []setup.Status
	for _, w := range wheres {
		s, err := setup.Look(w)
		if err != nil {
			return err
		}
		all = append(all, s)
	}
	proof, err := hook.ReadProof(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("what the last canary said cannot be read: %w", err)
	}
	if a.json {
		return a.printJSON(map[string]any{"version": 1, "kind": "guard-status", "settings": all, "canary": proof, "log": hook.LogFolder(dir)})
	}
	for _, s := range all {
		switch {
		case s.Trouble != "":
			a.print("✗ %-7s %s\n          %s", s.Client, s.File, s.Trouble)
		case !s.Active:
			a.print("- %-7s %s: not guarded", s.Client, s.File)
		case s.Missing != nil:
			a.print("! %-7s %s: guarded, but not told of %s: install the guard again", s.Client, s.File, strings.Join(s.Missing, ", "))
		default:
			a.print("✓ %-7s %s: every tool call is judged", s.Client, s.File)
		}
	}
	switch {
	case proof.Time.IsZero():
		a.print("- canary  no session has begun since the guard came")
	case proof.Why != "":
		a.print("✗ canary  %s: %s", proof.Time.Local().Format(time.DateTime), proof.Why)
	default:
		a.print("✓ canary  refused when the last session began, %s", proof.Time.Local().Format(time.DateTime))
	}
	return nil
}
