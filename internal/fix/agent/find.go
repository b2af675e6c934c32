package agent

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"fettle/internal/proc"
)

// Found is an agent's command line on this machine.
type Found struct {
	Kind    Kind   `json:"kind"`
	Path    string `json:"path"`
	Version string `json:"version,omitempty"`
	Trouble string `json:"trouble,omitempty"` // why it cannot work, in one line; empty: nothing is known against it
}

// Ready says why an agent cannot work for a repository in this folder, as far as that can be seen without starting it: its program or its key is not there. Nil: nothing is known against it.
func Ready(k Kind, env []string, root string) error {
	if drivers[k] == nil {
		return errNoAgent
	}
	if _, err := look(env, string(k), root); err != nil {
		return err
	}
	_, err := drivers[k].endpoint(env)
	return err
}

// Find looks for the command lines that PATH of an environment leads to. One that is not there is not listed.
func Find(ctx context.Context, env []string) []Found {
	var all []Found
	for _, k := range Kinds {
		path, err := look(env, string(k), "")
		if err != nil {
			continue
		}
		f := Found{Kind: k, Path: path}
		if f.Version, err = version(ctx, env, path); err == nil {
			_, err = drivers[k].endpoint(env)
		}
		if err != nil {
			f.Trouble = err.Error()
		}
		all = append(all, f)
	}
	return all
}

var versionNumber = regexp.MustCompile(`\b\d+\.\d+\.\d+\b`)

// version asks a program for its version, in a home of its own: it may write there what it likes.
func version(ctx context.Context, env environ, path string) (string, error) {
	home, err := os.MkdirTemp("", "fettle-agent-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(home)
	r, err := proc.Run(ctx, proc.Cmd{
		Argv: []string{path, "--version"}, Dir: home,
		Env: []string{"PATH=" + env.get("PATH"), "HOME=" + home, "TERM=dumb", "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
			"GEMINI_CLI_NO_RELAUNCH=true"}, // else it starts itself once more for a larger heap, and a second is gone
		Limits: proc.Limits{Time: 30 * time.Second, Output: 1 << 20},
	})
	if err != nil {
		return "", err
	}
	if v := versionNumber.FindString(r.Stdout.String()); r.OK() && v != "" {
		return v, nil
	}
	return "", fmt.Errorf("%s --version says no version", path)
}

// look finds a program in PATH. A repository cannot bring one: neither a relative folder counts, nor one within this root.
func look(env environ, name, root string) (string, error) {
	for _, dir := range filepath.SplitList(env.get("PATH")) {
		rel, err := filepath.Rel(root, dir)
		if !filepath.IsAbs(dir) || root != "" && err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			continue
		}
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", fmt.Errorf("there is no program %s in an absolute folder of PATH outside of the repository: install it (%w)", name, exec.ErrNotFound)
}
