package search

import (
	"strings"

	"fettle/internal/code"
)

// mostOtherCases bounds how many cases are tried beside the one that a branch is for.
const mostOtherCases = 4

// otherCase does for another value, in a branch of its own, what a branch does for one: where the value of mine is taken because yours is as it was, yours is taken
// where mine is.
func (s *site) otherCase(try func(change)) {
	s.otherWrap(try)
	cond, then := s.Kid(code.Cond), s.Kid(code.Then).All(code.Stmt)
	if cond == nil || len(then) != 1 || !plain(then[0]) || strings.Contains(then[0].Text()+cond.Text(), "\n") {
		return
	}
	tried := 0
	for pair := range s.exchangeable(then[0], cond) {
		names := map[string]string{pair[0]: pair[1], pair[1]: pair[0]}
		body := renamedIn(then[0], names)
		for i, part := range cases(cond) {
			text := renamedIn(part, names)
			if tried == mostOtherCases || strings.Contains(cond.Text(), text) {
				continue
			}
			tried++
			try(insert(s.End, s.otherwiseIf(text, body, s.Indent()), 0.9-0.1*float64(i), "the case %s was missing, in which %s is to be done", quote(text), quote(body)))
		}
	}
}

// otherWrap takes what is below nothing up by as much as a branch takes what is too much down: a time on the day before as one on the next day.
func (s *site) otherWrap(try func(change)) {
	cond, then := s.Kid(code.Cond), s.Kid(code.Then)
	v := cond.Kid(code.Left)
	if !s.Is(code.If) || s.Kid(code.Else) != nil || !cond.Is(code.Compare) || cond.Op != ">=" && cond.Op != ">" || !v.Is(code.Name, code.Attr) || !s.Alone() {
		return
	}
	down := false
	var lines []string
	for _, stmt := range then.All(code.Stmt) {
		o, ok := operationOf(stmt)
		text := stmt.Text()
		switch {
		case ok && inverses[o.op] != "" && strings.Contains(text, "="):
			down = down || o.target == v.Text() && o.op == "-="
			text = strings.Replace(text, o.op, inverses[o.op], 1)
		case ok:
			return // a step, or what is spelled otherwise
		default:
			text = signsTurned.Replace(text)
		}
		lines = append(lines, text)
	}
	if !down {
		return
	}
	below := v.Text() + " < 0"
	if s.fact().Parens {
		below = "(" + below + ")"
	}
	head := "elif " + below
	if s.fact().Braces {
		head = " else if " + below
	} else {
		head = "\n" + s.Indent() + head
	}
	try(insert(s.End, s.block(head, lines, s.Indent()), 0.9, "what is below nothing was left out, where what is too much is taken off"))
}

// signsTurned turns the signs of numbers in texts over.
var signsTurned = strings.NewReplacer(`"+`, `"-`, `"-`, `"+`, `'+`, `'-`, `'-`, `'+`, ` +1`, ` -1`, ` -1`, ` +1`)

// exchangeable are pairs of variables: one that a statement reads and a condition asks for, and another one that the condition asks for.
func (s *site) exchangeable(stmt, cond *code.Node) func(yield func([2]string) bool) {
	return func(yield func([2]string) bool) {
		seen := map[[2]string]bool{}
		for a := range stmt.Walk() {
			if a.Role != code.Name || a.Part == code.Callee || s.at(a).written() || !mentions(cond.Text(), a.Name) {
				continue
			}
			for b := range cond.Walk() {
				pair := [2]string{a.Name, b.Name}
				if b.Role != code.Name || b.Part == code.Callee || b.Name == a.Name || seen[pair] || s.isModule(b.Name) || fits(s.of(b), s.of(a)) < 0.6 || !s.declared(b.Name) {
					continue
				}
				seen[pair] = true
				if !yield(pair) {
					return
				}
			}
		}
	}
}

// cases are what a condition asks as a whole, and its parts, the last of them first.
func cases(cond *code.Node) (out []*code.Node) {
	for c := cond; c.Is(code.Logic); c = c.Kid(code.Left) {
		out = append(out, c.Kid(code.Right))
	}
	return append(out, cond)
}

// otherwiseIf spells one more branch under a condition of its own, to be put behind the one before it.
func (s *site) otherwiseIf(cond, body, indent string) string {
	if s.fact().Braces {
		return " else " + s.guard(cond, body, indent)
	}
	return "\n" + indent + "el" + s.guard(cond, body, indent)
}
