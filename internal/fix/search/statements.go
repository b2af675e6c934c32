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
	}
	return "block"
}

// moveIn takes a statement into the block before it, or behind it.
func moveIn(s *site, try func(change)) {
	if !s.isStatement() || !plain(s.Node) && !ends(s.Node) || !s.Alone() {
		return
	}
	start, end := span(s.Node)
	into := func(outer *code.Node, last bool, w float64) {
		var block *code.Node
		for k := range outer.Own() {
			if k.Is(code.Block) && len(k.All(code.Stmt)) > 0 && (last || block == nil) {
				block = k
			}
			if k.Is(code.Block) && !last {
				break
			}
		}
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
	if next := s.Next(); next.Is(code.While, code.For, code.Each) && !ends(s.Node) {
		into(next, false, 1)
	}
}

// ingredient is a statement of the function that might be missing elsewhere, too.
type ingredient struct {
	text   string
	from   *code.Node
	weight float64
}

// copies are the plain statements of the function, of one line each.
func (s *site) copies() []ingredient {
	var out []ingredient
	seen := map[string]bool{}
	for n := range s.Function().Own() {
		if n.Part == code.Stmt && plain(n) && !strings.Contains(n.Text(), "\n") && !seen[n.Text()] {
			seen[n.Text()] = true
			out = append(out, ingredient{n.Text(), n, 1})
		}
	}
	return out
}

// renamed are the plain statements of the function with one variable exchanged for another one.
func (s *site) renamed() []ingredient {
	var out []ingredient
	seen := map[string]bool{}
	names := s.names()
	for n := range s.Function().Own() {
		if n.Part != code.Stmt || !plain(n) || strings.Contains(n.Text(), "\n") {
			continue
		}
		for k := range n.Walk() {
			if k.Role != code.Name || k.Part == code.Callee || k.Part == code.Key {
				continue
			}
			place := s.of(k)
			for _, v := range names {
				if v.text == k.Name || v.fn || !v.local {
					continue
				}
				fit := fits(v.typ, place)
				if fit < 0.5 {
					continue
				}
				text := n.Text()[:k.Start-n.Start] + v.text + n.Text()[k.End-n.Start:]
				if !seen[text] {
					seen[text] = true
					out = append(out, ingredient{text, n, fit * v.weight})
				}
			}
		}
	}
	return out
}

// place puts a statement before this one, and behind it if it is the last of its block.
func (s *site) place(text string, weight float64, why string, try func(change)) {
	indent := s.Indent()
	try(insert(s.Start, text+"\n"+indent, weight, "%s", why))
	if s.Next() == nil && !ends(s.Node) {
		try(insert(s.End, "\n"+indent+text, weight, "%s", why))
	}
}

func insertCopy(s *site, try func(change)) {
	if !s.isStatement() || !s.Alone() {
		return
	}
	for _, c := range s.copies() {
		if c.text == s.Text() || s.Holds(c.from.Start, c.from.End) && s.Node != c.from {
			continue
		}
		s.place(c.text, 0.9*c.weight, quote(c.text)+" was missing there", try)
	}
}

func insertRenamed(s *site, try func(change)) {
	if !s.isStatement() || !s.Alone() {
		return
	}
	for _, c := range s.renamed() {
		near := 0.7
		if c.from == s.Node || c.from == s.Prev() || c.from == s.Next() {
			near = 1
		}
		s.place(c.text, near*c.weight, quote(c.text)+" was missing there", try)
		if c.from == s.Node && s.Next() != nil && !ends(s.Node) {
			try(insert(s.End, "\n"+s.Indent()+c.text, c.weight, "%s was missing there", quote(c.text)))
		}
	}
}

// insertAssignment gives one variable the value of another.
func insertAssignment(s *site, try func(change)) {
	if !s.isStatement() || !s.Alone() {
		return
	}
	names := s.names()
	names = names[:min(len(names), 8)]
	for _, a := range names {
		if !a.local || a.fn || a.weight < 0.5 {
			continue
		}
		for _, b := range names {
			if a.text == b.text || b.fn || fits(b.typ, a.typ) < 0.5 {
				continue
			}
			text := s.statement(a.text + " = " + b.text)
			s.place(text, fits(b.typ, a.typ), quote(text)+" was missing there", try)
		}
		if s.fact().Name != "Go" && a.typ.is(kInt) {
			for _, by := range []string{" += 1", " -= 1"} {
				text := s.statement(a.text + by)
				s.place(text, 0.7, quote(text)+" was missing there", try)
			}
		}
	}
}

// results are what the function could give back early: what it gives back elsewhere, its parameters, and what is empty.
func (s *site) results() []string {
	var out []string
	add := func(t string) {
		if t != "" && !strings.Contains(t, "\n") && len(t) <= 60 && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	fn := s.Function()
	known := map[string]bool{}
	for _, v := range s.Scope() {
		known[v.Name] = true
	}
	var gives kind
	for n := range fn.Own() {
		if n.Role != code.Return {
			continue
		}
		v := n.Kid(code.Value)
		gives |= s.of(v).kind
		usable := v != nil && len(n.All(code.Value)) == 1
		for k := range v.Walk() {
			if k.Role == code.Name && k.Part != code.Callee && !known[k.Name] {
				usable = false
			}
		}
		if usable {
			add(v.Text())
		}
	}
	f := s.fact()
	if gives.has(kBool) || gives == 0 {
		add(f.True)
		add(f.False)
	}
	if !f.Static {
		add(f.Null)
		if gives.has(kList) || gives == 0 {
			add("[]")
		}
		if gives.has(kText) || gives == 0 {
			add(`""`)
		}
		if gives.has(kInt) || gives == 0 {
			for _, v := range s.names() {
				if v.local && v.typ.is(kList|kText|kMap) {
					add(s.size(v))
				}
			}
		}
	}
	if gives.has(kNumber) || gives == 0 {
		for _, n := range []string{"0", "1", "-1"} {
			add(n)
		}
	}
	for _, v := range s.names() {
		if v.local && !v.fn && fits(v.typ, typ{kind: gives}) >= 0.6 {
			add(v.text)
		}
	}
	return out[:min(len(out), 12)]
}

func (k kind) has(other kind) bool { return k&other != 0 }

// insertGuard leaves early when there is a reason to.
func insertGuard(s *site, try func(change)) {
	if !s.isStatement() || !s.Alone() {
		return
	}
	indent := s.Indent()
	first := s.Prev() == nil || s.Prev().Is(code.Eval) && s.Prev().Kid(code.Value).Is(code.Str)
	conds := s.conditions()
	loop := s.Up(code.While, code.For, code.Each, code.Function)
	for i, c := range conds[:min(len(conds), 24)] {
		w := max(1-0.03*float64(i), 0.2)
		if !first {
			w *= 0.6
		}
		for j, r := range s.results() {
			ret := s.statement("return " + r)
			try(insert(s.Start, s.guard(c, ret, indent)+"\n"+indent, w*max(1-0.06*float64(j), 0.3), "the case %s has to give %s", quote(c), quote(r)))
		}
		if !loop.Is(code.Function) && loop != nil {
			for _, word := range []string{"continue", "break"} {
				try(insert(s.Start, s.guard(c, s.statement(word), indent)+"\n"+indent, 0.6*w, "in the case %s there is nothing more to do", quote(c)))
			}
		}
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

// addElse gives an if statement without one an else branch.
func addElse(s *site, try func(change)) {
	if s.Role != code.If || s.Kid(code.Else) != nil || s.Function() == nil || s.Part == code.Else && s.Next() != nil {
		return
	}
	indent := s.Indent()
	for _, c := range slices.Concat(s.copies(), s.renamed()) {
		try(insert(s.End, s.otherwise(c.text, indent), 0.9*c.weight, "otherwise %s was missing", quote(c.text)))
	}
	for i, r := range s.results() {
		text := s.statement("return " + r)
		try(insert(s.End, s.otherwise(text, indent), 0.8*max(1-0.06*float64(i), 0.3), "otherwise %s was missing", quote(text)))
	}
}

// addReturn gives back what a function computes and then forgets.
func addReturn(s *site, try func(change)) {
	if s.Role == code.Pass && s.isStatement() && s.fact().Name == "Python" {
		for i, r := range s.results() {
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
	for i, r := range s.results() {
		text := s.statement("return " + r)
		try(insert(s.End, "\n"+s.Indent()+text, w*max(1-0.06*float64(i), 0.3), "%s was missing there", quote(text)))
	}
}

// insertJump leaves a loop, or goes on with its next round, at the end of a branch.
func insertJump(s *site, try func(change)) {
	if s.Role != code.If || s.Up(code.While, code.For, code.Each) == nil || s.Up(code.While, code.For, code.Each, code.Function).Is(code.Function) {
		return
	}
	for _, block := range append(s.All(code.Then), s.All(code.Else)...) {
		stmts := block.All(code.Stmt)
		if !block.Is(code.Block) || len(stmts) == 0 || ends(stmts[len(stmts)-1]) {
			continue
		}
		last := stmts[len(stmts)-1]
		for i, word := range []string{"break", "continue"} {
			try(insert(last.End, "\n"+last.Indent()+s.statement(word), 1-0.1*float64(i), "%s was missing after %s", quote(word), quote(firstOf(last.Text()))))
		}
	}
}

// swapBranches exchanges what an if statement does and what it does otherwise.
func swapBranches(s *site, try func(change)) {
	if s.Role != code.If {
		return
	}
	a, b := s.Kid(code.Then), s.Kid(code.Else)
	if !a.Is(code.Block) || !b.Is(code.Block) || len(s.All(code.Else)) != 1 {
		return
	}
	middle := s.File.Source[a.End:b.Start]
	try(change{[]edit.Edit{{Start: a.Start, End: b.End, New: []byte(b.Text() + middle + a.Text())}}, 1, "the two branches of the condition were exchanged"})
}

// chain makes an if statement a branch of the one before it, or of a branch a statement of its own.
func chain(s *site, try func(change)) {
	if s.Role != code.If {
		return
	}
	text := s.Text()
	switch {
	case s.Part == code.Stmt && s.Prev().Is(code.If) && s.Prev().Kid(code.Else) == nil:
		why := fmt.Sprintf("%s is asked only if the condition before it does not hold", quote(s.Kid(code.Cond).Text()))
		if s.fact().Braces {
			try(change{[]edit.Edit{{Start: s.Prev().End, End: s.Start, New: []byte(" else ")}}, 1, why})
		} else {
			try(insert(s.Start, "el", 1, "%s", why))
		}
	case s.Part == code.Else && strings.HasPrefix(text, "elif"):
		try(change{[]edit.Edit{{Start: s.Start, End: s.Start + 2}}, 1, fmt.Sprintf("%s is asked whatever the condition before it says", quote(s.Kid(code.Cond).Text()))})
	case s.Part == code.Else && s.fact().Braces && s.Parent.Kid(code.Then) != nil:
		try(change{[]edit.Edit{{Start: s.Parent.Kid(code.Then).End, End: s.Start, New: []byte("\n" + s.Indent())}}, 1,
			fmt.Sprintf("%s is asked whatever the condition before it says", quote(s.Kid(code.Cond).Text()))})
	}
}
