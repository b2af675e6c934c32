package search

import (
	"strings"

	"fettle/internal/code"
)

// otherBound asks for the other end, too, where one end alone is asked for: who keeps an index from running past the end forgets that it may be negative, and
// the other way round.
func otherBound(s *site, try func(change)) {
	at, r := s.Kid(code.Left), s.Kid(code.Right)
	if s.Role != code.Compare || s.Parent.Is(code.Compare) || !at.Is(code.Name, code.Attr, code.Index) || r == nil || s.bounded(at) || s.noNumber(at) || s.noNumber(r) {
		return
	}
	f, low := s.fact(), r.Text() == "0"
	switch {
	case strings.HasPrefix(s.Op, "<") && low:
		for i, size := range s.sizesAt(at.Text()) {
			s.bound(at, s.Text()+" "+f.Or+" "+at.Text()+" >= "+size, f.Or, 1-0.2*float64(i), try)
		}
	case strings.HasPrefix(s.Op, ">") && low:
		for i, size := range s.sizesAt(at.Text()) {
			s.bound(at, s.Text()+" "+f.And+" "+at.Text()+" < "+size, f.And, 1-0.2*float64(i), try)
		}
	case strings.HasPrefix(s.Op, "<"): // people ask for the lower end first
		s.bound(at, at.Text()+" >= 0 "+f.And+" "+s.Text(), f.And, 1, try)
	case strings.HasPrefix(s.Op, ">"):
		s.bound(at, at.Text()+" < 0 "+f.Or+" "+s.Text(), f.Or, 1, try)
	}
}

// bound puts a condition with both ends in the place of the node.
func (s *site) bound(at *code.Node, text, op string, weight float64, try func(change)) {
	if s.Parent.Is(code.Logic) && s.Parent.Op != op || s.Parent.Is(code.Not) {
		text = "(" + text + ")"
	}
	try(replace(s.Node, text, weight, "%s was asked for at one end alone", quote(at.Text())))
}

// noNumber reports whether a node is known to be something else than a number.
func (s *site) noNumber(n *code.Node) bool {
	t := s.of(n)
	return t.known() && !t.is(kNumber)
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
