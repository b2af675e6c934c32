package node

import (
	"context"
	"fmt"
	"sync"

	"fettle/internal/code"
	"fettle/internal/runner"
	"fettle/internal/syntax"
)

// values are the places whose values are looked at.
type values struct {
	suspect func(file string) bool

	mu    sync.Mutex
	spots []runner.Seen // by mark
}

// valued are the roles of what has a value that is worth knowing: names, what is read from objects, calls, and operations.
var valued = map[code.Role]bool{
	code.Name: true, code.Call: true, code.Index: true, code.Attr: true, code.Arith: true, code.Choice: true, code.Logic: true, code.Wait: true, code.List: true, code.Self: true,
}

// read are the parts in which an expression is only read.
var read = map[code.Part]bool{
	code.Left: true, code.Right: true, code.Arg: true, code.Object: true, code.At: true, code.Cond: true, code.Then: true, code.Else: true, code.Value: true,
	code.Iter: true, code.Elem: true, code.Operand: true,
}

// mark puts marks around the expressions of a file whose values are to be told.
func (v *values) mark(ctx context.Context, file, text string, in *inserts) {
	if !v.suspect(file) {
		return
	}
	l := syntax.LangOf(file)
	f, err := code.Read(ctx, l, file, []byte(text))
	if err != nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for n := range f.Root.Walk() {
		if !valued[n.Role] || !readable(n) {
			continue
		}
		in.around(n.Start, n.End, fmt.Sprintf("%s%d,(", seenCall, len(v.spots)), "))")
		v.spots = append(v.spots, runner.Seen{File: file, Start: n.Start, End: n.End})
	}
}

// readable reports whether a node stands where it could be exchanged for a call that gives its value.
func readable(n *code.Node) bool {
	p := n.Parent
	if p == nil || !read[n.Part] {
		return false
	}
	switch {
	case p.Is(code.Eval, code.Step, code.Spread, code.Import, code.Module, code.Class, code.Param, code.Other, code.TypeRef, code.Declaration):
		return false
	case p.Role == code.Unary && p.Op != "-" && p.Op != "+" && p.Op != "~": // typeof, delete
		return false
	case p.Is(code.Map, code.Pair) && n.Part != code.Value:
		return false
	}
	for up := n; up != nil && up.Part != code.Stmt; up = up.Parent {
		if up.Part == code.Target || up.Part == code.Params || takesApart(up) || chained(up) {
			return false
		}
		if up.Role == code.Function {
			break
		}
	}
	return n.Role != code.Self || n.Text() != "super"
}

// takesApart reports whether the node takes something apart.
func takesApart(n *code.Node) bool {
	k := n.File.Tree.Enclosing(n.Start, n.End).Kind()
	return k == "object_pattern" || k == "array_pattern" || k == "assignment_pattern" || k == "pair_pattern"
}

// chained reports whether the node is part of a chain that may break off (a?.b.c): the rest of it would not.
func chained(n *code.Node) bool {
	if n.Part != code.Object && n.Part != code.Callee {
		return false
	}
	for up := n.Parent; up.Is(code.Attr, code.Index, code.Call); up = up.Parent {
		for c := range n.File.Tree.Enclosing(up.Start, up.End).Children() {
			if c.Is("optional_chain") {
				return true
			}
		}
		if up.Part != code.Object && up.Part != code.Callee {
			break
		}
	}
	return false
}
