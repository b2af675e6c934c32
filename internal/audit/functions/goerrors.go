package functions

import (
	"go/ast"
	"go/token"
)

// goSwallowed counts where a function makes nothing of an error that it has: a panic that is recovered and dropped, and an error that is asked for
// and then nothing is done.
func goSwallowed(body *ast.BlockStmt) int {
	if body == nil {
		return 0
	}
	sum := 0
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			if recovers(n.X) {
				sum++
			}
		case *ast.DeferStmt:
			if recovers(n.Call) {
				sum++
			}
		case *ast.AssignStmt:
			if name, ok := n.Lhs[0].(*ast.Ident); ok && name.Name == "_" && len(n.Rhs) == 1 && recovers(n.Rhs[0]) {
				sum++
			}
		case *ast.IfStmt:
			if asksError(n.Cond) && len(n.Body.List) == 0 && n.Else == nil || claimsSuccess(n) {
				sum++
			}
		}
		return true
	})
	return sum
}

func recovers(x ast.Expr) bool {
	c, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, on := called(c)
	return name == "recover" && on == ""
}

// asksError recognises "err != nil".
func asksError(cond ast.Expr) bool {
	b, ok := cond.(*ast.BinaryExpr)
	if !ok || b.Op != token.NEQ {
		return false
	}
	x, isName := b.X.(*ast.Ident)
	y, isNil := b.Y.(*ast.Ident)
	return isName && isNil && y.Name == "nil" && (x.Name == "err" || len(x.Name) > 3 && x.Name[len(x.Name)-3:] == "Err" || x.Name == "r")
}

// claimsSuccess recognises a panic that is recovered, and of which nothing is said but that all is well: "if r := recover(); r != nil { ok = true }".
func claimsSuccess(n *ast.IfStmt) bool {
	if !recoversIn(n) || n.Else != nil {
		return false
	}
	for _, s := range n.Body.List {
		switch s := s.(type) {
		case *ast.ReturnStmt:
			for _, x := range s.Results {
				if !wellMeant(x) {
					return false
				}
			}
		case *ast.AssignStmt:
			for _, x := range s.Rhs {
				if !wellMeant(x) || s.Tok != token.ASSIGN {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// recoversIn reports whether an if asks what was recovered.
func recoversIn(n *ast.IfStmt) bool {
	if a, ok := n.Init.(*ast.AssignStmt); ok && len(a.Rhs) == 1 {
		return recovers(a.Rhs[0])
	}
	b, ok := n.Cond.(*ast.BinaryExpr)
	return ok && (recovers(b.X) || recovers(b.Y))
}

// wellMeant reports whether a value is a constant that says nothing of a failure.
func wellMeant(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name == "true" || x.Name == "nil"
	case *ast.BasicLit:
		return true
	case *ast.CompositeLit:
		return len(x.Elts) == 0
	}
	return false
}
