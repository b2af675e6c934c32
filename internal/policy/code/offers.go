package code

import (
	"strings"

	program "fettle/internal/code"
)

// What a name stands for that is nobody's assignment: a parameter for its default, or for what a promise gives; a member for what stands in a table that is
// written out. Only what comes from outside of the file counts: of a text it would be one of many.

// offer notes what a parameter stands for where its call says nothing else.
func (s *scan) offer(f *program.Node, name string, b binding) {
	if b.node == nil || name == "" {
		return
	}
	if s.offers[f] == nil {
		s.offers[f] = make(map[string]binding)
	}
	s.offers[f][s.identifier(name)] = b
	if len(s.names[f][s.identifier(name)]) == 0 { // a part of what is taken apart
		s.own(f, s.identifier(name))
	}
}

// promised offers the parameter of a function what a promise gives: import("fs").then((fs) => …).
func (s *scan) promised(n *program.Node) {
	callee, f := n.Kid(program.Callee), n.Kid(program.Arg)
	if !callee.Is(program.Attr) || callee.Name != "then" || f.Kid(program.Params) == nil {
		return
	}
	object, p := callee.Kid(program.Object), variable(f.Kid(program.Params))
	if p.Is(program.Name, program.Param) {
		s.offer(f, p.Name, binding{node: object})
	}
	for _, e := range p.All(program.Elem) {
		switch key, to := e.Kid(program.Key), e.Kid(program.Value); {
		case e.Role == program.Name:
			s.offer(f, e.Name, binding{node: object, member: e.Name})
		case key != nil && to.Is(program.Name):
			s.offer(f, to.Name, binding{node: object, member: key.Name})
		}
	}
}

// offered is what a parameter stands for where its call says nothing else: a thing from outside itself, and no result of one.
func (s *scan) offered(f *program.Node, name string, depth int) (value, bool) {
	b, ok := s.offers[f][name]
	if !ok {
		return value{}, false
	}
	v := s.eval(b.node, depth+1)
	if b.member != "" && v.outside() {
		v = v.member(b.member)
	}
	return v, v.outside() && !strings.HasSuffix(v.path, "()")
}

// laidIn is what stands under a name in a table that is written out, of one that is not known what the rules speak of.
func (s *scan) laidIn(n *program.Node, name string, known bool, depth int) (value, bool) {
	if !s.bound || n.Part == program.Target {
		return value{}, false
	}
	table := s.written(n.Kid(program.Object))
	if !table.Is(program.Map) {
		return value{}, false
	}
	if known {
		v := s.eval(s.entryOf(table, name), depth+1)
		return v, v.outside()
	}
	for _, e := range table.All(program.Elem) {
		if v := s.eval(e.Kid(program.Value), depth+1); v.outside() && s.knows(v.path) {
			return v, true
		}
	}
	return value{}, false
}
