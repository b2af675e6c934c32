package golang

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/proc"
)

// Package is what the go command says of a package; see `go help list`. Paths are absolute.
type Package struct {
	ImportPath   string
	Name         string
	Dir          string
	Export       string // the file with its export data; empty when it does not build
	ForTest      string // not empty: this is the package as recompiled for that package's tests
	Standard     bool
	GoFiles      []string
	CgoFiles     []string
	TestGoFiles  []string
	XTestGoFiles []string
	Imports      []string
	ImportMap    map[string]string
	Module       *Module
}

// Module is the module a package belongs to.
type Module struct {
	Path      string
	Dir       string
	Main      bool
	GoVersion string
	Replace   *Module // what a replace directive puts in its place
}

// own reports whether a package is part of the user's own work as far as its module says: a main module's, or one that a replace
// directive takes from a folder. What is vendored has a module too, and lies elsewhere than that.
func (p *Package) own() bool {
	m := p.Module
	switch {
	case m == nil || m.Main:
		return true
	case m.Replace == nil || m.Replace.Dir == "":
		return false
	}
	rel, err := filepath.Rel(m.Replace.Dir, p.Dir)
	return err == nil && m.Replace.local() && filepath.IsLocal(rel)
}

// local reports whether what replaces a module is a folder, and not a module of another name: only that begins so.
func (m *Module) local() bool {
	return filepath.IsAbs(m.Path) || strings.HasPrefix(m.Path, "./") || strings.HasPrefix(m.Path, "../")
}

// Listing is a package, its tests, and everything they are built from.
type Listing struct {
	Target   *Package   // the suite's own package
	Own      []*Package // the packages of the user's modules inside the root, the target among them, in order of import path
	byPath   map[string]*Package
	variants map[string]*Package // recompiled for the tests, for those that exist in no other form
	parts    map[string]bool     // what is under test
	suite    *Suite
}

// List asks the go command what the suite's tests are made of. It compiles what is not in the build cache yet, since it
// asks for export data; a package that does not compile is listed without.
func (s *Suite) List(ctx context.Context) (*Listing, error) {
	const fields = "ImportPath,Name,Dir,Export,ForTest,Standard,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,ImportMap,Imports,Module"
	cmd := s.goCmd("list", "-e", "-export", "-deps", "-test", "-json="+fields, ".")
	var out bytes.Buffer
	cmd.Stdout = &out
	r, err := s.Place.Run(ctx, cmd)
	if err != nil {
		return nil, fmt.Errorf("list packages: %w", err)
	}
	if !r.OK() {
		return nil, failed("go list", r)
	}
	l := &Listing{byPath: map[string]*Package{}, variants: map[string]*Package{}, suite: s}
	for dec := json.NewDecoder(&out); ; {
		p := &Package{}
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read what go list printed: %w", err)
		}
		l.add(p)
	}
	if l.Target == nil {
		return nil, fmt.Errorf("go list: no package in %s", s.Dir)
	}
	slices.SortFunc(l.Own, func(a, b *Package) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return l, nil
}

func (l *Listing) add(p *Package) {
	plain, _, variant := strings.Cut(p.ImportPath, " [")
	switch {
	case variant || strings.HasSuffix(plain, ".test"):
		p.ImportPath = plain
		l.variants[plain] = p
		return
	case p.ForTest != "":
		return
	}
	l.byPath[p.ImportPath] = p
	if _, inside := l.suite.rel(p.Dir); !inside || p.Standard || !p.own() {
		return
	}
	l.Own = append(l.Own, p)
	if filepath.Clean(p.Dir) == filepath.Clean(l.suite.abs()) {
		l.Target = p
	}
}

// packageName is the name of the package that the suite's tests can be joined in: the one under test, or, in a folder of
// tests only, theirs.
func (s *Suite) packageName(ctx context.Context) (string, error) {
	var out bytes.Buffer
	cmd := s.goCmd("list", "-e", "-json=Name,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles", ".")
	cmd.Stdout = &out
	r, err := s.Place.Run(ctx, cmd)
	if err != nil {
		return "", fmt.Errorf("list the package: %w", err)
	}
	var p Package
	if err := json.Unmarshal(out.Bytes(), &p); !r.OK() || err != nil {
		return "", failed("go list", r)
	}
	if len(p.GoFiles)+len(p.CgoFiles)+len(p.TestGoFiles) > 0 {
		return p.Name, nil
	}
	for _, f := range p.XTestGoFiles {
		if src, err := s.Place.ReadFile(s.file(f)); err == nil {
			return packageName(src), nil
		}
	}
	return "", fmt.Errorf("no Go files in %s", s.Dir)
}

// Holding is the package that a source file (slash path from the root) is compiled into, tests apart, or nil.
func (l *Listing) Holding(file string) *Package {
	for _, p := range l.Own {
		if dir, ok := l.suite.rel(p.Dir); ok && path.Clean(dir) == path.Dir(file) {
			if slices.Contains(p.GoFiles, path.Base(file)) || slices.Contains(p.CgoFiles, path.Base(file)) {
				return p
			}
		}
	}
	return nil
}

// UnderTest reports whether a package is what the tests test: the one they stand beside, or one that it is built from.
// What only the tests import belongs to the tests. Where there are tests alone, all that they import is under test.
func (l *Listing) UnderTest(p *Package) bool {
	if len(l.Target.GoFiles)+len(l.Target.CgoFiles) == 0 {
		return true
	}
	if l.parts == nil {
		l.parts = map[string]bool{}
		l.reach(l.Target)
	}
	return l.parts[p.ImportPath]
}

func (l *Listing) reach(p *Package) {
	if l.parts[p.ImportPath] {
		return
	}
	l.parts[p.ImportPath] = true
	for _, path := range p.Imports {
		if q := l.byPath[path]; q != nil && slices.Contains(l.Own, q) {
			l.reach(q)
		}
	}
}

// Files are the slash paths from the root of a package's sources, tests apart.
func (l *Listing) Files(p *Package) []string {
	dir, _ := l.suite.rel(p.Dir)
	var out []string
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		out = append(out, path.Join(dir, name))
	}
	return out
}

// OpenExport opens the export data of the package that an import path names in p. It is what go/importer's lookup wants.
// The build cache may be out of our sight when the place has one of its own: then the place reads it to us.
func (l *Listing) OpenExport(ctx context.Context, p *Package, importPath string) (io.ReadCloser, error) {
	if mapped, ok := p.ImportMap[importPath]; ok {
		importPath = mapped
	}
	q := l.byPath[importPath]
	if q == nil || q.Export == "" {
		q = l.variants[importPath]
	}
	if q == nil || q.Export == "" {
		return nil, fmt.Errorf("no export data for %s: it does not build", importPath)
	}
	if f, err := os.Open(q.Export); err == nil {
		return f, nil
	}
	var out bytes.Buffer
	r, err := l.suite.Place.Run(ctx, proc.Cmd{Argv: []string{"cat", q.Export}, Dir: l.suite.Place.Root(), Env: l.suite.environ(), Stdout: &out})
	if err != nil {
		return nil, fmt.Errorf("read the export data of %s: %w", importPath, err)
	}
	if !r.OK() {
		return nil, failed("read the export data of "+importPath, r)
	}
	return io.NopCloser(&out), nil
}
