package search

import (
	"fmt"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// Families about statements: missing checks, statements too many, missing, or in the wrong place.
var statementTemplates = []template{
	{"delete-statement", 0.40, 0.65, deleteStatement},
	{"swap-statements", 0.30, 0.68, swapStatements},
	{"move-out", 0.42, 0.75, moveOut},
	{"move-in", 0.34, 0.70, moveIn},
	{"insert-renamed", 0.26, 0.80, insertRenamed},
	{"insert-copy", 0.20, 0.62, insertCopy},
	{"insert-assignment", 0.16, 0.75, insertAssignment},
	{"guard", 0.14, 0.60, insertGuard},
	{"wrap-in-condition", 0.12, 0.60, wrapInCondition},
	{"add-else", 0.18, 0.60, addElse},
	{"add-return", 0.40, 0.75, addReturn},
	{"jump", 0.18, 0.60, insertJump},
	{"swap-branches", 0.30, 0.70, swapBranches},
	{"chain", 0.28, 0.70, chain},
	{"error-check", 0.55, 0.75, errorCheck},
	{"swap-conditions", 0.28, 0.75, swapConditions},
	{"insert-guarded", 0.08, 0.55, insertGuarded},
	{"insert-transform", 0.07, 0.60, insertTransform},
	{"insert-last", 0.16, 0.70, insertLast},
	{"arrange", 0.15, 0.65, arrange},
	{"complete-swap", 0.60, 0.85, completeSwap},
	{"remember", 0.42, 0.85, remember},
}

// isStatement reports whether the node is a statement of a function's.
func (s *site) isStatement() bool {
	return s.Part == code.Stmt && s.Parent.Is(code.Block, code.Case) && s.Function() != nil && !s.Parent.Parent.Is(code.Class)
}

// plain reports whether a statement is one that may be taken out, copied or moved: never a loop, a branch or a return.
func plain(n *code.Node) bool {
	switch n.Role {
	case code.Assign:
		return !n.Declares || !n.File.Facts.BlockScoped
	case code.Step:
		return true
	case code.Eval:
		return !n.Kid(code.Value).Is(code.Str)
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
		if s.fact().Name == "Python" {
			try(replace(s.Node, "pass", 0.5, "%s", why))
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

// moveOut takes the last or first statement of a block out of it, behind or before what holds the block.
func moveOut(s *site, try func(change)) {
	if !s.isStatement() || !plain(s.Node) && !ends(s.Node) || s.Is(code.Break, code.Continue) || !s.Alone() {
		return
	}
	outer := s.Parent.Parent
	for outer != nil && outer.Part != code.Stmt && !outer.Is(code.Function, code.Module) {
		outer = outer.Parent
	}
	if !outer.Is(code.If, code.While, code.For, code.Each, code.Other, code.Switch) {
		return
	}
	indent := outer.Indent()
	start, end := span(s.Node)
	rest := ""
	if len(s.Parent.All(code.Stmt)) == 1 {
		if s.fact().Name != "Python" {
			return
		}
		rest = s.Indent() + "pass\n"
	}
	out := reindented(s.Node, indent)
	cutOut := edit.Edit{Start: start, End: end, New: []byte(rest)}
	if s.Next() == nil {
		at := outer.End
		text := "\n" + indent + out
		why := fmt.Sprintf("%s belongs behind the %s, not into it", quote(firstOf(s.Text())), wordFor(outer))
		w := 1.0
		if outer.Is(code.If) {
			w = 0.6
		}
		switch {
		case end >= at: // the outer statement ends with this one
			try(change{[]edit.Edit{{Start: start, End: end, New: []byte(rest + indent + out + "\n")}}, w, why})
		default:
			try(change{[]edit.Edit{cutOut, {Start: at, End: at, New: []byte(text)}}, w, why})
		}
	}
	if s.Prev() == nil && !ends(s.Node) {
		try(change{[]edit.Edit{{Start: outer.Start, End: outer.Start, New: []byte(out + "\n" + indent)}, cutOut}, 0.8,
			fmt.Sprintf("%s belongs before the %s, not into it", quote(firstOf(s.Text())), wordFor(outer))})
	}
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

// blockOf is the first block with statements of what a statement holds, or the last.
func blockOf(outer *code.Node, last bool) *code.Node {
	var block *code.Node
	for k := range outer.Own() {
		if !k.Is(code.Block) {
			continue
		}
		if len(k.All(code.Stmt)) > 0 {
			block = k
		}
		if !last {
			break
		}
	}
	return block
}

// moveIn takes a statement into the block before it, or behind it.
func moveIn(s *site, try func(change)) {
	if !s.isStatement() || !plain(s.Node) && !ends(s.Node) || !s.Alone() {
		return
	}
	start, end := span(s.Node)
	into := func(outer *code.Node, last bool, w float64) {
		block := blockOf(outer, last)
		if block == nil {
			return
		}
		stmts := block.All(code.Stmt)
		why := fmt.Sprintf("%s belongs into the %s", quote(firstOf(s.Text())), wordFor(outer))
		if last {
			to := stmts[len(stmts)-1]
			if ends(to) || !to.Alone() {
				return
			}
			indent := to.Indent()
			try(change{[]edit.Edit{{Start: to.End, End: to.End, New: []byte("\n" + indent + reindented(s.Node, indent))}, {Start: start, End: end}}, w, why})
			return
		}
		to := stmts[0]
		if !to.Alone() {
			return
		}
		indent := to.Indent()
		try(change{[]edit.Edit{{Start: start, End: end}, {Start: to.Start, End: to.Start, New: []byte(reindented(s.Node, indent) + "\n" + indent)}}, w, why})
	}
	if prev := s.Prev(); prev.Is(code.If, code.While, code.For, code.Each) {
		into(prev, true, 0.8)
	}
	next := s.Next()
	for next != nil && plain(next) {
		next = next.Next()
	}
	if next.Is(code.While, code.For, code.Each) && !ends(s.Node) {
		into(next, false, 1)
	}
}

// wrapInCondition does a statement only in some cases.
func wrapInCondition(s *site, try func(change)) {
	if !s.isStatement() || !s.Alone() || !plain(s.Node) && !ends(s.Node) {
		return
	}
	indent := s.Indent()
	step := s.unit.pool(s.File).unit
	for i, c := range s.conditions() {
		try(replace(s.Node, s.guard(c, reindented(s.Node, indent+step), indent), max(1-0.03*float64(i), 0.2), "%s is to be done only with %s", quote(firstOf(s.Text())), quote(c)))
	}
}

// addReturn gives back what a function computes and then forgets.
func addReturn(s *site, try func(change)) {
	if s.Role == code.Pass && s.isStatement() && s.fact().Name == "Python" {
		for i, r := range s.answers() {
			try(replace(s.Node, "return "+r, max(1-0.06*float64(i), 0.3), "%s was missing there", quote("return "+r)))
		}
		return
	}
	if !s.isStatement() || !s.Alone() || s.fact().Static {
		return
	}
	if v := s.Kid(code.Value); s.Role == code.Eval && v.Is(code.Call) {
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
	answers := s.answers()
	for _, t := range s.All(code.Target) { // what it has just been given
		if t.Is(code.Name) {
			answers = append([]string{t.Name}, answers...)
		}
	}
	for i, r := range answers {
		text := s.statement("return " + r)
		try(insert(s.End, "\n"+s.Indent()+text, w*max(1-0.06*float64(i), 0.3), "%s was missing there", quote(text)))
	}
}
