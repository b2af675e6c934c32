package code

import (
	"slices"

	program "fettle/internal/code"
	"fettle/internal/syntax"
)

// What a name stands for is asked in four ways: eval says what is known of its value, whichever of several it is; written and givenHere give the one
// expression that stands for it; givenTo all that flows to it; and unfolded the text of all that it is made of, where only words matter.

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

// part is what a name was made to mean: a part of an object that is written out, where it is taken apart.
func (s *scan) part(b binding) *program.Node {
	if b.member == "" {
		return b.node
	}
	if e := s.entryOf(s.written(b.node), b.member); e != nil {
		return e
	}
	return b.node
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
		if key := e.Kid(program.Key); e.Role == program.Pair && key != nil && s.key(key) == name {
			return e.Kid(program.Value)
		}
		if e.Role == program.Name && e.Name == name {
			return e
		}
	}
	return nil
}

// givenTo is what a name was given where it stands.
func (s *scan) givenTo(n *program.Node) []flow {
	name := s.identifier(n.Name)
	for scope := n.Function(); ; scope = outer(scope) {
		if all := s.ways().given[scope][name]; len(all) > 0 {
			return slices.Clip(all)
		}
		if scope == nil && s.file.Lang == syntax.Java {
			return s.implied(n)
		}
		if scope == nil || len(s.means(scope, name)) > 0 {
			return nil
		}
	}
}
