package search

import (
	"strings"

	"fettle/internal/code"
)

// Bounds of what a loop may have to do once more behind it.
const mostFlushed = 6

// flush does once more behind a loop what it does where something comes to an end in it, if that is still going on: the last of them ends with the loop. Where
// the loop counts, the count is by then what the loop stops at.
func (s *site) flush(try func(change)) {
	counter, end := s.stops()
	tried := 0
	for n := range s.Kid(code.Body).Own() {
		if !n.Is(code.If) || n.Function() != s.Function() || tried == mostFlushed {
			continue
		}
		stmts := n.Kid(code.Then).All(code.Stmt)
		if len(stmts) == 0 || !s.handsOn(stmts[0]) || strings.Contains(stmts[0].Text(), "\n") {
			continue
		}
		text, cond := s.behind(stmts[0], counter, end), s.stillGoing(n.Kid(code.Cond), counter)
		if text == "" {
			continue
		}
		if fn := s.function(stmts[0].Kid(code.Value).Calls()); fn != nil && fn.Function() == s.Function() { // which sees to what there is to do
			try(s.after(text, 1))
		}
		if cond == "" {
			continue
		}
		tried++
		guarded := s.guard(cond, text, s.Indent())
		try(insert(s.End, "\n"+s.Indent()+guarded, 0.9, "what is still going on behind the loop is lost: %s was missing there", quote(text)))
	}
}

// leftOver does with what is left of a number, behind the loop that takes factors out of it, what the loop does with each factor: the last one may be too large for the loop.
func (s *site) leftOver(try func(change)) {
	if !s.isStatement() || !s.Is(code.For, code.While, code.Each) || s.Up(code.For, code.While, code.Each) != nil {
		return
	}
	for n := range s.Kid(code.Body).Walk() {
		number, factor := takenOut(n)
		if number == "" || !s.has(number) {
			continue
		}
		for _, stmt := range n.Parent.All(code.Stmt) {
			if stmt == n || !stmt.Alone() || !mentions(stmt.Text(), factor) || mentions(stmt.Text(), number) || strings.Contains(stmt.Text(), "\n") {
				continue
			}
			text := s.guard(number+" > 1", renamedIn(stmt, map[string]string{factor: number})+s.end(stmt), s.Indent())
			try(insert(s.End, "\n"+s.Indent()+text, 0.9, "what is left of %s behind the loop is lost", quote(number)))
		}
	}
}

// takenOut is the number that a statement divides by a factor, and that; empty: it is no such statement.
func takenOut(stmt *code.Node) (number, factor string) {
	a := assignment(stmt)
	by := a.Kid(code.Value)
	if by.Is(code.Arith) && a.Op == "=" && (by.Op == "/" || by.Op == "//") && by.Kid(code.Left).Text() == a.Kid(code.Target).Text() {
		by = by.Kid(code.Right)
	} else if a.Op != "/=" && a.Op != "//=" {
		return "", ""
	}
	if stmt.Part != code.Stmt || !a.Is(code.Assign) || !by.Is(code.Name) || !a.Kid(code.Target).Is(code.Name) {
		return "", ""
	}
	return a.Kid(code.Target).Text(), by.Name
}

// stops are the variable that a loop counts with, from the front to the back, and what that is when the loop has ended; empty if it does not count so.
func (s *site) stops() (counter, end string) {
	switch cond, iter, targets := s.Kid(code.Cond), s.Kid(code.Iter), s.All(code.Target); {
	case s.Is(code.For) && cond.Is(code.Compare) && cond.Kid(code.Left).Is(code.Name) && cond.Op == "<":
		return cond.Kid(code.Left).Name, cond.Kid(code.Right).Text()
	case s.Is(code.Each) && len(targets) > 0 && targets[0].Is(code.Name) && s.fact().Family == "Go" && len(targets) == 2:
		return targets[0].Name, "len(" + iter.Text() + ")"
	case s.Is(code.Each) && len(targets) > 0 && targets[0].Is(code.Name) && iter.Is(code.Call):
		args := iter.All(code.Arg)
		switch {
		case iter.Calls() == "range" && len(args) > 0 && len(args) < 3:
			return targets[0].Name, args[len(args)-1].Text()
		case iter.Calls() == "enumerate" && len(args) == 1 && len(targets) == 2:
			return targets[0].Name, "len(" + args[0].Text() + ")"
		}
	}
	return "", ""
}

// inside reports whether a variable is made by a loop, or in it.
func (s *site) inside(n *code.Node) bool { return within(s.declaring(n), s.Node) }

// handsOn reports whether a statement calls something, or adds to what is gathered.
func (s *site) handsOn(stmt *code.Node) bool {
	a := assignment(stmt)
	return a.Is(code.Call) || a.Is(code.Assign) && a.Kid(code.Target).Is(code.Name) && adds(a, a.Kid(code.Target).Name)
}

// behind is a statement of a loop's as it would be behind it; empty if it has to do with what only the loop knows.
func (s *site) behind(stmt *code.Node, counter, end string) string {
	for n := range stmt.Walk() {
		if n.Role == code.Name && n.Part != code.Callee && n.Name != counter && s.inside(n) {
			return ""
		}
	}
	if counter == "" {
		return stmt.Text()
	}
	return renamedIn(stmt, map[string]string{counter: end})
}

// stillGoing is what a condition asks of what lasts longer than a loop, whatever it asks of the loop's own; empty if it does not.
func (s *site) stillGoing(cond *code.Node, counter string) string {
	if cond.Is(code.Logic) && cond.Op == s.fact().And {
		for _, part := range []code.Part{code.Left, code.Right} {
			if text := s.stillGoing(cond.Kid(part), counter); text != "" {
				return text
			}
		}
		return ""
	}
	lasting := false
	for n := range cond.Walk() {
		if n.Role != code.Name || n.Part == code.Callee {
			continue
		}
		if n.Name == counter || s.inside(n) {
			return ""
		}
		lasting = lasting || s.gives(n.Name)
	}
	if !lasting {
		return ""
	}
	return cond.Text()
}
