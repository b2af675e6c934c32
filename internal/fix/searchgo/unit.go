package searchgo

import (
	"context"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"slices"

	"fettle/internal/check"
	"fettle/internal/runner/golang"
)

// unit is one package, read and type-checked from its sources, its imports from the compiler's export data. Nothing of the
// repository is run for it.
type unit struct {
	fset    *token.FileSet
	pkg     *types.Package
	info    *types.Info
	sources []*source
	imports types.Importer
	consts  map[token.Token][]string // literals of the package's files by kind, in order of first use
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

// text is the source text of a node.
func (s *source) text(n ast.Node) string {
	return string(s.data[s.offset(n.Pos()):s.offset(n.End())])
}

// loader loads units once each.
type loader struct {
	place   check.Place
	listing *golang.Listing
	units   map[*golang.Package]*unit
}

// unit is the package that holds a file, or nil when the file belongs to none that is under test.
func (l *loader) unit(ctx context.Context, file string) (*unit, error) {
	p := l.listing.Holding(file)
	if p == nil || !l.listing.UnderTest(p) {
		return nil, nil
	}
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

func (l *loader) load(ctx context.Context, p *golang.Package) (*unit, error) {
	u := &unit{fset: token.NewFileSet()}
	var files []*ast.File
	for _, path := range l.listing.Files(p) {
		data, err := l.place.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		f, err := parser.ParseFile(u.fset, path, data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("parse %s: %w", path, err)
		}
		s := &source{path: path, data: data, file: f, tok: u.fset.File(f.Pos())}
		if s.stripped, err = parser.ParseFile(u.fset, path, strip(s), parser.SkipObjectResolution); err != nil {
			return nil, fmt.Errorf("parse %s: %w", path, err)
		}
		u.sources = append(u.sources, s)
		files = append(files, f)
	}
	u.imports = importer.ForCompiler(u.fset, "gc", func(path string) (io.ReadCloser, error) {
		return l.listing.OpenExport(ctx, p, path)
	})
	u.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
	}
	var first error
	conf := u.config(func(err error) {
		if first == nil {
			first = err
		}
	})
	u.pkg, _ = conf.Check(p.ImportPath, u.fset, files, u.info)
	if first != nil {
		return nil, fmt.Errorf("type-check %s: %w", p.ImportPath, first)
	}
	u.gather()
	return u, nil
}

func (u *unit) config(report func(error)) *types.Config {
	return &types.Config{Importer: u.imports, Error: report, FakeImportC: true, DisableUnusedImportCheck: true}
}

// empty stands for a function's body: it satisfies every signature and names nothing.
const empty = "{for{}}"

// strip is a file's text with empty functions.
func strip(s *source) []byte {
	_, all := stripAround(s, nil)
	return all
}

// stripAround is the stripped text before and after a function; without one, all of it is after.
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

// compiles reports whether the package still type-checks with an edit. Functions other than the edited one are checked as
// empty: their bodies cannot tell the difference, since no template touches a declaration's type.
func (u *unit) compiles(s *source, fn *ast.FuncDecl, start, end int, text string) bool {
	before, after, from, to := []byte(nil), []byte(nil), 0, len(s.data)
	if fn != nil {
		before, after = stripAround(s, fn)
		from, to = s.offset(fn.Pos()), s.offset(fn.End())
	}
	src := slices.Concat(before, s.data[from:start], []byte(text), s.data[end:to], after)
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, s.path, src, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	files := make([]*ast.File, 0, len(u.sources))
	for _, other := range u.sources {
		if other == s {
			files = append(files, f)
		} else {
			files = append(files, other.stripped)
		}
	}
	good := true
	conf := u.config(func(error) { good = false })
	_, _ = conf.Check(u.pkg.Path(), u.fset, files, nil)
	return good
}

// gather collects the literals of the package: constants that the code itself uses are the likeliest to be meant.
func (u *unit) gather() {
	u.consts = map[token.Token][]string{}
	seen := map[string]bool{}
	for _, s := range u.sources {
		imports := map[*ast.BasicLit]bool{}
		for _, i := range s.file.Imports {
			imports[i.Path] = true
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				if n.Tag != nil {
					imports[n.Tag] = true
				}
			case *ast.BasicLit:
				if !imports[n] && !seen[n.Value] && len(n.Value) <= 40 {
					seen[n.Value] = true
					u.consts[n.Kind] = append(u.consts[n.Kind], n.Value)
				}
			}
			return true
		})
	}
}
