package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
)

// countDown takes one off what a condition asks whether any of it is left, or adds one to what it asks whether it has come up to something, where the function never does.
func (s *site) countDown(try func(change)) {
	if s.Role != code.If || s.Part == code.Else {
		return
	}
	first, last := s.Kid(code.Then).Kid(code.Stmt), lastOf(s.Kid(code.Then))
	if last == nil || !last.Alone() {
		return
	}
	for asked := range s.Kid(code.Cond).Walk() {
		c, ok := s.counterIn(asked)
		if !ok || s.counts(c) {
			continue
		}
		text := s.statement(c.text())
		why := "%s was missing: " + quote(c.what) + " is asked, and never counted"
		switch {
		case c.within && ends(last):
			try(insert(last.Start, text+"\n"+last.Indent(), 0.9, why, quote(text)))
		case c.within:
			try(insert(last.End, "\n"+last.Indent()+text, 0.9, why, quote(text)))
		case ends(last) && s.Alone():
			try(insert(s.End, "\n"+s.Indent()+text, 0.9, why, quote(text)))
		}
		if c.within && first != last && first.Alone() {
			try(insert(first.Start, text+"\n"+first.Indent(), 0.7, why, quote(text)))
		}
	}
}

// counter is what a condition compares: a variable, a member, or what a collection holds under a key.
type counter struct {
	stored
	what   string // as it stands
	up     bool   // it grows up to something, and does not go down to nothing
	within bool   // it is counted where the condition holds
}

// text is the statement that counts, without its end.
func (c counter) text() string {
	op := "-"
	if c.up {
		op = "+"
	}
	indexed := strings.HasSuffix(c.get, "]")
	value := c.what
	switch {
	case c.in == "" || !strings.HasPrefix(c.what, c.in+".get"):
		return c.what + " " + op + "= 1"
	case indexed && !c.up: // what is left under a key of Python's dict is there
		return c.spell(c.get) + " -= 1"
	case c.up && !indexed:
		if value = c.spell(c.orNone); strings.HasSuffix(value, " 0") {
			value = "(" + value + ")"
		}
	}
	return strings.ReplaceAll(c.spell(c.put), "{V}", value+" "+op+" 1")
}

// counterIn is what a comparison asks whether some of it is left, or whether it has come up to something.
func (s *site) counterIn(n *code.Node) (c counter, ok bool) {
	if n.Role != code.Compare {
		return c, false
	}
	l, r := orNothing(n.Kid(code.Left)), n.Kid(code.Right)
	if !c.direct(n.Op, r.Text()) || c.up && !r.Is(code.Name, code.Attr, code.Index, code.Int) {
		return c, false
	}
	if t := s.of(l); t.known() && !t.is(kNumber) {
		return c, false
	}
	c.what = l.Text()
	switch lang, callee := s.fact().Family, l.Kid(code.Callee); {
	case l.Is(code.Index):
		c.stored = stored{keyed: byIndex[lang], in: l.Kid(code.Object).Text(), key: l.Kid(code.At).Text()}
	case l.Is(code.Attr), l.Is(code.Name) && s.at(l).variable(l):
	case callee.Is(code.Attr) && l.Kid(code.Arg) != nil && (callee.Name == "get" || callee.Name == "getOrDefault"):
		c.stored = stored{keyed: byMethod[lang], in: callee.Kid(code.Object).Text(), key: l.Kid(code.Arg).Text()}
		if lang == "Python" {
			c.keyed = byIndex[lang]
		}
	default:
		return c, false
	}
	return c, true
}

// orNothing is the call in a value that stands for a number if there is none: counts.get(key) of (counts.get(key) ?? 0).
func orNothing(n *code.Node) *code.Node {
	in := n
	if in.Is(code.Group) {
		in = in.Kid(code.Operand)
	}
	if in.Is(code.Logic) && in.Kid(code.Left).Is(code.Call) {
		return in.Kid(code.Left)
	}
	return n
}

// direct notes which way it is counted, and whether where the comparison holds, by its operator and what stands on its right; false: it is no question of that kind.
func (c *counter) direct(op, right string) bool {
	nothing := right == "0" || right == "1" && (op == ">=" || op == "<")
	switch op {
	case ">", ">=":
		c.within, c.up = nothing, !nothing
	case "<", "<=":
		c.within, c.up = !nothing, !nothing
	case "==", "===", "!=", "!==":
		c.within = op[0] == '!'
		return nothing
	default:
		return false
	}
	return true
}

// counts reports whether the function changes a counter, or what the collection holds in which it is; a collection that is made there is not changed.
func (s *site) counts(c counter) bool {
	for n := range s.Function().Walk() {
		if e, ok := s.stored(n); ok && c.in != "" && e.in == c.in {
			return true
		}
		if n.Is(code.Call) && c.in != "" && slices.Contains([]string{"put", "set", "merge", "update"}, methodOn(n, c.in)) {
			return true
		}
		if !n.Is(code.Assign, code.Step) {
			continue
		}
		for _, t := range append(n.All(code.Target), n.Kid(code.Operand)) {
			if t != nil && (t.Text() == c.what || c.in != "" && n.Op != "=" && t.Text() == c.in) {
				return true
			}
		}
	}
	return false
}
