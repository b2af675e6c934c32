package search

import (
	"slices"

	"fettle/internal/code"
)

// readAfter reports whether what a variable, or a member, is given in a statement may ever be looked at: a member's always may. What nobody looks at is as if the statement were gone.
func readAfter(stmt *code.Node, name string) bool {
	fn := stmt.Function()
	if fn == nil || !plainName(name) || readInside(fn, name) {
		return true
	}
	first := stmt.Statement()
	if first == nil || first.Function() != fn {
		return true // what a parameter begins with, all of the function may look at
	}
	for n := first; n != nil && n != fn; n = n.Parent {
		if n.Is(code.For, code.Each, code.While) && looksAgain(n, name) {
			return true
		}
		var behind []*code.Node
		switch {
		case n.Part == code.Stmt:
			behind = behindIn(n.Parent, n)
		case !n.Parent.Is(code.If, code.For, code.Each, code.While): // what is behind a part of these is no way on from it
			behind = slices.DeleteFunc(slices.Clone(n.Parent.Kids), func(k *code.Node) bool { return k.Start < n.End })
		}
		if read, decided := looksAt(behind, name); decided {
			return read
		}
	}
	return false
}

// behindIn are the statements of a block behind one of them.
func behindIn(block, n *code.Node) []*code.Node {
	all := block.All(code.Stmt)
	return all[slices.Index(all, n)+1:]
}

// readInside reports whether a function inside of the function knows a variable: it may look at it whenever it is called.
func readInside(fn *code.Node, name string) bool {
	for n := range fn.Walk() {
		if n.Role == code.Name && n.Name == name && n.Function() != fn && n.Part != code.Params {
			return true
		}
	}
	return false
}

// looksAt reports whether the first of some statements that has to do with a variable reads it; not decided where none has, and what is behind them is done, too.
func looksAt(stmts []*code.Node, name string) (read, decided bool) {
	for _, n := range stmts {
		if mentions(n.Text(), name) {
			return !makesAnew(n, name), true
		}
		if n.Is(code.Return, code.Raise) {
			return false, true
		}
	}
	return false, false
}

// assignment is a statement without what a language may put around what it does: a declaration of one variable, a value that is a statement.
func assignment(stmt *code.Node) *code.Node {
	elems := stmt.All(code.Elem)
	switch {
	case stmt.Is(code.Declaration) && len(elems) == 1:
		return elems[0]
	case stmt.Is(code.Eval):
		return stmt.Kid(code.Value)
	}
	return stmt
}

// makesAnew reports whether a statement gives a variable a value, whatever it had before.
func makesAnew(n *code.Node, name string) bool {
	n = assignment(n)
	return n.Is(code.Assign) && (n.Op == "=" || n.Op == ":=") && slices.ContainsFunc(n.All(code.Target), func(t *code.Node) bool { return t.Is(code.Name) && t.Name == name }) &&
		!slices.ContainsFunc(n.All(code.Value), func(v *code.Node) bool { return mentions(v.Text(), name) })
}

// looksAgain reports whether the next round of a loop may look at what a variable was given in the last one.
func looksAgain(loop *code.Node, name string) bool {
	given := func(t *code.Node) bool { return mentions(t.Text(), name) }
	if loop.Is(code.Each) && slices.ContainsFunc(loop.All(code.Target), given) {
		return false
	}
	if loop.Is(code.While, code.For) && (given(loop.Kid(code.Cond)) || given(loop.Kid(code.Update))) || given(loop.Kid(code.Else)) {
		return true
	}
	read, _ := looksAt(loop.Kid(code.Body).All(code.Stmt), name)
	return read
}
