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
