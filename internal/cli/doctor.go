package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/guard/hook"
	"fettle/internal/model"
	"fettle/internal/phrase"
	"fettle/internal/store"
	"fettle/internal/workspace"

	"github.com/spf13/cobra"
)

// finding is one line of the doctor's.
type finding struct {
	About    string `json:"about"`
	OK       bool   `json:"ok"`
	Unneeded bool   `json:"unneeded,omitempty"` // it does not work here, and need not
	Detail   string `json:"detail"`
	Remedy   string `json:"remedy,omitempty"`
}

func (a *app) doctorCmd() *cobra.Command {
	var models bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what works on this machine and in this repository, and what is missing",
		Long: `Look at the machine and the repository and say what works: git, the kind of private copies, confinement, the state folder, the
configuration, the tools that the checks need, and anything an interrupted run left behind. Nothing from the repository is
executed, and nothing is changed.

With --models, each model that could be asked answers with one word, which may cost a fraction of a cent, and the agents' command lines are looked at.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context(), models) },
	}
	cmd.Flags().BoolVar(&models, "models", false, "see whether the models answer: one small call for each")
	return cmd
}

func (a *app) doctor(ctx context.Context, models bool) error {
	found := append(a.machine(ctx), a.repository(ctx)...)
	if models {
		found = append(found, a.minded(ctx)...)
	}
	sick := 0
	for _, f := range found {
		if !f.OK {
			sick++
		}
	}
	if a.json {
		if err := a.printJSON(map[string]any{"version": 1, "kind": "doctor", "healthy": sick == 0, "findings": found}); err != nil {
			return err
		}
	} else {
		a.printFindings(found)
	}
	if sick > 0 {
		return exit(1)
	}
	return nil
}

func (a *app) printFindings(found []finding) {
	st := a.style()
	for _, f := range found {
		mark := st.Good("✓")
		switch {
		case !f.OK:
			mark = st.Warn("!")
		case f.Unneeded:
			mark = st.Dim("–")
		}
		a.print("%s %-16s %s", mark, f.About, f.Detail)
		if f.Remedy != "" {
			a.print("  %-16s %s", "", st.Dim(f.Remedy))
		}
	}
}

// machine is what this machine can do, whatever the repository.
func (a *app) machine(ctx context.Context) []finding {
	var out []finding
	if path, err := exec.LookPath("git"); err != nil {
		out = append(out, finding{About: "git", Detail: "not found", Remedy: "without git, fettle works with its own journal only; install git for branches and commits"})
	} else {
		out = append(out, finding{About: "git", OK: true, Detail: path})
	}
	tree, state := a.near(ctx)
	return append(out, copies(workspace.ProbeIn(ctx, tree, state))...)
}

// copies say which kinds of private copies work here. One is enough; the first is the best, and what is lost without it is said.
func copies(kinds []workspace.Capability) []finding {
	works := slices.ContainsFunc(kinds, func(c workspace.Capability) bool { return c.Works })
	var out []finding
	for _, c := range kinds {
		f := finding{About: "copy by " + string(c.Method), OK: c.Works || works, Unneeded: !c.Works && works, Detail: c.Detail}
		if c.Method == workspace.Overlay && !c.Works {
			f.Remedy = "with copies at another path everything is slower to begin with, what was installed by absolute path (pip install -e) is not tested as patched; " +
				"to have overlays, run as root or allow unprivileged user namespaces (a container: --security-opt seccomp=unconfined --security-opt apparmor=unconfined)"
		}
		out = append(out, f)
	}
	return out
}

// near are folders on the file systems that matter: the repository's, where one can write there, and that of fettle's state.
func (a *app) near(ctx context.Context) (tree, state string) {
	h := &house{}
	if err := h.find(ctx, a.dir); err == nil && h.repo != nil {
		return h.repo.CommonDir, store.NearState(h.root, h.repo.CommonDir)
	}
	return os.TempDir(), os.TempDir()
}

// repository is what is found in this repository.
func (a *app) repository(ctx context.Context) []finding {
	h := &house{}
	if err := h.find(ctx, a.dir); err != nil {
		return []finding{{About: "repository", Detail: err.Error()}}
	}
	detail := h.root + ", a git working tree"
	switch {
	case h.noGit != nil:
		detail = h.root + ", without git: the journal is the history"
	case h.repo == nil:
		detail = h.root + ", not a git repository: the journal is the history"
	}
	if os.Getenv("GIT_DIR") != "" && h.repo == nil && h.noGit == nil {
		detail += "; GIT_DIR is set in the environment, and is not followed: fettle goes by the folder"
	}
	out := []finding{{About: "repository", OK: true, Detail: detail}}
	for _, text := range misnamed(settings(h.root)...) {
		out = append(out, finding{About: "settings", Detail: text})
	}
	config, err := check.Effective(ctx, h.root)
	if err != nil {
		return append(out, finding{About: check.FileName, Detail: err.Error()})
	}
	h.config = config
	where := check.FileName
	if !config.Written {
		where = "found by looking"
	}
	out = append(out, finding{About: "checks", OK: len(config.Checks) > 0, Detail: fmt.Sprintf("%s, %s", phrase.Count(len(config.Checks), "check"), where)})
	for _, c := range config.Checks {
		out = append(out, h.toolOf(c, c.Name, c.Run[0]))
		if c.Reader != nil {
			out = append(out, h.toolOf(c, c.Name+", its parser", c.Reader.Run[0]))
		}
	}
	if _, err := check.LoadLegacy(h.root); err != nil {
		out = append(out, finding{About: "baseline", Detail: err.Error()})
	}
	out = append(out, h.fixersOf(config)...)
	return append(out, h.left(ctx)...)
}

// settings are the files in which something may be settled for a project: its own, and the person's.
func settings(root string) []string {
	own := model.Folder(os.Getenv)
	if own == "" {
		return []string{filepath.Join(root, check.FileName)}
	}
	return append(hook.Sources(os.Getenv, os.Getenv("HOME"), root), filepath.Join(own, model.FileName))
}

// toolOf says whether a program that a check runs is there.
func (h *house) toolOf(c check.Check, about, program string) finding {
	name := program
	if strings.ContainsRune(name, filepath.Separator) && !filepath.IsAbs(name) {
		name = filepath.Join(h.root, filepath.FromSlash(c.Dir), name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return finding{About: about, Detail: program + " is not installed or not on PATH", Remedy: fmt.Sprintf("install it, or leave check %q out of %s", c.Name, check.FileFor(h.config.Written))}
	}
	return finding{About: about, OK: true, Detail: path}
}

// fixersOf says which programs that mend are missing: those of the checks' own fixes, goimports for Go, plug-ins.
func (h *house) fixersOf(config *check.Config) []finding {
	var out []finding
	seen := map[string]bool{}
	need := func(about, program, remedy string) {
		if seen[program] || strings.ContainsRune(program, filepath.Separator) {
			return
		}
		seen[program] = true
		if _, err := exec.LookPath(program); err != nil {
			out = append(out, finding{About: about, OK: true, Unneeded: true, Detail: program + " is not installed: what it would mend is left", Remedy: remedy})
		}
	}
	for _, c := range config.Checks {
		for _, argv := range h.fixes(c, true) {
			need(c.Name+", its fix", argv[0], "")
		}
		if c.Lang == "go" {
			need("go imports", "goimports", "go install golang.org/x/tools/cmd/goimports@latest")
		}
	}
	for _, p := range config.Fixers.Plugins {
		need("fixer "+p.Name, p.Run[0], "")
	}
	return out
}

// left is what earlier runs left behind. A repository in which fettle never ran has no state folder, and gets none here.
func (h *house) left(ctx context.Context) []finding {
	if common, key := h.gitPlace(); !store.HasState(h.root, common, key) {
		return []finding{{About: "state", OK: true, Detail: "none yet: fettle has not run here"}}
	}
	if err := h.furnish(ctx); err != nil {
		return []finding{{About: "state", Detail: err.Error()}}
	}
	defer h.Close()
	out := []finding{{About: "state", OK: true, Detail: h.state}}
	if text := h.repair(); text != "" {
		out = append(out, finding{About: "database", Detail: text})
	}
	if sets, err := h.journal.Pending(ctx); err != nil {
		out = append(out, finding{About: "journal", Detail: err.Error()})
	} else if len(sets) > 0 {
		out = append(out, finding{About: "journal", Detail: phrase.Count(len(sets), "change") + " left unfinished", Remedy: "the next fettle fix, undo or apply finishes or reverts it"})
	}
	if rec, err := h.sessions.Load(ctx, ""); err == nil && (rec.End == "" || rec.End == "interrupted") {
		out = append(out, finding{About: "session", OK: true, Detail: rec.Session + " was interrupted", Remedy: "go on with fettle resume"})
	}
	entries, err := os.ReadDir(h.copiesDir())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		out = append(out, finding{About: "copies", Detail: err.Error()})
	}
	if len(entries) > 0 {
		out = append(out, finding{About: "copies", OK: true, Detail: fmt.Sprintf("%d private copies", len(entries)) + " in use or left over", Remedy: "fettle gc clears what nobody uses"})
	}
	return out
}
