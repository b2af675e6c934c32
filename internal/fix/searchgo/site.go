package searchgo

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// site is a node that might be at fault, and what stands around it.
type site struct {
	unit    *unit
	src     *source
	fn      *ast.FuncDecl // nil in a package-level declaration
	node    ast.Node
	parents []ast.Node // innermost last
	score   float64    // suspicion of its line
}

// parent is the n-th node around the site's, from 0.
func (s *site) parent(n int) ast.Node {
	if n < len(s.parents) {
		return s.parents[len(s.parents)-1-n]
	}
	return nil
}

func (s *site) text(n ast.Node) string { return s.src.text(n) }

func (s *site) typeOf(e ast.Expr) types.Type {
	if tv, ok := s.unit.info.Types[e]; ok {
		return tv.Type
	}
	if id, ok := e.(*ast.Ident); ok {
		if o := s.object(id); o != nil {
			return o.Type()
		}
	}
	return nil
}

func (s *site) object(id *ast.Ident) types.Object {
	if o := s.unit.info.Uses[id]; o != nil {
		return o
	}
	return s.unit.info.Defs[id]
}

// value reports whether e is an expression that stands for a value that is computed, not a type, a package or a constant's
// name in its own declaration.
func (s *site) value(e ast.Expr) bool {
	tv, ok := s.unit.info.Types[e]
	return ok && tv.IsValue()
}

func (s *site) integer(e ast.Expr) bool { return isBasic(s.typeOf(e), types.IsInteger) }

func isBasic(t types.Type, what types.BasicInfo) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&what != 0
}

// assigned reports whether the site's node is what an assignment or a loop writes to.
func (s *site) assigned() bool {
	switch p := s.parent(0).(type) {
	case *ast.AssignStmt:
		return slices.ContainsFunc(p.Lhs, func(e ast.Expr) bool { return e == s.node })
	case *ast.IncDecStmt:
		return p.X == s.node
	case *ast.RangeStmt:
		return p.Key == s.node || p.Value == s.node
	case *ast.UnaryExpr:
		return p.Op == token.AND
	}
	return false
}

// variable is something in scope that can stand for a value.
type variable struct {
	name  string
	local bool
}

// variables are what can be read at pos with a type that fits want: locals, innermost first, then fields of locals, then
// the package's own.
func (s *site) variables(pos token.Pos, want types.Type) []variable {
	scope := s.unit.pkg.Scope().Innermost(pos)
	if scope == nil || want == nil {
		return nil
	}
	var plain, fields, global []variable
	seen := map[string]bool{}
	for sc := scope; sc != nil && sc != types.Universe; sc = sc.Parent() {
		for _, name := range sc.Names() {
			if seen[name] || name == "_" {
				continue
			}
			seen[name] = true
			in, o := scope.LookupParent(name, pos)
			v, ok := o.(*types.Var)
			if !ok {
				continue
			}
			local := in != s.unit.pkg.Scope()
			switch {
			case types.Identical(v.Type(), want) && local:
				plain = append(plain, variable{name, true})
			case types.Identical(v.Type(), want):
				global = append(global, variable{name, false})
			case local:
				fields = append(fields, s.fields(v, want)...)
			}
		}
	}
	return slices.Concat(plain, fields, global)
}

// fields are the fields of a variable, one level deep, of the wanted type.
func (s *site) fields(v *types.Var, want types.Type) []variable {
	t := v.Type().Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	st, ok := t.(*types.Struct)
	if !ok {
		return nil
	}
	var out []variable
	for f := range st.Fields() {
		if types.Identical(f.Type(), want) && f.Name() != "_" && (f.Exported() || f.Pkg() == s.unit.pkg) {
			out = append(out, variable{v.Name() + "." + f.Name(), true})
		}
	}
	return out
}

// change is one edit that a template proposes.
type change struct {
	start, end token.Pos
	text       string
	weight     float64 // against the template's other changes, 0–1
	why        string  // one clause: what was wrong
}

// template is one idea of what may be wrong.
type template struct {
	name      string
	prior     float64 // how often the idea is right where it makes the tests pass; also the order in which ideas are tried
	precision float64 // how often a plausible patch of this kind is the right one
	propose   func(s *site, try func(change))
}

func replaceNode(n ast.Node, text string, weight float64, why string) change {
	return change{start: n.Pos(), end: n.End(), text: text, weight: weight, why: why}
}

// primary reports whether an expression binds at least as tightly as any operator, so that it needs no parentheses.
func primary(e ast.Expr) bool {
	switch e.(type) {
	case *ast.Ident, *ast.BasicLit, *ast.CallExpr, *ast.IndexExpr, *ast.SelectorExpr, *ast.ParenExpr, *ast.SliceExpr:
		return true
	}
	return false
}

// quote is code as it stands in an explanation.
func quote(code string) string {
	if r := []rune(code); len(r) > 60 {
		code = string(r[:57]) + "…"
	}
	return "`" + code + "`"
}
