package search

import (
	"fettle/internal/code"
	"fettle/internal/edit"
)

// mostBetween bounds how many statements stand between what a value begins with and the loop that it belongs into.
const mostBetween = 3

// eachRound takes the statement with which a value begins into the loop behind it: there the value is changed, and nothing behind the loop asks for it, so that
// what one round has found is nothing to the next. In languages in which a name is known in its block alone a copy of it would be another variable's.
func (s *site) eachRound(try func(change)) {
	v := beginning(s.Node)
	if v == nil || !s.Alone() || !s.fact().BlockScoped {
		return
	}
	loop := s.Next()
	for n := 0; n < mostBetween && loop != nil && !loop.Is(code.For, code.Each, code.While) && !mentions(loop.Text(), v.Name); n++ {
		loop = loop.Next()
	}
	body := loop.Kid(code.Body)
	if !loop.Is(code.For, code.Each, code.While) || !body.Is(code.Block) || mentions(loop.File.Source[loop.Start:body.Start], v.Name) || !s.at(body).touches(v.Name) {
		return
	}
	for n := loop.Next(); n != nil; n = n.Next() {
		if mentions(n.Text(), v.Name) {
			return
		}
	}
	first := body.Kid(code.Stmt)
	if first == nil || !first.Alone() {
		return
	}
	start, end := span(s.Node)
	indent := first.Indent()
	try(change{[]edit.Edit{{Start: start, End: end}, {Start: first.Start, End: first.Start, New: []byte(reindented(s.Node, indent) + "\n" + indent)}}, 1,
		quote(firstOf(s.Text())) + " belongs into the loop: each round begins anew"})
}

// beginning is the one variable that a statement makes and gives a value to, or nil.
func beginning(stmt *code.Node) *code.Node {
	made := stmt
	if stmt.Is(code.Declaration) {
		elems := stmt.All(code.Elem)
		if len(elems) != 1 {
			return nil
		}
		made = elems[0]
	}
	if targets := made.All(code.Target); made.Is(code.Assign) && made.Declares && len(targets) == 1 && targets[0].Is(code.Name) && made.Kid(code.Value) != nil {
		return targets[0]
	}
	return nil
}
