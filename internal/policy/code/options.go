package code

import (
	program "fettle/internal/code"
)

// key is the name of an entry of an object, computed where it is: { ["a" + "b"]: 1 }. What is no expression, as a literal without its type in Go, is none.
func (s *scan) key(n *program.Node) string {
	if n == nil {
		return ""
	}
	if n.Is(program.Str, program.Other) {
		if v := s.eval(n, 0); v.isText {
			return v.text
		}
	}
	return n.Name
}

// memberName is the name under which something is set, computed where it is: box["inner" + "HTML"].
func (s *scan) memberName(t *program.Node) string {
	if t.Role != program.Index {
		return t.Name
	}
	if v := s.eval(t.Kid(program.At), 0); v.known() {
		return v.text
	}
	return ""
}

// accepts reports a function that has nothing against whatever it is given: it says nil, true or nothing, and never looks.
func (s *scan) accepts(n *program.Node) bool {
	f := s.written(n)
	if !f.Is(program.Function) {
		path := s.eval(n, 0).path
		return path == "lodash.noop" || path == "lodash-es.noop" || path == "_.noop" || path == "noop"
	}
	body := f.Kid(program.Body)
	if !body.Is(program.Block) {
		return s.agrees(body)
	}
	for at := range body.Walk() {
		switch at.Role {
		case program.If, program.Raise, program.Switch, program.Choice, program.Logic:
			return false
		case program.Return:
			for _, v := range at.All(program.Value) {
				if !s.agrees(v) {
					return false
				}
			}
		default: // decides nothing
		}
	}
	return true
}

// agrees reports a value that says that all is well.
func (s *scan) agrees(n *program.Node) bool {
	t := s.truth(n, false, 0)
	return t == yes || t == nothing || n.Text() == "{}"
}

// statement is the source of the statement around a call, with the name that it makes; of a long one the beginning.
func (c *call) statement() string {
	at := c.n
	for at.Parent != nil && !at.Parent.Is(program.Block, program.Module, program.Function, program.Case) {
		at = at.Parent
	}
	text := at.Text()
	return text[:min(len(text), 600)]
}
