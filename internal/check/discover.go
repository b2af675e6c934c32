package check

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Discover finds the checks of the repository in the folder root by looking at its files and at which programs are on PATH.
// It runs nothing, and follows no configuration that would.
//
// A tool is a check only when the repository asks for it: by its configuration, as a dependency, or as a pre-commit hook.
// What the language itself brings (go vet, gofmt) needs no asking. Checks come in a fixed order: tests first.
func Discover(ctx context.Context, root string) ([]Check, []Note, error) {
	t, err := look(ctx, root)
	if err != nil {
		return nil, nil, err
	}
	goChecks, notes := t.goChecks()
	pyChecks := t.pythonChecks()
	if len(goChecks) > 0 && len(pyChecks) > 0 {
		label(goChecks, "go")
		label(pyChecks, "python")
	}
	checks := slices.Concat(goChecks, pyChecks)
	order := []string{"test", "build", "type", "lint", "security", "complexity", "format"}
	slices.SortStableFunc(checks, func(a, b Check) int {
		return slices.Index(order, a.Kind()) - slices.Index(order, b.Kind())
	})
	return checks, notes, nil
}

// label tells the tests of one language from those of another.
func label(checks []Check, lang string) {
	for i, c := range checks {
		if c.Kind() == "test" {
			checks[i].Name = "test." + lang + strings.TrimPrefix(c.Name, "test")
		}
	}
}

// tree is what a look at a repository has seen. Paths are slash paths from the root; "." is the root.
type tree struct {
	root    string
	fsys    fs.FS
	goFiles map[string][]string // names by folder, without those that no build sees
	modules []string            // folders that hold a go.mod
	python  []string            // Python files
	foreign map[string]bool     // folders whose Go files are not the repository's to format: vendor, testdata, …
}

// look walks the tree once.
func look(ctx context.Context, root string) (*tree, error) {
	t := &tree{root: root, fsys: os.DirFS(root), goFiles: map[string][]string{}, foreign: map[string]bool{}}
	err := fs.WalkDir(t.fsys, ".", func(p string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if p == "." {
				return err
			}
			return nil // a folder that we may not read holds no checks of ours
		}
		switch {
		case e.IsDir():
			if p != "." && t.skip(p, e.Name()) {
				return fs.SkipDir
			}
		case e.Name() == "go.mod":
			t.modules = append(t.modules, path.Dir(p))
		case !e.Type().IsRegular():
		case path.Ext(p) == ".go" && !strings.HasPrefix(e.Name(), "_") && !strings.HasPrefix(e.Name(), "."):
			t.goFiles[path.Dir(p)] = append(t.goFiles[path.Dir(p)], e.Name())
		case path.Ext(p) == ".py":
			t.python = append(t.python, p)
		}
		return nil
	})
	return t, err
}

// skippedDir reports whether a folder of this name holds nothing that is the repository's own work.
func skippedDir(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
		slices.Contains([]string{"node_modules", "vendor", "testdata", "site-packages"}, name)
}

func (t *tree) skip(p, name string) bool {
	if !skippedDir(name) && !t.has(p+"/pyvenv.cfg") {
		return false
	}
	if name != ".git" && t.holdsGo(p) {
		t.foreign[p] = true
	}
	return true
}

// holdsGo reports whether a Go file lies in a folder, as far as a short look can tell.
func (t *tree) holdsGo(dir string) bool {
	left, found := 2000, false
	_ = fs.WalkDir(t.fsys, dir, func(p string, e fs.DirEntry, err error) error {
		if left--; err != nil || left < 0 {
			return fs.SkipAll
		}
		if found = !e.IsDir() && path.Ext(p) == ".go"; found {
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// has reports whether a file or folder is there.
func (t *tree) has(p string) bool {
	_, err := fs.Stat(t.fsys, p)
	return err == nil
}

// first is the first of the files that is there, or "".
func (t *tree) first(names ...string) string {
	for _, n := range names {
		if t.has(n) {
			return n
		}
	}
	return ""
}

// read is the beginning of a file, or nothing. Nobody writes configuration longer than this.
func (t *tree) read(p string) []byte {
	const most = 1 << 20
	info, err := fs.Stat(t.fsys, p)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil
	}
	b, err := fs.ReadFile(t.fsys, p)
	if err != nil {
		return nil
	}
	return b
}

// onPath is the absolute path of a program, or "".
func onPath(name string) string {
	p, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	if abs, err := filepath.Abs(p); err == nil {
		return abs
	}
	return p
}

// under are the globs of these endings in a folder.
func under(dir string, globs ...string) []string {
	out := make([]string, len(globs))
	for i, g := range globs {
		out[i] = path.Join(dir, g)
	}
	return out
}
