package search

import (
	"slices"

	"fettle/internal/code"
)

// otherFirst does first what is done second to a value: x * y + z for (x + z) * y, as each term of a polynomial is taken in after the product. And it multiplies
// before it divides whole numbers, of which the division leaves nothing: won * 100 / games for won / games * 100.
func (s *site) otherFirst(try func(change)) {
	l, z := s.Kid(code.Left), s.Kid(code.Right)
	inner := l
	if l.Is(code.Group) {
		inner = l.Kid(code.Operand)
	}
	if !s.Is(code.Arith) || !inner.Is(code.Arith) || inner == l && s.Op != "*" && s.Op != "+" && s.Op != "-" {
		return
	}
	const why = "%s does first what has to come second"
	x, y := inner.Kid(code.Left), inner.Kid(code.Right)
	sum, product := []string{"+", "-"}, []string{"*", "/", "//"}
	switch {
	case slices.Contains(sum, inner.Op) && slices.Contains(product, s.Op) && !x.Is(code.Arith): // (x + y) * z
		try(replace(s.Node, x.Text()+" "+s.Op+" "+z.Text()+" "+inner.Op+" "+y.Text(), 0.8, why, quote(s.Text())))
	case slices.Contains(product, inner.Op) && slices.Contains(sum, s.Op) && inner == l && !x.Is(code.Arith): // x * y + z
		try(replace(s.Node, "("+x.Text()+" "+s.Op+" "+z.Text()+") "+inner.Op+" "+y.Text(), 0.7, why, quote(s.Text())))
	case (inner.Op == "/" || inner.Op == "//") && s.Op == "*" && s.of(s.Node).kind&^kInt == 0: // x / y * z
		try(replace(s.Node, x.Text()+" * "+z.Text()+" "+inner.Op+" "+y.Text(), 1, "%s loses what the division leaves before it multiplies", quote(s.Text())))
	}
}
