package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/guard/confine"
	"fettle/internal/guard/hook"
	"fettle/internal/guard/setup"
	"fettle/internal/report"

	"github.com/spf13/cobra"
)

// guarded says whose settings a guard command is about.
type guarded struct {
	claude, codex, gemini, project, user bool
	dryRun, noCommands                   bool
}

func (g *guarded) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&g.claude, "claude", false, "Claude Code's settings (the default, with those of Codex and of Gemini CLI where these are there)")
	f.BoolVar(&g.codex, "codex", false, "Codex's settings")
	f.BoolVar(&g.gemini, "gemini", false, "Gemini CLI's settings")
	f.BoolVar(&g.user, "user", false, "your own settings, which count in every project (the default)")
	f.BoolVar(&g.project, "project", false, "this project's settings that are yours alone (.claude/settings.local.json)")
}

// wheres are the settings that are meant. Without a flag they are the user's, of Claude Code and, where they have been used, of the other clients.
func (g *guarded) wheres(ctx context.Context, dir string) ([]setup.Where, error) {
	switch {
	case g.user && g.project:
		return nil, usage("--user and --project are two places: name one of them")
	case g.project && !g.claude && (g.codex || g.gemini) && g.noCommands:
		return nil, usage("codex and gemini have no settings of a project that are yours alone: install the guard for the user (--user)")
	}
	project := ""
	if g.project {
		var h house
		if err := h.find(ctx, dir); err != nil {
			return nil, err
		}
		project = h.root
	}
	named := map[setup.Client]bool{setup.Claude: g.claude, setup.Codex: g.codex, setup.Gemini: g.gemini}
	chosen := g.claude || g.codex || g.gemini
	var all []setup.Where
	for _, client := range setup.Clients {
		if named[client] || !chosen && (client == setup.Claude || used(client, project)) {
			all = append(all, setup.Where{Client: client, Project: project, Getenv: os.Getenv})
		}
	}
	return all, nil
}

// used reports that a client has a folder of its own, for the user or in the project.
func used(client setup.Client, project string) bool {
	return slices.ContainsFunc([]string{"", project}, func(project string) bool {
		folder, err := setup.Where{Client: client, Project: project, Getenv: os.Getenv}.Folder()
		if err == nil {
			_, err = os.Stat(folder)
		}
		return err == nil
	})
}

func (a *app) guardInstallCmd() *cobra.Command {
	var g guarded
	var w ways
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Let the guard judge every tool call of Claude Code, Codex and Gemini CLI",
		Long: `Hook the guard into the settings of coding agents' clients, so that it judges every tool call before it happens. What the settings hold stays as it is;
what is added is shown. The hook's program is written to ~/.local/share/fettle/bin. Codex asks once whether hooks from its settings are to be trusted.

Claude Code is also given the slash commands /check, /confirm, /commit, /push, /fix and /run, and a skill that tells it how to use fettle; Codex and Gemini CLI are given the skill. A file of
yours with one of these names stays as it is. With --project they go to the project's .claude folder, and the skill to .codex and .gemini where these clients are used, which others may share with you: commit
them if they are to; the settings (.claude/settings.local.json) name a program of yours, and belong into .gitignore. The hooks of Codex and Gemini CLI go into your own settings alone.`,
		Example: "  fettle guard install\n  fettle guard install --project --dry-run",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := hook.Folder(os.Getenv)
			if err != nil {
				return err
			}
			if w.program, err = setup.Program(os.Getenv); err != nil {
				return err
			}
			if err := w.decide(cmd.Context(), cmd, &g, dir); err != nil {
				return err
			}
			return a.settle(cmd.Context(), &g, settling{done: "guarded", holds: true, prepare: func() (func(), error) { return w.prepare(dir) }, plan: func(where setup.Where, _ string) (setup.Change, error) { return setup.Install(where, w.of(where)) },
				carry: func(where setup.Where, c setup.Change, dir string) error {
					return w.carry(cmd.Context(), where, c, dir)
				},
				texts: setup.Commands, carryText: func(t setup.Text, dir string) error { return t.Apply(dir) }, textDone: "given", next: func(all []settled) []string { return g.afterInstall(w.program, all) }})
		},
	}
	g.flags(cmd)
	w.flags(cmd)
	cmd.Flags().BoolVar(&g.dryRun, "dry-run", false, "show what would change, and change nothing")
	cmd.Flags().BoolVar(&g.noCommands, "no-commands", false, "no slash commands and no skill")
	return cmd
}

func (a *app) guardUninstallCmd() *cobra.Command {
	var g guarded
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Take the guard out of the settings again",
		Long: `Take the guard's hook out of the settings. If they are still as the guard left them, every byte is as it was before; if they were changed since, only the guard's own entries
are taken out. So it is with the slash commands and the skill. Its log (fettle guard log) and the hook's program in ~/.local/share/fettle/bin stay: settings of a project may still name it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.settle(cmd.Context(), &g, settling{done: "no longer guarded", textsFirst: true, plan: setup.Uninstall,
				carry: func(where setup.Where, c setup.Change, dir string) error {
					err := c.Revert(dir)
					if err == nil && where.MayReside() {
						err = forgetResident(cmd.Context(), dir)
					}
					return err
				},
				texts: setup.NoCommands, carryText: setup.Text.Revert, textDone: "taken away", left: func() []string { return stillGuarded(cmd.Context(), a.dir) }})
		},
	}
	g.flags(cmd)
	cmd.Flags().BoolVar(&g.dryRun, "dry-run", false, "show what would change, and change nothing")
	return cmd
}

// prepare writes the hook's program and where fettle is. It returns what takes the program away again, if it was not there before.
func (w *ways) prepare(dir string) (undo func(), err error) {
	undo = func() {}
	if _, err := os.Lstat(w.program); errors.Is(err, fs.ErrNotExist) {
		undo = func() {
			_ = os.Remove(w.program) // the reason why comes first
			_ = os.Remove(hook.AbodeFile(w.program))
		}
	}
	if err := setup.Place(w.program, os.Getenv); err != nil {
		return undo, fmt.Errorf("write the hook's program: %w", err)
	}
	if err := (hook.Engine{Fettle: w.fettle}).Write(dir); err != nil {
		return undo, fmt.Errorf("note where fettle is: %w", err)
	}
	return undo, nil
}

// settled is what became of one client's settings.
type settled struct {
	Client   setup.Client `json:"client"`
	File     string       `json:"file"` // the settings, or the folder of a client that is given its skill alone
	Changed  bool         `json:"changed"`
	Diff     string       `json:"diff,omitempty"`
	Commands []string     `json:"commands,omitempty"` // that were given, or taken away
	Left     []string     `json:"left,omitempty"`     // files of the person's own in the place of one
	Trouble  string       `json:"trouble,omitempty"`  // why the guard is not asked all the same

	where  setup.Where
	folder string
	change setup.Change
	texts  []setup.Text
}

// settling is one way of changing settings: what becomes of them, and of the commands beside them.
type settling struct {
	done, textDone string
	prepare        func() (undo func(), err error) // before the first change; nil: there is nothing to prepare
	textsFirst     bool                            // what lies beside the settings goes before them
	holds          bool                            // the guard is to hold then
	plan           func(setup.Where, string) (setup.Change, error)
	carry          func(setup.Where, setup.Change, string) error
	texts          func(setup.Where, string) ([]setup.Text, error)
	carryText      func(setup.Text, string) error
	next           func([]settled) []string // what is to be known besides; nil: nothing
	left           func() []string          // what is to be known also where nothing has changed; nil: nothing
}

// look plans the change of one client's settings.
func (how settling) look(g *guarded, w setup.Where, dir string) (s settled, err error) {
	s.where, s.Client = w, w.Client
	if s.folder, err = w.Folder(); err != nil {
		return s, err
	}
	s.File = s.folder
	if w.Hooks() {
		if s.change, err = how.plan(w, dir); err != nil {
			return s, err
		}
		s.File = s.change.File
	}
	s.Changed = !s.change.None()
	if s.Diff, err = diffOf(s.change); err != nil || g.noCommands {
		return s, err
	}
	all, err := how.texts(w, dir)
	for _, t := range all {
		switch {
		case t.Other:
			s.Left = append(s.Left, t.File)
		case !t.None():
			s.Commands, s.texts = append(s.Commands, t.Name), append(s.texts, t)
		}
	}
	return s, err
}

// carryOut makes the planned change.
func (how settling) carryOut(s settled, dir string) error {
	if !how.textsFirst {
		if err := how.carry(s.where, s.change, dir); err != nil {
			return err
		}
	}
	for _, t := range s.texts {
		if err := how.carryText(t, dir); err != nil {
			return err
		}
	}
	if how.textsFirst {
		return how.carry(s.where, s.change, dir)
	}
	return nil
}

// carryAll makes all planned changes. Where the first cannot be made, nothing is left of what was prepared for it.
func (how settling) carryAll(all []settled, dir string) error {
	undo := func() {}
	if how.prepare != nil && slices.ContainsFunc(all, settled.hooked) {
		var err error
		if undo, err = how.prepare(); err != nil {
			undo()
			return err
		}
	}
	for i, s := range all {
		if err := how.carryOut(s, dir); err != nil {
			if i == 0 {
				undo()
			}
			return err
		}
	}
	return nil
}

// settle makes the same change to all settings that are meant, or to none if one of them cannot be read.
func (a *app) settle(ctx context.Context, g *guarded, how settling) error {
	dir, err := hook.Folder(os.Getenv)
	if err != nil {
		return err
	}
	wheres, err := g.wheres(ctx, a.dir)
	if err != nil {
		return err
	}
	var all []settled
	for _, w := range wheres {
		s, err := how.look(g, w, dir)
		if err != nil {
			return err
		}
		all = append(all, s)
	}
	if !g.dryRun {
		if err := how.carryAll(all, dir); err != nil {
			return err
		}
		if how.holds {
			for i := range all {
				all[i].Trouble = all[i].trouble()
			}
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"version": 1, "kind": "guard-settings", "dry_run": g.dryRun, "settings": all})
	}
	if !a.quiet {
		a.tellSettled(all, how, g)
		if how.left != nil && !g.dryRun {
			for _, line := range how.left() {
				a.print("%s", line)
			}
		}
	}
	for _, s := range all {
		if s.Trouble != "" {
			a.print("warning: %s does not ask the guard: %s", s.Client, s.Trouble)
		}
	}
	return nil
}

// stillGuarded says which settings, the user's or those of the project, have the guard asked all the same.
func stillGuarded(ctx context.Context, dir string) (all []string) {
	var h house
	if err := h.find(ctx, dir); err != nil {
		return nil // without a project there is none of its
	}
	for _, project := range []string{"", h.root} {
		for _, client := range setup.Clients {
			st, err := setup.Look(setup.Where{Client: client, Project: project, Getenv: os.Getenv})
			if err != nil || !st.Active {
				continue
			}
			how := "fettle guard uninstall"
			if project != "" {
				how += " --project"
			}
			all = append(all, fmt.Sprintf("%s is still guarded, by %s: %s", client, st.File, how))
		}
	}
	return all
}

// trouble is why a client does not ask the guard that is in its settings, as where they, or those of an administrator, have it run no hooks.
func (s settled) trouble() string {
	st, err := setup.Look(s.where)
	if err != nil {
		return err.Error()
	}
	return st.Trouble
}

// hooked reports settings that name the hook, and not only a folder of texts.
func (s settled) hooked() bool { return s.where.Hooks() }

// settledAlready reports settings in which there was nothing to do.
func settledAlready(s settled) bool { return !s.Changed && len(s.Commands) == 0 }

// tellSettled says what became of each client's settings, and what comes next; where nothing did, in one line.
func (a *app) tellSettled(all []settled, how settling, g *guarded) {
	if !slices.ContainsFunc(all, func(s settled) bool { return !settledAlready(s) }) {
		files := make([]string, len(all))
		for i, s := range all {
			files[i] = s.File
		}
		already := ""
		if how.holds && slices.ContainsFunc(all, settled.hooked) && !slices.ContainsFunc(all, func(s settled) bool { return s.Trouble != "" }) {
			already = "guarded already: "
		}
		a.print("%snothing to change in %s", already, strings.Join(files, ", "))
		return
	}
	is, are := "is", "are"
	if g.dryRun {
		is, are = "would be", "would be"
	}
	for _, s := range all {
		if s.Changed {
			a.print("%s %s %s:\n%s", s.Client, is, how.done, report.Block(strings.TrimSuffix(s.Diff, "\n")))
		} else if s.where.Hooks() || settledAlready(s) {
			a.print("%s: nothing to change in %s", s.Client, s.File)
		}
		if len(s.Commands) > 0 {
			verb := is
			if len(s.Commands) > 1 {
				verb = are
			}
			a.print("%s in %s: %s %s %s", s.Client, s.folder, strings.Join(s.Commands, ", "), verb, how.textDone)
		}
		for _, file := range s.Left {
			a.print("%s is yours, and stays as it is", file)
		}
	}
	if how.next != nil && !g.dryRun {
		for _, line := range how.next(all) {
			a.print("%s", line)
		}
	}
}

// afterInstall says what lies where besides the settings, what of it belongs into commits, how it is undone, and what comes next.
func (g *guarded) afterInstall(program string, all []settled) []string {
	var lines []string
	if slices.ContainsFunc(all, settled.hooked) {
		lines = append(lines, "program: "+program)
	}
	undo := []string{"fettle guard uninstall"}
	if g.project {
		undo = append(undo, "--project")
		lines = append(lines, g.commits(all))
	}
	if !slices.ContainsFunc(all, settled.hooked) {
		for _, s := range all {
			undo = append(undo, "--"+string(s.Client))
		}
	}
	for _, s := range all {
		if !s.hooked() {
			lines = append(lines, fmt.Sprintf("hooks:   those of %[1]s go into your own settings, as a project's are shared with others: fettle guard install --%[1]s", s.Client))
		}
	}
	next := "begin a new session; fettle guard status says whether the guard holds"
	if slices.ContainsFunc(all, func(s settled) bool { return s.Client == setup.Codex && s.Changed }) {
		next += "; Codex asks once whether its hooks are to be trusted"
	}
	lines = append(lines, "undo:    "+strings.Join(undo, " "), "next:    "+next)
	if i := slices.IndexFunc(all, settled.hooked); i >= 0 && confine.Supported() == nil {
		lines = append(lines, fmt.Sprintf("home:    rules can be got around; started by fettle guard confine -- %s, it can lose nothing of your home but the project, whatever it runs", all[i].Client))
	}
	return lines
}

// commits says which of a project's files belong into commits.
func (g *guarded) commits(all []settled) string {
	own := ""
	if slices.ContainsFunc(all, settled.hooked) {
		own = "not .claude/settings.local.json, which names a program of yours (.gitignore)"
	}
	if g.noCommands {
		return "commit:  " + own
	}
	var shared []string
	for _, s := range all {
		if s.Client == setup.Claude {
			shared = append(shared, ".claude/commands")
		}
		shared = append(shared, "."+string(s.Client)+"/skills")
	}
	if last := len(shared) - 1; last > 0 {
		shared = []string{strings.Join(shared[:last], ", ") + " and " + shared[last]}
	}
	return strings.TrimSuffix("commit:  "+shared[0]+", if others are to have them; "+own, "; ")
}

// diffOf shows a change of settings, but not the tokens in it.
func diffOf(c setup.Change) (string, error) {
	files := func(data []byte) map[string]edit.File {
		if data == nil {
			return nil
		}
		return map[string]edit.File{strings.TrimPrefix(c.File, "/"): {Data: data, Exists: true}}
	}
	text, err := edit.Diff(files(c.Before), files(c.After))
	return setup.Hide(text), err
}
