package code

import (
	program "fettle/internal/code"
	"fettle/internal/syntax"
)

// indirect judges calls of what a class of the file is made of, and those that others make with what they are given.
func (s *scan) indirect(n *program.Node, path string) bool {
	if s.file.Lang != syntax.Python {
		return false
	}
	if base := s.inherited(n, path); s.rules.calls[base] != nil {
		c := s.newCall(n, base)
		c.spread = false // the options of whoever makes one are judged there
		s.add(n, s.rules.calls[base](c))
		return true
	}
	if c := s.handed(n, path); c != nil && s.rules.calls[c.path] != nil {
		s.add(n, s.rules.calls[c.path](c))
		return true
	}
	return false
}

// handed is the call that is made by what is given a function and its arguments: a partial function, a callback, a thread.
func (s *scan) handed(n *program.Node, path string) *call {
	over, ok := s.handsOver(n, path)
	if !ok {
		return nil
	}
	c := s.newCall(n, s.eval(over.fn, 0).path)
	if over.apart {
		c.named, c.spread = make(map[string]*program.Node), false
		if over.options != nil {
			c.options(over.options, true)
		}
	}
	c.args, c.nodes = nil, over.args
	for _, a := range over.args {
		c.args = append(c.args, s.eval(a, 0))
	}
	if len(c.args)+len(c.named) == 0 {
		return nil // what it is called with is not known
	}
	return c
}

// inherited is what a class of the file is made of: its call, and that of its base's __init__, are calls of the base.
func (s *scan) inherited(n *program.Node, path string) string {
	callee := n.Kid(program.Callee)
	var class *program.Node
	switch {
	case callee.Is(program.Attr) && callee.Name == "__init__" && callee.Kid(program.Object).Calls() == "super":
		class = n.Up(program.Class)
	case callee.Is(program.Attr) && callee.Name == "__init__":
		return s.eval(callee.Kid(program.Object), 0).path
	case callee.Is(program.Name) && path == "?"+callee.Name:
		class = s.classes[callee.Name]
	}
	for _, base := range class.All(program.Arg) {
		if p := s.eval(base, 0).path; s.rules.calls[p] != nil {
			return p
		}
	}
	return ""
}
