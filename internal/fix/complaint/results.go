package complaint

import (
	"slices"
	"strings"

	"fettle/internal/code"
)

// annotateResult says what a function gives.
func annotateResult(b *bench) {
	fn := b.function()
	if fn == nil || b.file.Facts.Name != "Python" {
		return
	}
	body := fn.Kid(code.Body)
	if body == nil || unsaid(fn) {
		return
	}
	from := b.afterParameters(fn)
	header := b.file.Source[from:body.Start]
	colon := strings.IndexByte(header, ':')
	if colon < 0 || strings.Contains(header, "->") {
		return
	}
	at := from + colon
	for i, typ := range b.results(fn) {
		b.propose(1-0.1*float64(i), "nothing said that it gives "+quote(typ), replaced(at, at, " -> "+typ))
	}
}

// declareThrown has a function say that it throws what it does not catch, by a name that its source knows.
func declareThrown(b *bench) {
	fn := b.function()
	if fn == nil || fn.Name == "" || fn.Kid(code.Body) == nil {
		return
	}
	from, to := b.afterParameters(fn), fn.Kid(code.Body).Start
	header := b.file.Source[from:to]
	at := from + len(strings.TrimRight(header, " \t\r\n"))
	text := " throws " + b.Name
	if strings.Contains(header, "throws ") {
		text = ", " + b.Name
	}
	why := "nothing said that it throws " + quote(b.Name)
	if !b.importedClass() {
		imported := false
		b.origins(func(weight float64, stmt string) {
			imported = true
			b.propose(weight, why, append(b.importing(stmt), replaced(at, at, text))...)
		})
		if imported {
			return
		}
	}
	b.propose(1, why, replaced(at, at, text))
}

// importedClass reports whether a source of Java's knows the class that the complaint names without one more import.
func (b *bench) importedClass() bool {
	home := homes["Java"][b.Name]
	for _, n := range b.imports() {
		if m := starImport.FindStringSubmatch(n.Text()); m != nil && m[1] == home {
			return true
		}
	}
	return b.knownClasses()[b.Name]
}

// unsaid reports whether the body of a function does not say what it gives: it yields, or leaves the work to others.
func unsaid(fn *code.Node) bool {
	for n := range fn.Own() {
		if n.Is(code.Raise) && n.Parent == fn.Kid(code.Body) || n.Role == code.Other && strings.HasPrefix(n.Text(), "yield") {
			return true
		}
	}
	return false
}

// results are the types that a function may give, likely ones first.
func (b *bench) results(fn *code.Node) []string {
	var out []string
	add := func(typ string) {
		if typ != "" && !slices.Contains(out, typ) {
			out = append(out, typ)
		}
	}
	valued, empty := false, false
	for n := range fn.Own() {
		if n.Role != code.Return {
			continue
		}
		v := n.Kid(code.Value)
		if v == nil || v.Is(code.Null) {
			empty = true
			continue
		}
		valued = true
		add(b.typeOf(v))
	}
	if !valued {
		return []string{"None"}
	}
	for n := range b.file.Root.Walk() {
		if n.Is(code.Function) && n.Type != "" && n.Type != "None" {
			add(n.Type)
		}
	}
	for _, t := range []string{"str", "bool", "int", "float"} {
		add(t)
	}
	if empty {
		for i, t := range out {
			out[i] = t + " | None"
		}
	}
	return out[:min(len(out), 6)]
}

var textMethods = []string{"join", "lower", "upper", "strip", "lstrip", "rstrip", "replace", "format", "title", "capitalize", "decode", "zfill", "ljust", "rjust", "center", "swapcase", "expandtabs", "sub"}

// typeOf is the type of a value as far as its form says it.
func (b *bench) typeOf(n *code.Node) string {
	switch n.Role {
	case code.Str:
		return "str"
	case code.Int:
		return "int"
	case code.Float:
		return "float"
	case code.Bool, code.Compare, code.Not:
		return "bool"
	case code.Group:
		return b.typeOf(n.Kid(code.Operand))
	case code.Choice:
		return b.typeOf(n.Kid(code.Then))
	case code.Call:
		callee := n.Kid(code.Callee)
		switch {
		case callee.Is(code.Attr) && slices.Contains(textMethods, callee.Name):
			return "str"
		case callee.Is(code.Name) && slices.Contains([]string{"str", "int", "float", "bool"}, callee.Name):
			return callee.Name
		case callee.Is(code.Name) && callee.Name == "len":
			return "int"
		case callee.Is(code.Name) && slices.Contains([]string{"isinstance", "any", "all", "hasattr"}, callee.Name):
			return "bool"
		}
	case code.Name:
		for _, v := range n.Scope() {
			if v.Name == n.Name {
				return v.Type
			}
		}
	default:
	}
	return ""
}
