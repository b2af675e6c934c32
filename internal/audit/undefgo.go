package audit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"strings"
	"unicode"

	"fettle/internal/lang"
)

// goNames are what a file of Go makes names of, in any scope, and what it calls by a name alone or takes from one.
type goNames struct {
	pkg   string
	open  bool // names come from where nobody can look: a dot import, C
	bound map[string]bool
	level map[string]bool // those of the package
	given map[string]bool // those that may be packages'
	calls map[string]int  // by their first line
	roots map[string]int  // x of x.y
}

// readGoNames reads a file; nil for one that does not parse.
func readGoNames(src []byte) *goNames {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	g := &goNames{pkg: file.Name.Name, bound: map[string]bool{}, level: map[string]bool{}, given: map[string]bool{}, calls: map[string]int{}, roots: map[string]int{}}
	for _, d := range file.Decls {
		g.declared(d)
	}
	first := func(m map[string]int, id *ast.Ident) {
		if _, ok := m[id.Name]; !ok {
			m[id.Name] = set.Position(id.Pos()).Line
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			g.imported(n)
		case *ast.Field:
			g.bind(n.Names...)
		case *ast.ValueSpec:
			g.bind(n.Names...)
		case *ast.TypeSpec:
			g.bind(n.Name)
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && n.Tok == token.DEFINE {
					g.bind(id)
				}
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if id, ok := e.(*ast.Ident); ok {
					g.bind(id)
				}
			}
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				first(g.roots, id)
			}
		case *ast.CallExpr:
			fun := ast.Unparen(n.Fun)
			if x, ok := fun.(*ast.IndexExpr); ok {
				fun = x.X
			}
			if id, ok := fun.(*ast.Ident); ok {
				first(g.calls, id)
			}
		}
		return true
	})
	return g
}

func (g *goNames) bind(all ...*ast.Ident) {
	for _, id := range all {
		g.bound[id.Name] = true
	}
}

func (g *goNames) declared(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			g.bind(d.Name)
			g.level[d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, id := range s.Names {
					g.level[id.Name] = true
				}
			case *ast.TypeSpec:
				g.level[s.Name.Name] = true
			}
		}
	}
}

// imported notes every name that an import may have: what its package is called stands elsewhere.
func (g *goNames) imported(s *ast.ImportSpec) {
	name := strings.Trim(s.Path.Value, `"`)
	switch {
	case name == "C", s.Name != nil && s.Name.Name == ".":
		g.open = true
	case s.Name != nil:
		g.bound[s.Name.Name], g.given[s.Name.Name] = true, true
	default:
		for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
			g.bound[word], g.given[word] = true, true
		}
	}
}

// undefinedGo looks for functions that a file calls, and for packages and variables that it takes something from, where the change made that
// nothing defines them in the whole package. The compiler would say so; whoever reads the change hears it before.
func undefinedGo(v *patchView, f *fileView) []Finding {
	is := readGoNames(f.after)
	if is == nil || is.open {
		return nil
	}
	was := readGoNames(f.before)
	missing := is.missing(was)
	if len(missing) == 0 {
		return nil
	}
	after, before, whole := v.goPackage(f, is.pkg)
	var all []Finding
	for name, line := range missing {
		taken := before[name] || was != nil && (was.given[name] || whole && was.bound[name])
		lacked := was != nil && !taken && (was.calls[name] > 0 || was.roots[name] > 0)
		switch {
		case after[name], lacked, !taken && !whole:
			continue
		}
		all = append(all, undefinedName(name, line, taken))
	}
	return all
}

// missing are the names that a file does not define itself: those that it calls, and those that it takes something from, where they were packages
// or of the package before.
func (g *goNames) missing(was *goNames) map[string]int {
	all := make(map[string]int)
	for name, line := range g.calls {
		if !g.bound[name] && types.Universe.Lookup(name) == nil {
			all[name] = line
		}
	}
	for name, line := range g.roots {
		if !g.bound[name] && was != nil && (was.given[name] || was.level[name]) {
			all[name] = line
		}
	}
	return all
}

// undefinedName is a finding that is sure.
func undefinedName(name string, line int, taken bool) Finding {
	if taken {
		return Finding{Line: line, Effect: Refuse, Evidence: name + " is used here, and the change took its definition away"}
	}
	return Finding{Line: line, Effect: Refuse, Evidence: name + " is used here, and nothing defines it: define it, import it, or call what there is"}
}

// goPackage are the names of a file's package after the change and before it, without the file's own scopes. It is whole where the files of the
// repository are known, and all of its own can be read.
func (v *patchView) goPackage(f *fileView, pkg string) (after, before map[string]bool, whole bool) {
	after, before, whole = map[string]bool{}, map[string]bool{}, v.list != nil
	add := func(to map[string]bool, src []byte) {
		if len(src) == 0 {
			return
		}
		g := readGoNames(src)
		if g == nil {
			whole = false
			return
		}
		if g.pkg == pkg {
			for name := range g.level {
				to[name] = true
			}
		}
	}
	own := func(name string) bool { return path.Ext(name) == ".go" && path.Dir(name) == path.Dir(f.path) }
	changed := make(map[string]bool)
	for _, o := range v.files {
		if changed[o.path] = true; own(o.path) {
			add(before, o.before)
			add(after, o.after)
		}
	}
	if v.list != nil {
		for _, name := range v.list() {
			if !own(name) || changed[name] {
				continue
			}
			file, err := v.source(name)
			if err != nil {
				whole = false
				continue
			}
			add(before, file.Data)
			add(after, file.Data)
		}
	}
	whole = whole && !lang.IsVendored(f.path) && pkg != ""
	return after, before, whole
}
