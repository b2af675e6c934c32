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
		why := quote(s.Kid(code.Cond).Text()) + " is asked only if the condition before it does not hold"
		if s.fact().Braces {
			try(change{[]edit.Edit{{Start: s.Prev().End, End: s.Start, New: []byte(" else ")}}, 1, why})
		} else {
			try(insert(s.Start, "el", 1, "%s", why))
		}
	case s.Part == code.Else && strings.HasPrefix(text, "elif"):
		try(change{[]edit.Edit{{Start: s.Start, End: s.Start + 2}}, 1, quote(s.Kid(code.Cond).Text()) + " is asked whatever the condition before it says"})
	case s.Part == code.Else && s.fact().Braces && s.Parent.Kid(code.Then) != nil:
		try(change{[]edit.Edit{{Start: s.Parent.Kid(code.Then).End, End: s.Start, New: []byte("\n" + s.Indent())}}, 1,
			quote(s.Kid(code.Cond).Text()) + " is asked whatever the condition before it says"})
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
