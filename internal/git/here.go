package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrChanged says that what was looked at before a commit is not what would be committed now.
var ErrChanged = errors.New("the files, the index or HEAD have changed since they were checked; try again")

// Prospect is the tree that a commit on the branch that is checked out would have: of what is staged, or, where paths are named, of HEAD with exactly these files
// as they are in the working tree. A path that is gone there is gone in the tree. The user's index is only read.
func (r *Repo) Prospect(ctx context.Context, paths []string) (tree string, err error) {
	b, err := r.openBench()
	if err != nil {
		return "", fmt.Errorf("look at what would be committed: %w", err)
	}
	defer func() { err = errors.Join(err, b.close()) }()
	index := filepath.Join(b.folder, "index")
	git := func(input []string, args ...string) (string, error) {
		out, err := run(ctx, command{args: args, dir: r.Root, level: building, stdin: list(input), env: map[string]string{"GIT_INDEX_FILE": index}})
		return strings.TrimSpace(string(out)), err
	}
	if err := copyIndex(filepath.Join(r.Dir, "index"), index); err != nil {
		return "", fmt.Errorf("look at what would be committed: %w", err)
	}
	if len(paths) > 0 {
		for _, p := range paths {
			if err := validPath(p); err != nil {
				return "", err
			}
		}
		tip, err := r.commitOf(ctx, "HEAD")
		if err != nil {
			return "", err
		}
		if tip == "" {
			_, err = git(nil, "read-tree", "--empty")
		} else {
			_, err = git(nil, "read-tree", "--reset", tip)
		}
		if err != nil {
			return "", err
		}
		if _, err := git(paths, "update-index", "-z", "--add", "--remove", "--stdin"); err != nil {
			return "", err
		}
	}
	return git(nil, "write-tree")
}

// CommitHere commits on the branch that is checked out, as the user would by hand: HEAD and the index move, hooks and signing run. It takes what is staged, or exactly the
// paths that are named, and then leaves alone what else is staged. Tree is what [Repo.Prospect] said: where that is not so any more, or HEAD is
// another than onto, the error is [ErrChanged], and nothing is committed. When a hook refuses, the index is as it was.
func (r *Repo) CommitHere(ctx context.Context, onto Head, paths []string, tree, message string) (made Commit, err error) {
	if strings.TrimSpace(message) == "" {
		return made, errors.New("commit: the message is empty")
	}
	err = r.locked(ctx, func() error {
		now, err := r.Prospect(ctx, paths)
		if err != nil {
			return err
		}
		head, err := r.Head(ctx)
		if err != nil {
			return err
		}
		if now != tree || head != onto {
			return ErrChanged
		}
		made, err = r.commitHere(ctx, onto, paths, tree, message)
		return err
	})
	return made, err
}

func (r *Repo) commitHere(ctx context.Context, onto Head, paths []string, tree, message string) (made Commit, err error) {
	b, err := r.openBench()
	if err != nil {
		return made, fmt.Errorf("commit: %w", err)
	}
	defer func() { err = errors.Join(err, b.close()) }()
	text := filepath.Join(b.folder, "message")
	if err := os.WriteFile(text, []byte(message), 0o600); err != nil {
		return made, fmt.Errorf("commit: %w", err)
	}
	args := []string{"commit", "--quiet", "--cleanup=whitespace", "--file=" + text}
	var fresh []string
	if len(paths) > 0 {
		// Paths come from a file, so that there may be any number, and are literal by their own words: a variable would change how the user's hooks call git.
		names := filepath.Join(b.folder, "paths")
		var all strings.Builder
		for _, p := range paths {
			all.WriteString(":(top,literal)" + p + "\x00")
		}
		if err := os.WriteFile(names, []byte(all.String()), 0o600); err != nil {
			return made, fmt.Errorf("commit: %w", err)
		}
		args = append(args, "--only", "--pathspec-from-file="+names, "--pathspec-file-nul")
		if fresh, err = r.unknown(ctx, paths); err != nil {
			return made, err
		}
	}
	if len(fresh) > 0 { // git commits by name only what it knows
		if _, err := run(ctx, command{args: []string{"add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"}, dir: r.Root, level: building, stdin: list(fresh)}); err != nil {
			return made, err
		}
	}
	if _, err := run(ctx, command{args: args, dir: r.Root, level: asUser}); err != nil {
		return made, errors.Join(err, r.forget(ctx, fresh))
	}
	made = Commit{Branch: onto.Branch, Parent: onto.Commit}
	if made.ID, err = r.Resolve(ctx, "HEAD"); err != nil {
		return made, err
	}
	if made.Tree, err = r.treeOf(ctx, made.ID); err != nil {
		return made, err
	}
	made.ChangedByHooks, err = r.DiffTree(ctx, tree, made.Tree)
	return made, err
}

// unknown are those of the paths that the user's index does not have.
func (r *Repo) unknown(ctx context.Context, paths []string) ([]string, error) {
	out, err := r.read(ctx, "ls-files", "-z")
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, p := range fields(out) {
		known[p] = true
	}
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return known[p] }), nil
}

// forget takes paths out of the index again, which were only announced to it.
func (r *Repo) forget(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_, err := run(ctx, command{args: []string{"update-index", "-z", "--force-remove", "--stdin"}, dir: r.Root, level: building, stdin: list(paths)})
	return err
}
