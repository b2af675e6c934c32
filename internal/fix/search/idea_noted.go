package search

import (
	"strings"

	"fettle/internal/code"
)

// notes are the methods by which collections take note of a value X, by language, each with how the collection C is asked for it.
var notes = map[string]map[string]string{
	"Python":     {"add": "X in C", "append": "X in C"},
	"JavaScript": {"add": "C.has(X)", "set": "C.has(X)", "push": "C.includes(X)"},
	"Java":       {"add": "C.contains(X)", "put": "C.containsKey(X)"},
}

// noted asks for what the function takes note of further down and never asks for: who keeps in mind what was seen wants to know whether it was.
func (a *asker) noted() {
	s := a.site
	fn := s.Function()
	for n := range fn.Own() {
		what, where, form := s.notedBy(n)
		if form == "" || n.Start < s.Start || strings.Contains(n.Text(), "\n") || !plainValue(what) || !plainValue(where) {
			continue
		}
		if s.reaches(n) && !asksFor(fn, where.Text()) {
			a.add(strings.NewReplacer("X", what.Text(), "C", where.Text()).Replace(form))
		}
	}
}

// notedBy are the value and the collection of a note that is taken of it, and how the collection is asked; no form if it is no note.
func (s *site) notedBy(n *code.Node) (what, where *code.Node, form string) {
	switch callee := n.Kid(code.Callee); {
	case n.Is(code.Call) && n.Parent.Is(code.Eval) && callee.Is(code.Attr):
		return n.Kid(code.Arg), callee.Kid(code.Object), notes[s.fact().Family][callee.Name]
	case n.Is(code.Index) && n.Part == code.Target && n.Parent.Is(code.Assign) && n.Parent.Op == "=" && n.Parent.Kid(code.Value).Text() == s.fact().True:
		form = "C[X]"
		if s.fact().Family == "Python" {
			form = "X in C"
		}
		return n.Kid(code.At), n.Kid(code.Object), form
	}
	return nil, nil, ""
}

// plainValue reports whether a value is a variable, or an element or a member of one.
func plainValue(n *code.Node) bool {
	return root(n).Is(code.Name, code.Self)
}

// root is the variable, or whatever else it is, of which a value is an element or a member.
func root(n *code.Node) *code.Node {
	for n.Is(code.Attr, code.Index) {
		n = n.Kid(code.Object)
	}
	return n
}

// asksFor reports whether a condition of a function has to do with a value.
func asksFor(fn *code.Node, value string) bool {
	for n := range fn.Own() {
		if condition(n) && mentions(n.Text(), value) {
			return true
		}
	}
	return false
}
