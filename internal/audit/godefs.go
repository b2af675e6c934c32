package audit

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

func goDefs(name string, src []byte) ([]def, bool) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, parser.SkipObjectResolution)
	shift := 0
	if err != nil { // a fragment without its package clause
		shift = 1
		if file, err = parser.ParseFile(set, "", append([]byte("package p\n"), src...), parser.SkipObjectResolution); err != nil {
			return nil, false
		}
	}
	var all []def
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		g := def{
			name:   f.Name.Name,
			line:   set.Position(f.Pos()).Line - shift,
			public: f.Name.IsExported(),
			body:   printed(f.Body),
			empty:  goEmpty(f.Body),
		}
		g.alwaysTrue, g.swallowed = goAlways(f.Body), goSwallowed(f.Body)
		if f.Recv != nil && len(f.Recv.List) > 0 {
			g.name = strings.TrimPrefix(printed(f.Recv.List[0].Type), "*") + "." + g.name
		}
		if strings.HasSuffix(name, "_test.go") && f.Recv == nil && assertions.IsGoTest(f.Name.Name) {
			g.test = true
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

// panicsUnwritten reports a statement by which Go says that something is not implemented.
func panicsUnwritten(text string) bool {
	return strings.HasPrefix(text, "panic(") && unimplemented.MatchString(text)
}

func goEmpty(body *ast.BlockStmt) bool {
	if body == nil {
		return false // implemented elsewhere, in assembly
	}
	if len(body.List) == 0 {
		return true
	}
	call, ok := body.List[len(body.List)-1].(*ast.ExprStmt)
	if !ok || len(body.List) > 1 {
		return false
	}
	return panicsUnwritten(printed(call.X))
}

// goChecks counts what can fail a Go test: the testing methods, and calls that are handed its testing value, which are
// assertions of a library or of a helper. What stands behind a return or in "if false" is not reached.
func goChecks(g *def, f *ast.FuncDecl) {
	t := ""
	if p := f.Type.Params.List; len(p) > 0 && len(p[0].Names) > 0 {
		t = p[0].Names[0].Name
	}
	for _, s := range f.Body.List {
		if _, ok := s.(*ast.ReturnStmt); ok {
			break
		}
		if always := goSkips(s); always {
			g.skip = skipsAlways
		}
		ast.Inspect(s, func(n ast.Node) bool { return g.goNode(n, t) })
		ast.Inspect(s, g.goRows)
	}
	if strings.HasPrefix(g.name, "Example") {
		g.checks = 0 // its output is its check; see the comments, which same.Syntax compares
	}
}

func (g *def) goNode(n ast.Node, t string) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		if c, ok := n.Cond.(*ast.Ident); ok && c.Name == "false" {
			return false
		}
	case *ast.CallExpr:
		name, on := called(n)
		switch {
		case assertions.FailsGo(name) && on != "":
			g.checks++
		case on == "assert" || on == "require" || on == "qt" || on == "is":
			g.checks++
		case isSkip(name) && g.skip == runs:
			g.skip = skipsIf
		case name != "Run" && len(n.Args) > 1 && t != "" && printed(n.Args[0]) == t:
			g.checks++
		}
	}
	return true
}

// goRows counts the cases of a test's tables: the elements of its outermost slice, array and map literals.
func (g *def) goRows(n ast.Node) bool {
	lit, ok := n.(*ast.CompositeLit)
	if !ok {
		return true
	}
	switch lit.Type.(type) {
	case *ast.ArrayType, *ast.MapType:
		g.rows += len(lit.Elts)
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
