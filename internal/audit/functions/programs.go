package functions

import (
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/syntax"
)

// OfProgram are the functions and methods of a program in JavaScript, TypeScript or Java that are called something, but for those inside of
// others: what these do is a part of what the outer ones do.
func OfProgram(f *code.File) []Function {
	if f == nil {
		return nil
	}
	switch f.Lang {
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX, syntax.Java:
	default:
		return nil // which have readers of their own
	}
	var all []Function
	for n := range f.Root.Walk() {
		if n.Role != code.Function || parts.OwnName(n) == "" || n.Function() != nil || n.Kid(code.Body) == nil || assertions.TestName(n) != "" {
			continue
		}
		all = append(all, programFunction(n))
	}
	return all
}

func programFunction(n *code.Node) Function {
	d := Function{Name: strings.TrimPrefix(parts.Title(n), "module."), Line: n.Line(), Node: n, Empty: saysNothing(n), AlwaysTrue: alwaysSays(n), Swallowed: swallowedIn(n)}
	d.Body = parts.Bare(n.Kid(code.Body).Text())
	d.Conditional = n.Parent.Is(code.Map, code.Pair) || n.Up(code.If) != nil // objects of one file may have methods of equal names
	d.Key = d.Name
	switch {
	case n.File.Lang == syntax.Java: // names may be overloaded, and each constant and nameless class has methods of its own
		d.Conditional = d.Conditional || !n.Parent.Is(code.Class) && !n.Parent.Parent.Is(code.Class)
		for _, p := range n.All(code.Params) {
			d.Key += "," + parts.Bare(p.Type)
		}
	case n.Parent.Is(code.Assign): // which comes later is a matter of when it is carried out
		d.Conditional = true
	}
	for _, prefix := range []string{"get ", "set ", "static ", "static async ", "static get ", "static set "} {
		if strings.HasPrefix(n.Text(), prefix) {
			d.Key += " " + prefix
		}
	}
	return d
}

// IsPublic reports whether others may call a function: it is one of the exports of its file, or a method that is not said to be private.
func IsPublic(n *code.Node, exports func() map[string]bool) bool {
	name := parts.OwnName(n)
	if n.File.Lang == syntax.Java {
		head, _, _ := strings.Cut(n.Text(), name+"(")
		return strings.Contains(head, "public") || strings.Contains(head, "protected")
	}
	head, _, _ := strings.Cut(n.Text(), "(")
	switch {
	case strings.HasPrefix(name, "#"), strings.HasPrefix(name, "_"), strings.Contains(head, "private "):
		return false
	case n.Up(code.Class) != nil:
		return true
	case strings.Contains(name, "exports."), strings.Contains(name, ".prototype."):
		return true
	}
	return exports()[name]
}

// saysNothing reports whether a body does nothing, or only says that it is not implemented. A constructor may do nothing.
func saysNothing(n *code.Node) bool {
	body := n.Kid(code.Body)
	if body.Role != code.Block || n.Name == "constructor" || n.Up(code.Class) != nil && n.Name == n.Up(code.Class).Name {
		return false
	}
	stmts := body.All(code.Stmt)
	if len(stmts) == 0 {
		return true
	}
	if len(stmts) == 1 && stmts[0].Role == code.Return {
		return len(stmts[0].Kids) == 0
	}
	return len(stmts) == 1 && stmts[0].Role == code.Raise && (unimplemented.MatchString(stmts[0].Text()) || strings.Contains(stmts[0].Text(), "UnsupportedOperationException"))
}

// alwaysSays reports whether a function is "return true", or says 0 where that means that two things are equal.
func alwaysSays(n *code.Node) bool {
	body := n.Kid(code.Body)
	says := body
	if body.Role == code.Block {
		stmts := body.All(code.Stmt)
		if len(stmts) != 1 || stmts[0].Role != code.Return {
			return false
		}
		says = stmts[0].Kid(code.Value)
	}
	text := says.Text()
	return text == "true" || text == "0" && strings.HasPrefix(strings.ToLower(parts.OwnName(n)), "compare")
}

// swallowedIn counts the handlers of a function that catch every error and do nothing at all. One that gives a value instead may be what
// the function is for, as errors are these languages' way to say no.
func swallowedIn(fn *code.Node) int {
	sum := 0
	for n := range fn.Walk() {
		if n.Role == code.Other && strings.HasPrefix(n.Text(), "catch") && n.Kid(code.Body) != nil && len(n.Kid(code.Body).Kids) == 0 && CatchesAll(n) {
			sum++
		}
		if n.Role == code.Call && parts.LastName(n) == "catch" && len(n.All(code.Arg)) == 1 && n.All(code.Arg)[0].Role == code.Function {
			if b := n.All(code.Arg)[0].Kid(code.Body); b != nil && b.Role == code.Block && len(b.Kids) == 0 {
				sum++
			}
		}
	}
	return sum
}

// CatchesAll reports whether a handler is for any error: JavaScript's are, Java's say for which.
func CatchesAll(handler *code.Node) bool {
	if handler.File.Lang != syntax.Java {
		return true
	}
	for _, k := range handler.Kids {
		if k.Role == code.Param {
			for word := range strings.FieldsFuncSeq(k.Text(), func(r rune) bool { return r == '|' || r == ' ' }) {
				if broad[word[strings.LastIndex(word, ".")+1:]] {
					return true
				}
			}
		}
	}
	return false
}

var broad = map[string]bool{"Exception": true, "Throwable": true, "RuntimeException": true, "Error": true, "AssertionError": true}
