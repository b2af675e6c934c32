package shell

import (
	"strconv"
	"strings"
)

// attribute is what a variable is besides its value. A function's stands under its name with ().
type attribute struct {
	ref      string // the variable that this one is another name of
	fixed    bool   // nothing can be assigned
	exported bool
	number   bool // what is assigned is arithmetic
	upper    bool
	lower    bool
	sparse   bool // of an array: not every element is at its place in the list
	gone     bool // it was taken away, and not set since
	melded   bool // it is one of several
}

// target is the name of the variable that a name stands for.
func (s *shell) target(name string) string {
	for range maxDepth {
		at, ok := s.attrs.get(name)
		if !ok || at.ref == "" {
			return name
		}
		name = at.ref
	}
	return name
}

// mark changes what a variable is.
func (s *shell) mark(name string, change func(*attribute)) {
	at, _ := s.attrs.get(name)
	was := at
	if change(&at); at != was {
		s.attrs.set(name, at)
	}
}

// assignTo gives a variable a value, whatever assigns it. Some variables change which code later commands run; giving them a value
// is a fact.
func (s *shell) assignTo(name string, v value) {
	name = s.target(name)
	if base, index, ok := subscript(name); ok {
		s.assignElement(base, index, v)
		return
	}
	if strings.Contains(name, string(hole)) {
		s.forget() // it may be any variable
		return
	}
	if at, ok := s.attrs.get(name); ok {
		switch {
		case at.melded:
			s.opaque("a variable that may be another's name is assigned to")
		case at.fixed:
			s.status = unsure
			return
		case at.number:
			s.prompt(v)
			v = value{v.text, v.from}
			if strings.Trim(v.text, "0123456789") != "" {
				v = anything
			}
		case at.upper:
			v.text = strings.ToUpper(v.text)
		case at.lower:
			v.text = strings.ToLower(v.text)
		}
	}
	s.vars.set(name, v)
	s.lists.drop(name)
	s.mark(name, func(at *attribute) { at.gone = false })
	s.environment(name, v)
	s.tied(name, []value{v})
	s.trapped()
}

// trapped runs what the traps run with what has changed just now: a signal may come at any time.
func (s *shell) trapped() {
	for _, trap := range s.traps {
		s.fork().script(trap)
	}
}

// forget makes the variables unknown: something has run in this shell that may have set them.
func (s *shell) forget() {
	for name, v := range s.vars.m {
		s.vars.set(name, unknown(v.from))
	}
	for name, list := range s.lists.m {
		var from taint
		for _, v := range list {
			from |= v.from
		}
		s.lists.set(name, []value{unknown(from)})
		s.mark(name, func(at *attribute) { at.sparse = true })
	}
}

// subscript divides NAME[INDEX].
func subscript(name string) (base, index string, ok bool) {
	if !strings.HasSuffix(name, "]") {
		return name, "", false
	}
	base, index, ok = strings.Cut(strings.TrimSuffix(name, "]"), "[")
	return base, index, ok
}

// elements are an array's, or a variable's value as the only one.
func (s *shell) elements(name string) []value {
	if list, ok := s.lists.get(name); ok {
		return list
	}
	if v, ok := s.vars.get(name); ok && !v.empty() {
		return []value{v}
	}
	return nil
}

// assignElement gives one element of an array a value. Where its place is not known, it is one of the elements.
func (s *shell) assignElement(name, index string, v value) {
	if at, ok := s.attrs.get(name); ok && at.fixed {
		return
	}
	was := s.elements(name)
	list := make([]value, len(was), len(was)+1)
	copy(list, was)
	i, err := strconv.Atoi(strings.TrimSpace(index))
	if s.zsh && i >= 0 {
		if i--; i < 0 {
			i, err = 0, strconv.ErrRange
		}
	}
	if i < 0 {
		i += len(list)
	}
	at, _ := s.attrs.get(name)
	switch {
	case err == nil && !at.sparse && i >= 0 && i < len(list):
		list[i] = v
	case err == nil && !at.sparse && i == len(list):
		list = append(list, v)
	default:
		s.mark(name, func(at *attribute) { at.sparse = true })
		list = append(list, v)
	}
	s.setList(name, list)
}

// setList gives an array its elements.
func (s *shell) setList(name string, list []value) {
	const most = 4096
	size := 0
	for _, v := range list {
		size += len(v.text)
	}
	if len(list) > most || size > maxText { // a list that grows by itself
		list = []value{anything}
		s.mark(name, func(at *attribute) { at.sparse = true })
	}
	if len(list) > 1 {
		s.several = true
	}
	s.lists.set(name, list)
	s.vars.drop(name)
	s.tied(name, list)
}

// element is one of an array's elements. Where its place is not known, it may be each of them.
func (s *shell) element(name string, list []value, i int, placed bool) value {
	at, _ := s.attrs.get(name)
	if placed && !at.sparse && !at.melded {
		if i < 0 {
			i += len(list)
		}
		if i < 0 || i >= len(list) {
			return value{}
		}
		return list[i]
	}
	if len(list) == 0 {
		return value{}
	}
	if len(list) > maxWorlds {
		return s.joined(list)
	}
	return s.choose(list)
}
