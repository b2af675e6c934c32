package golang

import (
	"context"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"path"
	"slices"
	"sync"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/runner"
)

// loader loads units once each.
type loader struct {
	place   check.Place
	listing *Listing
	mu      sync.Mutex
	units   map[*Package]*unit
}

func newLoader(place check.Place, l *Listing) *loader {
	return &loader{place: place, listing: l, units: map[*Package]*unit{}}
}

// unit is the package that holds a file, or nil when the file belongs to none that is under test.
func (l *loader) unit(ctx context.Context, file string) (*unit, error) {
	p := l.listing.Holding(file)
	if p == nil || !l.listing.UnderTest(p) {
		return nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if u, ok := l.units[p]; ok {
		return u, nil
	}
	u, err := l.load(ctx, p)
	if err != nil {
		return nil, err
	}
	l.units[p] = u
	return u, nil
}

// loaded is the unit that holds a file, if it was loaded before.
func (l *loader) loaded(file string) *unit {
	p := l.listing.Holding(file)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.units[p]
}

// unit is one package, read and type-checked from its sources, its imports from the compiler's export data. Nothing of the repository is
// run for it.
type unit struct {
	fset    *token.FileSet
	pkg     *types.Package
	info    *types.Info
	sources []*source
	imports types.Importer
	around  surroundings
	mu      sync.Mutex // importers and file sets are used by one at a time
}

// source is one file of a unit.
type source struct {
	path     string // slash path from the root
	data     []byte
	file     *ast.File
	tok      *token.File
	stripped *ast.File // the file with nothing in its functions, to check others against
}

func (s *source) offset(p token.Pos) int { return s.tok.Offset(p) }

// load loads a unit that compiles.
func (l *loader) load(ctx context.Context, p *Package) (*unit, error) {
	u, said, err := l.read(ctx, p)
	if err == nil && said != nil {
		err = fmt.Errorf("type-check %s: %w", p.ImportPath, said)
	}
	if err != nil {
		return nil, err
	}
	return u, nil
}

// read reads a unit, and tells the first thing that the compiler would say of it; what types are known then are known all the same.
func (l *loader) read(ctx context.Context, p *Package) (u *unit, said, err error) {
	u = &unit{fset: token.NewFileSet()}
	var files []*ast.File
	for _, path := range l.listing.Files(p) {
		data, err := l.place.ReadFile(path)
		if err != nil {
			return nil, nil, fmt.Errorf("read %s: %w", path, err)
		}
		f, err := parser.ParseFile(u.fset, path, data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, fmt.Errorf("parse %s: %w", path, err)
		}
		s := &source{path: path, data: data, file: f, tok: u.fset.File(f.Pos())}
		_, stripped := stripAround(s, nil)
		if s.stripped, err = parser.ParseFile(u.fset, path, stripped, parser.SkipObjectResolution); err != nil {
			return nil, nil, fmt.Errorf("parse %s: %w", path, err)
		}
		u.sources = append(u.sources, s)
		files = append(files, f)
	}
	u.imports = importer.ForCompiler(u.fset, "gc", func(path string) (io.ReadCloser, error) {
		return l.listing.OpenExport(ctx, p, path)
	})
	u.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	conf := u.config(func(err error) {
		if said == nil {
			said = err
		}
	})
	u.pkg, _ = conf.Check(p.ImportPath, u.fset, files, u.info)
	return u, said, nil
}

// Types implements [runner.Typist]: those of the package that holds a file, with the build flags of nobody's own command.
func (Harness) Types(ctx context.Context, place check.Place, file string) ([]runner.Seen, runner.Checker, error) {
	s := &Suite{Place: place, Dir: path.Dir(file)}
	l, err := s.List(ctx)
	if err != nil {
		return nil, nil, err
	}
	p := l.Holding(file)
	if p == nil {
		return nil, nil, nil
	}
	u, _, err := newLoader(place, l).read(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	return u.seen(file), &lessening{unit: u, had: map[stretchOf]int{}}, nil
}

// lessening is a unit that does not compile: edits are good that the compiler complains of less with.
type lessening struct {
	*unit
	counting sync.Mutex
	had      map[stretchOf]int // errors without any edit
}

// stretchOf is what is checked for edits: a function of a source, or all of it.
type stretchOf struct {
	s      *source
	within *ast.FuncDecl
}

// Compiles implements [runner.Checker].
func (l *lessening) Compiles(file string, edits []edit.Edit) bool {
	s, within := l.edited(file, edits)
	if s == nil {
		return true
	}
	with := l.complaints(s, within, edits)
	return with == 0 || with < l.without(stretchOf{s, within})
}

// without are the errors that are told of a function, or a source, as it is.
func (l *lessening) without(at stretchOf) int {
	l.counting.Lock()
	defer l.counting.Unlock()
	n, known := l.had[at]
	if !known {
		n = l.complaints(at.s, at.within, nil)
		l.had[at] = n
	}
	return n
}

func (u *unit) config(report func(error)) *types.Config {
	return &types.Config{Importer: u.imports, Error: report, FakeImportC: true, DisableUnusedImportCheck: true}
}

// empty stands for a function's body: it satisfies every signature and names nothing.
const empty = "{for{}}"

// stripAround is a file's text with empty functions, before and after one that is kept; without one, all of it is after.
func stripAround(s *source, keep *ast.FuncDecl) (before, after []byte) {
	at := 0
	var out []byte
	for _, d := range s.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		if fn == keep {
			out = append(out, s.data[at:s.offset(fn.Pos())]...)
			before, out, at = out, nil, s.offset(fn.End())
			continue
		}
		out = append(out, s.data[at:s.offset(fn.Body.Pos())]...)
		out = append(out, empty...)
		at = s.offset(fn.Body.End())
	}
	return before, append(out, s.data[at:]...)
}

// compiles reports whether the package still type-checks with edits of one file.
func (u *unit) compiles(path string, edits []edit.Edit) bool {
	s, within := u.edited(path, edits)
	if s == nil {
		return true
	}
	if within != nil {
		if compiles, decided := u.compilesAlone(s, within, edits); decided {
			return compiles
		}
	}
	return u.complaints(s, within, edits) == 0
}

// edited is the source that edits are of, and the function whose body they all lie in, if there is one. No source: there is nothing to say of them.
func (u *unit) edited(path string, edits []edit.Edit) (s *source, within *ast.FuncDecl) {
	i := slices.IndexFunc(u.sources, func(s *source) bool { return s.path == path })
	if i < 0 || len(edits) == 0 {
		return nil, nil
	}
	s = u.sources[i]
	for _, d := range s.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Body != nil && s.offset(fn.Body.Pos()) < edits[0].Start && edits[len(edits)-1].End < s.offset(fn.Body.End()) {
			return s, fn
		}
	}
	return s, nil
}

// unparsed are more errors than the type checker tells of any file.
const unparsed = 1 << 20

// complaints are how many errors the type checker tells of a source with edits. Functions other than the one they lie in are checked as
// empty: their bodies cannot tell the difference unless a declaration's type changes, and then all of the file is checked.
func (u *unit) complaints(s *source, within *ast.FuncDecl, edits []edit.Edit) (n int) {
	before, after, from, to := []byte(nil), []byte(nil), 0, len(s.data)
	if within != nil {
		before, after = stripAround(s, within)
		from, to = s.offset(within.Pos()), s.offset(within.End())
	}
	src := slices.Concat(before, splice(s.data, from, to, slices.Clone(edits)), after)
	f, err := parser.ParseFile(token.NewFileSet(), s.path, src, parser.SkipObjectResolution)
	if err != nil {
		return unparsed
	}
	files := make([]*ast.File, 0, len(u.sources))
	for _, other := range u.sources {
		if other == s {
			files = append(files, f)
		} else {
			files = append(files, other.stripped)
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	conf := u.config(func(error) { n++ })
	_, _ = conf.Check(u.pkg.Path(), u.fset, files, nil)
	return n
}

// seen are the types of a file's expressions. Behind a type's own name stands, marked by ~, the one that it is made of.
func (u *unit) seen(path string) []runner.Seen {
	var out []runner.Seen
	for _, s := range u.sources {
		if s.path != path {
			continue
		}
		add := func(n ast.Node, t types.Type) {
			if t == nil || t == types.Typ[types.Invalid] {
				return
			}
			t = types.Default(t)
			names := []string{types.TypeString(t, types.RelativeTo(u.pkg))}
			if _, named := t.(*types.Named); named {
				names = append(names, "~"+types.TypeString(t.Underlying(), types.RelativeTo(u.pkg)))
			}
			out = append(out, runner.Seen{File: path, Start: s.offset(n.Pos()), End: s.offset(n.End()), Types: names})
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			if id, ok := e.(*ast.Ident); ok {
				if o := u.info.Defs[id]; o != nil {
					add(id, o.Type())
				} else if o, ok := u.info.Uses[id].(*types.Var); ok {
					add(id, o.Type())
				}
				return true
			}
			if tv, ok := u.info.Types[e]; ok && tv.IsValue() {
				add(e, tv.Type)
			}
			return true
		})
	}
	return out
}
