package code

import (
	program "fettle/internal/code"
)

// key is the name of an entry of an object, computed where it is: { ["a" + "b"]: 1 }.
func (s *scan) key(n *program.Node) string {
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

// bindings are all that a name was made to mean where a node stands.
func (s *scan) bindings(n *program.Node, name string) []binding {
	for scope := n.Function(); ; scope = outer(scope) {
		if all := s.means(scope, name); len(all) > 0 || scope == nil {
			return all
		}
	}
}

// written is the expression that a name stands for, where it stands for but one; a function for the name of one; and for a call of one what is written out in it.
func (s *scan) written(n *program.Node) *program.Node { return s.writtenOut(n, 0) }

func (s *scan) writtenOut(n *program.Node, calls int) *program.Node {
	for range 4 {
		for n.Is(program.Group, program.Wait, program.Unary) {
			n = n.Kid(program.Operand)
		}
		if f := s.carriedOut(n); f != nil && calls < 4 {
			if all := results(f); len(all) == 1 {
				if out := s.writtenOut(all[0], calls+1); out.Is(program.Map, program.List, program.Function) {
					return out
				}
			}
		}
		if !n.Is(program.Name) {
			return n
		}
		all := s.bindings(n, s.identifier(n.Name))
		if len(all) != 1 || all[0].member != "" {
			return n
		}
		if all[0].node == nil {
			if f := s.body(n.Name); f != nil && all[0].value.path == "?"+n.Name {
				return f
			}
			return n
		}
		n = all[0].node
	}
	return n
}

// unfolded is the text of an expression with those of what its names stand for, and of the names in these.
func (s *scan) unfolded(n *program.Node) string { return s.unfold(n, 3) }

func (s *scan) unfold(n *program.Node, deep int) string {
	text := n.Text()
	if deep == 0 || n == nil {
		return text
	}
	for at := range n.Walk() {
		if f := s.carriedOut(at); f != nil {
			for _, r := range results(f) {
				if !r.Holds(n.Start, n.End) && len(text) < 4096 {
					text += "\n" + s.unfold(r, deep-1)
				}
			}
		}
		if at.Role != program.Name || at.Part == program.Callee {
			continue
		}
		for _, b := range s.bindings(at, s.identifier(at.Name)) {
			if b.node != nil && !b.node.Holds(at.Start, at.End) && len(text) < 4096 {
				text += "\n" + s.unfold(b.node, deep-1)
			}
		}
	}
	return text
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
		return agrees(body)
	}
	for at := range body.Walk() {
		switch at.Role {
		case program.If, program.Raise, program.Switch, program.Choice, program.Logic:
			return false
		case program.Return:
			for _, v := range at.All(program.Value) {
				if !agrees(v) {
					return false
				}
			}
		default: // decides nothing
		}
	}
	return true
}

// agrees reports a value that says that all is well.
func agrees(n *program.Node) bool {
	switch textOf(n) {
	case "true", "!0", "nil", "null", "undefined", "void 0", "{}":
		return true
	}
	return false
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
