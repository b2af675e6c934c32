package search

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// Families about statements: missing checks, statements too many, missing, or in the wrong place.
var statementTemplates = []template{
	{"delete-statement", 0.40, 0.65, deleteStatement},
	{"swap-statements", 0.30, 0.68, each((*site).stepOrder, swapStatements, (*site).guardOrder)},
	{"move-out", 0.42, 0.75, each((*site).checksFirst, moveOut)},
	{"insert-renamed", 0.26, 0.80, insertRenamed},
	{"insert-twin", 0.56, 0.80, each((*site).afterLookup, insertTwin)},
	{"insert-copy", 0.20, 0.62, insertCopy},
	{"insert-assignment", 0.16, 0.75, insertAssignment},
	{"guard", 0.14, 0.60, each((*site).asksUncalled, insertGuard)},
	{"wrap-in-condition", 0.12, 0.60, each((*site).asItWasCounted, wrapInCondition)},
	{"add-else", 0.18, 0.60, addElse},
	{"add-return", 0.40, 0.75, addReturn},
	{"other-jump", 0.50, 0.80, each((*site).leave, otherJump)},
	{"other-else", 0.35, 0.80, each((*site).joined, otherElse)},
	{"exchange", 0.28, 0.75, exchange},
	{"error-check", 0.55, 0.75, errorCheck},
	{"insert-guarded", 0.08, 0.55, insertGuarded},
	{"arrange", 0.15, 0.65, arrange},
	{"complete-swap", 0.60, 0.85, completeSwap},
	{"forgotten-update", 0.42, 0.82, each((*site).turnedBack, forgottenUpdate)},
	{"begin-afresh", 0.35, 0.82, beginAfresh},
	{"mirrored", 0.45, 0.85, each((*site).otherWayRound, (*site).otherBranch, (*site).takenBack, (*site).forTheOther, (*site).onlyOther, (*site).otherEndOf, (*site).bothWays, (*site).carry, (*site).shifted, mirrored)},
	{"analogy", 0.55, 0.85, each((*site).asBeside, (*site).asAskedElsewhere, (*site).sameSize, analogy)},
	{"unread-variable", 0.60, 0.85, each((*site).sortMade, (*site).byUnit, unreadVariable)},
}

// isStatement reports whether the node is a statement of a function's.
func (s *site) isStatement() bool {
	return s.Part == code.Stmt && s.Parent.Is(code.Block, code.Case) && s.Function() != nil && !s.Parent.Parent.Is(code.Class) && !documents(s.Node)
}

// documents reports whether a statement is a text that nothing is done with, as those that describe functions in Python.
func documents(stmt *code.Node) bool { return stmt.Is(code.Eval) && stmt.Kid(code.Value).Is(code.Str) }

// plain reports whether a statement is one that may be taken out, copied or moved: never a loop, a branch or a return.
func plain(n *code.Node) bool {
	switch n.Role {
	case code.Assign:
		return !n.Declares || !n.File.Facts.BlockScoped
	case code.Step:
		return true
	case code.Eval:
		return !documents(n)
	default:
	}
	return false
}

// ends reports whether control never goes on after a statement.
func ends(n *code.Node) bool { return n.Is(code.Return, code.Break, code.Continue, code.Raise) }

func deleteStatement(s *site, try func(change)) {
	if !s.isStatement() || !plain(s.Node) {
		return
	}
	why := fmt.Sprintf("the statement %s does not belong there", quote(s.Text()))
	if len(s.Parent.All(code.Stmt)) == 1 {
		if s.fact().Family == "Python" {
			try(replace(s.Node, "pass", 0.5, "%s", why))
		} else {
			s.withoutElse(try, why)
		}
		return
	}
	start, end := span(s.Node)
	try(change{[]edit.Edit{{Start: start, End: end}}, 1, why})
}

// swapStatements exchanges a statement with the next one.
func swapStatements(s *site, try func(change)) {
	next := s.Next()
	if !s.isStatement() || next == nil || ends(s.Node) || ends(next) || !plain(s.Node) && !plain(next) {
		return
	}
	middle := s.File.Source[s.End:next.Start]
	try(change{[]edit.Edit{{Start: s.Start, End: next.End, New: []byte(next.Text() + middle + s.Text())}}, 1,
		fmt.Sprintf("%s came before %s", quote(firstOf(s.Text())), quote(firstOf(next.Text())))})
}

func firstOf(text string) string {
	line, _, more := strings.Cut(text, "\n")
	if more {
		return strings.TrimSuffix(strings.TrimSpace(line), "{") + "…"
	}
	return line
}

// moveOut takes the last or first statements of a block out of it, behind or before what holds the block, or what holds that.
func moveOut(s *site, try func(change)) {
	if !s.isStatement() || !s.movable() || s.Is(code.Break, code.Continue) {
		return
	}
	outer := holding(s.Node)
	if outer == nil {
		return
	}
	tail := s.tail()
	if tail != nil {
		s.moveBehind(tail, outer, 1, try)
		if further := holding(outer); further != nil {
			s.moveBehind(tail, further, 0.5, try)
		}
	}
	if s.Prev() == nil && !ends(s.Node) {
		start, end := span(s.Node)
		rest, ok := s.remains(1)
		indent := outer.Indent()
		if ok {
			try(change{[]edit.Edit{{Start: outer.Start, End: outer.Start, New: []byte(reindented(s.Node, indent) + "\n" + indent)}, {Start: start, End: end, New: []byte(rest)}}, 0.8,
				fmt.Sprintf("%s belongs before the %s, not into it", quote(firstOf(s.Text())), wordFor(outer))})
		}
	}
}

// movable reports whether a statement may be moved as it stands: a branch may that does not leave a loop.
func (s *site) movable() bool {
	if s.Is(code.If) && s.Part == code.Stmt {
		for n := range s.Own() {
			if n.Is(code.Break, code.Continue) {
				return false
			}
		}
		return s.Alone()
	}
	return (plain(s.Node) || ends(s.Node)) && s.Alone()
}

// holding is the branch or loop around a statement, or nil.
func holding(n *code.Node) *code.Node {
	outer := n.Parent.Parent
	for outer != nil && outer.Part != code.Stmt && !outer.Is(code.Function, code.Module) {
		outer = outer.Parent
	}
	if !outer.Is(code.If, code.While, code.For, code.Each, code.Other, code.Switch) {
		return nil
	}
	return outer
}

// mostMoved bounds how many statements are moved together.
const mostMoved = 4

// tail is the statement with all that follow it in its block, if they may be moved.
func (s *site) tail() (out []*code.Node) {
	for n := s.Node; n != nil; n = n.Next() {
		if !s.at(n).movable() || len(out) == mostMoved {
			return nil
		}
		out = append(out, n)
	}
	return out
}

// remains is what has to stand in a block from which so many statements are taken; false where an empty one would be left, or a loop that does nothing.
func (s *site) remains(taken int) (string, bool) {
	if len(s.Parent.All(code.Stmt)) > taken {
		return "", true
	}
	return s.Indent() + "pass\n", s.fact().Family == "Python" && !s.Parent.Parent.Is(code.While, code.For, code.Each)
}

// moveBehind takes the last statements of a block behind what holds it.
func (s *site) moveBehind(tail []*code.Node, outer *code.Node, w float64, try func(change)) {
	rest, ok := s.remains(len(tail))
	if !ok {
		return
	}
	start, _ := span(tail[0])
	_, end := span(tail[len(tail)-1])
	indent := outer.Indent()
	lines := make([]string, len(tail))
	for i, n := range tail {
		lines[i] = indent + reindented(n, indent)
	}
	out := strings.Join(lines, "\n")
	why := fmt.Sprintf("%s belongs behind the %s, not into it", quote(firstOf(s.Text())), wordFor(outer))
	if len(tail) > 1 {
		why = fmt.Sprintf("%s and what follows it belong behind the %s, not into it", quote(firstOf(s.Text())), wordFor(outer))
	}
	if outer.Is(code.If) {
		w *= 0.6
	}
	if end >= outer.End { // the outer statement ends with these
		try(change{[]edit.Edit{{Start: start, End: end, New: []byte(rest + out + "\n")}}, w, why})
		return
	}
	try(change{[]edit.Edit{{Start: start, End: end, New: []byte(rest)}, {Start: outer.End, End: outer.End, New: []byte("\n" + out)}}, w, why})
}

func wordFor(n *code.Node) string {
	switch n.Role {
	case code.If, code.Switch:
		return "branch"
	case code.While, code.For, code.Each:
		return "loop"
	default:
	}
	return "block"
}

// wrapInCondition does a statement only in some cases.
func wrapInCondition(s *site, try func(change)) {
	if !s.isStatement() || !s.Alone() || !plain(s.Node) && !ends(s.Node) {
		return
	}
	for i, c := range s.conditions() {
		try(s.onlyWith(c, max(1-0.03*float64(i), 0.2)))
	}
}

// onlyWith does a statement only where a condition holds.
func (s *site) onlyWith(cond string, weight float64) change {
	text := s.guard(cond, reindented(s.Node, s.Indent()+s.unit.pool(s.File).unit), s.Indent())
	return replace(s.Node, text, weight, "%s is to be done only with %s", quote(firstOf(s.Text())), quote(cond))
}

// addReturn gives back what a function computes and then forgets.
func addReturn(s *site, try func(change)) {
	if s.Role == code.Pass && s.isStatement() && s.fact().Family == "Python" {
		for i, r := range s.answers() {
			try(replace(s.Node, "return "+r, max(1-0.06*float64(i), 0.3), "%s was missing", quote("return "+r)))
		}
		return
	}
	if !s.isStatement() || !s.Alone() {
		return
	}
	if s.standing(try); s.fact().Static {
		return
	}
	if v := s.Kid(code.Value); s.Role == code.Eval && v.Is(code.Call) {
		s.returnPrinted(v, try)
		try(insert(v.Start, "return ", 1, "the value of %s was not given back", quote(v.Text())))
	}
	if s.Next() != nil || ends(s.Node) {
		return
	}
	body := s.Parent
	w := 0.6
	if body.Parent.Role == code.Function {
		w = 1
	}
	answers := append(s.changed(), s.made()...)
	for i, r := range answers {
		text := s.statement("return " + r)
		try(s.after(text, w*max(1-0.06*float64(i), 0.3)))
	}
}

// changed are the variables that a statement gives a value, or puts something into.
func (s *site) changed() (out []string) {
	all := s.All(code.Target)
	if v := s.Kid(code.Value); s.Role == code.Eval && v.Is(code.Assign) {
		all = v.All(code.Target) // an assignment is a value, too
	}
	if c := s.Kid(code.Value).Kid(code.Callee); s.Role == code.Eval && c.Is(code.Attr) && slices.Contains(growing, c.Name) {
		all = append(all, c.Kid(code.Object))
	}
	for _, t := range all {
		for t.Is(code.Index, code.Attr) {
			t = t.Kid(code.Object)
		}
		if t.Is(code.Name) {
			out = append([]string{t.Name}, out...)
		}
	}
	return out
}

// returnPrinted gives back what a function only prints.
func (s *site) returnPrinted(call *code.Node, try func(change)) {
	args := call.All(code.Arg)
	if c := call.Kid(code.Callee).Text(); c != "print" && c != "console.log" || len(args) != 1 {
		return
	}
	try(replace(s.Node, s.statement("return "+args[0].Text()), 1, "%s was printed, and not given back", quote(args[0].Text())))
	for i, r := range s.made() {
		try(replace(s.Node, s.statement("return "+r), 0.7*max(1-0.06*float64(i), 0.3), "%s was to be given back, and nothing printed", quote(r)))
	}
}
