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
