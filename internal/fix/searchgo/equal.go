package searchgo

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"strconv"
)

// meaning is a text that two patches share only if they do the same: i <= n-1 and i < n are one patch, not two that
// disagree. It knows integer comparisons; every other change means itself.
func (p *proposal) meaning() string {
	e := p.patch[0].Edits[0]
	if c := p.comparison(e.Start, e.End); c != nil {
		s := p.site.src
		from, to := s.offset(c.Pos()), s.offset(c.End())
		text := string(s.data[from:e.Start]) + string(e.New) + string(s.data[e.End:to])
		if form, ok := linear(text); ok {
			return fmt.Sprintf("%s:%d: %s", s.path, from, form)
		}
	}
	return fmt.Sprintf("%s:%d-%d: %s", p.patch[0].Path, e.Start, e.End, e.New)
}

// comparison is the innermost comparison of integers in which the edit lies, or nil.
func (p *proposal) comparison(start, end int) *ast.BinaryExpr {
	nodes := []ast.Node{p.site.node}
	for i := range p.site.parents {
		nodes = append(nodes, p.site.parent(i))
	}
	for _, n := range nodes {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || !ordering(b.Op) || p.site.src.offset(b.Pos()) > start || p.site.src.offset(b.End()) < end {
			continue
		}
		if p.site.integer(b.X) && p.site.integer(b.Y) {
			return b
		}
		return nil
	}
	return nil
}

func ordering(op token.Token) bool {
	return op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ
}

// linear brings a comparison of integers into the form x < y + c. Overflow at the ends of a type's range is passed over.
func linear(text string) (string, bool) {
	e, err := parser.ParseExpr(text)
	b, ok := e.(*ast.BinaryExpr)
	if err != nil || !ok || !ordering(b.Op) {
		return "", false
	}
	x, cx := offsetOf(b.X)
	y, cy := offsetOf(b.Y)
	if b.Op == token.GTR || b.Op == token.GEQ {
		x, cx, y, cy = y, cy, x, cx
	}
	c := cy - cx
	if b.Op == token.LEQ || b.Op == token.GEQ {
		c++
	}
	return fmt.Sprintf("%s < %s + %d", x, y, c), true
}

// offsetOf takes the constants off a sum: n - 1 is n and -1, 3 is nothing and 3.
func offsetOf(e ast.Expr) (rest string, c int64) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return offsetOf(e.X)
	case *ast.BasicLit:
		if n, err := strconv.ParseInt(e.Value, 0, 64); err == nil {
			return "", n
		}
	case *ast.UnaryExpr:
		if rest, c := offsetOf(e.X); e.Op == token.SUB && rest == "" {
			return "", -c
		}
	case *ast.BinaryExpr:
		if e.Op != token.ADD && e.Op != token.SUB {
			break
		}
		x, cx := offsetOf(e.X)
		y, cy := offsetOf(e.Y)
		if e.Op == token.SUB {
			cy = -cy
		}
		switch {
		case y == "":
			return x, cx + cy
		case x == "" && e.Op == token.ADD:
			return y, cx + cy
		}
	}
	var b bytes.Buffer
	_ = printer.Fprint(&b, token.NewFileSet(), e)
	return b.String(), 0
}
