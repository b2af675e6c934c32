package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// assign gives a variable its value. Some variables change which code later commands run; giving them a value is a fact.
func (s *shell) assign(a *syntax.Assign, how string) { s.assignFrom(s, a, how) }

// assignFrom is assign where the value is expanded with what another shell knows.
func (s *shell) assignFrom(given *shell, a *syntax.Assign, how string) {
	if a.Index != nil {
		s.substitutions(a.Index)
	}
	name := a.Name.Value
	switch {
	case a.Array != nil:
		s.array(a)
		return
	case a.Naked:
		if how == "export" {
			v, _ := s.vars.get(name)
			s.environment(name, v)
		}
		return
	}
	v := given.word(a.Value)
	if how == "nameref" {
		v = unknown(v.from)
	}
	if a.Append {
		was, _ := s.variable(name)
		v = was.plus(v)
	}
	if a.Index != nil {
		s.lists.drop(name)
		s.vars.set(name, anything)
		return
	}
	s.vars.set(name, v)
	s.lists.drop(name)
	s.environment(name, v)
}

// array gives an array its elements.
func (s *shell) array(a *syntax.Assign) {
	var words []*syntax.Word
	for _, e := range a.Array.Elems {
		if e.Index != nil {
			s.substitutions(e.Index)
		}
		if e.Value != nil {
			words = append(words, e.Value)
		}
	}
	list := s.fields(words)
	if a.Append {
		was, _ := s.lists.get(a.Name.Value)
		list = append(slices.Clip(was), list...)
	}
	const most = 4096
	if len(list) > most { // a list that grows by itself
		list = []value{anything}
	}
	s.lists.set(a.Name.Value, list)
	s.vars.drop(a.Name.Value)
}
