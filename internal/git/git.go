// Package git answers "what does git know, and how do we commit without disturbing anybody?". It is the git command line,
// typed; it keeps no state but where the repository is.
//
// Reading a repository executes nothing from it: no hook, pager, file system monitor, external diff, text conversion or
// filter that the repository's own configuration names, and nothing is fetched. Commits are the user's commits: their
// hooks, filters and signing run as if the user had committed by hand. They are made in a temporary linked worktree, so
// that the user's HEAD, index, stash and files are never touched.
package git

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Repo is where a repository is. It is safe for concurrent use.
type Repo struct {
	Root      string // the working tree's top folder, absolute
	Dir       string // this working tree's own git folder
	CommonDir string // the git folder that all working trees of the repository share

	// Waiting is told, once for each wait, when another fettle that commits in this repository keeps us waiting for more than a
	// moment. May be nil.
	Waiting func(text string)
	// Patience is how long another fettle that commits is waited for; zero: 2 minutes, as hooks and signing take their time.
	Patience time.Duration
}

// Open finds the repository whose working tree holds dir. Outside of any the error matches [ErrNotRepository]; a repository
// without a working tree is [ErrBare]; one that git refuses to read because of who owns it is [ErrDubious]. A missing git
// program matches exec.ErrNotFound.
func Open(ctx context.Context, dir string) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	ask := func(what ...string) (string, error) {
		out, err := run(ctx, command{args: append([]string{"rev-parse", "--path-format=absolute"}, what...), dir: dir, level: reading})
		return strings.TrimSuffix(string(out), "\n"), err
	}
	wanted := []string{"--show-toplevel", "--git-dir", "--git-common-dir"}
	out, err := ask(append([]string{"--is-bare-repository"}, wanted...)...)
	if err != nil {
		return nil, openError(dir, out, err)
	}
	found := strings.Split(out, "\n")[1:]
	if len(found) != len(wanted) { // a path holds a newline: ask for each by itself
		found = found[:0]
		for _, w := range wanted {
			one, err := ask(w)
			if err != nil {
				return nil, err
			}
			found = append(found, one)
		}
	}
	return &Repo{Root: filepath.Clean(found[0]), Dir: filepath.Clean(found[1]), CommonDir: filepath.Clean(found[2])}, nil
}

// openError names the reasons a person can do something about.
func openError(dir, out string, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	switch {
	case strings.Contains(e.Stderr, "not a git repository"):
		return fmt.Errorf("%s: %w", dir, ErrNotRepository)
	case strings.Contains(e.Stderr, "dubious ownership"):
		return fmt.Errorf("%w: %w; if you trust it: git config --global --add safe.directory %s", ErrDubious, err, shellQuote(dubious(e.Stderr, dir)))
	case strings.HasPrefix(out, "true"):
		return fmt.Errorf("%s: %w", dir, ErrBare)
	case strings.Contains(e.Stderr, "must be run in a work tree"):
		return fmt.Errorf("%s is inside git's own folder: %w", dir, ErrNotRepository)
	}
	return err
}

// dubious is the folder that git names as owned by somebody else; it may be above dir.
func dubious(stderr, dir string) string {
	if _, rest, ok := strings.Cut(stderr, "repository at '"); ok {
		if name, _, ok := strings.Cut(rest, "'"); ok {
			return name
		}
	}
	return dir
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// WorktreeKey names this working tree among those of the repository: "main", or the id of a linked worktree. A linked
// worktree whose id is "main" is "main~", which no id can be.
func (r *Repo) WorktreeKey() string {
	if r.Dir == r.CommonDir {
		return "main"
	}
	if id := filepath.Base(r.Dir); id != "main" {
		return id
	}
	return "main~"
}
