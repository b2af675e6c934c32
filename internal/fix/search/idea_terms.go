package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
)

// scale adds what an arithmetic expression lacks: a factor, a divisor, or another term.
func scale(s *site, try func(change)) {
	t := s.of(s.Node)
	s.operandInUnit(try)
	if !s.mayLackTerm() || t.known() && !t.is(kNumber|kText|kList) {
		return
	}
	e := &terms{site: s, typ: t, text: s.Text(), grouped: code.Grouped(s.Node), weight: 1, try: try}
	if !t.known() {
		e.weight = 0.6
	}
	e.sum = e.text
	if s.Is(code.Choice, code.Wait) {
		e.sum = e.grouped
	}
	if !t.known() || t.is(kNumber) {
		e.factors()
	}
	if e.typ.is(kNumber) || !t.known() {
		s.overwritten(e)
	}
	for i, v := range s.names() {
		if i < 10 && v.local && !v.fn && v.text != e.text {
			e.with(v)
		}
	}
}

// overwritten adds what is in an element that is given a value made of this one next: of what a[i] = sum % 10 carries, a[i] itself is a part.
func (s *site) overwritten(e *terms) {
	made := s.Parent.Kid(code.Target)
	if s.Part != code.Value || !s.Parent.Is(code.Assign) || !made.Is(code.Name) || s.Statement() == nil {
		return
	}
	for next := s.Statement().Next(); next != nil; next = next.Next() {
		n := assignment(next)
		at := n.Kid(code.Target)
		if n.Is(code.Assign) && n.Op == "=" && at.Is(code.Index) && mentions(n.Kid(code.Value).Text(), made.Name) && !mentions(s.Text(), root(at).Text()) {
			e.lacks(e.sum+" + "+at.Text(), 1)
			return
		}
	}
}

// undoubled is how likely a number that stands alone lacks its square, against one that is doubled.
const undoubled = 0.53

// square multiplies a number with itself: where it is doubled, and where it stands alone in something greater.
func square(s *site, try func(change)) {
	if !s.Is(code.Name, code.Attr) || !s.value() || !s.Parent.Is(code.Arith, code.Compare, code.Call, code.Group) || s.Part == code.Object || s.Parent.Role == code.Call && s.Part != code.Arg {
		return
	}
	t := s.of(s.Node)
	if !t.is(kNumber) || t.kind&^(kNumber|kNull) != 0 {
		return
	}
	text := s.Text() + " * " + s.Text()
	if s.fact().Family == "Python" {
		text = s.power(s.Node, "2")
	}
	plain := s.Parent.Op == "+" || s.Parent.Op == "-" && s.Part == code.Left // the product binds closer
	if s.Parent.Role == code.Arith && !plain && s.fact().Family != "Python" {
		text = "(" + text + ")"
	}
	try(replace(s.Node, text, undoubled, "%s should be %s", quote(s.Text()), quote(text)))
}

// power is a value raised, where the language has an operator for that, or the file raises others by a function; else empty.
func (s *site) power(n *code.Node, to string) string {
	call := ""
	switch s.fact().Family {
	case "Python", "JavaScript":
		return code.Grouped(n) + " ** " + to
	case "Go":
		call = "math.Pow("
	case "Java":
		call = "Math.pow("
	}
	if call == "" || !strings.Contains(s.File.Source, call) {
		return ""
	}
	return call + n.Text() + ", " + to + ")"
}

// doubled takes a product with two for what should be a square.
func (s *site) doubled(try func(change)) {
	l, r := s.Kid(code.Left), s.Kid(code.Right)
	if s.Role != code.Arith || s.Op != "*" || l == nil || r == nil || r.Text() != "2" || s.fact().Ariths["**"] != nil {
		return
	}
	text := s.power(l, "2")
	if text == "" && l.Is(code.Name, code.Attr, code.Call, code.Index, code.Group) {
		text = l.Text() + " * " + l.Text()
	}
	if text != "" {
		try(replace(s.Node, text, 1, "%s was doubled where it should be squared", quote(l.Text())))
	}
}

// mayLackTerm reports whether the node is all of a value, so that something may have been left out of it.
func (s *site) mayLackTerm() bool {
	if !s.value() || s.condition() || s.Is(code.Bool, code.Null, code.Compare, code.Not, code.Logic) {
		return false
	}
	switch p := s.Parent; p.Role {
	case code.Assign, code.Return, code.List, code.Comprehension, code.Choice, code.Index, code.Function, code.Compare:
		return true
	case code.Call:
		return s.Part == code.Arg
	default:
		return false
	}
}

// terms makes sums and products of a value.
type terms struct {
	site               *site
	typ                typ
	text, grouped, sum string
	weight             float64
	try                func(change)
}

func (e *terms) lacks(meant string, weight float64) {
	e.try(replace(e.site.Node, meant, e.weight*weight, "%s should be %s", quote(e.text), quote(meant)))
}

// factors are the numbers that are most often left out.
func (e *terms) factors() {
	e.lacks(e.grouped+" / 2", 0.6)
	if e.site.fact().Name == "Python" {
		e.lacks(e.grouped+" // 2", 0.6)
	}
	if e.site.power(e.site.Node, "2") != "" {
		e.lacks(e.site.power(e.site.Node, "2"), 0.4)
		e.lacks(e.site.power(e.site.Node, "3"), 0.2)
	}
	e.lacks(e.grouped+" * 2", 0.5)
	said := e.site.unit.pool(e.site.File).literals[code.Int]
	for _, lit := range said[:min(len(said), 6)] {
		if lit != "0" && lit != "1" && lit != "2" && !e.site.Is(code.Int) {
			for _, op := range e.divisions() {
				e.lacks(e.grouped+op+lit, 0.4)
			}
			e.lacks(e.grouped+" * "+lit, 0.3)
			e.lacks(e.grouped+" % "+lit, 0.3)
		}
	}
	e.otherUnit()
	if e.site.Is(code.Name) && e.site.Parent.Is(code.Return) {
		for _, unit := range unitsOf {
			if !slices.Contains(said, unit) {
				e.lacks(e.grouped+" * "+unit, 0.15)
			}
		}
	}
	if e.site.Role != code.Unary && !literal(e.site.Node) {
		e.lacks("-"+e.grouped, 0.6)
	}
}

// divided gives what a quotient is where nothing is divided by: nothing, or one whole.
func (s *site) divided(try func(change)) {
	by, f := s.Kid(code.Right), s.fact()
	if !s.Is(code.Arith) || s.Op != "/" && s.Op != "//" && s.Op != "%" || literal(by) || !by.Is(code.Name, code.Attr, code.Call) || f.Family == "Go" || s.Parent.Is(code.Arith, code.Compare) {
		return
	}
	for i, none := range []string{"0", "1"} {
		zero := code.Grouped(by) + " " + f.Equal + " 0"
		text := zero + " ? " + none + " : " + s.Text()
		if f.Family == "Python" {
			text = none + " if " + zero + " else " + s.Text()
		}
		try(replace(s.Node, text, 0.5-0.1*float64(i), "%s may be zero", quote(by.Text())))
	}
}

// neverNegative has a remainder begin again from the end below zero, as what goes round does; but in Python it does so anyhow.
func (s *site) neverNegative(try func(change)) {
	n, by := s.Kid(code.Left), s.Kid(code.Right)
	if !s.Is(code.Arith) || s.Op != "%" || s.fact().Family == "Python" || literal(n) || s.Parent.Is(code.Compare) || s.of(n).known() && !s.of(n).is(kNumber) || by.Text() == "2" {
		return
	}
	w, period := 0.5, code.Grouped(by)
	if strings.Contains(n.Text(), "-") {
		w = 0.9
	}
	const why = "%s is negative where %s is"
	if s.fact().Family == "Java" {
		if n.Is(code.Group) {
			n = n.Kid(code.Operand)
		}
		if args := n.All(code.Arg); n.Is(code.Call) && n.Kid(code.Callee).Text() == "Math.abs" && len(args) == 1 {
			n, w = args[0], 0.9 // which was meant to help
		}
		try(replace(s.Node, "Math.floorMod("+n.Text()+", "+by.Text()+")", w, why, quote(s.Text()), quote(n.Text())))
		return
	}
	text := "(" + s.Text() + " + " + period + ") % " + period
	if s.fact().Family == "Go" {
		text = "(" + s.Text() + "+" + period + ")%" + period
	}
	if s.Parent.Is(code.Arith) {
		text = "(" + text + ")"
	}
	try(replace(s.Node, text, w, why, quote(s.Text()), quote(n.Text())))
}

// unitsOf are how many of a smaller unit the greater ones have that people compute with, which a function may not write out anywhere.
var unitsOf = []string{"100", "60", "1000", "10", "24", "7", "12"}

// divisions are the operators that divide.
func (e *terms) divisions() []string {
	if e.site.fact().Name == "Python" {
		return []string{" // ", " / "}
	}
	return []string{" / "}
}

// with joins the value with a variable.
func (e *terms) with(v name) {
	if e.typ.is(kList) && e.site.fact().Name == "Python" && !v.typ.is(kList) {
		e.lacks(e.sum+" + ["+v.text+"]", 0.6)
		e.lacks("["+v.text+"] + "+e.sum, 0.6)
	}
	fit := fits(v.typ, e.typ)
	if fit < 0.5 {
		return
	}
	e.lacks(e.sum+" + "+v.text, 0.7*fit)
	if !e.typ.is(kNumber) {
		e.lacks(v.text+" + "+e.sum, 0.5*fit)
	}
	if !e.typ.known() || e.typ.is(kNumber) {
		e.lacks(e.sum+" - "+v.text, 0.6*fit)
		e.lacks(v.text+" - "+e.grouped, 0.4*fit)
		e.lacks(e.grouped+" * "+v.text, 0.5*fit)
		e.lacks(e.grouped+" % "+v.text, 0.25*fit)
	}
}
