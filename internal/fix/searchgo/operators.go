package searchgo

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// Families about operators: comparison, arithmetic, logic.
var operatorTemplates = []template{
	{"comparison", 0.84, 0.84, comparison},
	{"arithmetic", 0.75, 0.80, arithmetic},
	{"assign-operator", 0.70, 0.80, assignOperator},
	{"swap-operands", 0.60, 0.75, swapOperands},
	{"logic", 0.75, 0.80, logic},
	{"negate", 0.60, 0.70, negate},
	{"drop-operand", 0.62, 0.75, dropOperand},
	{"regroup", 0.40, 0.75, regroup},
	{"add-condition", 0.22, 0.61, addCondition},
}

// comparisons gives each comparison's likeliest confusions, best first.
var comparisons = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GTR, token.GEQ, token.NEQ, token.EQL},
	token.LEQ: {token.LSS, token.GEQ, token.GTR, token.EQL},
	token.GTR: {token.GEQ, token.LSS, token.LEQ, token.NEQ, token.EQL},
	token.GEQ: {token.GTR, token.LEQ, token.LSS, token.EQL},
	token.EQL: {token.NEQ, token.LEQ, token.GEQ, token.LSS, token.GTR},
	token.NEQ: {token.EQL, token.LSS, token.GTR},
}

func comparison(s *site, try func(change)) {
	b, ok := s.node.(*ast.BinaryExpr)
	if !ok {
		return
	}
	for i, op := range comparisons[b.Op] {
		w := []float64{1, 0.8, 0.6, 0.5, 0.5}[i]
		try(operator(b.OpPos, b.Op, op, w, comparisonReason(b.Op, op)))
	}
}

func operator(at token.Pos, old, text token.Token, weight float64, reason string) change {
	why := fmt.Sprintf("%s should be %s", quote(old.String()), quote(text.String()))
	if reason != "" {
		why += ": " + reason
	}
	return change{start: at, end: at + token.Pos(len(old.String())), text: text.String(), weight: weight, why: why}
}

func comparisonReason(old, text token.Token) string {
	strict := func(t token.Token) bool { return t == token.LSS || t == token.GTR }
	up := func(t token.Token) bool { return t == token.LSS || t == token.LEQ }
	ordered := func(t token.Token) bool { return t != token.EQL && t != token.NEQ }
	switch {
	case old == token.EQL && text == token.NEQ || old == token.NEQ && text == token.EQL:
		return "the comparison was the wrong way round"
	case !ordered(old) || !ordered(text):
		return "it compared in the wrong way"
	case up(old) != up(text):
		return "the comparison pointed the wrong way"
	case strict(old):
		return "the case in which both are equal was left out"
	}
	return "the case in which both are equal was let in"
}

// confusions gives each arithmetic or bit operator's likeliest confusions.
var confusions = map[token.Token][]token.Token{
	token.ADD: {token.SUB, token.MUL},
	token.SUB: {token.ADD, token.MUL, token.QUO},
	token.MUL: {token.QUO, token.ADD, token.SUB},
	token.QUO: {token.MUL, token.REM, token.SUB},
	token.REM: {token.QUO, token.MUL},
	token.AND: {token.OR, token.XOR, token.AND_NOT},
	token.OR:  {token.AND, token.XOR},
	token.XOR: {token.AND, token.OR},
	token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.AND_NOT: {token.AND},
}

func arithmetic(s *site, try func(change)) {
	b, ok := s.node.(*ast.BinaryExpr)
	if !ok || isBasic(s.typeOf(b), types.IsString) {
		return
	}
	for i, op := range confusions[b.Op] {
		try(operator(b.OpPos, b.Op, op, 1-0.25*float64(i), "the arithmetic used the wrong operator"))
	}
}

var assignConfusions = map[token.Token][]token.Token{
	token.ADD_ASSIGN: {token.SUB_ASSIGN, token.ASSIGN, token.MUL_ASSIGN},
	token.SUB_ASSIGN: {token.ADD_ASSIGN, token.ASSIGN},
	token.MUL_ASSIGN: {token.QUO_ASSIGN, token.ADD_ASSIGN},
	token.QUO_ASSIGN: {token.MUL_ASSIGN, token.REM_ASSIGN},
	token.REM_ASSIGN: {token.QUO_ASSIGN},
	token.AND_ASSIGN: {token.OR_ASSIGN, token.XOR_ASSIGN},
	token.OR_ASSIGN:  {token.AND_ASSIGN, token.XOR_ASSIGN},
	token.XOR_ASSIGN: {token.AND_ASSIGN, token.OR_ASSIGN},
	token.SHL_ASSIGN: {token.SHR_ASSIGN}, token.SHR_ASSIGN: {token.SHL_ASSIGN},
	token.ASSIGN: {token.ADD_ASSIGN, token.SUB_ASSIGN},
	token.INC:    {token.DEC}, token.DEC: {token.INC},
}

func assignOperator(s *site, try func(change)) {
	var at token.Pos
	var op token.Token
	switch n := s.node.(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) != 1 || n.Tok == token.DEFINE {
			return
		}
		at, op = n.TokPos, n.Tok
	case *ast.IncDecStmt:
		at, op = n.TokPos, n.Tok
	default:
		return
	}
	for i, other := range assignConfusions[op] {
		w := 1 - 0.3*float64(i)
		if op == token.ASSIGN {
			w *= 0.6
		}
		try(operator(at, op, other, w, "the variable was updated in the wrong way"))
	}
}

// swapOperands exchanges the sides of an operation for which that matters.
func swapOperands(s *site, try func(change)) {
	b, ok := s.node.(*ast.BinaryExpr)
	if !ok {
		return
	}
	switch b.Op {
	case token.SUB, token.QUO, token.REM, token.SHL, token.SHR:
	case token.ADD:
		if !isBasic(s.typeOf(b), types.IsString) {
			return
		}
	default:
		return
	}
	if !primary(b.X) || !primary(b.Y) {
		if b.Op != token.ADD {
			return
		}
	}
	x, y := s.text(b.X), s.text(b.Y)
	middle := string(s.src.data[s.src.offset(b.X.End()):s.src.offset(b.Y.Pos())])
	try(replaceNode(b, y+middle+x, 1, fmt.Sprintf("the operands of %s were in the wrong order", quote(b.Op.String()))))
}

func logic(s *site, try func(change)) {
	b, ok := s.node.(*ast.BinaryExpr)
	if !ok {
		return
	}
	switch b.Op {
	case token.LAND:
		try(operator(b.OpPos, b.Op, token.LOR, 1, "either condition is enough"))
	case token.LOR:
		try(operator(b.OpPos, b.Op, token.LAND, 1, "both conditions are needed"))
	default:
	}
}

// negate turns a condition, or one part of it, into its opposite. Comparisons have a template of their own.
func negate(s *site, try func(change)) {
	e, ok := s.node.(ast.Expr)
	if !ok || !s.value(e) || !isBasic(s.typeOf(e), types.IsBoolean) {
		return
	}
	switch n := e.(type) {
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			try(replaceNode(n, s.text(n.X), 1, fmt.Sprintf("the `!` before %s does not belong there", quote(s.text(n.X)))))
		}
	case *ast.CallExpr, *ast.SelectorExpr, *ast.IndexExpr:
		s.tryNot(e, try, 1)
	case *ast.Ident:
		if n.Name != "true" && n.Name != "false" && !s.assigned() {
			s.tryNot(e, try, 0.9)
		}
	case *ast.ParenExpr:
		s.tryNot(e, try, 0.7)
	case *ast.BinaryExpr:
		if n.Op == token.LAND || n.Op == token.LOR {
			try(replaceNode(n, "!("+s.text(n)+")", 0.7, "the condition was the wrong way round"))
		}
	}
}

func (s *site) tryNot(e ast.Expr, try func(change), weight float64) {
	if u, ok := s.parent(0).(*ast.UnaryExpr); ok && u.Op == token.NOT {
		return
	}
	try(replaceNode(e, "!"+s.text(e), weight, fmt.Sprintf("the condition %s was the wrong way round", quote(s.text(e)))))
}

// dropOperand leaves one side of an operation out.
func dropOperand(s *site, try func(change)) {
	b, ok := s.node.(*ast.BinaryExpr)
	if !ok {
		return
	}
	w := 1.0
	switch b.Op {
	case token.LAND, token.LOR:
		w = 0.6
	case token.ADD, token.SUB, token.MUL, token.QUO, token.REM:
	default:
		return
	}
	drop := func(keep, gone ast.Expr, weight float64) {
		try(replaceNode(b, s.text(keep), weight*w, fmt.Sprintf("%s does not belong in %s", quote(s.text(gone)), quote(s.text(b)))))
	}
	drop(b.X, b.Y, 1)
	if x, ok := b.X.(*ast.BinaryExpr); ok && x.Op == b.Op && w == 1 {
		try(replaceNode(b, s.text(x.X), 0.5, fmt.Sprintf("%s should be %s alone", quote(s.text(b)), quote(s.text(x.X)))))
	}
	if b.Op != token.QUO && b.Op != token.REM {
		drop(b.Y, b.X, 0.7)
	}
}

// regroup moves the parentheses of three operands: a-b/c is also (a-b)/c, and (a/c)-b.
func regroup(s *site, try func(change)) {
	b, ok := s.node.(*ast.BinaryExpr)
	if !ok || isBasic(s.typeOf(b), types.IsString) || b.Op.Precedence() < token.ADD.Precedence() {
		return
	}
	why := fmt.Sprintf("the operations in %s bind in the wrong order", quote(s.text(b)))
	if y, ok := b.Y.(*ast.BinaryExpr); ok && y.Op.Precedence() > b.Op.Precedence() {
		try(replaceNode(b, fmt.Sprintf("(%s %s %s) %s %s", s.text(b.X), b.Op, s.text(y.X), y.Op, s.text(y.Y)), 1, why))
		try(replaceNode(b, fmt.Sprintf("%s %s %s %s %s", s.text(b.X), y.Op, s.text(y.Y), b.Op, s.text(y.X)), 0.8, why))
	}
	if x, ok := b.X.(*ast.BinaryExpr); ok && x.Op.Precedence() >= b.Op.Precedence() {
		try(replaceNode(b, fmt.Sprintf("%s %s (%s %s %s)", s.text(x.X), x.Op, s.text(x.Y), b.Op, s.text(b.Y)), 1, why))
	}
	if x, ok := b.X.(*ast.ParenExpr); ok {
		try(replaceNode(b, fmt.Sprintf("%s %s %s", s.text(x.X), b.Op, s.text(b.Y)), 0.8, why))
	}
}

// addCondition joins a condition with another one that stands in the same function.
func addCondition(s *site, try func(change)) {
	e, ok := s.node.(ast.Expr)
	if !ok || !s.condition() || s.fn == nil {
		return
	}
	for _, other := range s.conditions() {
		text := s.text(other)
		if text == s.text(e) || other.Pos() <= e.Pos() && e.End() <= other.End() || e.Pos() <= other.Pos() && other.End() <= e.End() {
			continue
		}
		for i, op := range []string{"&&", "||"} {
			try(replaceNode(e, fmt.Sprintf("%s %s %s", s.grouped(e, op), op, s.grouped(other, op)), 1-0.2*float64(i),
				fmt.Sprintf("the condition did not take %s into account", quote(text))))
		}
	}
}

// condition reports whether the site is the whole condition of a branch or a loop.
func (s *site) condition() bool {
	switch p := s.parent(0).(type) {
	case *ast.IfStmt:
		return p.Cond == s.node
	case *ast.ForStmt:
		return p.Cond == s.node
	}
	return false
}

// conditions are the comparisons and other atoms of the function's conditions.
func (s *site) conditions() []ast.Expr {
	var out []ast.Expr
	var atoms func(e ast.Expr)
	atoms = func(e ast.Expr) {
		if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
			out = append(out, b)
			atoms(b.X)
			atoms(b.Y)
			return
		}
		out = append(out, e)
	}
	ast.Inspect(s.fn, func(n ast.Node) bool {
		if i, ok := n.(*ast.IfStmt); ok {
			atoms(i.Cond)
		}
		return true
	})
	return out
}

// grouped is the text of a condition, with parentheses if it would not hold together beside op.
func (s *site) grouped(e ast.Expr, op string) string {
	if b, ok := e.(*ast.BinaryExpr); ok && op == "&&" && b.Op == token.LOR {
		return "(" + s.text(e) + ")"
	}
	return s.text(e)
}
