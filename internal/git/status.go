package git

import (
	"context"
	"fmt"
	"strings"
)

// Entry is one path that differs between HEAD, the index and the working tree. The letters are git's: M modified, A added,
// D deleted, T type changed, U unmerged, '.' the same, '?' untracked. A rename is a deletion and an addition.
type Entry struct {
	Path      string
	Index     byte // index against HEAD
	Worktree  byte // working tree against index
	Conflict  bool
	Submodule bool
}

// Status is all that is not as in HEAD, in git's order.
type Status []Entry

// Status looks at HEAD, the index and the working tree. Inside submodules it does not look. The index is not refreshed on disk.
//
// A filter that the repository's own configuration names is not run: a file it applies to may show as modified although it
// is not, when it was touched since git last looked at it.
func (r *Repo) Status(ctx context.Context) (Status, error) {
	off, err := r.filtersOff(ctx)
	if err != nil {
		return nil, err
	}
	out, err := run(ctx, command{
		args:  []string{"status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignore-submodules=dirty", "--no-renames"},
		dir:   r.Root,
		level: reading, config: off,
	})
	if err != nil {
		return nil, err
	}
	return parseStatus(out)
}

// parseStatus reads git-status(1), "Porcelain Format Version 2".
func parseStatus(out []byte) (Status, error) {
	columns := map[string]int{"1": 9, "u": 11, "?": 2}
	var s Status
	for _, rec := range fields(out) {
		kind, _, _ := strings.Cut(rec, " ")
		n, known := columns[kind]
		col := strings.SplitN(rec, " ", max(n, 1))
		if !known || len(col) != n {
			return nil, fmt.Errorf("git status: cannot read %q", rec)
		}
		e := Entry{Path: col[n-1], Index: '?', Worktree: '?'}
		if kind != "?" {
			if len(col[1]) != 2 {
				return nil, fmt.Errorf("git status: cannot read %q", rec)
			}
			e.Index, e.Worktree, e.Conflict, e.Submodule = col[1][0], col[1][1], kind == "u", strings.HasPrefix(col[2], "S")
		}
		s = append(s, e)
	}
	return s, nil
}

// Clean reports whether everything is as in HEAD and nothing is untracked.
func (s Status) Clean() bool { return len(s) == 0 }

// Staged are the paths whose index differs from HEAD.
func (s Status) Staged() []string {
	return s.paths(func(e Entry) bool { return !e.Conflict && e.Index != '.' && e.Index != '?' })
}

// Unstaged are the tracked paths whose working tree differs from the index.
func (s Status) Unstaged() []string {
	return s.paths(func(e Entry) bool { return !e.Conflict && e.Worktree != '.' && e.Worktree != '?' })
}

// Untracked are the paths that git neither tracks nor ignores.
func (s Status) Untracked() []string {
	return s.paths(func(e Entry) bool { return e.Worktree == '?' })
}

// Conflicts are the paths that a merge left unmerged.
func (s Status) Conflicts() []string {
	return s.paths(func(e Entry) bool { return e.Conflict })
}

func (s Status) paths(want func(Entry) bool) []string {
	var out []string
	for _, e := range s {
		if want(e) {
			out = append(out, e.Path)
		}
	}
	return out
}

// filtersOff is configuration that disables the content filters which the repository's own configuration defines. Filters
// of the user's global configuration stay: they are the user's programs, and contents cannot be compared without them.
func (r *Repo) filtersOff(ctx context.Context) ([][2]string, error) {
	out, err := r.read(ctx, "config", "-z", "--show-scope", "--name-only", "--get-regexp", `^filter\.`)
	if err != nil && code(err) != 1 {
		return nil, err
	}
	var off [][2]string
	f := fields(out)
	for i := 0; i+1 < len(f); i += 2 {
		scope, key := f[i], f[i+1]
		if dot := strings.LastIndexByte(key, '.'); (scope == "local" || scope == "worktree") && dot > len("filter") {
			driver := key[:dot]
			off = append(off, [2]string{driver + ".clean", ""}, [2]string{driver + ".smudge", ""},
				[2]string{driver + ".process", ""}, [2]string{driver + ".required", "false"})
		}
	}
	return off, nil
}
