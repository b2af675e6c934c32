package jvm

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// tree is where the repository's Java sources stand: by the package and the name of the file, "com/x/Calc.java".
type tree struct {
	paths map[string][]string
}

// Bounds of looking through a repository.
const (
	maxFolders = 20_000
	maxHead    = 16 << 10
)

var packageLine = pattern.New(`(?m)^\s*package\s+([\w.]+)\s*;`)

// skipped are folders whose sources nobody wrote, or that belong to something else.
var skipped = []string{"node_modules", "target", "build", "out", "bin", "dist"}

func readTree(files fs.FS) (*tree, error) {
	t := &tree{paths: map[string][]string{}}
	left := maxFolders
	err := fs.WalkDir(files, ".", func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case e.IsDir():
			left--
			if left < 0 {
				return fs.SkipAll
			}
			if p != "." && (strings.HasPrefix(e.Name(), ".") || slices.Contains(skipped, e.Name())) && !strings.Contains(p, "/java/") {
				return fs.SkipDir
			}
		case strings.HasSuffix(p, ".java") && e.Type().IsRegular():
			t.add(files, p)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for Java sources: %w", err)
	}
	return t, nil
}

func (t *tree) add(files fs.FS, p string) {
	f, err := files.Open(p)
	if err != nil {
		return // what cannot be read cannot be changed either
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, maxHead))
	if err != nil {
		return
	}
	key := path.Base(p)
	if m := packageLine.FindSubmatch(head); m != nil {
		key = path.Join(strings.ReplaceAll(string(m[1]), ".", "/"), key)
	}
	t.paths[key] = append(t.paths[key], p)
}

// find is the source of this key that stands nearest to a folder: the one that shares most of its path.
func (t *tree) find(key, near string) string {
	best, most := "", -1
	for _, p := range t.paths[key] {
		if n := shared(p, near); n > most {
			best, most = p, n
		}
	}
	return best
}

// shared is how many folders two paths have in common at their beginning.
func shared(a, b string) int {
	n := 0
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// ofClass is the source that a class's name leads to, if it stands where it should; empty when it does not.
func (t *tree) ofClass(class string) string {
	outer, _, _ := strings.Cut(class, "$")
	if all := t.paths[strings.ReplaceAll(outer, ".", "/")+".java"]; len(all) > 0 {
		return all[0]
	}
	return ""
}
