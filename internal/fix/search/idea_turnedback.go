package search

import (
	"slices"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// Where a flag that a class turns one way alone is turned back.
const (
	byAsker = 1.0 // in a method that calls one that asks for the flag
	byOther = 0.4 // in another one
)

// turnedBack turns a flag of an object back at the end of a method that has nothing to do with it, where other methods ask for it and turn it one way alone: what was looked at ahead is
// used up, what was changed has been saved.
func (s *site) turnedBack(try func(change)) {
	fn := s.Function()
	class := s.Up(code.Class)
	if class == nil || !s.isStatement() || !s.Alone() || s.Next() != nil || s.Parent != fn.Kid(code.Body) || begins(fn) {
		return
	}
	for _, flag := range s.flagsOf(class) {
		to := s.onlyTurned(flag)
		if to == nil || mentions(fn.Text(), flag) {
			continue
		}
		w := byOther
		if slices.ContainsFunc(methodsOf(class), func(m *code.Node) bool { return m != fn && asksFor(m, flag) && calls(fn, m.Name) }) {
			w = byAsker
		}
		text := s.statement(flag + " = " + opposite(to))
		try(change{[]edit.Edit{doneLast(s.Node, text)}, w, quote(flag) + " was never turned back"})
	}
}

// flagsOf are the members of a class that its methods give truth values to, as they write them, where a method asks for them.
func (s *site) flagsOf(class *code.Node) (out []string) {
	for n := range class.Walk() {
		t := n.Kid(code.Target)
		if !n.Is(code.Assign) || n.Op != "=" || t == nil || !n.Kid(code.Value).Is(code.Bool) || t.Up(code.Class) != class || slices.Contains(out, t.Text()) {
			continue
		}
		if t.Is(code.Name) && s.unit.types.fieldsOf(class)[t.Name] == "" {
			continue // a method's own
		}
		if slices.ContainsFunc(methodsOf(class), func(m *code.Node) bool { return asksFor(m, t.Text()) }) {
			out = append(out, t.Text())
		}
	}
	return out
}

// methodsOf are the functions that a class has of its own.
func methodsOf(class *code.Node) (out []*code.Node) {
	for n := range class.Walk() {
		if n.Is(code.Function) && n.Name != "" && n.Up(code.Class) == class {
			out = append(out, n)
		}
	}
	return out
}
