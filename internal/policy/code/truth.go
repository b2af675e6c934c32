package code

import (
	program "fettle/internal/code"
)

// truth is what can be told of a yes or no.
type truth uint8

const (
	untold  truth = iota
	yes           // of programs that shorten others also !0
	no            // also 0 and !1
	nothing       // None, null, undefined: whoever takes it goes by his own default
)

// says reports whether a value plainly says yes, or no: as it stands, by a name, in an object that is written out; of a parameter also by its default.
func (s *scan) says(n *program.Node) (isYes, isNo bool) {
	t := s.truth(n, true, 0)
	return t == yes, t == no
}

// denies reports whether a value says no, or nothing, whoever calls: the default of a parameter is no promise.
func (s *scan) denies(n *program.Node) bool {
	t := s.truth(n, false, 0)
	return t == no || t == nothing
}

func (s *scan) truth(n *program.Node, byDefault bool, depth int) truth {
	const furthest = 4
	if n == nil || depth > furthest {
		return untold
	}
	if t := literally(n); t != untold {
		return t
	}
	deeper := func(of *program.Node) truth { return s.truth(of, byDefault, depth+1) }
	switch n.Role {
	case program.Not:
		switch deeper(n.Kid(program.Operand)) {
		case yes:
			return no
		case no, nothing:
			return yes
		default:
			return untold
		}
	case program.Group:
		return deeper(n.Kid(program.Operand))
	case program.Attr:
		return deeper(s.entryOf(s.givenHere(n.Kid(program.Object)), n.Name))
	case program.Name:
		if w := s.givenHere(n); w != n {
			return deeper(w)
		}
		if byDefault {
			return deeper(s.byItself(n))
		}
	default: // not known
	}
	return untold
}

// literally is what a value says that needs nothing else to be known.
func literally(n *program.Node) truth {
	switch n.Text() {
	case "True", "true", "1", "Boolean.TRUE":
		return yes
	case "False", "false", "0", "Boolean.FALSE":
		return no
	case "None", "null", "nil", "undefined", "void 0":
		return nothing
	}
	return untold
}

// byItself is the default of the parameter that a name is.
func (s *scan) byItself(n *program.Node) *program.Node {
	name := s.identifier(n.Name)
	for f := n.Function(); f != nil; f = outer(f) {
		all := s.means(f, name)
		if b, ok := s.offers[f][name]; ok && len(all) == 1 {
			return b.node // and nothing in the function gives it another
		}
		if len(all) > 0 {
			return nil
		}
	}
	return nil
}
