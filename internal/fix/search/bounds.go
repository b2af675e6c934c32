package search

import (
	"fettle/internal/code"
)

// otherBound asks for the other end, too, where one end alone is asked for: who keeps an index from running past the end forgets that it may be negative, and
// the other way round.
func otherBound(s *site, try func(change)) {
	l, r := s.Kid(code.Left), s.Kid(code.Right)
	if s.Role != code.Compare || s.Parent.Is(code.Compare) || !l.Is(code.Name, code.Attr, code.Index) || r == nil || s.bounded(l) {
		return
	}
	if t := s.of(l); t.known() && !t.is(kNumber) || s.of(r).known() && !s.of(r).is(kNumber) {
		return
	}
	f, at := s.fact(), l.Text()
	join := func(other, op string, w float64) {
		text := s.Text() + " " + op + " " + other
		if other == at+" >= 0" || other == at+" < 0" { // people ask for the lower end first
			text = other + " " + op + " " + s.Text()
		}
		if s.Parent.Is(code.Logic) && s.Parent.Op != op || s.Parent.Is(code.Not) {
			text = "(" + text + ")"
		}
		try(replace(s.Node, text, w, "%s was asked for at one end alone", quote(at)))
	}
	zero := r.Text() == "0"
	switch s.Op {
	case "<", "<=":
		if !zero {
			join(at+" >= 0", f.And, 1)
			return
		}
		for i, size := range s.sizesAt(at) {
			join(at+" >= "+size, f.Or, 1-0.2*float64(i))
		}
	case ">", ">=":
		if !zero {
			join(at+" < 0", f.Or, 1)
			return
		}
		for i, size := range s.sizesAt(at) {
			join(at+" < "+size, f.And, 1-0.2*float64(i))
		}
	}
}

// bounded reports whether the condition that the node belongs to compares a value more than once.
func (s *site) bounded(value *code.Node) bool {
	top := s.Node
	for top.Parent.Is(code.Logic, code.Group, code.Not, code.Compare) {
		top = top.Parent
	}
	n := 0
	for c := range top.Walk() {
		if c.Role != code.Compare {
			continue
		}
		for _, side := range []*code.Node{c.Kid(code.Left), c.Kid(code.Right)} {
			if side != nil && side.Text() == value.Text() {
				n++
			}
		}
	}
	return n > 1
}

// mostSizes bounds of how many collections the size is asked.
const mostSizes = 3

// sizesAt are the sizes of what the function looks up by a value.
func (s *site) sizesAt(value string) (out []string) {
	fn, seen := s.Function(), map[string]bool{}
	if fn == nil {
		return nil
	}
	for n := range fn.Own() {
		at, object := n.Kid(code.At), n.Kid(code.Object)
		if n.Role != code.Index || at == nil || at.Text() != value || object == nil || seen[object.Text()] || len(out) == mostSizes {
			continue
		}
		seen[object.Text()] = true
		out = append(out, s.size(name{text: object.Text(), typ: s.of(object)}))
	}
	return out
}
