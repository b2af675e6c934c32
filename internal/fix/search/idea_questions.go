package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// paritySaid is how documentations say that it matters which numbers are even.
var paritySaid = pattern.New(`(?i)\b(even|odd|parity)\b`)

// parity asks whether a number is even, and whether two are alike in that, where the documentation speaks of it.
func (a *asker) parity(vars []name) {
	fn := a.site.Function()
	if fn == nil || !paritySaid.MatchString(documentation(fn)) {
		return
	}
	numbers := slices.DeleteFunc(slices.Clone(vars), func(v name) bool { return !v.typ.known() || !v.typ.is(kInt) })
	slices.Reverse(numbers) // what was there first is asked about, and what it is like
	for i, v := range numbers {
		a.add(v.text + " % 2 " + a.eq + " 0")
		for _, w := range numbers[i+1:] {
			a.add(v.text + " % 2 " + a.eq + " " + w.text + " % 2")
		}
	}
}

// flagSaid matches what a documentation says of a member that is true or not: last: true, "open": True.
var flagSaid = pattern.New(`["']?\b(\w+)["']?\s*[:=]\s*[Tt]rue\b`)

// saidTrue asks for what the documentation says to be true of some elements of those that the loop around goes through, where the function never looks at it.
func (a *asker) saidTrue() {
	s := a.site
	loop, fn := s.Up(code.Each, code.Function), s.Function()
	if !loop.Is(code.Each) || s.fact().Static || !loop.Kid(code.Target).Is(code.Name) {
		return
	}
	x := loop.Kid(code.Target).Name
	for _, m := range flagSaid.FindAllStringSubmatch(documentation(fn), -1) {
		switch {
		case readsMember(fn, m[1]):
		case s.fact().Silent, strings.Contains(fn.Text(), x+"."):
			a.add(x + "." + m[1])
		default:
			a.add(x + ".get(" + s.mark() + m[1] + s.mark() + ")")
		}
	}
}

// readsMember reports whether a function looks at a member, by its name or as a text.
func readsMember(fn *code.Node, member string) bool {
	for n := range fn.Own() {
		if n.Is(code.Attr) && n.Name == member {
			return true
		}
	}
	return slices.Contains(writtenOut(fn), member)
}

// divisors asks whether what is divided by further down is nothing.
func (a *asker) divisors() {
	s := a.site
	if !s.isStatement() {
		return
	}
	for n := s.Node; n != nil; n = n.Next() {
		for k := range n.Walk() {
			by := k.Kid(code.Right)
			if k.Is(code.Arith) && (k.Op == "/" || k.Op == "//" || k.Op == "%") && by.Is(code.Name) && s.reaches(by) {
				a.add(by.Name + " " + a.eq + " 0")
			}
		}
	}
}
