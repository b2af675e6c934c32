package search

import (
	"fettle/internal/code"
)

// breaksRules reports whether a change is one that satisfies weak tests and is hardly ever meant.
func (s *site) breaksRules(c change, after string) bool {
	return s.collapses(c) || s.orphansParameter(c, after)
}

// collapses reports whether a change makes both sides of an operator the same, as in x < x: a constant in disguise.
func (s *site) collapses(c change) bool {
	if len(c.edits) != 1 {
		return false
	}
	e := c.edits[0]
	text := func(n *code.Node) string {
		if e.Start < n.Start || e.End > n.End {
			return dense(n.Text())
		}
		return dense(s.File.Source[n.Start:e.Start] + string(e.New) + s.File.Source[e.End:n.End])
	}
	for n := s.Node; n != nil && !n.Is(code.Function, code.Block); n = n.Parent {
		if n.Is(code.Compare, code.Logic, code.Arith) && n.Op != "+" && n.Op != "*" && n.Op != "**" {
			l, r := n.Kid(code.Left), n.Kid(code.Right)
			if l != nil && r != nil && n.Holds(e.Start, e.End) && text(l) == text(r) {
				return true
			}
		}
		if n.Role == code.Assign && n.Op == "=" && len(n.All(code.Target)) == 1 && len(n.All(code.Value)) == 1 && text(n.Kid(code.Target)) == text(n.Kid(code.Value)) {
			return true
		}
	}
	return false
}

// orphansParameter reports whether a change takes away the last use of a parameter without taking one up that had none.
func (s *site) orphansParameter(c change, after string) bool {
	fn := s.Function()
	if fn == nil || len(c.edits) == 0 {
		return false
	}
	lost := 0
	grown := len(after) - len(s.File.Source)
	for _, p := range fn.All(code.Params) {
		name := p.Name
		if name == "" {
			continue
		}
		had := false
		for n := range fn.Walk() {
			if n.Role == code.Name && n.Name == name && n.Part != code.Params {
				had = true
				break
			}
		}
		body := fn.Kid(code.Body)
		if body == nil || body.Start > len(after) || body.End+grown > len(after) {
			return false
		}
		has := mentions(after[body.Start:body.End+grown], name)
		switch {
		case had && !has:
			lost++
		case !had && has:
			lost--
		}
	}
	return lost > 0
}
