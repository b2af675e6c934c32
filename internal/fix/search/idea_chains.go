package search

import (
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// chain are the operands of a chain of conditions that the node is the top of, in their order; none if it is no such chain.
func (s *site) chain() []*code.Node {
	if s.Role != code.Logic || s.Parent.Is(code.Logic) && s.Parent.Op == s.Op {
		return nil
	}
	return s.at(s.Kid(code.Right)).operands()
}

// tie has a key of an order count only where the keys before it are equal: a.x < b.x || a.y < b.y holds as well where a.x is greater.
func tie(s *site, try func(change)) {
	if s.Op != s.fact().Or {
		return
	}
	s.tieOfDifference(try)
	var edits []edit.Edit
	equal, lacks, first := "", "", [2]string{}
	for i, operand := range s.chain() {
		key := s.key(operand)
		differ, ok := sides(key)
		if !ok || i > 0 && differ != first && differ != [2]string{first[1], first[0]} {
			return
		}
		first = differ
		if i > 0 && key == operand {
			edits = append(edits, edit.Edit{Start: key.Start, End: key.Start, New: []byte(equal)})
			lacks = equal
		}
		equal += key.Kid(code.Left).Text() + " " + s.fact().Equal + " " + key.Kid(code.Right).Text() + " " + s.fact().And + " "
	}
	if len(edits) > 0 {
		try(change{edits, 1, "a later key counts only where those before it are equal: the condition lacks " + quote(strings.TrimSpace(lacks))})
	}
}

// tieOfDifference has a second key count only where a difference of the first ones is zero: d <= 0 || n > best for d < 0 || d == 0 && n > best.
func (s *site) tieOfDifference(try func(change)) {
	first, second := s.Kid(code.Left), s.Kid(code.Right)
	if !first.Is(code.Compare) || !second.Is(code.Compare) || !first.Kid(code.Left).Is(code.Name) || first.Kid(code.Right).Text() != "0" || first.Op == "" || !strings.ContainsAny(first.Op, "<>") || !strings.ContainsAny(second.Op, "<>") {
		return
	}
	d, f := first.Kid(code.Left).Text(), s.fact()
	equal := d + " " + f.Equal + " 0 " + f.And + " "
	try(replace(s.Node, d+" "+first.Op[:1]+" 0 "+f.Or+" "+equal+second.Text(), 1, "%s counts only where %s is zero", quote(second.Text()), quote(d)))
}

// key is the comparison by size that an operand is, or that it ends with behind others that have to hold, too; else nil.
func (s *site) key(operand *code.Node) *code.Node {
	if operand.Is(code.Group) {
		operand = operand.Kid(code.Operand)
	}
	if operand.Is(code.Logic) && operand.Op == s.fact().And {
		operand = operand.Kid(code.Right)
	}
	if !operand.Is(code.Compare) || !strings.ContainsAny(operand.Op, "<>") {
		return nil
	}
	return operand
}

// sides is the one thing in which the two sides of a comparison differ: a and b of a.x < b.x, 1 and 2 of x1 < x2, this. of this.x < x; not ok if they differ in more.
func sides(comparison *code.Node) (differ [2]string, ok bool) {
	left, right := comparison.Kid(code.Left).Text(), comparison.Kid(code.Right).Text()
	l, r := parted(left), parted(right)
	if len(l) != len(r) {
		differ = unlike(left, right)
		return differ, differ != [2]string{strings.ToLower(left), strings.ToLower(right)}
	}
	for i := range l {
		if !l[i].like(r[i]) {
			return differ, false
		}
		if l[i].text == r[i].text {
			continue
		}
		now := unlike(l[i].text, r[i].text)
		if ok && now != differ {
			return differ, false
		}
		differ, ok = now, true
	}
	return differ, ok
}

// unlike is what is left of two names without what they begin and end with alike, in small letters: "" and current of year and currentYear.
func unlike(a, b string) [2]string {
	a, b = strings.ToLower(a), strings.ToLower(b)
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return [2]string{a, b}
}
