package search

import (
	"context"
	"fmt"
	"strconv"

	"fettle/internal/code"
)

// meaning is a text that two patches share only if they do the same: i <= n-1 and i < n are one patch, not two that disagree. It knows
// comparisons of integers; every other change means its own text.
func (p *proposal) meaning(ctx context.Context) string {
	after, ok := apply(p.site.File.Source, p.edits)
	if !ok || p.second != nil {
		return p.patchKey()
	}
	if len(p.edits) == 1 {
		if form, ok := p.linearized(ctx, after); ok {
			return form
		}
	}
	return p.site.File.Path + "\x00" + dense(after)
}

// linearized is the form of the comparison of integers in which the edit lies.
func (p *proposal) linearized(ctx context.Context, after string) (string, bool) {
	s, e := p.site, p.edits[0]
	was := s.File.At(e.Start, e.End)
	for was != nil && was.Role != code.Compare {
		if was.Is(code.Block, code.Function) {
			return "", false
		}
		was = was.Parent
	}
	if was == nil || !s.integers(was) {
		return "", false
	}
	f, err := code.Read(ctx, s.File.Lang, s.File.Path, []byte(after))
	if err != nil {
		return "", false
	}
	end := was.End + len(after) - len(s.File.Source)
	is := f.At(was.Start, end)
	if is == nil || is.Role != code.Compare || is.Start != was.Start || is.End != end {
		return "", false
	}
	form, ok := linear(is)
	return fmt.Sprintf("%s:%d: %s", s.File.Path, was.Start, form), ok
}

// integers reports whether a comparison orders integers.
func (s *site) integers(n *code.Node) bool {
	return s.of(n.Kid(code.Left)).kind == kInt && s.of(n.Kid(code.Right)).kind == kInt
}

// linear brings a comparison of integers into the form x < y + c. Overflow at the ends of a type's range is passed over.
func linear(n *code.Node) (string, bool) {
	x, cx := offsetOf(n.Kid(code.Left))
	y, cy := offsetOf(n.Kid(code.Right))
	c := cy - cx
	switch n.Op {
	case "<":
	case "<=":
		c++
	case ">":
		x, y, c = y, x, -c
	case ">=":
		x, y, c = y, x, -c+1
	default:
		return "", false
	}
	return fmt.Sprintf("%s < %s + %d", x, y, c), true
}

// offsetOf takes the constants off a sum: n - 1 is n and -1, 3 is nothing and 3.
func offsetOf(n *code.Node) (rest string, c int64) {
	switch {
	case n.Is(code.Group):
		return offsetOf(n.Kid(code.Operand))
	case n.Is(code.Int):
		if v, err := strconv.ParseInt(n.Text(), 0, 64); err == nil {
			return "", v
		}
	case n.Is(code.Unary) && n.Op == "-":
		if rest, c := offsetOf(n.Kid(code.Operand)); rest == "" {
			return "", -c
		}
	case n.Is(code.Arith) && (n.Op == "+" || n.Op == "-"):
		x, cx := offsetOf(n.Kid(code.Left))
		y, cy := offsetOf(n.Kid(code.Right))
		if n.Op == "-" {
			cy = -cy
		}
		switch {
		case y == "":
			return x, cx + cy
		case x == "" && n.Op == "+":
			return y, cx + cy
		}
	}
	return dense(n.Text()), 0
}
