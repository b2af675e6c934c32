package search

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// addElse gives an if statement without one an else branch.
func addElse(s *site, try func(change)) {
	if s.Role != code.If || s.Kid(code.Else) != nil || s.Function() == nil || s.Part == code.Else && s.Next() != nil {
		return
	}
	indent := s.Indent()
	for _, c := range slices.Concat(s.copies(), s.renamed()) {
		try(insert(s.End, s.otherwise(c.text, indent), 0.9*c.weight, "an else branch with %s was missing", quote(c.text)))
	}
	for i, r := range s.answers() {
		text := s.statement("return " + r)
		try(insert(s.End, s.otherwise(text, indent), 0.8*max(1-0.06*float64(i), 0.3), "an else branch with %s was missing", quote(text)))
	}
}

// otherJump goes on with a loop's next round where it was left, and the other way round.
func otherJump(s *site, try func(change)) {
	was, is := "break", "continue"
	if s.Role == code.Continue {
		was, is = is, was
	} else if s.Role != code.Break {
		return
	}
	if loop := s.Up(code.While, code.For, code.Each, code.Function); loop.Is(code.While, code.For, code.Each) && strings.HasPrefix(s.Text(), was) {
		word := edit.Edit{Start: s.Start, End: s.Start + len(was), New: []byte(is)} // a label after it stays
		try(change{[]edit.Edit{word}, 1, fmt.Sprintf("%s should be %s", quote(was), quote(is))})
	}
}

// swapConditions exchanges the condition of a branch with that of the next one.
func swapConditions(s *site, try func(change)) {
	if s.Role != code.If {
		return
	}
	next := s.Kid(code.Else)
	if next == nil && s.Part == code.Else && s.Parent.Role == code.If {
		next = s.Next() // the branches of one statement stand beside each other
	}
	a, b := s.Kid(code.Cond), next.Kid(code.Cond)
	if !next.Is(code.If) || a == nil || b == nil {
		return
	}
	c := replace(a, b.Text(), 1, "the conditions %s and %s were exchanged", quote(a.Text()), quote(b.Text()))
	c.edits = append(c.edits, edit.Edit{Start: b.Start, End: b.End, New: []byte(a.Text())})
	try(c)
}
