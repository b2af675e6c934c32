package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// ListFiles are the files of the working tree that git tracks or would show as untracked, sorted; ignored ones are not
// among them. A tracked file that was deleted is still listed. A submodule and a nested repository are not.
func (r *Repo) ListFiles(ctx context.Context) ([]string, error) {
	out, err := r.read(ctx, "ls-files", "-z", "--stage")
	if err != nil {
		return nil, err
	}
	files, err := r.others(ctx, command{dir: r.Root, level: reading})
	if err != nil {
		return nil, err
	}
	for _, rec := range fields(out) {
		e, err := parseEntry(rec)
		if err != nil {
			return nil, err
		}
		if e.mode != gitlink {
			files = append(files, e.path)
		}
	}
	slices.Sort(files) // an unmerged file stands there once for every stage
	return slices.Compact(files), nil
}

// others are the files that the command's index does not hold and that are not ignored.
func (r *Repo) others(ctx context.Context, c command) ([]string, error) {
	c.args = []string{"ls-files", "-z", "--others", "--exclude-standard"}
	out, err := run(ctx, c)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(fields(out), func(p string) bool { return strings.HasSuffix(p, "/") }), nil
}

// Ignored are those of the paths that git ignores: by .gitignore and the like, and not tracked. A path inside a submodule
// is none of this repository's files, so never ignored by it.
func (r *Repo) Ignored(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	for _, p := range paths {
		if err := validPath(p); err != nil {
			return nil, err
		}
	}
	found, err := r.checkIgnore(ctx, paths)
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(e.Stderr, "in submodule") {
		return found, err
	}
	links, err := r.submodules(ctx)
	if err != nil {
		return nil, err
	}
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		return slices.ContainsFunc(links, func(l string) bool { return strings.HasPrefix(p, l+"/") })
	})
	return r.checkIgnore(ctx, paths)
}

// checkIgnore is one call of git check-ignore. It does not take GIT_LITERAL_PATHSPECS: "./" keeps a colon in a name from
// being read as a rule.
func (r *Repo) checkIgnore(ctx context.Context, paths []string) ([]string, error) {
	local := make([]string, len(paths))
	for i, p := range paths {
		local[i] = "./" + p
	}
	out, err := run(ctx, command{
		args: []string{"check-ignore", "-z", "--stdin"}, dir: r.Root, stdin: list(local), level: reading,
		env: map[string]string{"GIT_LITERAL_PATHSPECS": "0"},
	})
	if code(err) == 1 {
		return nil, nil
	}
	found := fields(out)
	for i := range found {
		found[i] = strings.TrimPrefix(found[i], "./")
	}
	return found, err
}

// IsTracked reports whether the index holds this very file.
func (r *Repo) IsTracked(ctx context.Context, path string) (bool, error) {
	if err := validPath(path); err != nil {
		return false, err
	}
	out, err := r.read(ctx, "ls-files", "-z", "--", path)
	return slices.Contains(fields(out), path), err
}

// Show is the content of a file in a commit, as it is stored: no filter or line ending conversion is applied. A file that
// is not there matches fs.ErrNotExist; a symbolic link's content is where it points to.
func (r *Repo) Show(ctx context.Context, rev, path string) ([]byte, error) {
	e, ok, err := r.lookup(ctx, rev, path)
	if err != nil {
		return nil, err
	}
	if !ok || e.mode == gitlink {
		return nil, fmt.Errorf("%s in %s: %w", path, rev, fs.ErrNotExist)
	}
	return r.read(ctx, "cat-file", "blob", e.id)
}

// Modes of files in trees and indexes.
const (
	regular    = "100644"
	executable = "100755"
	symlink    = "120000"
	gitlink    = "160000" // a commit of another repository: a submodule
)

// entry is one file of a tree or an index.
type entry struct{ mode, id, path string }

// lookup finds a file in a commit or tree.
func (r *Repo) lookup(ctx context.Context, rev, path string) (entry, bool, error) {
	if err := validPath(path); err != nil {
		return entry{}, false, err
	}
	tree, err := r.treeOf(ctx, rev)
	if err != nil {
		return entry{}, false, err
	}
	out, err := r.read(ctx, "ls-tree", "-z", "--full-tree", tree, "--", path)
	if err != nil {
		return entry{}, false, err
	}
	for _, rec := range fields(out) { // "100644 blob ID<TAB>path"
		meta, name, _ := strings.Cut(rec, "\t")
		if f := strings.Fields(meta); name == path && len(f) == 3 && f[1] != "tree" {
			return entry{f[0], f[2], name}, true, nil
		}
	}
	return entry{}, false, nil
}

// parseEntry reads a record of ls-files --stage: "100644 ID 0<TAB>path".
func parseEntry(rec string) (entry, error) {
	meta, path, ok := strings.Cut(rec, "\t")
	f := strings.Fields(meta)
	if !ok || len(f) != 3 {
		return entry{}, fmt.Errorf("git ls-files: cannot read %q", rec)
	}
	return entry{f[0], f[1], path}, nil
}

// perm is the permission bits that git's mode of a file stands for.
func (e entry) perm() fs.FileMode {
	if e.mode == executable {
		return 0o755
	}
	return 0o644
}

// fileMode is perm, with what says that it is a link.
func (e entry) fileMode() fs.FileMode {
	if e.mode == symlink {
		return fs.ModeSymlink | 0o777
	}
	return e.perm()
}

// validPath refuses what cannot be a file of a repository: git would take "../x" or "./x" relative to somewhere.
func validPath(p string) error {
	if !filepath.IsLocal(p) || p == "." || filepath.ToSlash(filepath.Clean(p)) != p || strings.ContainsRune(p, 0) {
		return fmt.Errorf("%q is not the path of a file in the repository", p)
	}
	return nil
}

// DiffTree are the paths that differ between two commits or trees, in git's order.
func (r *Repo) DiffTree(ctx context.Context, a, b string) ([]string, error) {
	for _, rev := range []*string{&a, &b} {
		id, err := r.treeOf(ctx, *rev)
		if err != nil {
			return nil, err
		}
		*rev = id
	}
	out, err := r.read(ctx, "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", a, b)
	return fields(out), err
}
