package audit

import (
	"go/ast"
	"go/token"
)

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
			if asksError(n.Cond) && len(n.Body.List) == 0 && n.Else == nil {
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
