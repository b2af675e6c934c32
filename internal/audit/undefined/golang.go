package undefined

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"unicode"
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

// bind notes names of any scope.
func (g *goNames) bind(all ...*ast.Ident) {
	for _, id := range all {
		g.bound[id.Name] = true
	}
}

// declared notes what a declaration of the package makes known.
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

// Sibling is another file of a folder, or the file itself, before and after the change.
type Sibling struct{ Before, After []byte }

// Go looks for functions that a file calls, and for packages and variables that it takes something from, where the change made that nothing defines them in the
// whole package. The compiler would say so; whoever reads the change hears it before. The siblings are asked for only where a name is missing, and are all that
// there are, or not.
func Go(before, after []byte, siblings func() (all []Sibling, whole bool)) []Use {
	is := readGoNames(after)
	if is == nil || is.open {
		return nil
	}
	was := readGoNames(before)
	missing := is.missing(was)
	if len(missing) == 0 {
		return nil
	}
	had, has, whole := packageNames(siblings, is.pkg)
	var all []Use
	for name, line := range missing {
		taken := had[name] || was != nil && (was.given[name] || whole && was.bound[name])
		lacked := was != nil && !taken && (was.calls[name] > 0 || was.roots[name] > 0)
		switch {
		case has[name], lacked, !taken && !whole:
			continue
		}
		all = append(all, Use{Name: name, Line: line, Taken: taken, Sure: true})
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

// packageNames are the names of a package before the change and after it, without the files' own scopes. It is whole where all of its files are known, and can be read.
func packageNames(siblings func() (all []Sibling, whole bool), pkg string) (before, after map[string]bool, whole bool) {
	before, after = map[string]bool{}, map[string]bool{}
	all, whole := siblings()
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
	for _, s := range all {
		add(before, s.Before)
		add(after, s.After)
	}
	return before, after, whole && pkg != ""
}
