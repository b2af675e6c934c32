package audit

import (
	"context"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/syntax"
)

// program reads one side of a file as a program; nil where its language has none, or there is nothing to read.
func program(path string, src []byte) *code.File {
	l := syntax.LangOf(path)
	if l == "" || len(src) == 0 {
		return nil
	}
	f, err := code.Read(context.Background(), l, path, src)
	if err != nil {
		return nil // what cannot be read is judged by the rules that need no tree
	}
	return f
}

// literal reports whether a node is a value that is written out as it is.
func literal(n *code.Node) bool {
	return n.Is(code.Int, code.Float, code.Str, code.Char, code.Bool, code.Null)
}

// constant reports whether a value is the same whatever happens: literals, and what is put together of nothing else. A name
// that is only called does not vary; a call without a single literal or list in it may.
func constant(n *code.Node) bool {
	if n == nil {
		return false
	}
	found := n.Is(code.List, code.Map)
	for k := range n.Walk() {
		switch {
		case literal(k):
			found = true
		case k.Is(code.List, code.Map), k.Role == code.Call && containers[lastName(k)] && len(k.All(code.Arg)) == 0:
			found = true
		case k.Is(code.Self, code.Function, code.Comprehension):
			return false
		case k.Role == code.Name && !onlyCalled(k):
			return false
		}
	}
	return found
}

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
	return n.Part == code.Callee && (!held || !variable(name))
}

// variable reports whether a name is a parameter of a function around it, or is given a value in one.
func variable(name *code.Node) bool {
	for fn := name.Function(); fn != nil; fn = fn.Function() {
		if hasParam(fn, name.Name) {
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

// hasParam reports whether a function has a parameter of this name.
func hasParam(fn *code.Node, name string) bool {
	return slices.ContainsFunc(fn.All(code.Params), func(p *code.Node) bool { return p.Name == name })
}

// value reports whether a constant is one that needs nothing but itself: no call of the program's own.
func value(n *code.Node) bool {
	if !constant(n) {
		return false
	}
	for k := range n.Walk() {
		if k.Role == code.Call && !makers[lastName(k)] && (!containers[lastName(k)] || len(k.All(code.Arg)) > 0) {
			return false
		}
	}
	return true
}

// makers are calls that only put values together.
var makers = map[string]bool{
	"stringify": true, "asList": true, "of": true, "list": true, "tuple": true, "set": true, "dict": true, "ArrayList": true, "HashMap": true,
	"HashSet": true, "valueOf": true, "LinkedList": true, "Set": true, "Map": true, "freeze": true, "toString": true, "str": true, "repr": true,
	"int": true, "float": true, "float64": true, "int64": true, "byte": true, "rune": true, "frozenset": true, "bool": true, "string": true,
	"hash": true,
}

// lastName is the name of what a call calls, without what it is called on.
func lastName(call *code.Node) string {
	c := call.Kid(code.Callee)
	switch {
	case c == nil:
		return ""
	case c.Name != "":
		return c.Name
	}
	name := c.Text()
	if i := strings.IndexAny(name, "<("); i > 0 {
		name = name[:i]
	}
	return name[strings.LastIndex(name, ".")+1:]
}

// title is the name of a function with the classes and functions around it; of one without a name, what it is assigned to.
func title(n *code.Node) string {
	var names []string
	for at := n; at != nil; at = at.Parent {
		if name := ownName(at); name != "" {
			names = append([]string{name}, names...)
		}
	}
	return strings.Join(names, ".")
}

// ownName is what a function or a class is called by itself: its name, or what it is assigned to. Most functions within functions have neither.
func ownName(n *code.Node) string {
	switch {
	case !n.Is(code.Function, code.Class):
		return ""
	case n.Name != "":
		return n.Name
	case n.Parent.Is(code.Assign, code.Pair):
		if t := n.Parent.Kid(code.Target); t != nil {
			return t.Text()
		}
		if k := n.Parent.Kid(code.Key); k != nil {
			return k.Text()
		}
	}
	return ""
}

// functions are the functions of a program that are called something, by their titles; of equals the last.
func functions(f *code.File) map[string]*code.Node {
	all := make(map[string]*code.Node)
	if f == nil {
		return all
	}
	for n := range f.Root.Walk() {
		if n.Role == code.Function && ownName(n) != "" {
			all[title(n)] = n
		}
	}
	return all
}
