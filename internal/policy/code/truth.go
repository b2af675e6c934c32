package code

import (
	program "fettle/internal/code"
)

// plainly is the text of a value, "true" or "false" where that can be told: of what programs that shorten others write, of a name, and of what stands in an
// object that is written out.
func (s *scan) plainly(v *program.Node) string { return s.truth(v, 0) }

func (s *scan) truth(v *program.Node, depth int) string {
	text := plain(v)
	if depth > 4 || text == "true" || text == "false" {
		return text
	}
	switch v.Role {
	case program.Not:
		switch s.truth(v.Kid(program.Operand), depth+1) {
		case "true":
			return "false"
		case "false":
			return "true"
		}
	case program.Group:
		return s.truth(v.Kid(program.Operand), depth+1)
	case program.Attr:
		if m := s.entryOf(s.givenHere(v.Kid(program.Object)), v.Name); m != nil {
			return s.truth(m, depth+1)
		}
	case program.Name:
		if w := s.givenHere(v); w != v {
			return s.truth(w, depth+1)
		}
	default: // not known
	}
	return text
}

// givenHere is what a name stands for: what is written for it, and of a parameter what the only call gives it.
func (s *scan) givenHere(n *program.Node) *program.Node {
	w := s.written(n)
	if w != n || !n.Is(program.Name) {
		return w
	}
	for f := n.Function(); f != nil; f = outer(f) {
		calls := s.linked().callers[f]
		if len(calls) != 1 {
			continue
		}
		for p, a := range s.passed(calls[0], f) {
			if p.Name == n.Name {
				return s.written(a)
			}
			if e := s.entryOf(p, n.Name); e != nil {
				if of := s.entryOf(s.written(a), n.Name); of != nil {
					return of
				}
			}
		}
	}
	return n
}

// entryOf is what stands under a name in an object that is written out, or nil.
func (s *scan) entryOf(table *program.Node, name string) *program.Node {
	if !table.Is(program.Map) {
		return nil
	}
	for _, e := range table.All(program.Elem) {
		if e.Role == program.Pair && s.key(e.Kid(program.Key)) == name {
			return e.Kid(program.Value)
		}
		if e.Role == program.Name && e.Name == name {
			return e
		}
	}
	return nil
}
