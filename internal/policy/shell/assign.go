package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// assign gives a variable its value.
func (s *shell) assign(a *syntax.Assign, how string) { s.assignFrom(s, a, how) }

// assignFrom is assign where the value is expanded with what another shell knows.
func (s *shell) assignFrom(given *shell, a *syntax.Assign, how string) {
	name := s.target(a.Name.Value)
	if how == "export" {
		s.mark(name, func(at *attribute) { at.exported = true })
	}
	switch {
	case a.Array != nil:
		s.array(name, a)
		return
	case a.Naked:
		if how == "export" {
			v, _ := s.vars.get(name)
			s.environment(name, v)
		}
		return
	}
	v := given.tildes(a.Value)
	if a.Index != nil {
		s.substitutions(a.Index)
		index := "?"
		if n, ok := number(a.Index); ok {
			index = strconv.Itoa(n)
		}
		name += "[" + index + "]"
	}
	if a.Append {
		was, set := s.variable(name)
		if a.Index != nil {
			base, _, _ := subscript(name)
			i, placed := s.place(number(a.Index))
			was, set = s.element(base, s.elements(base), i, placed), true
		}
		if list, ok := s.lists.get(name); ok && len(list) > 0 {
			s.assignTo(name+"[0]", list[0].plus(v))
			return
		}
		if !set { // it may be empty
			was.from |= s.blend(v, was).from & toSecret
		}
		v = was.plus(v)
	}
	s.assignTo(name, v)
}

// array gives an array its elements.
func (s *shell) array(name string, a *syntax.Assign) {
	var words []*syntax.Word
	sparse := false
	for _, e := range a.Array.Elems {
		if e.Index != nil {
			s.substitutions(e.Index)
			sparse = true
		}
		if e.Value != nil {
			words = append(words, e.Value)
		}
	}
	list := s.fields(words)
	if at, ok := s.attrs.get(name); ok && at.fixed {
		return
	}
	if a.Append {
		list = append(slices.Clip(s.elements(name)), list...)
	} else {
		s.mark(name, func(at *attribute) { at.sparse = false })
	}
	if sparse {
		s.mark(name, func(at *attribute) { at.sparse = true })
	}
	s.setList(name, list)
}

// declaration is what declare, export and their like are told to do.
type declaration struct {
	how       string // the command
	functions bool
	ref       bool
	global    bool
	prints    bool
	names     []string
	marks     []func(*attribute)
}

func (s *shell) declaration(how string) *declaration {
	d := &declaration{how: how}
	switch how {
	case "export":
		d.marks = append(d.marks, func(at *attribute) { at.exported = true })
	case "readonly":
		d.marks = append(d.marks, func(at *attribute) { at.fixed = true })
	case "nameref":
		d.ref = true
	}
	return d
}

// option reads -x and +x.
func (d *declaration) option(flags string) {
	on := flags[0] == '-'
	for _, c := range flags[1:] {
		switch c {
		case 'f', 'F':
			d.functions = true
		case 'p':
			d.prints = true
		case 'g':
			d.global = true
		case 'n':
			if d.how == "export" {
				d.marks = append(d.marks, func(at *attribute) { at.exported = false })
			} else {
				d.ref = on
			}
		case 'x':
			d.marks = append(d.marks, func(at *attribute) { at.exported = on })
		case 'r':
			d.marks = append(d.marks, func(at *attribute) { at.fixed = at.fixed || on })
		case 'i':
			d.marks = append(d.marks, func(at *attribute) { at.number = on })
		case 'u':
			d.marks = append(d.marks, func(at *attribute) { at.upper = on })
		case 'l':
			d.marks = append(d.marks, func(at *attribute) { at.lower = on })
		case 'A':
			d.marks = append(d.marks, func(at *attribute) { at.sparse = true })
		}
	}
}

// begin makes the variable what is declared, before it gets its value. It is the function's own where one is running.
func (s *shell) begin(d *declaration, name string, valued bool) {
	if d.functions {
		name += "()"
	} else if s.inside && !d.global && d.how != "export" && d.how != "readonly" {
		if _, ok := s.local.get(name); !ok {
			s.own(name)
			s.attrs.drop(name)
			s.vars.set(name, value{})
			s.lists.drop(name)
			s.mark(name, func(at *attribute) { at.gone = true })
		}
	}
	if d.ref && !valued {
		s.mark(name, func(at *attribute) { at.ref = string(hole) })
	}
	for _, change := range d.marks {
		s.mark(name, func(at *attribute) {
			fixed := at.fixed
			if change(at); !valued {
				return
			}
			at.fixed = fixed // only when it has its value
		})
	}
	s.mark(name, func(at *attribute) {
		if d.ref && valued {
			at.ref = ""
		}
	})
}

// finish makes of the value what is declared: a reference, something fixed.
func (s *shell) finish(d *declaration, name string) {
	if d.ref {
		v, _ := s.vars.get(name)
		text, ok := v.exact()
		if !ok || text == name {
			text = string(hole)
		}
		s.mark(name, func(at *attribute) { at.ref = text })
	}
	for _, change := range d.marks {
		s.mark(name, change)
	}
	if v, ok := s.vars.get(name); ok {
		s.environment(name, v)
	}
}

// declare interprets declare, local, export, readonly, typeset and nameref.
func (s *shell) declare(c *syntax.DeclClause) value {
	given := s.branch() // what is assigned here is not yet seen in the values beside it
	given.luck = s.luck
	d := s.declaration(c.Variant.Value)
	for _, a := range c.Args {
		if a.Naked && a.Name == nil {
			for _, w := range given.fields([]*syntax.Word{a.Value}) {
				s.declareWord(d, w)
			}
			continue
		}
		d.names = append(d.names, a.Name.Value)
		name := a.Name.Value
		s.begin(d, name, !a.Naked)
		if d.functions {
			continue
		}
		if !a.Naked {
			s.assignFrom(given, a, "")
		}
		s.finish(d, name)
	}
	return s.declared(d)
}

// declared is what a declaration prints: everything if it names nothing, and what it names with -p.
func (s *shell) declared(d *declaration) value {
	private := len(d.names) == 0 || slices.ContainsFunc(d.names, secretVariable)
	switch {
	case d.functions || d.how == "local" || !d.prints && len(d.names) > 0:
		return value{}
	case private:
		s.note(Print, "the environment", d.how)
		return unknown(fromSecret)
	}
	return anything
}

// declareWord is one argument of a declaration that was expanded first: an option, a name, or NAME=VALUE.
func (s *shell) declareWord(d *declaration, w value) {
	if len(w.text) > 1 && (w.text[0] == '-' || w.text[0] == '+') {
		d.option(w.text)
		if s.zsh && strings.Contains(w.text, "T") {
			s.opaque("a variable is tied to another")
		}
		return
	}
	name, text, valued := strings.Cut(w.text, "=")
	d.names = append(d.names, name)
	switch base, index, element := subscript(name); {
	case name == "" || strings.Contains(name, string(hole)):
		if d.how != "export" || valued {
			s.forget()
		}
	case element && valued:
		s.subscripts([]value{{}, w})
		s.assignElement(base, index, value{text, w.from})
	default:
		plus := strings.HasSuffix(name, "+")
		name = strings.TrimSuffix(name, "+")
		s.begin(d, name, valued)
		if d.functions {
			return
		}
		if valued && strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
			s.evaluate(value{name + "=" + text, w.from}) // an array
		} else if valued {
			v := value{text, w.from}
			if plus {
				was, _ := s.variable(name)
				v = was.plus(v)
			}
			s.assignTo(name, v)
		}
		s.finish(d, name)
	}
}

// declareWords is export and its like when their arguments had to be expanded first, as behind command.
func declareWords(s *shell, argv []value) value {
	d := s.declaration(argv[0].text)
	for _, w := range argv[1:] {
		s.declareWord(d, w)
	}
	return s.declared(d)
}
