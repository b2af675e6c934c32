package check

import (
	"context"
	"fmt"
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
	var checks []Check
	var notes []Note
	for _, e := range ecosystems {
		found, said := e.checks(t)
		checks, notes = append(checks, found...), append(notes, said...)
	}
	checks, said := t.runners(checks)
	notes = append(notes, said...)
	tellApart(checks)
	order := []string{"test", "build", "type", "lint", "security", "complexity", "format"}
	slices.SortStableFunc(checks, func(a, b Check) int {
		return slices.Index(order, a.Kind()) - slices.Index(order, b.Kind())
	})
	return checks, notes, nil
}

// ecosystem is a language with its tools, or a runner of checks: something by which a folder is a project.
type ecosystem struct {
	marks []string // files that make a folder a project
	find  func(project *tree) ([]Check, []Note)
}

// ecosystems are those we know, in the order in which their checks stand.
var ecosystems = []ecosystem{
	{nil, (*tree).goChecks}, // it knows its modules itself
	{pythonMarks, func(t *tree) ([]Check, []Note) { return t.pythonChecks(), nil }},
	{rustMarks, (*tree).rustChecks},
	{jvmMarks, (*tree).jvmChecks},
	{nodeMarks, (*tree).nodeChecks},
}

// checks are the checks of every project of the ecosystem. A check is found as if its project were the whole repository,
// and is then moved to where the project is.
func (e ecosystem) checks(t *tree) ([]Check, []Note) {
	var checks []Check
	var notes []Note
	for _, dir := range t.projects(e.marks) {
		found, said := e.find(t.at(dir))
		depends := t.depends(dir)
		for _, c := range found {
			whole := len(c.Files) == 0
			c = c.moved(dir)
			switch {
			case dir == ".":
			case whole:
				c.Files = depends
			default:
				c.Files = append(c.Files, rootFiles)
			}
			checks = append(checks, c)
		}
		for _, n := range said {
			notes = append(notes, Note{File: path.Join(dir, n.File), Text: n.Text})
		}
	}
	return checks, notes
}

// projects are the outermost folders that hold one of the marks; the root, where it is one of them, or where there are none.
func (t *tree) projects(marks []string) []string {
	var dirs []string
	for _, m := range marks {
		dirs = append(dirs, t.marks[m]...)
	}
	if out := outermost(dirs); len(out) > 0 {
		return out
	}
	return []string{"."}
}

// outermost are those of the folders that lie in no other.
func outermost(dirs []string) []string {
	if slices.Contains(dirs, ".") {
		return []string{"."}
	}
	var out []string
	for _, dir := range slices.Compact(slices.Sorted(slices.Values(dirs))) {
		if !slices.ContainsFunc(out, func(o string) bool { return strings.HasPrefix(dir, o+"/") }) {
			out = append(out, dir)
		}
	}
	return out
}

// moved is a check of the project in a folder as one of the repository.
func (c Check) moved(dir string) Check {
	if dir == "." {
		return c
	}
	c.Dir = path.Join(dir, c.Dir)
	c.Files = under(dir, c.Files...)
	if len(c.Files) == 0 {
		c.Files = []string{dir + "/**"} // what the tests of a project read stands in it
	}
	return c
}

// tellApart gives every check a name of its own. The tests of one language are told from those of another by its name; the
// checks of several projects of one language by their folders.
func tellApart(checks []Check) {
	languages, folders := map[string]bool{}, map[string]map[string]bool{}
	for _, c := range checks {
		if c.Kind() == "test" {
			languages[c.Lang] = true
		}
		if folders[c.Lang] == nil {
			folders[c.Lang] = map[string]bool{}
		}
		folders[c.Lang][c.Dir] = true
	}
	for i, c := range checks {
		if c.Kind() == "test" && len(languages) > 1 && c.Lang != "" {
			c.Name = "test." + c.Lang + strings.TrimPrefix(c.Name, "test")
		}
		if c.Dir != "" && len(folders[c.Lang]) > 1 {
			c.Name += "." + label(c.Dir)
		}
		for n := 2; slices.ContainsFunc(checks[:i], func(earlier Check) bool { return earlier.Name == c.Name }); n++ {
			c.Name = fmt.Sprintf("%s-%d", strings.TrimSuffix(c.Name, fmt.Sprintf("-%d", n-1)), n)
		}
		checks[i] = c
	}
}

// label makes a folder's path fit for the name of a check.
func label(dir string) string { return strings.Trim(strings.Map(labelRune, dir), "-") }

// tree is what a look at a repository has seen. Paths are slash paths from the root; "." is the root.
type tree struct {
	root    string
	fsys    fs.FS
	goFiles map[string][]string // names by folder, without those that no build sees
	modules []string            // folders that hold a go.mod
	marks   map[string][]string // folders, by the name of the file there that makes one a project
	python  []string            // Python files
	foreign map[string]bool     // folders whose Go files are not the repository's to format: vendor, testdata, …
	whole   *tree               // the repository, where this is a part of it
	dir     string              // this part's folder there
}

// look walks the tree once.
func look(ctx context.Context, root string) (*tree, error) {
	t := &tree{root: root, fsys: os.DirFS(root), goFiles: map[string][]string{}, marks: map[string][]string{}, foreign: map[string]bool{}}
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
		case isMark(e.Name()):
			t.marks[e.Name()] = append(t.marks[e.Name()], path.Dir(p))
			if path.Ext(p) == ".py" {
				t.python = append(t.python, p)
			}
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

// isMark reports whether a file of this name makes its folder a project of some ecosystem.
func isMark(name string) bool {
	return slices.Contains(runnerMarks, name) || slices.ContainsFunc(ecosystems, func(e ecosystem) bool { return slices.Contains(e.marks, name) })
}

// at is the part of the tree in a folder, as if it were the whole.
func (t *tree) at(dir string) *tree {
	if dir == "." {
		return t
	}
	sub, err := fs.Sub(t.fsys, dir)
	if err != nil {
		return t // it was walked, so its path is valid
	}
	s := &tree{root: filepath.Join(t.root, filepath.FromSlash(dir)), fsys: sub, goFiles: map[string][]string{}, marks: map[string][]string{}, foreign: map[string]bool{}, whole: t, dir: dir}
	below := func(paths []string) []string {
		var out []string
		for _, p := range paths {
			if p == dir {
				out = append(out, ".")
			} else if rest, ok := strings.CutPrefix(p, dir+"/"); ok {
				out = append(out, rest)
			}
		}
		return out
	}
	s.modules, s.python = below(t.modules), below(t.python)
	for name, dirs := range t.marks {
		s.marks[name] = below(dirs)
	}
	for folder, files := range t.goFiles {
		for _, rest := range below([]string{folder}) {
			s.goFiles[rest] = files
		}
	}
	for folder := range t.foreign {
		for _, rest := range below([]string{folder}) {
			s.foreign[rest] = true
		}
	}
	return s
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

// nearest is the path, from this part, of the nearest folder of one of the names at or above it in the repository that holds a
// file; "" if there is none.
func (t *tree) nearest(file string, names ...string) string {
	whole, dir := t, "."
	if t.whole != nil {
		whole, dir = t.whole, t.dir
	}
	for up := ""; ; dir, up = path.Dir(dir), path.Join("..", up) {
		for _, n := range names {
			if whole.has(path.Join(dir, n, file)) {
				return path.Join(up, n)
			}
		}
		if dir == "." {
			return ""
		}
	}
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
