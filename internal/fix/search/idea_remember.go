package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
)

// growing are the methods by which collections take something in.
var growing = []string{"add", "append", "push", "put", "insert", "update", "extend", "set", "addAll", "appendleft", "unshift"}

// remember takes what a function asks a collection for into that collection, where the function never does: what was visited has to be kept in mind.
func (s *site) remember(try func(change)) {
	if !s.Alone() {
		return
	}
	outer := s.Outermost()
	for n := range s.Function().Own() {
		what, where := askedFor(n)
		if what == nil || !where.Is(code.Name) || !what.Is(code.Name, code.Attr, code.Index, code.List) || grows(outer, where.Name) || strings.Contains(what.Text(), "\n") {
			continue
		}
		at := s.at(n)
		t := at.of(where)
		forms := s.taking(t)
		if n.Is(code.Index) {
			forms = []string{"C[X] = " + s.fact().True}
		}
		for i, form := range forms {
			text := s.statement(strings.NewReplacer("C", where.Name, "X", what.Text()).Replace(form))
			w := 1 - 0.2*float64(i)
			if s.Start < n.Start {
				w *= 0.3
			}
			s.place(text, w, try)
		}
	}
}

// askedFor are the value and the collection of a question whether one holds the other.
func askedFor(n *code.Node) (what, where *code.Node) {
	switch {
	case n.Role == code.Compare && (n.Op == "in" || n.Op == "not in"):
		return n.Kid(code.Left), n.Kid(code.Right)
	case n.Role == code.Call && n.Kid(code.Callee).Is(code.Attr) && len(n.All(code.Arg)) == 1:
		switch n.Kid(code.Callee).Name {
		case "contains", "includes", "has":
			return n.Kid(code.Arg), n.Kid(code.Callee).Kid(code.Object)
		}
	case n.Role == code.Index && condition(n) && n.File.Facts.Name != "Java":
		return n.Kid(code.At), n.Kid(code.Object)
	}
	return nil, nil
}

// grows reports whether a function changes what a collection holds.
func grows(fn *code.Node, name string) bool {
	for n := range fn.Walk() {
		switch n.Role {
		case code.Call:
			if slices.Contains(growing, methodOn(n, name)) {
				return true
			}
		case code.Index:
			if o := n.Kid(code.Object); n.Part == code.Target && o.Is(code.Name) && o.Name == name {
				return true
			}
		case code.Assign:
			if t := n.Kid(code.Target); t.Is(code.Name) && t.Name == name && adds(n, name) {
				return true
			}
		case code.Step:
			if o := n.Kid(code.Operand); n.Part != code.Update && o.Is(code.Name) && o.Name == name && n.Op == "++" {
				return true
			}
		default:
		}
	}
	return false
}

// taking is how the language takes X into the collection C.
func (s *site) taking(t typ) []string {
	set, list := "C.add(X)", "C.append(X)"
	switch s.fact().Family {
	case "Python":
	case "JavaScript":
		list = "C.push(X)"
	case "Java":
		return []string{set}
	default:
		return nil
	}
	switch {
	case t.is(kMap) && !t.is(kList):
		return []string{set}
	case t.is(kList) && !t.is(kMap):
		return []string{list}
	}
	return []string{set, list}
}

// methodOn is the method that a node calls on something; empty if it does not.
func methodOn(n *code.Node, object string) string {
	if c := n.Kid(code.Callee); n.Is(code.Call) && c.Is(code.Attr) && c.Kid(code.Object).Text() == object {
		return c.Name
	}
	return ""
}

// adds reports whether an assignment gives a variable what it had and something else.
func adds(a *code.Node, name string) bool {
	switch v := a.Kid(code.Value); {
	case a.Op != "=" && a.Op != ":=":
		return true
	case v.Is(code.Call) && v.Kid(code.Callee).Text() == "append":
		return v.Kid(code.Arg).Is(code.Name) && v.Kid(code.Arg).Name == name
	case v.Is(code.Arith):
		had := v.Kid(code.Left)
		if had.Is(code.Arith) && had.Op == "*" {
			had = had.Kid(code.Left) // n = n*10 + digit
		}
		return v.Op == "+" && had.Is(code.Name) && had.Name == name
	default:
		return false
	}
}
