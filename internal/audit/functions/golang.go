package functions

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/pattern"
)

func goFunctions(name string, src []byte) ([]Function, bool) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, parser.SkipObjectResolution)
	shift := 0
	if err != nil { // a fragment without its package clause
		shift = 1
		if file, err = parser.ParseFile(set, "", append([]byte("package p\n"), src...), parser.SkipObjectResolution); err != nil {
			return nil, false
		}
	}
	var all []Function
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		g := Function{
			Name:   f.Name.Name,
			Line:   set.Position(f.Pos()).Line - shift,
			Public: f.Name.IsExported(),
			Body:   printed(f.Body),
			Empty:  goEmpty(f.Body),
		}
		g.AlwaysTrue, g.Swallowed = goAlways(f.Body), goSwallowed(f.Body)
		if f.Recv != nil && len(f.Recv.List) > 0 {
			g.Name = strings.TrimPrefix(printed(f.Recv.List[0].Type), "*") + "." + g.Name
		}
		if strings.HasSuffix(name, "_test.go") && f.Recv == nil && assertions.IsGoTest(f.Name.Name) {
			g.Test = true
			goChecks(&g, f)
		}
		all = append(all, g)
	}
	return all, true
}

func printed(n ast.Node) string {
	var b bytes.Buffer
	if body, ok := n.(*ast.BlockStmt); ok && body == nil {
		return ""
	}
	if printer.Fprint(&b, token.NewFileSet(), n) != nil {
		return ""
	}
	return b.String()
}

var unimplemented = pattern.New(`(?i)not[ _-]?(yet[ _-])?implemented|unimplemented|todo|fixme|implement me`)

// PanicsUnwritten reports a statement by which Go says that something is not implemented.
func PanicsUnwritten(text string) bool {
	return strings.HasPrefix(text, "panic(") && unimplemented.MatchString(text)
}

func goEmpty(body *ast.BlockStmt) bool {
	if body == nil {
		return false // implemented elsewhere, in assembly
	}
	if len(body.List) != 1 {
		return len(body.List) == 0
	}
	switch only := body.List[0].(type) {
	case *ast.ReturnStmt:
		return len(only.Results) == 0
	case *ast.ExprStmt:
		return PanicsUnwritten(printed(only.X))
	}
	return false
}

// goChecks counts what can fail a Go test: the testing methods, and calls that are handed its testing value, which are
// assertions of a library or of a helper. What stands behind a return or in "if false" is not reached.
func goChecks(g *Function, f *ast.FuncDecl) {
	t := ""
	if p := f.Type.Params.List; len(p) > 0 && len(p[0].Names) > 0 {
		t = p[0].Names[0].Name
	}
	for _, s := range f.Body.List {
		if _, ok := s.(*ast.ReturnStmt); ok {
			break
		}
		if always := goSkips(s); always {
			g.Skip = SkipsAlways
		}
		ast.Inspect(s, func(n ast.Node) bool { return g.goNode(n, t) })
		ast.Inspect(s, g.goRows)
	}
	if strings.HasPrefix(g.Name, "Example") {
		g.Checks = 0 // its output is its check; see the comments, which same.Syntax compares
	}
}

func (g *Function) goNode(n ast.Node, t string) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		if c, ok := n.Cond.(*ast.Ident); ok && c.Name == "false" {
			return false
		}
	case *ast.CallExpr:
		name, on := called(n)
		switch {
		case assertions.FailsGo(name) && on != "":
			g.Checks++
		case on == "assert" || on == "require" || on == "qt" || on == "is":
			g.Checks++
		case isSkip(name) && g.Skip == Runs:
			g.Skip = SkipsIf
		case name != "Run" && len(n.Args) > 1 && t != "" && printed(n.Args[0]) == t:
			g.Checks++
		}
	}
	return true
}

// goRows counts the cases of a test's tables: the elements of its outermost slice, array and map literals.
func (g *Function) goRows(n ast.Node) bool {
	lit, ok := n.(*ast.CompositeLit)
	if !ok {
		return true
	}
	switch lit.Type.(type) {
	case *ast.ArrayType, *ast.MapType:
		g.Rows += len(lit.Elts)
		return false
	}
	return true
}

// called is the name of the function or method that is called, and what it is called on.
func called(c *ast.CallExpr) (name, on string) {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name, ""
	case *ast.SelectorExpr:
		return f.Sel.Name, printed(f.X)
	}
	return "", ""
}

func isSkip(name string) bool { return name == "Skip" || name == "Skipf" || name == "SkipNow" }

// goSkips reports whether a statement at a test's top level skips it without a condition.
func goSkips(s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	c, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, on := called(c)
	return isSkip(name) && on != ""
}

// goAlways reports whether a body is "return true".
func goAlways(body *ast.BlockStmt) bool {
	if body == nil || len(body.List) != 1 {
		return false
	}
	r, ok := body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return false
	}
	name, ok := r.Results[0].(*ast.Ident)
	return ok && name.Name == "true"
}
