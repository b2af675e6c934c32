package search

import (
	"slices"

	"fettle/internal/code"
)

// Weights of where a loop is left.
const (
	firstCounts = 0.7 // what is taken is given back behind the loop
	nothingMore = 0.5 // other statements follow, which are for what is left
)

// leave ends a loop where it has taken what it looks for, and a round of it where a branch has done all there is to do: the first rule that fits decides.
func (s *site) leave(try func(change)) {
	loop := s.Up(code.While, code.For, code.Each, code.Function)
	last := lastOf(s.Kid(code.Then))
	if !s.Is(code.If) || s.Part != code.Stmt || s.Kid(code.Else) != nil || last == nil || !last.Alone() || ends(last) || loop == nil || loop.Is(code.Function) {
		return
	}
	put := func(word string, w float64, why string) {
		try(insert(last.End, "\n"+last.Indent()+s.statement(word), w, "%s was missing behind %s: %s", quote(word), quote(firstOf(last.Text())), why))
	}
	if s.takes(assignment(last), loop) {
		put("break", firstCounts, "the first one counts")
	}
	if s.Next() != nil && s.Parent == loop.Kid(code.Body) {
		put("continue", nothingMore, "there is nothing more to do")
	}
}

// takes reports whether an assignment gives what is made before a loop, and never grows in it, a value.
func (s *site) takes(a, loop *code.Node) bool {
	targets := a.All(code.Target)
	return a.Is(code.Assign) && a.Op == "=" && len(targets) > 0 && !slices.ContainsFunc(targets, func(t *code.Node) bool {
		return !t.Is(code.Name) || within(s.declaring(t), loop) || mentions(loop.Kid(code.Cond).Text(), t.Name) || mentions(s.Kid(code.Cond).Text(), t.Name)
	})
}
