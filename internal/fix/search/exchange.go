package search

import (
	"fettle/internal/code"
	"fettle/internal/edit"
)

// exchange exchanges two literals of one kind, two variables, or the conditions of two branches: each was written where the other belongs.
func exchange(s *site, try func(change)) {
	if s.Role == code.If {
		s.exchangeConditions(try)
		s.inOrder(try)
		return
	}
	s.exchangeNames(try)
	s.exchangeLiterals(try)
}

// exchangeConditions exchanges the condition of a branch with that of the next one.
func (s *site) exchangeConditions(try func(change)) {
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

// literals is how likely two literals were exchanged, against two conditions.
const literals = 0.79

// exchangeLiterals exchanges two literals of one kind.
func (s *site) exchangeLiterals(try func(change)) {
	if !exchangeable(s.Node) || s.Function() == nil {
		return
	}
	stmt := s.Statement()
	for n := range s.Function().Own() {
		if n.Start <= s.Start || n.Role != s.Role || !exchangeable(n) || n.Text() == s.Text() {
			continue
		}
		w := literals
		if n.Up(code.Logic) == nil || s.Up(code.Logic) == nil || n.Statement() != stmt { // not two parts of one question
			w *= 0.5
		}
		if s.Role == code.Int {
			w *= 0.5
		}
		c := replace(s.Node, n.Text(), w, "%s and %s were exchanged", quote(s.Text()), quote(n.Text()))
		c.edits = append(c.edits, edit.Edit{Start: n.Start, End: n.End, New: []byte(s.Text())})
		try(c)
	}
}

// exchangeable reports whether a node is a literal that says what is meant, and could be taken for another one.
func exchangeable(n *code.Node) bool {
	switch n.Role {
	case code.Str:
		return len(n.Kids) == 0 && !docString(n) && n.Part != code.Key && !n.Up(code.Import, code.Function).Is(code.Import)
	case code.Char, code.Int:
		return n.Part != code.Key
	case code.Other: // a regular expression
		return len(n.Kids) == 0 && len(n.Text()) > 2 && n.Text()[0] == '/' && n.Text()[1] != '/' && n.Text()[1] != '*'
	default:
		return false
	}
}
