package git

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/edit"
)

// buildTree writes the tree of a commit (or the empty one) with some files replaced, through a temporary index. The files
// stand alone in a private working tree meanwhile, so that the user's filters and line ending rules turn them into what is
// stored, as `git add` would.
func (b *bench) buildTree(ctx context.Context, tip string, files map[string]edit.File) (string, error) {
	place := filepath.Join(b.folder, "files")
	index := filepath.Join(b.folder, "index")
	for _, old := range []string{place, index} {
		if err := os.RemoveAll(old); err != nil {
			return "", err
		}
	}
	if err := os.Mkdir(place, 0o700); err != nil {
		return "", err
	}
	git := func(input []string, args ...string) ([]byte, error) {
		return run(ctx, command{
			args: args, dir: place, level: building, stdin: list(input),
			env:    map[string]string{"GIT_DIR": b.r.Dir, "GIT_WORK_TREE": place, "GIT_INDEX_FILE": index},
			config: [][2]string{{"core.sparseCheckout", "false"}},
		})
	}
	if tip == "" {
		tip = "--empty"
	}
	if _, err := git(nil, "read-tree", tip); err != nil {
		return "", err
	}
	staged, err := git(nil, "ls-files", "-z", "--stage")
	if err != nil {
		return "", err
	}
	if err := onlyFiles(fields(staged), files); err != nil {
		return "", err
	}
	gone, there, err := lay(place, files)
	if err != nil {
		return "", err
	}
	if _, err := git(gone, "update-index", "-z", "--force-remove", "--stdin"); err != nil {
		return "", err
	}
	if _, err := git(there, "update-index", "-z", "--add", "--replace", "--stdin"); err != nil {
		return "", err
	}
	if staged, err = git(nil, "ls-files", "-z"); err != nil {
		return "", err
	}
	if err := allStaged(fields(staged), there); err != nil {
		return "", err
	}
	tree, err := git(nil, "write-tree")
	return strings.TrimSpace(string(tree)), err
}

// onlyFiles refuses to replace what is not a regular file in the commit, be it by a file or by a folder that one would stand in.
func onlyFiles(staged []string, files map[string]edit.File) error {
	taken := map[string]bool{}
	for p := range files {
		if err := validPath(p); err != nil {
			return err
		}
		for ; p != "."; p = path.Dir(p) {
			taken[p] = true
		}
	}
	for _, rec := range staged {
		e, err := parseEntry(rec)
		if err != nil {
			return err
		}
		if taken[e.path] && (e.mode == symlink || e.mode == gitlink) {
			return notAFile(e)
		}
	}
	return nil
}

func notAFile(e entry) error {
	what := "a symbolic link"
	if e.mode == gitlink {
		what = "a submodule"
	}
	return fmt.Errorf("%s is %s in the commit, not a file: it cannot be replaced", e.path, what)
}

// allStaged makes sure that git took every file: it passes over what must never be in a tree (".git/config") with no error.
func allStaged(staged, want []string) error {
	have := make(map[string]bool, len(staged))
	for _, p := range staged {
		have[p] = true
	}
	for _, p := range want {
		if !have[p] {
			return fmt.Errorf("git does not let %q be committed", p)
		}
	}
	return nil
}

// lay writes files to the private working tree, and tells which paths go and which are there.
func lay(place string, files map[string]edit.File) (gone, there []string, err error) {
	root, err := os.OpenRoot(place)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	for _, p := range slices.Sorted(maps.Keys(files)) {
		if err := validPath(p); err != nil {
			return nil, nil, err
		}
		f := files[p]
		if !f.Exists {
			gone = append(gone, p)
			continue
		}
		there = append(there, p)
		mode := os.FileMode(0o600)
		if f.Mode&0o111 != 0 {
			mode = 0o700
		}
		if err := root.MkdirAll(path.Dir(p), 0o700); err != nil {
			return nil, nil, err
		}
		if err := root.WriteFile(p, f.Data, mode); err != nil {
			return nil, nil, err
		}
	}
	return gone, there, nil
}
