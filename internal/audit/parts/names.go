package parts

import (
	"strings"
	"unicode"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// Targets are the names and members that a part of an assignment's left side gives values to.
func Targets(t *code.Node) []string {
	var all []string
	switch {
	case t.Is(code.Name):
		all = append(all, t.Name)
	case t.Is(code.Attr):
		all = append(all, Bare(t.Text()))
	case t.Is(code.List, code.Map, code.Spread, code.Group, code.Pair):
		for _, k := range t.Kids {
			all = append(all, Targets(k)...)
		}
	}
	return all
}

// Exports are the names that a file of JavaScript gives to others.
func Exports(f *code.File) map[string]bool {
	all := make(map[string]bool)
	for _, m := range exportedName.FindAllStringSubmatch(f.Source, -1) {
		all[m[1]] = true
	}
	for _, list := range exportLists.FindAllString(f.Source, -1) {
		for word := range strings.FieldsFuncSeq(list, func(r rune) bool { return strings.ContainsRune("{},", r) || unicode.IsSpace(r) }) {
			all[word] = true
		}
	}
	for n := range f.Root.Walk() {
		if n.Role != code.Assign || n.Kid(code.Target) == nil || !strings.HasSuffix(n.Kid(code.Target).Text(), "exports") {
			continue
		}
		for v := range n.Kid(code.Value).Walk() {
			if v.Role == code.Name && (v.Parent.Is(code.Map) || v.Parent.Is(code.Pair) && v.Part == code.Value || v.Part == code.Value) && v.Function() == nil {
				all[v.Name] = true
			}
		}
	}
	return all
}

var (
	exportedName = pattern.New(`(?m)^\s*export\s+(?:default\s+)?(?:async\s+)?(?:(?:function\s*\*?|class|const|let|var)\s+)?([\p{L}\d_$]+)`)
	exportLists  = pattern.New(`(?s)\bexport\s*\{[^}]*\}`)
)

// LastCall is what a node calls; empty for what is no call with arguments.
func LastCall(n *code.Node) string {
	if !n.Is(code.Call) || len(n.All(code.Arg)) == 0 {
		return ""
	}
	return LastName(n)
}

// LastName is the name of what a call calls, without what it is called on.
func LastName(call *code.Node) string {
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

// Title is the name of a function with the classes and functions around it; of one without a name, what it is assigned to.
func Title(n *code.Node) string {
	var names []string
	for at := n; at != nil; at = at.Parent {
		if name := OwnName(at); name != "" {
			names = append([]string{name}, names...)
		}
	}
	return strings.Join(names, ".")
}

// OwnName is what a function or a class is called by itself: its name, or what it is assigned to. Most functions within functions have neither.
func OwnName(n *code.Node) string {
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

// Unnamed is an argument without its name.
func Unnamed(a *code.Node) *code.Node {
	if a.Role == code.Keyword {
		return a.Kid(code.Value)
	}
	return a
}
