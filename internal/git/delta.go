package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/edit"
)

// ChangedSince are the paths that differ between a commit and the working tree, whether staged or not, and the untracked
// ones, sorted. What is ignored, or inside a submodule, does not count.
func (r *Repo) ChangedSince(ctx context.Context, rev string) ([]string, error) {
	id, err := r.Resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	off, err := r.filtersOff(ctx)
	if err != nil {
		return nil, err
	}
	c, done, err := r.compare(ctx, id, command{level: reading, config: off})
	if err != nil {
		return nil, err
	}
	defer done()
	paths := slices.Concat(c.changed, c.others)
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// TreeDelta is what must be written over the user's present working tree so that it holds exactly the files of a tree (an
// id, or a commit), and none that git neither tracks nor ignores: each path with its content there as a checkout would
// write it, or the zero File where it must go. Remove first, then write: a file may stand where a folder was. A file that git
// would store as the tree has it is no other file: a checkout may give it other line endings than a tool has.
//
// A symbolic link has fs.ModeSymlink in its mode and its target as its data. Nested repositories and files that a sparse
// checkout leaves out are left alone; a submodule that is not as the tree records it is a [*SubmoduleError]. The user's index and files are only read.
func (r *Repo) TreeDelta(ctx context.Context, tree string) (map[string]edit.File, error) {
	id, err := r.treeOf(ctx, tree)
	if err != nil {
		return nil, err
	}
	c, done, err := r.compare(ctx, id, command{level: building})
	if err != nil {
		return nil, err
	}
	defer done()
	if err := c.submodulesAsRecorded(ctx); err != nil {
		return nil, err
	}
	if err := c.dropStoredAlike(ctx); err != nil {
		return nil, err
	}
	delta := map[string]edit.File{}
	for _, p := range c.others {
		delta[p] = edit.File{}
	}
	out, err := c.checkout(ctx, c.changed)
	if err != nil {
		return nil, err
	}
	for _, p := range c.changed {
		want, err := readFile(out, p)
		if err != nil {
			return nil, fmt.Errorf("content of %s in %s: %w", p, tree, err)
		}
		have, err := readFile(r.Root, p)
		if err != nil || have.Mode != want.Mode || !bytes.Equal(have.Data, want.Data) { // git takes another size for another content
			delta[p] = want
		}
	}
	return delta, nil
}

// comparison is a private index that holds a tree, compared with the user's working tree.
type comparison struct {
	r       *Repo
	folder  string  // private
	base    command // how to call git with the private index
	changed []string
	others  []string
}

// compare reads a tree into a private copy of the index, where the stat data of files that are the same in both saves from
// reading them, and finds what in the working tree is different, and what is there besides.
func (r *Repo) compare(ctx context.Context, tree string, base command) (_ *comparison, done func(), err error) {
	b, err := r.openBench()
	if err != nil {
		return nil, nil, fmt.Errorf("compare with a tree: %w", err)
	}
	end := func() { _ = b.close() } // what is left is private, and removed by Clean
	defer func() {
		if err != nil {
			end()
		}
	}()
	index := filepath.Join(b.folder, "index")
	if err := copyIndex(filepath.Join(r.Dir, "index"), index); err != nil {
		return nil, nil, fmt.Errorf("compare with a tree: %w", err)
	}
	base.dir = r.Root
	base.env = map[string]string{"GIT_INDEX_FILE": index}
	c := &comparison{r: r, folder: b.folder, base: base}
	if _, err := c.git(ctx, "read-tree", "--reset", tree); err != nil {
		return nil, nil, err
	}
	// It exits with 1 when files differ, which is what we are going to ask in detail.
	if _, err := c.git(ctx, "update-index", "-q", "--really-refresh"); err != nil && code(err) != 1 {
		return nil, nil, err
	}
	out, err := c.git(ctx, "diff-files", "-z", "--name-only", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
	if err != nil {
		return nil, nil, err
	}
	c.changed = fields(out)
	if c.others, err = r.others(ctx, c.base); err != nil {
		return nil, nil, err
	}
	return c, end, nil
}

func (c *comparison) git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := c.base
	cmd.args = args
	return run(ctx, cmd)
}

// dropStoredAlike takes files from the changed ones that git would store just as the tree has them: it takes another size for
// another content, whatever a filter or a rule for line endings would make of it.
func (c *comparison) dropStoredAlike(ctx context.Context) error {
	if len(c.changed) == 0 {
		return nil
	}
	staged, err := c.git(ctx, "ls-files", "-z", "--stage")
	if err != nil {
		return err
	}
	entries := map[string]entry{}
	for _, rec := range fields(staged) {
		e, err := parseEntry(rec)
		if err != nil {
			return err
		}
		entries[e.path] = e
	}
	var ask []string
	for _, p := range c.changed {
		info, err := os.Lstat(filepath.Join(c.r.Root, filepath.FromSlash(p)))
		readable := err == nil && info.Mode().IsRegular() && (entries[p].mode == executable) == (info.Mode()&0o100 != 0)
		if m := entries[p].mode; readable && (m == regular || m == executable) && !strings.ContainsAny(p, "\"\n\r") {
			ask = append(ask, p)
		}
	}
	if len(ask) == 0 {
		return nil
	}
	cmd := c.base
	cmd.args, cmd.stdin = []string{"hash-object", "--stdin-paths"}, strings.NewReader(strings.Join(ask, "\n")+"\n")
	out, err := run(ctx, cmd)
	if err != nil {
		return err
	}
	alike := map[string]bool{}
	for i, id := range strings.Fields(string(out)) {
		alike[ask[i]] = entries[ask[i]].id == id
	}
	c.changed = slices.DeleteFunc(c.changed, func(p string) bool { return alike[p] })
	return nil
}

// checkout writes files of the tree to a private folder, as they would stand in the working tree. Of Git LFS that is what lies on
// this machine: what would have to be fetched stays a pointer.
func (c *comparison) checkout(ctx context.Context, paths []string) (folder string, err error) {
	folder = filepath.Join(c.folder, "files")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", err
	}
	cmd := c.base
	cmd.args = []string{"checkout-index", "-z", "--stdin", "--prefix=" + folder + "/"}
	cmd.stdin = list(paths)
	cmd.env = maps.Clone(cmd.env)
	cmd.env["GIT_LFS_SKIP_SMUDGE"], cmd.env["GIT_LFS_SKIP_DOWNLOAD_ERRORS"] = "0", "1"
	cmd.config = append(slices.Clone(cmd.config), [2]string{"lfs.url", "file:///dev/null"}) // there is nothing to fetch
	_, err = run(ctx, cmd)
	return folder, err
}

// copyIndex copies an index with its time: git compares it with the times of files to know which stat data it cannot trust.
func copyIndex(from, to string) (err error) {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was ever added
	}
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// readFile reads a file or a symbolic link, with its mode as git would record it.
func readFile(folder, path string) (edit.File, error) {
	name := filepath.Join(folder, filepath.FromSlash(path))
	info, err := os.Lstat(name)
	if err != nil {
		return edit.File{}, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(name)
		return edit.File{Data: []byte(target), Mode: fs.ModeSymlink | 0o777, Exists: true}, err
	}
	mode := fs.FileMode(0o644)
	if info.Mode()&0o100 != 0 {
		mode = 0o755
	}
	data, err := os.ReadFile(name)
	return edit.File{Data: data, Mode: mode, Exists: true}, err
}
