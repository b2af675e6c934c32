package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// checksFirst has a loop check all before another one, with the same head, does anything, where one loop does both in each of its rounds: when the function is left halfway,
// a part is done that cannot be taken back.
func (s *site) checksFirst(try func(change)) {
	body := s.Parent
	loop := body.Parent
	if !s.isStatement() || !s.Alone() || !loop.Is(code.Each, code.For) || loop.Kid(code.Body) != body || loop.Kid(code.Else) != nil || s.fact().Braces && !strings.HasPrefix(body.Text(), "{") || !leavesFunction(s.Prev()) {
		return
	}
	all := body.All(code.Stmt)
	at := slices.Index(all, s.Node)
	checks, acts := all[:at], all[at:]
	if !lasting(acts) || slices.ContainsFunc(acts, leavesFunction) {
		return
	}
	again, ok := s.saidAgain(checks, s.File.Source[s.Start:body.End])
	if !ok {
		return
	}
	start, _ := span(s.Node)
	indent, head := loop.Indent(), strings.TrimRight(s.File.Source[loop.Start:body.Start], " \t\n")
	first, second := head, head
	if s.fact().Family == "Go" && loop.Is(code.Each) {
		first = s.headFor(loop, s.File.Source[checks[0].Start:start])
		second = s.headFor(loop, again+s.File.Source[start:body.End])
	}
	opened := indent + second + "\n"
	if s.fact().Braces {
		opened = indent + "}\n" + indent + second + " {\n"
	}
	edits := []edit.Edit{{Start: start, End: start, New: []byte(opened + again)}}
	if first != head {
		edits = slices.Insert(edits, 0, edit.Edit{Start: loop.Start, End: loop.Start + len(head), New: []byte(first)})
	}
	try(change{edits, 0.9, quote(firstOf(s.Text())) + " is done before all is checked"})
}

// leavesFunction reports whether a statement is a branch that ends with leaving the function, and no more than that.
func leavesFunction(stmt *code.Node) bool {
	return stmt.Is(code.If) && stmt.Part == code.Stmt && stmt.Kid(code.Else) == nil && leaves(stmt.Kid(code.Then)) && !jumps(stmt)
}

// jumps reports whether a branch ends with the next round of a loop, or with its end.
func jumps(stmt *code.Node) bool {
	then := stmt.Kid(code.Then)
	if last := lastOf(then); last != nil {
		then = last
	}
	return then.Is(code.Break, code.Continue)
}

// lasting reports whether statements do anything that is still so when they are done.
func lasting(stmts []*code.Node) bool {
	return slices.ContainsFunc(stmts, func(n *code.Node) bool {
		makes := n.Is(code.Declaration) || n.Is(code.Assign) && n.Declares && n.Kid(code.Target).Is(code.Name)
		return !makes && !ends(n)
	})
}

// saidAgain is what a second loop has to say once more of what the first one says before its checks: what goes on with the next round, and what makes a variable that the rest
// reads; false where something is done there that cannot be done twice, or only the rest asks for what is made.
func (s *site) saidAgain(checks []*code.Node, rest string) (string, bool) {
	var again string
	for _, n := range slices.Backward(checks) {
		made := assignment(n)
		t := made.Kid(code.Target)
		switch {
		case leavesFunction(n):
			continue
		case n.Is(code.If) && n.Kid(code.Else) == nil && jumps(n) && lastOf(n.Kid(code.Then)).Is(code.Continue):
		case made.Is(code.Assign) && made.Declares && t.Is(code.Name) && len(made.All(code.Target)) == 1:
			if s.fact().Family == "Go" && count(s.File.Source[n.End:s.Start], t.Name) == 0 {
				return "", false
			}
			if !mentions(again+rest, t.Name) {
				continue
			}
		default:
			return "", false
		}
		start, end := span(n)
		again = s.File.Source[start:end] + again
	}
	return again, true
}

// headFor is the head of a loop of Go's with those of its variables alone that its body reads: the compiler takes no others.
func (s *site) headFor(loop *code.Node, body string) string {
	targets, over := loop.All(code.Target), s.File.Source[loop.Kid(code.Iter).Start:loop.Kid(code.Iter).End]
	var names []string
	for _, t := range targets {
		if names = append(names, t.Text()); t.Is(code.Name) && !mentions(body, t.Name) {
			names[len(names)-1] = "_"
		}
	}
	for len(names) > 0 && names[len(names)-1] == "_" {
		names = names[:len(names)-1]
	}
	if len(names) == 0 {
		return "for range " + over
	}
	return "for " + strings.Join(names, ", ") + " := range " + over
}
