package searchgo

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Families about statements: missing checks, statements too many, missing, or in the wrong place.
var statementTemplates = []template{
	{"error-check", 0.55, 0.75, errorCheck},
	{"nil-check", 0.45, 0.68, nilCheck},
	{"delete-statement", 0.40, 0.65, deleteStatement},
	{"swap-statements", 0.30, 0.68, swapStatements},
	{"insert-copy", 0.20, 0.62, insertCopy},
	{"add-else", 0.20, 0.60, addElse},
	{"jump", 0.18, 0.60, insertJump},
	{"swap-branches", 0.30, 0.70, swapBranches},
}

// errorCheck returns an error that was assigned and then forgotten.
func errorCheck(s *site, try func(change)) {
	a, ok := s.node.(*ast.AssignStmt)
	if !ok || s.fn == nil || !s.inBlock() {
		return
	}
	for _, l := range a.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok || id.Name == "_" || !isError(s.typeOf(id)) || s.checkedNext(a, id.Name) {
			continue
		}
		ret, ok := s.failure(id.Name)
		if !ok {
			return
		}
		indent := s.indent(a)
		text := fmt.Sprintf("\n%sif %s != nil {\n%s\t%s\n%s}", indent, id.Name, indent, ret, indent)
		try(change{a.End(), a.End(), text, 1, fmt.Sprintf("the error of %s was not looked at", quote(s.text(a.Rhs[0])))})
	}
}

func isError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// checkedNext reports whether the statement after a begins by looking at the variable.
func (s *site) checkedNext(a ast.Stmt, name string) bool {
	list := s.siblings()
	i := slices.Index(list, a)
	if i < 0 || i+1 >= len(list) {
		return false
	}
	check, ok := list[i+1].(*ast.IfStmt)
	return ok && check.Init == nil && strings.Contains(s.text(check.Cond), name)
}

// siblings are the statements of the list in which the site stands.
func (s *site) siblings() []ast.Stmt {
	switch p := s.parent(0).(type) {
	case *ast.BlockStmt:
		return p.List
	case *ast.CaseClause:
		return p.Body
	case *ast.CommClause:
		return p.Body
	}
	return nil
}

func (s *site) inBlock() bool { return s.siblings() != nil }

// signature is that of the innermost function around the site.
func (s *site) signature() *types.Signature {
	for _, p := range slices.Backward(s.parents) {
		switch p := p.(type) {
		case *ast.FuncLit:
			sig, _ := s.typeOf(p).(*types.Signature)
			return sig
		case *ast.FuncDecl:
			if f, ok := s.unit.info.Defs[p.Name].(*types.Func); ok {
				return f.Signature()
			}
		}
	}
	return nil
}

// failure is the return statement that hands an error on, with zero values for the other results.
func (s *site) failure(err string) (string, bool) {
	sig := s.signature()
	if sig == nil || sig.Results().Len() == 0 || !isError(sig.Results().At(sig.Results().Len()-1).Type()) {
		return "", false
	}
	out, ok := s.zeros(sig, sig.Results().Len()-1)
	if !ok {
		return "", false
	}
	return "return " + strings.Join(append(out, err), ", "), true
}

// zeros are the zero values of a signature's first n results.
func (s *site) zeros(sig *types.Signature, n int) ([]string, bool) {
	var out []string
	for i := range n {
		z, ok := s.zero(sig.Results().At(i).Type())
		if !ok {
			return nil, false
		}
		out = append(out, z)
	}
	return out, true
}

// zero is the zero value of a type, as it is written.
func (s *site) zero(t types.Type) (string, bool) {
	if _, param := t.(*types.TypeParam); param {
		return "*new(" + types.TypeString(t, s.qualify) + ")", true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		}
		return "nil", u.Kind() == types.UnsafePointer
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return "nil", true
	}
	return types.TypeString(t, s.qualify) + "{}", true
}

// qualify names a package as this file does.
func (s *site) qualify(p *types.Package) string {
	if p == s.unit.pkg {
		return ""
	}
	for _, i := range s.src.file.Imports {
		if strings.Trim(i.Path.Value, `"`) == p.Path() && i.Name != nil {
			return i.Name.Name
		}
	}
	return p.Name()
}

// indent is the white space at the start of a node's line.
func (s *site) indent(n ast.Node) string {
	at := s.src.offset(n.Pos())
	start := at
	for start > 0 && s.src.data[start-1] != '\n' {
		start--
	}
	end := start
	for end < at && (s.src.data[end] == ' ' || s.src.data[end] == '\t') {
		end++
	}
	return string(s.src.data[start:end])
}

// nilCheck returns early where something that is nil would be used.
func nilCheck(s *site, try func(change)) {
	stmt, ok := s.node.(ast.Stmt)
	if !ok || s.fn == nil || !s.inBlock() {
		return
	}
	sig := s.signature()
	if sig == nil {
		return
	}
	zeros, ok := s.zeros(sig, sig.Results().Len())
	if !ok {
		return
	}
	ret := strings.TrimSpace("return " + strings.Join(zeros, ", "))
	indent := s.indent(stmt)
	for _, x := range s.dereferenced(stmt) {
		for i, do := range []string{ret, "continue"} {
			if i == 1 && !s.inLoop() {
				continue
			}
			text := fmt.Sprintf("if %s == nil {\n%s\t%s\n%s}\n%s", x, indent, do, indent, indent)
			try(change{stmt.Pos(), stmt.Pos(), text, 1 - 0.2*float64(i), quote(x) + " may be nil and was used all the same"})
		}
	}
}

// dereferenced are the variables and fields that a statement, its own blocks apart, follows as pointers, calls methods of,
// or writes to as maps.
func (s *site) dereferenced(stmt ast.Stmt) []string {
	var out []string
	ast.Inspect(stmt, func(n ast.Node) bool {
		var x ast.Expr
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.FuncLit:
			return false
		case *ast.SelectorExpr:
			x = n.X
		case *ast.StarExpr:
			x = n.X
		case *ast.IndexExpr:
			if _, isMap := under(s.typeOf(n.X)).(*types.Map); isMap {
				x = n.X
			}
		case *ast.CallExpr:
			if _, isFunc := under(s.typeOf(n.Fun)).(*types.Signature); isFunc {
				if id, ok := n.Fun.(*ast.Ident); ok {
					if _, isVar := s.object(id).(*types.Var); isVar {
						x = id
					}
				}
			}
		}
		if x == nil {
			return true
		}
		switch x.(type) {
		case *ast.Ident, *ast.SelectorExpr:
		default:
			return true
		}
		switch under(s.typeOf(x)).(type) {
		case *types.Pointer, *types.Interface, *types.Map, *types.Signature:
			if t := s.text(x); !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
		return true
	})
	return out
}

func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// inLoop reports whether a loop of the same function stands around the site.
func (s *site) inLoop() bool {
	for _, p := range slices.Backward(s.parents) {
		switch p.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		}
	}
	return false
}

// plain reports whether a statement is one that may be taken out, copied or moved: never a loop, a branch or a return.
func plain(st ast.Stmt) bool {
	switch st := st.(type) {
	case *ast.AssignStmt:
		return st.Tok != token.DEFINE
	case *ast.IncDecStmt, *ast.ExprStmt:
		return true
	}
	return false
}

func deleteStatement(s *site, try func(change)) {
	st, ok := s.node.(ast.Stmt)
	if !ok || !plain(st) || !s.inBlock() {
		return
	}
	start, end := s.wholeLine(st)
	try(change{start, end, "", 1, fmt.Sprintf("the statement %s does not belong there", quote(s.text(st)))})
}

// wholeLine widens a statement that stands alone on its lines to these lines.
func (s *site) wholeLine(n ast.Node) (token.Pos, token.Pos) {
	from, to := s.src.offset(n.Pos()), s.src.offset(n.End())
	start := from - len(s.indent(n))
	if start > 0 && s.src.data[start-1] == '\n' && to < len(s.src.data) && s.src.data[to] == '\n' {
		return n.Pos() - token.Pos(from-start), n.End() + 1
	}
	return n.Pos(), n.End()
}

// swapStatements exchanges a statement with the next one.
func swapStatements(s *site, try func(change)) {
	st, ok := s.node.(ast.Stmt)
	if !ok {
		return
	}
	list := s.siblings()
	i := slices.Index(list, st)
	if i < 0 || i+1 >= len(list) || ends(st) || ends(list[i+1]) {
		return
	}
	next := list[i+1]
	if !plain(st) && !plain(next) {
		return
	}
	middle := string(s.src.data[s.src.offset(st.End()):s.src.offset(next.Pos())])
	try(change{st.Pos(), next.End(), s.text(next) + middle + s.text(st), 1,
		fmt.Sprintf("%s came before %s", quote(firstOf(s.text(st))), quote(firstOf(s.text(next))))})
}

func firstOf(text string) string {
	line, _, more := strings.Cut(text, "\n")
	if more {
		return strings.TrimSuffix(strings.TrimSpace(line), "{") + "…"
	}
	return line
}

// ends reports whether control never goes on after a statement.
func ends(st ast.Stmt) bool {
	switch st.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// insertCopy puts a copy of another statement of the function before or after this one.
func insertCopy(s *site, try func(change)) {
	st, ok := s.node.(ast.Stmt)
	if !ok || s.fn == nil || !s.inBlock() {
		return
	}
	indent := s.indent(st)
	for _, other := range s.ingredients() {
		if other.text == s.text(st) || other.start < st.Pos() && st.End() < other.end {
			continue
		}
		why := quote(other.text) + " was missing there"
		try(change{st.Pos(), st.Pos(), other.text + "\n" + indent, other.weight, why})
		if list := s.siblings(); !ends(st) && list[len(list)-1] == st {
			try(change{st.End(), st.End(), "\n" + indent + other.text, other.weight, why})
		}
	}
}

// ingredient is a statement of the function that might be missing elsewhere, too.
type ingredient struct {
	text       string
	start, end token.Pos
	weight     float64
}

// ingredients are the plain statements of the function, of one line each: as they are, and with the variable that they
// write to replaced by another one of its type.
func (s *site) ingredients() []ingredient {
	var out []ingredient
	seen := map[string]bool{}
	add := func(st ast.Stmt, text string, weight float64) {
		if !seen[text] && !strings.Contains(text, "\n") {
			seen[text] = true
			out = append(out, ingredient{text, st.Pos(), st.End(), weight})
		}
	}
	var stmts []ast.Stmt
	ast.Inspect(s.fn.Body, func(n ast.Node) bool {
		if st, ok := n.(ast.Stmt); ok && plain(st) {
			stmts = append(stmts, st)
			add(st, s.text(st), 0.9)
		}
		return true
	})
	for _, st := range stmts {
		if id := written(st); id != nil {
			for _, v := range s.variables(s.node.Pos(), s.typeOf(id)) {
				if v.local && !strings.Contains(v.name, ".") {
					add(st, v.name+strings.TrimPrefix(s.text(st), id.Name), 1)
				}
			}
		}
	}
	return out
}

// written is the variable that a statement begins with and changes.
func written(st ast.Stmt) *ast.Ident {
	var id *ast.Ident
	switch st := st.(type) {
	case *ast.IncDecStmt:
		id, _ = st.X.(*ast.Ident)
	case *ast.AssignStmt:
		if len(st.Lhs) == 1 {
			id, _ = st.Lhs[0].(*ast.Ident)
		}
	}
	return id
}

// addElse gives an if statement without one an else branch that does what some other statement of the function does.
func addElse(s *site, try func(change)) {
	st, ok := s.node.(*ast.IfStmt)
	if !ok || st.Else != nil || s.fn == nil {
		return
	}
	indent := s.indent(st)
	for _, other := range s.ingredients() {
		try(change{st.End(), st.End(), fmt.Sprintf(" else {\n%s\t%s\n%s}", indent, other.text, indent), other.weight,
			fmt.Sprintf("otherwise %s was missing", quote(other.text))})
	}
}

// insertJump leaves a loop, or goes on with its next round, at the end of a branch.
func insertJump(s *site, try func(change)) {
	st, ok := s.node.(*ast.IfStmt)
	if !ok || !s.inLoop() || len(st.Body.List) == 0 || ends(st.Body.List[len(st.Body.List)-1]) {
		return
	}
	last := st.Body.List[len(st.Body.List)-1]
	for i, word := range []string{"break", "continue"} {
		try(change{last.End(), last.End(), "\n" + s.indent(last) + word, 1 - 0.1*float64(i), fmt.Sprintf("%s was missing after %s", quote(word), quote(firstOf(s.text(last))))})
	}
}

// swapBranches exchanges what an if statement does and what it does otherwise.
func swapBranches(s *site, try func(change)) {
	st, ok := s.node.(*ast.IfStmt)
	if !ok {
		return
	}
	other, ok := st.Else.(*ast.BlockStmt)
	if !ok {
		return
	}
	middle := string(s.src.data[s.src.offset(st.Body.End()):s.src.offset(other.Pos())])
	try(change{st.Body.Pos(), other.End(), s.text(other) + middle + s.text(st.Body), 1, "the two branches of the condition were exchanged"})
}
