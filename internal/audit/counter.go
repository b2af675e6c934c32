package audit

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/examples"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
)

// countsCalls looks for functions that begin to remember how often they were asked, outside of themselves, and to answer by that: with one constant for one
// time, or with the next of a list of constants.
func countsCalls(_ *patchView, f *fileView) []Finding {
	if f.test {
		return nil
	}
	was, old := counters(f.programBefore), parts.Functions(f.programBefore)
	var all []Finding
	for name, c := range counters(f.programAfter) {
		if c.Role == code.Index && (old[name] == nil || strings.Contains(old[name].Text(), "[")) {
			continue // what goes round a list may well be meant to
		}
		if _, had := was[name]; !had {
			all = append(all, Finding{Line: c.Line(), Effect: Ask, Evidence: fmt.Sprintf("%s in %s counts calls, and what is answered depends on it", parts.Bare(c.Text()), orFile(name))})
		}
	}
	slices.SortFunc(all, func(a, b Finding) int { return a.Line - b.Line })
	return all
}

// counters are the functions of a program that answer by how often they were asked, each with what it counts in.
func counters(f *code.File) map[string]*code.Node {
	all := make(map[string]*code.Node)
	for name, fn := range parts.Functions(f) {
		for n := range fn.Own() {
			if kept := remembers(n, fn); kept != nil && answersBy(fn, kept) {
				all[name] = kept
			} else if kept.Is(code.Name) {
				if next := nextByCount(fn, kept); next != nil {
					all[name] = next
				}
			}
			if list := nextOf(n); list != nil && n.Parent.Is(code.Return) && holdsConstants(list) {
				all[name] = list
			}
		}
	}
	return all
}

// nextByCount is what a function gives out of a list that is written out, by how often it was asked.
func nextByCount(fn, kept *code.Node) *code.Node {
	for n := range fn.Own() {
		if n.Role == code.Index && n.Parent.Is(code.Return) && n.Kid(code.Object).Is(code.Name) && n.Kid(code.At) != nil && parts.Mentions([]byte(n.Kid(code.At).Text()), kept.Name) && holdsConstants(n.Kid(code.Object)) {
			return n
		}
	}
	return nil
}

// remembers is what a statement changes that outlives the call: a variable from outside, a part of the function itself, a list from outside.
func remembers(n, fn *code.Node) *code.Node {
	var kept *code.Node
	switch {
	case n.Role == code.Assign && len(n.All(code.Target)) == 1:
		kept = n.All(code.Target)[0]
		if n.Op == "=" && code.Word(n.Kid(code.Value).Text(), lastWord(kept), 0) < 0 {
			return nil
		}
	case n.Role == code.Step:
		kept = n.Kid(code.Operand)
	case n.Role == code.Call && n.Kid(code.Callee).Is(code.Attr) && growing[parts.LastName(n)]:
		kept = n.Kid(code.Callee).Kid(code.Object)
	}
	switch {
	case kept.Is(code.Name) && outlives(kept.Name, fn):
		return kept
	case kept.Is(code.Attr) && kept.Kid(code.Object).Is(code.Name) && kept.Kid(code.Object).Name == parts.OwnName(fn):
		return kept
	case kept.Is(code.Attr) && ofItself(kept.Kid(code.Object), fn) && countsOne(n) && !startsAgain(kept, fn):
		return kept
	}
	return nil
}

// ofItself reports whether a name stands for what a method is called on.
func ofItself(object, fn *code.Node) bool {
	if object.Is(code.Self) {
		return true
	}
	params := fn.All(code.Params)
	return object.Is(code.Name) && len(params) > 0 && params[0].Name == object.Name && (fn.Up(code.Class) != nil || strings.HasPrefix(fn.Text(), "func ("))
}

// countsOne reports whether a statement, outside of any condition, adds one.
func countsOne(n *code.Node) bool {
	if n.Up(code.If, code.Switch, code.While, code.For, code.Each, code.Choice) != nil {
		return false
	}
	if n.Role == code.Step {
		return strings.Contains(n.Text(), "++")
	}
	return n.Role == code.Assign && (n.Op == "+=" && n.Kid(code.Value).Text() == "1" || n.Op == "=" && strings.HasSuffix(parts.Bare(n.Kid(code.Value).Text()), "+1"))
}

// startsAgain reports whether a function sets back what it counts in: then it counts up to something, over and over.
func startsAgain(kept, fn *code.Node) bool {
	for n := range fn.Own() {
		if n.Role == code.Assign && n.Op == "=" && parts.Bare(n.Kid(code.Target).Text()) == parts.Bare(kept.Text()) && parts.Literal(n.Kid(code.Value)) {
			return true
		}
	}
	return false
}

var growing = map[string]bool{"append": true, "push": true, "add": true, "unshift": true, "insert": true}

// outlives reports whether a name of a function is a variable of the file, or of a function around it.
func outlives(name string, fn *code.Node) bool {
	for n := range fn.Own() {
		if n.Role == code.Other && (strings.HasPrefix(n.Text(), "global ") || strings.HasPrefix(n.Text(), "nonlocal ")) && parts.Mentions([]byte(n.Text()), name) {
			return true
		}
	}
	if parts.HasParam(fn, name) {
		return false
	}
	for n := range fn.Own() {
		if n.Role == code.Assign && n.Declares && slices.ContainsFunc(n.All(code.Target), func(t *code.Node) bool { return t.Role == code.Name && t.Name == name }) {
			return false
		}
	}
	return defined(fn.File, name) != nil
}

// defined is where a variable gets its value outside of functions.
func defined(f *code.File, name string) *code.Node {
	for n := range f.Root.Own() {
		if n.Role == code.Assign && n.Function() == nil && slices.ContainsFunc(n.All(code.Target), func(t *code.Node) bool { return t.Role == code.Name && t.Name == name }) {
			return n
		}
	}
	return nil
}

// answersBy reports whether a function gives a constant that says something, where it asks whether what it keeps is equal to one, or more or less. By what an object
// keeps, it is asked whether that is exactly one number beyond the first ones, and anything is given then: nothing but a test knows how often it asks.
func answersBy(fn, counter *code.Node) bool {
	kept, own := parts.Bare(counter.Text()), counter.Is(code.Attr) && ofItself(counter.Kid(code.Object), fn)
	for n := range fn.Own() {
		switch {
		case n.Role == code.Switch && n.Kid(code.Cond) != nil && parts.Bare(n.Kid(code.Cond).Text()) == kept:
			if slices.ContainsFunc(casesOf(n), func(c *code.Node) bool {
				return len(examples.Literals(c.Kid(code.Value))) > 0 && examples.Weight(given(c)) > 0
			}) {
				return true
			}
		case !n.Is(code.If, code.Choice) || n.Kid(code.Cond) == nil:
		case own:
			if asksExactly(n.Kid(code.Cond), kept) && (n.Role == code.Choice || givesAny(n.Kid(code.Then)) || givesAny(n.Kid(code.Else))) {
				return true
			}
		case answersThere(n, kept):
			return true
		}
	}
	return false
}

// answersThere reports whether a condition compares what is kept with a constant, and a constant that says something is given by it.
func answersThere(n *code.Node, kept string) bool {
	asks := false
	for c := range n.Kid(code.Cond).Walk() {
		asks = asks || c.Role == code.Compare && strings.Contains(parts.Bare(c.Text()), kept) && len(examples.Literals(c)) > 0
	}
	said := given(n.Kid(code.Then))
	if n.Role == code.Choice && parts.Value(n.Kid(code.Then)) {
		said = examples.Literals(n.Kid(code.Then))
	}
	return asks && examples.Weight(said) > 0
}

// asksExactly reports whether a condition asks if a counter is, or is not, one number above 1.
func asksExactly(cond *code.Node, kept string) bool {
	for c := range cond.Walk() {
		if c.Role != code.Compare || assertions.Comparing(c.Op) != assertions.Equal && !slices.Contains([]string{"!=", "!==", "is not"}, c.Op) || len(c.Kids) != 2 {
			continue
		}
		for i, k := range c.Kids {
			if parts.Bare(k.Text()) == kept && c.Kids[1-i].Is(code.Int) && examples.Weight(examples.Literals(c.Kids[1-i])) > 0 {
				return true
			}
		}
	}
	return false
}

// givesAny reports whether a part of a function gives a value.
func givesAny(part *code.Node) bool {
	if part == nil {
		return false
	}
	for n := range part.Own() {
		if n.Role == code.Return && len(n.Kids) > 0 {
			return true
		}
	}
	return false
}

// casesOf are the cases of a switch.
func casesOf(n *code.Node) []*code.Node {
	var all []*code.Node
	for k := range n.Own() {
		if k.Role == code.Case && k.Up(code.Switch) == n {
			all = append(all, k)
		}
	}
	return all
}

// nextOf is the list of which a call takes the next element, every time another one.
func nextOf(n *code.Node) *code.Node {
	if n.Role != code.Call {
		return nil
	}
	callee, args := n.Kid(code.Callee), n.All(code.Arg)
	switch {
	case callee.Is(code.Name) && callee.Name == "next" && len(args) > 0 && args[0].Role == code.Name:
		return args[0]
	case callee.Is(code.Attr) && (callee.Name == "pop" || callee.Name == "shift" || callee.Name == "popleft") && callee.Kid(code.Object).Is(code.Name):
		return callee.Kid(code.Object)
	}
	return nil
}

// holdsConstants reports whether a variable of the file is given a list that is written out, or what goes through one.
func holdsConstants(list *code.Node) bool {
	at := defined(list.File, list.Name)
	if at == nil {
		return false
	}
	for n := range at.Kid(code.Value).Walk() {
		if n.Role == code.List && parts.Value(n) && len(n.Kids) > 0 {
			return true
		}
	}
	return false
}
