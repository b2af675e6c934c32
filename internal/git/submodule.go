package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"fettle/internal/phrase"
)

// NestedError says that a file belongs to a repository inside of this one: a submodule, or one that git knows nothing of. No
// commit of this repository can hold it.
type NestedError struct {
	Path       string
	Repository string // its folder, from the root
}

func (e *NestedError) Error() string {
	return fmt.Sprintf("%s belongs to %s, which is a repository of its own; commit it there", e.Path, e.Repository)
}

// SubmoduleError says that submodules are not as a tree records them, so that the working tree cannot be made to hold it.
type SubmoduleError struct{ Submodules []string }

func (e *SubmoduleError) Error() string {
	return "not as the commit records it, because another commit is checked out in it or a file of it was changed: " + phrase.Some(e.Submodules, 3)
}

// submodules are the paths at which the index holds a commit of another repository.
func (r *Repo) submodules(ctx context.Context) ([]string, error) {
	out, err := r.read(ctx, "ls-files", "-z", "--stage")
	if err != nil {
		return nil, err
	}
	return gitlinks(fields(out)), nil
}

// gitlinks are the submodules among records of ls-files --stage.
func gitlinks(staged []string) []string {
	var links []string
	for _, rec := range staged {
		if e, err := parseEntry(rec); err == nil && e.mode == gitlink {
			links = append(links, e.path)
		}
	}
	return links
}

// nested is a [NestedError] where a path lies in a repository inside of this one.
func (r *Repo) nested(ctx context.Context, name string) error {
	links, err := r.submodules(ctx)
	if err != nil {
		return err
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		_, err := os.Lstat(filepath.Join(r.Root, filepath.FromSlash(dir), ".git"))
		if err == nil || slices.Contains(links, dir) {
			return &NestedError{Path: name, Repository: dir}
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// submodulesAsRecorded demands that every submodule that is checked out is at the commit of the tree that was compared, and
// holds nothing but that; what is untracked in it aside.
func (c *comparison) submodulesAsRecorded(ctx context.Context) error {
	staged, err := c.git(ctx, "ls-files", "-z", "--stage")
	if err != nil {
		return err
	}
	links := gitlinks(fields(staged))
	if len(links) == 0 {
		return nil
	}
	out, err := c.git(ctx, "diff-files", "-z", "--name-only", "--no-ext-diff", "--no-textconv", "--ignore-submodules=untracked")
	if err != nil {
		return err
	}
	changed := slices.DeleteFunc(fields(out), func(p string) bool { return !slices.Contains(links, p) })
	if len(changed) > 0 {
		return &SubmoduleError{changed}
	}
	return nil
}
