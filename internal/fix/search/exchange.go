package search

import (
	"cmp"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// exchange exchanges two literals of one kind, or the conditions of two branches: each was written where the other belongs.
func exchange(s *site, try func(change)) {
	if s.Role == code.If {
		s.exchangeConditions(try)
		return
	}
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

// otherLetters lets a branch that is for letters of one case be for those of the other case, too, or adds one that does for them what it does,
// the other way round.
func otherLetters(s *site, try func(change)) {
	cond, then := s.Kid(code.Cond), s.Kid(code.Then)
	if s.Role != code.If || cond == nil || then == nil || s.Function() == nil {
		return
	}
	asked := mirrored(cond, false)
	if asked == cond.Text() {
		return
	}
	f := s.fact()
	either := cond.Text() + " " + f.Or + " " + asked
	if !code.Primary(cond) {
		either = "(" + cond.Text() + ") " + f.Or + " (" + asked + ")"
	}
	try(replace(cond, either, 1, "%s leaves out the letters of the other case", quote(cond.Text())))

	if !then.Is(code.Block) || strings.Contains(asked, "\n") {
		return
	}
	var done []string
	turned := mirrored(then, false) == then.Text()
	for _, stmt := range then.All(code.Stmt) {
		done = append(done, mirrored(stmt, turned))
	}
	if turned && mirrored(then, true) == then.Text() {
		return // it does the same for both
	}
	try(insert(then.End, s.otherwiseIf(asked, done, s.Indent()), 0.8, "the letters that %s leaves out were forgotten", quote(cond.Text())))
}

// mirrored is what a node would be for letters of the other case. turned also turns what is added to them.
func mirrored(n *code.Node, turned bool) string {
	var edits []edit.Edit
	put := func(from, to int, text string) {
		edits = append(edits, edit.Edit{Start: from, End: to, New: []byte(text)})
	}
	for k := range n.Walk() {
		switch k.Role {
		case code.Char, code.Str:
			if lit := k.Text(); len(lit) == 3 && len(k.Kids) == 0 {
				put(k.Start, k.End, swapCase(lit))
			}
		case code.Int:
			if other := otherLetter[k.Text()]; other != "" {
				put(k.Start, k.End, other)
			}
		case code.Name, code.Member:
			if other := otherCase.Replace(k.Text()); other != k.Text() {
				put(k.Start, k.End, other)
			}
		default:
		}
		if other := turns[k.Op]; turned && other != "" && k.OpEnd > k.OpStart {
			put(k.OpStart, k.OpEnd, other)
		}
	}
	slices.SortFunc(edits, func(a, b edit.Edit) int { return cmp.Compare(a.Start, b.Start) })
	var b strings.Builder
	at := n.Start
	for _, e := range edits {
		if e.Start < at {
			return n.Text()
		}
		b.WriteString(n.File.Source[at:e.Start])
		b.Write(e.New)
		at = e.End
	}
	b.WriteString(n.File.Source[at:n.End])
	return b.String()
}

var (
	// otherLetter are the numbers of the first and last letters, and those beside them.
	otherLetter = map[string]string{"65": "97", "90": "122", "64": "96", "91": "123", "97": "65", "122": "90", "96": "64", "123": "91"}
	otherCase   = strings.NewReplacer("Upper", "Lower", "Lower", "Upper", "upper", "lower", "lower", "upper")
	turns       = map[string]string{"+=": "-=", "-=": "+=", "+": "-", "-": "+"}
)

func swapCase(text string) string {
	if up := strings.ToUpper(text); up != text {
		return up
	}
	return strings.ToLower(text)
}
