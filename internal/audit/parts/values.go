package parts

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// Literal reports whether a node is a value that is written out as it is.
func Literal(n *code.Node) bool {
	return n.Is(code.Int, code.Float, code.Str, code.Char, code.Bool, code.Null)
}

// Constant reports whether a value is the same whatever happens: literals, and what is put together of nothing else. A name
// that is only called does not vary; a call without a single literal or list in it may.
func Constant(n *code.Node) bool {
	if n == nil {
		return false
	}
	found := n.Is(code.List, code.Map)
	for k := range n.Walk() {
		switch {
		case Literal(k), Truth(k) != "":
			found = true
		case Truth(k.Parent) != "": // the class that holds it
		case k.Is(code.List, code.Map), k.Role == code.Call && MakesEmpty(LastName(k)) && len(k.All(code.Arg)) == 0:
			found = true
		case k.Is(code.Self, code.Function, code.Comprehension):
			return false
		case k.Role == code.Name && !onlyCalled(k):
			return false
		}
	}
	return found
}

// Truth is what a value says that is written out as true or false, also as an object of Java's; empty for any other.
func Truth(n *code.Node) string {
	switch {
	case n.Is(code.Bool):
		return strings.ToLower(n.Text())
	case n.Is(code.Attr) && n.File.Lang == syntax.Java && n.Kid(code.Object).Is(code.Name) && !ownBoolean.MatchString(n.File.Source):
		return truths[n.Kid(code.Object).Name+"."+n.Name]
	}
	return ""
}

var (
	truths = map[string]string{"Boolean.TRUE": "true", "Boolean.FALSE": "false"}
	// ownBoolean matches what makes another class known by the name of Java's own.
	ownBoolean = pattern.New(`\b(?:class|enum|record|interface)\s+Boolean\b|\bimport\s[^;]*\.Boolean\s*;`)
)

// MakesEmpty reports whether a call of this name makes something empty, if it is given nothing.
func MakesEmpty(name string) bool { return containers[name] }

// containers are calls that make something empty, if they are given nothing.
var containers = map[string]bool{
	"of": true, "asList": true, "emptyList": true, "emptyMap": true, "emptySet": true, "ArrayList": true, "LinkedList": true, "HashMap": true,
	"HashSet": true, "TreeMap": true, "list": true, "dict": true, "set": true, "tuple": true, "frozenset": true, "Set": true, "Map": true, "Array": true,
}

// onlyCalled reports whether a name is only there to be called, as a function or as the module or class of one. A variable's method gives what
// the variable makes of it.
func onlyCalled(n *code.Node) bool {
	name, held := n, false
	for n.Parent.Is(code.Attr) && n.Part == code.Object {
		n, held = n.Parent, true
	}
	return n.Part == code.Callee && (!held || !Variable(name))
}

// Variable reports whether a name is a parameter of a function around it, or is given a value in one.
func Variable(name *code.Node) bool {
	for fn := name.Function(); fn != nil; fn = fn.Function() {
		if HasParam(fn, name.Name) {
			return true
		}
		for n := range fn.Own() {
			if !n.Is(code.Assign, code.Each) {
				continue
			}
			for _, t := range n.All(code.Target) {
				if t.Name == name.Name {
					return true
				}
			}
		}
	}
	return false
}

// HasParam reports whether a function has a parameter of this name.
func HasParam(fn *code.Node, name string) bool {
	return slices.ContainsFunc(fn.All(code.Params), func(p *code.Node) bool { return p.Name == name })
}

// Value reports whether a constant is one that needs nothing but itself: no call of the program's own.
func Value(n *code.Node) bool {
	if !Constant(n) {
		return false
	}
	for k := range n.Walk() {
		if k.Role == code.Call && !PutsTogether(LastName(k)) && (!MakesEmpty(LastName(k)) || len(k.All(code.Arg)) > 0) {
			return false
		}
	}
	return true
}

// PutsTogether reports whether a call of this name only puts values together.
func PutsTogether(name string) bool { return makers[name] }

// makers are calls that only put values together.
var makers = map[string]bool{
	"stringify": true, "asList": true, "of": true, "list": true, "tuple": true, "set": true, "dict": true, "ArrayList": true, "HashMap": true,
	"HashSet": true, "valueOf": true, "LinkedList": true, "Set": true, "Map": true, "freeze": true, "toString": true, "str": true, "repr": true,
	"int": true, "float": true, "float64": true, "int64": true, "byte": true, "rune": true, "frozenset": true, "bool": true, "string": true,
	"hash": true,
}

// AlwaysTrue reports whether a condition is written out as one that holds.
func AlwaysTrue(cond *code.Node) bool {
	return cond.Is(code.Bool, code.Int) && slices.Contains([]string{"true", "True", "1"}, cond.Text())
}

// AlwaysFalse reports whether a condition is written out as one that does not hold.
func AlwaysFalse(cond *code.Node) bool { return cond.Is(code.Bool, code.Int) && !AlwaysTrue(cond) }

// Inner is the value of a statement that is one.
func Inner(n *code.Node) *code.Node {
	for n.Is(code.Eval) && n.Kid(code.Value) != nil {
		n = n.Kid(code.Value)
	}
	return n
}
