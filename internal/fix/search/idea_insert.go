package search

import (
	"cmp"
	"slices"
	"strings"

	"fettle/internal/code"
)

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

// renamed are the plain statements of the function with one variable exchanged for another one, at one place or wherever it stands.
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
				everywhere := renamedIn(n, map[string]string{k.Name: v.text})
				for _, text := range []string{n.Text()[:k.Start-n.Start] + v.text + n.Text()[k.End-n.Start:], everywhere} {
					if !seen[text] {
						seen[text] = true
						out = append(out, ingredient{text, n, fit * v.weight})
					}
				}
			}
		}
	}
	return out
}

// place puts a statement before this one, and behind it if it is the last of its block.
func (s *site) place(text string, weight float64, try func(change)) {
	try(s.before(text, weight))
	if s.Next() == nil && !ends(s.Node) {
		try(s.after(text, weight))
	}
}

// before puts a statement before this one.
func (s *site) before(text string, weight float64) change {
	return insert(s.Start, text+"\n"+s.Indent(), weight, "%s was missing before %s", quote(text), quote(firstOf(s.Text())))
}

// after puts a statement behind this one.
func (s *site) after(text string, weight float64) change {
	return insert(s.End, "\n"+s.Indent()+text, weight, "%s was missing after %s", quote(text), quote(firstOf(s.Text())))
}

func insertCopy(s *site, try func(change)) {
	if !s.isStatement() || !s.Alone() {
		return
	}
	s.sharedGuards(try)
	for _, c := range s.copies() {
		if c.text == s.Text() {
			continue
		}
		if s.Holds(c.from.Start, c.from.End) && s.Node != c.from {
			if s.Is(code.While, code.For, code.Each) && !ends(c.from) && s.reaches(c.from) { // once more, with what the loop stops at
				try(s.after(c.text, 0.6*c.weight))
			}
			continue
		}
		s.place(c.text, 0.9*c.weight, try)
	}
}

// insertRenamed does once more what the function does, with another variable, or, behind a loop, with the last element.
func insertRenamed(s *site, try func(change)) {
	if !s.isStatement() {
		return
	}
	s.insertLast(try)
	if !s.Alone() {
		return
	}
	for _, c := range s.renamed() {
		near := 0.7
		if c.from == s.Node || c.from == s.Prev() || c.from == s.Next() {
			near = 1
		}
		s.place(c.text, near*c.weight, try)
		if c.from == s.Node && s.Next() != nil && !ends(s.Node) {
			try(s.after(c.text, c.weight))
		}
	}
}

// insertAssignment gives one variable the value of another.
func insertAssignment(s *site, try func(change)) {
	if !s.isStatement() || !s.Alone() {
		return
	}
	s.insertUniform(try)
	s.insertOwnCall(try)
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
			w := fits(b.typ, a.typ)
			if s.onlyGiven(a.text) || s.onlyCounted(a.text) {
				w *= unlikelyTarget
			}
			s.place(text, w, try)
		}
		if s.fact().Family != "Go" && a.typ.is(kInt) {
			for _, by := range []string{" += 1", " -= 1"} {
				text := s.statement(a.text + by)
				s.place(text, 0.7, try)
			}
		}
	}
}

// unlikelyTarget is how likely a parameter that a function never gives a value, or what it counts with, is to be given another's value, against other variables.
const unlikelyTarget = 0.6

// onlyGiven reports whether a variable is a parameter that its function never gives another value.
func (s *site) onlyGiven(name string) bool {
	fn := s.Function()
	if !slices.ContainsFunc(fn.All(code.Params), func(p *code.Node) bool { return p.Name == name }) {
		return false
	}
	for n := range fn.Walk() {
		if n.Role == code.Name && n.Name == name && !s.at(n).parameter() && s.at(n).written() {
			return false
		}
	}
	return true
}

// onlyCounted reports whether all that a function does with a variable is to count: from a number on, in steps of one.
func (s *site) onlyCounted(name string) bool {
	steps := 0
	for n := range s.Function().Walk() {
		if n.Role != code.Name || n.Name != name || !s.at(n).written() {
			continue
		}
		by := n.Parent.Kid(code.Value)
		switch {
		case n.Parent.Is(code.Step), by.Text() == "1" && (n.Parent.Op == "+=" || n.Parent.Op == "-="):
			steps++
		case !by.Is(code.Int):
			return false
		}
	}
	return steps > 0
}

// mostOwnCalls bounds how many of an object's own methods are called where they may have been forgotten.
const mostOwnCalls = 5

// insertOwnCall calls a method of the same object that takes what is at hand by the very names: what another one puts into order, or takes out, is to be done here first.
func (s *site) insertOwnCall(try func(change)) {
	fn, class := s.Function(), s.Up(code.Class)
	if class == nil || s.fact().Family == "Go" {
		return
	}
	known := map[string]bool{}
	for _, v := range s.names() {
		known[v.text] = v.local
	}
	object := cmp.Or(s.fact().Self, selfName(s))
	tried := 0
	for _, m := range s.unit.pool(s.File).functions {
		if m == fn || m.Up(code.Class) != class || begins(m) || tried == mostOwnCalls || mentions(fn.Text(), m.Name) {
			continue
		}
		var args []string
		for _, p := range m.All(code.Params) {
			if p.Name != object {
				args = append(args, p.Name)
			}
		}
		if len(args) == 0 && s.opens() || slices.ContainsFunc(args, func(a string) bool { return !known[a] }) {
			continue
		}
		tried++
		call := m.Name + "(" + strings.Join(args, ", ") + ")"
		if s.fact().Family != "Java" {
			call = object + "." + call
		}
		s.place(s.statement(call), 0.8, try)
	}
}

// uniform are what makes different values that mean the same alike, by language and kind, the likelier first.
var uniform = map[string]map[kind][]string{
	"Python":     {kNumber: {"abs({X})"}, kText: {"{X}.lower()", "{X}.strip()"}, kList: {"sorted({X})"}},
	"JavaScript": {kNumber: {"Math.abs({X})"}, kText: {"{X}.toLowerCase()", "{X}.trim()"}},
	"Java":       {kNumber: {"Math.abs({X})"}, kText: {"{X}.toLowerCase()", "{X}.trim()"}},
	"Go":         {kText: {"strings.ToLower({X})", "strings.TrimSpace({X})"}},
}

// opens reports whether a statement is the first of its block, whatever the documentation before it says.
func (s *site) opens() bool {
	before := s.Prev()
	return before == nil || documents(before)
}

// insertUniform begins with what makes a parameter's values alike: a number without its sign, a text in small letters, a list in order.
func (s *site) insertUniform(try func(change)) {
	if !s.opens() || !s.Parent.Parent.Is(code.Function) || s.fact().Family == "Go" && !s.isModule("strings") {
		return
	}
	for _, v := range s.Scope() {
		if v.Kind != code.Parameter || v.Decl.Function() != s.Function() {
			continue
		}
		t := s.declaredType(v)
		for _, k := range []kind{kNumber, kText, kList} {
			if !t.is(k) {
				continue
			}
			for i, form := range uniform[s.fact().Family][k] {
				text := s.statement(v.Name + " = " + strings.ReplaceAll(form, "{X}", v.Name))
				try(s.before(text, 1-0.2*float64(i)))
			}
		}
	}
}

// insertGuard leaves early when there is a reason to.
func insertGuard(s *site, try func(change)) {
	if !s.isStatement() || !s.Alone() {
		return
	}
	indent := s.Indent()
	first := s.opens()
	conds := s.conditions()
	answers := s.answers()
	loop := s.Up(code.While, code.For, code.Each, code.Function)
	for i, c := range conds[:min(len(conds), 24)] {
		w := max(1-0.03*float64(i), 0.2)
		if !first {
			w *= 0.6
		}
		for j, r := range answers {
			if r == c {
				continue // a case that gives itself: it is meant as "or", and there is an idea for that
			}
			ret := s.statement("return " + r)
			try(insert(s.Start, s.guard(c, ret, indent)+"\n"+indent, w*max(1-0.06*float64(j), 0.3), "the case %s has to give %s", quote(c), quote(r)))
		}
		for _, r := range s.refusing(c) {
			try(insert(s.Start, s.guard(c, r.text, indent)+"\n"+indent, w*r.weight, "the case %s has to be refused", quote(c)))
		}
		if !loop.Is(code.Function) && loop != nil {
			for _, word := range []string{"continue", "break"} {
				try(insert(s.Start, s.guard(c, s.statement(word), indent)+"\n"+indent, 0.6*w, "in the case %s there is nothing more to do", quote(c)))
			}
			if s.Next() == nil && !ends(s.Node) && s.Parent == loop.Kid(code.Body) {
				try(insert(s.End, "\n"+indent+s.guard(c, s.statement("break"), indent), 0.6*w, "after the case %s there is nothing more to do", quote(c)))
			}
		}
	}
}

// insertGuarded does what the function does elsewhere, if there is a reason to.
func insertGuarded(s *site, try func(change)) {
	if !s.isStatement() || !s.Alone() {
		return
	}
	indent := s.Indent()
	copies := s.copies()
	conds := s.conditions()
	for i, c := range conds[:min(len(conds), 24)] {
		for j, k := range copies[:min(len(copies), 6)] {
			w := max(1-0.03*float64(i)-0.05*float64(j), 0.2)
			try(insert(s.Start, s.guard(c, k.text, indent)+"\n"+indent, w, "in the case %s %s was missing", quote(c), quote(k.text)))
		}
	}
}
