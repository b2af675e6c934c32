package searchgo

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Families about calls and what they are given.
var callTemplates = []template{
	{"swap-arguments", 0.70, 0.78, swapArguments},
	{"sibling-call", 0.62, 0.72, siblingCall},
	{"unwrap-call", 0.35, 0.70, unwrapCall},
	{"wrap-call", 0.22, 0.65, wrapCall},
	{"drop-argument", 0.20, 0.25, dropArgument},
	{"swap-indices", 0.45, 0.75, swapIndices},
	{"swap-bounds", 0.40, 0.70, swapBounds},
}

// swapArguments exchanges two arguments whose types fit each other's places.
func swapArguments(s *site, try func(change)) {
	call, ok := s.node.(*ast.CallExpr)
	if !ok || s.conversion(call) || len(call.Args) < 2 {
		return
	}
	for i := range call.Args {
		for j := i + 1; j < len(call.Args); j++ {
			a, b := call.Args[i], call.Args[j]
			if s.text(a) == s.text(b) || !alike(s.typeOf(a), s.typeOf(b)) {
				continue
			}
			middle := string(s.src.data[s.src.offset(a.End()):s.src.offset(b.Pos())])
			try(change{a.Pos(), b.End(), s.text(b) + middle + s.text(a), 1,
				fmt.Sprintf("the arguments %s and %s were in the wrong order", quote(s.text(a)), quote(s.text(b)))})
		}
	}
}

func alike(a, b types.Type) bool {
	return a != nil && b != nil && types.Identical(types.Default(a), types.Default(b))
}

func (s *site) conversion(call *ast.CallExpr) bool {
	tv, ok := s.unit.info.Types[call.Fun]
	return ok && tv.IsType()
}

// family are functions that are often taken for one another: the first of a pair is as likely wrong as the second.
var family = map[string][]string{
	"Min": {"Max"}, "Max": {"Min"}, "Floor": {"Ceil", "Round"}, "Ceil": {"Floor", "Round"}, "Round": {"Floor", "Ceil"},
	"HasPrefix": {"HasSuffix", "Contains"}, "HasSuffix": {"HasPrefix", "Contains"}, "ToUpper": {"ToLower"}, "ToLower": {"ToUpper"},
	"TrimLeft": {"TrimPrefix", "TrimRight"}, "TrimRight": {"TrimSuffix", "TrimLeft"}, "TrimPrefix": {"TrimSuffix", "TrimLeft"},
	"TrimSuffix": {"TrimPrefix", "TrimRight"}, "Index": {"LastIndex"}, "LastIndex": {"Index"}, "Before": {"After"}, "After": {"Before"},
	"Lock": {"Unlock", "RLock"}, "Unlock": {"Lock"}, "RLock": {"Lock"}, "Print": {"Println"}, "Println": {"Print"},
	"Split": {"SplitAfter"}, "Sin": {"Cos"}, "Cos": {"Sin"}, "Add": {"Sub"}, "Sub": {"Add"},
}

// siblingCall calls another function of the same type from the same package, or another method of the same value.
func siblingCall(s *site, try func(change)) {
	call, ok := s.node.(*ast.CallExpr)
	if !ok || s.conversion(call) {
		return
	}
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		s.siblingFunctions(fun, s.unit.pkg, try)
		if o := s.unit.info.Uses[fun]; o == types.Universe.Lookup(fun.Name) {
			if other := map[string]string{"min": "max", "max": "min", "len": "cap", "cap": "len"}[fun.Name]; other != "" {
				s.trySibling(fun, other, 1, try)
			}
		}
	case *ast.SelectorExpr:
		if id, ok := fun.X.(*ast.Ident); ok {
			if p, ok := s.unit.info.Uses[id].(*types.PkgName); ok {
				s.siblingFunctions(fun.Sel, p.Imported(), try)
				return
			}
		}
		s.siblingMethods(fun, try)
	}
}

func (s *site) siblingFunctions(id *ast.Ident, pkg *types.Package, try func(change)) {
	was, ok := s.unit.info.Uses[id].(*types.Func)
	if !ok || was.Pkg() != pkg {
		return
	}
	for _, name := range pkg.Scope().Names() {
		f, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || f == was || pkg != s.unit.pkg && !f.Exported() || !types.Identical(f.Type(), was.Type()) {
			continue
		}
		s.trySibling(id, name, siblingWeight(id.Name, name, pkg == s.unit.pkg), try)
	}
}

func (s *site) siblingMethods(sel *ast.SelectorExpr, try func(change)) {
	was := s.unit.info.Selections[sel]
	if was == nil || was.Kind() != types.MethodVal {
		return
	}
	set := types.NewMethodSet(was.Recv())
	if _, ptr := was.Recv().(*types.Pointer); !ptr {
		set = types.NewMethodSet(types.NewPointer(was.Recv()))
	}
	for m := range set.Methods() {
		f := m.Obj()
		if f.Name() != sel.Sel.Name && (f.Exported() || f.Pkg() == s.unit.pkg) && types.Identical(m.Type(), was.Type()) {
			s.trySibling(sel.Sel, f.Name(), siblingWeight(sel.Sel.Name, f.Name(), f.Pkg() == s.unit.pkg), try)
		}
	}
}

func siblingWeight(was, is string, own bool) float64 {
	if slices.Contains(family[was], is) {
		return 1
	}
	if own {
		return 0.6
	}
	return 0.3
}

func (s *site) trySibling(id *ast.Ident, name string, weight float64, try func(change)) {
	try(replaceNode(id, name, weight, fmt.Sprintf("%s was called where %s is meant", quote(id.Name), quote(name))))
}

// unwrapCall takes a call away and keeps one of its arguments, where the types fit.
func unwrapCall(s *site, try func(change)) {
	call, ok := s.node.(*ast.CallExpr)
	if !ok || s.conversion(call) || s.statement() {
		return
	}
	t := s.typeOf(call)
	for _, a := range call.Args {
		if alike(s.typeOf(a), t) && !s.literal(a) {
			try(replaceNode(call, s.text(a), 1/float64(len(call.Args)), fmt.Sprintf("the call of %s does not belong there", quote(s.text(call.Fun)))))
		}
	}
}

// statement reports whether the site's expression stands alone as a statement.
func (s *site) statement() bool {
	switch s.parent(0).(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return true
	}
	return false
}

// wrapCall applies a function of one argument that the file already uses, where it takes and gives the expression's type.
func wrapCall(s *site, try func(change)) {
	e, ok := s.node.(ast.Expr)
	if !ok || !s.value(e) || s.assigned() || s.condition() || s.statement() {
		return
	}
	switch e.(type) {
	case *ast.CallExpr, *ast.IndexExpr, *ast.Ident, *ast.SelectorExpr, *ast.BinaryExpr:
	default:
		return
	}
	t := s.typeOf(e)
	if t == nil || s.callee() {
		return
	}
	for _, f := range s.usedFunctions() {
		sig := f.sig
		if sig.Params().Len() != 1 || sig.Results().Len() != 1 || sig.Variadic() || !types.Identical(sig.Params().At(0).Type(), t) || !types.Identical(sig.Results().At(0).Type(), t) {
			continue
		}
		text := f.name + "(" + s.text(e) + ")"
		try(replaceNode(e, text, 1, fmt.Sprintf("%s should be %s", quote(s.text(e)), quote(text))))
	}
}

// callee reports whether the site is what a call calls, or a part of its name.
func (s *site) callee() bool {
	switch p := s.parent(0).(type) {
	case *ast.CallExpr:
		return p.Fun == s.node
	case *ast.SelectorExpr, *ast.KeyValueExpr:
		return true
	}
	return false
}

type usedFunction struct {
	name string
	sig  *types.Signature
}

// usedFunctions are the functions that the file calls by name, and the package's own.
func (s *site) usedFunctions() []usedFunction {
	var out []usedFunction
	seen := map[string]bool{}
	ast.Inspect(s.src.file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !s.conversion(call) {
			switch call.Fun.(type) {
			case *ast.Ident, *ast.SelectorExpr:
				name := s.text(call.Fun)
				if sig, ok := s.typeOf(call.Fun).(*types.Signature); ok && !seen[name] {
					seen[name] = true
					out = append(out, usedFunction{name, sig})
				}
			}
		}
		return true
	})
	return out
}

// dropArgument leaves one of a call's further arguments out, where the function takes any number.
func dropArgument(s *site, try func(change)) {
	call, ok := s.node.(*ast.CallExpr)
	if !ok || len(call.Args) < 2 {
		return
	}
	sig, ok := s.typeOf(call.Fun).(*types.Signature)
	if !ok || !sig.Variadic() || call.Ellipsis != token.NoPos {
		return
	}
	for i := sig.Params().Len() - 1; i < len(call.Args); i++ {
		if i > 0 {
			a := call.Args[i]
			try(change{call.Args[i-1].End(), a.End(), "", 1, fmt.Sprintf("the argument %s does not belong there", quote(s.text(a)))})
		}
	}
}

// swapIndices exchanges the indices of x[i][j].
func swapIndices(s *site, try func(change)) {
	outer, ok := s.node.(*ast.IndexExpr)
	if !ok {
		return
	}
	inner, ok := outer.X.(*ast.IndexExpr)
	if !ok || s.text(inner.Index) == s.text(outer.Index) {
		return
	}
	text := fmt.Sprintf("%s[%s][%s]", s.text(inner.X), s.text(outer.Index), s.text(inner.Index))
	try(replaceNode(outer, text, 1, fmt.Sprintf("the indices of %s were in the wrong order", quote(s.text(outer)))))
}

// swapBounds turns x[:n] into x[n:] and the other way round.
func swapBounds(s *site, try func(change)) {
	sl, ok := s.node.(*ast.SliceExpr)
	if !ok || sl.Slice3 || (sl.Low == nil) == (sl.High == nil) {
		return
	}
	text := s.text(sl.X) + "[" + s.textOr(sl.High) + ":" + s.textOr(sl.Low) + "]"
	try(replaceNode(sl, text, 1, fmt.Sprintf("%s is the other part of %s", quote(strings.TrimSpace(s.text(sl))), quote(s.text(sl.X)))))
}

func (s *site) textOr(e ast.Expr) string {
	if e == nil {
		return ""
	}
	return s.text(e)
}
