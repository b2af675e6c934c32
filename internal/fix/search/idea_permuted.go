package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
)

// ofThree is how many variables a comparison is about that is asked in each of their orders.
const ofThree = 3

// asked is a comparison of three variables: its text in parts, between which the variables stand.
type asked struct {
	parts []string
	which []int // of the names, one behind each part but the last
	names []string
}

// askedOf takes a comparison of three variables of the function's apart; not ok if it is none.
func (s *site) askedOf(n *code.Node) (out asked, ok bool) {
	if !n.Is(code.Compare) || n.Op == "" || strings.Contains(n.Text(), "\n") {
		return out, false
	}
	at := n.Start
	for k := range n.Walk() {
		if k.Role != code.Name || k.Part == code.Callee {
			continue
		}
		i := slices.Index(out.names, k.Name)
		if i < 0 {
			if i = len(out.names); i == ofThree || !s.changes(k) {
				return out, false
			}
			out.names = append(out.names, k.Name)
		}
		out.which = append(out.which, i)
		out.parts = append(out.parts, n.File.Source[at:k.Start])
		at = k.End
	}
	out.parts = append(out.parts, n.File.Source[at:n.End])
	return out, len(out.names) == ofThree
}

// with is the comparison of other variables.
func (a asked) with(names []string) string {
	var b strings.Builder
	for i, part := range a.parts[:len(a.which)] {
		b.WriteString(part + names[a.which[i]])
	}
	return b.String() + a.parts[len(a.which)]
}

// alike reports whether two comparisons are the same but for the order of their variables.
func (a asked) alike(b asked) bool {
	for _, name := range a.names {
		if !slices.Contains(b.names, name) {
			return false
		}
	}
	return slices.Equal(a.parts, b.parts) && slices.Equal(a.which, b.which)
}

// eachLast asks of each of three variables what is asked of some of them: that no side of a triangle is longer than the other two takes three comparisons.
func (s *site) eachLast(chain []*code.Node, try func(change)) {
	var all []asked
	for _, c := range chain {
		a, ok := s.askedOf(c)
		if !ok || len(all) > 0 && !all[0].alike(a) {
			return
		}
		all = append(all, a)
	}
	if len(all) != 2 {
		return
	}
	last := chain[len(chain)-1]
	for _, at := range []int{ofThree - 1, 0} { // the variable that stands alone is the last one, or the first
		if all[0].names[at] == all[1].names[at] {
			continue
		}
		for i, name := range all[0].names {
			if name == all[0].names[at] || name == all[1].names[at] {
				continue
			}
			order := slices.Clone(all[0].names)
			order[i], order[at] = order[at], order[i]
			more := s.Op + " " + all[0].with(order)
			try(insert(last.End, " "+more, 1, "the condition lacks %s", quote(more)))
		}
	}
}

// eachOfThree asks of each of three variables what is asked of one of them, where that one is held against the sum of the others: a side of a triangle, the
// square over one.
func (s *site) eachOfThree(try func(change)) {
	a, ok := s.askedOf(s.Node)
	if !ok || !s.extendable() || s.Parent.Is(code.Logic) {
		return
	}
	sum := s.Kid(code.Right)
	alone := func(n *code.Node) bool {
		return n != nil && mentions(n.Text(), a.names[0]) && !mentions(n.Text(), a.names[1])
	}
	behind := !alone(s.Kid(code.Left)) // the one that stands alone stands behind the sum
	if behind {
		sum = s.Kid(code.Left)
	}
	if !sum.Is(code.Arith) || sum.Op != "+" {
		return
	}
	word := s.fact().Or // that one of them is so, or that the sum is too small
	if s.Op == "!=" || s.Op == "!==" || strings.ContainsAny(s.Op, "<>") && (s.Op[0] == '>') == behind {
		word = s.fact().And
	}
	n := a.names
	others := [][]string{{n[0], n[2], n[1]}, {n[1], n[2], n[0]}}
	if !behind {
		others = [][]string{{n[1], n[0], n[2]}, {n[2], n[0], n[1]}}
	}
	all := strings.Join([]string{s.Text(), a.with(others[0]), a.with(others[1])}, " "+word+" ")
	try(replace(s.Node, all, 1, "the condition asks of one what it has to ask of each of three: %s", quote(all)))
}
