package search

import (
	"strings"
	"unicode"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// misanswer is a mistake that may be in every answer of a function alike. It mends one; an empty text: there is nothing to mend.
type misanswer struct {
	weight float64
	why    string
	mend   func(n *code.Node) string
}

// misanswers are those of each kind of answer, likely ones first.
var misanswers = map[code.Role][]misanswer{
	code.Bool:    {{0.95, "the answers were the wrong way round", opposite}},
	code.Int:     {{0.9, "all the numbers that it gives back were off by one", moved(-1)}, {0.7, "all the numbers that it gives back were off by one", moved(1)}},
	code.Compare: {{0.8, "the order was the wrong way round in every case", turned}},
	code.Str: {
		{1, "the letters of the answers were in the wrong case", cased(titled)},
		{0.8, "the letters of the answers were in the wrong case", cased(strings.ToUpper)},
		{0.6, "the letters of the answers were in the wrong case", cased(strings.ToLower)},
	},
}

// everyAnswer mends all that a function gives back in the same way: what is wrong in one of its cases is so in each.
func everyAnswer(s *site, try func(change)) {
	fn := s.Function()
	if fn == nil || !s.givenBack() {
		return
	}
	for _, m := range misanswers[s.Role] {
		var edits []edit.Edit
		for n := range fn.Own() {
			if n.Role != s.Role || !s.at(n).givenBack() {
				continue
			}
			if text := m.mend(n); text != "" && text != n.Text() {
				edits = append(edits, edit.Edit{Start: n.Start, End: n.End, New: []byte(text)})
			}
		}
		if len(edits) > 1 {
			try(change{edits, m.weight, m.why})
		}
	}
}

// givenBack reports whether the node is what its function gives back, or may choose to.
func (s *site) givenBack() bool {
	n := s.Node
	for n.Parent.Is(code.Group) || n.Parent.Is(code.Choice) && n.Part != code.Cond {
		n = n.Parent
	}
	return n.Part == code.Value && n.Parent.Is(code.Return) || n.Part == code.Body && n.Parent.Is(code.Function)
}

// opposite is false for true, and true for false.
func opposite(n *code.Node) string {
	if f := n.File.Facts; n.Text() == f.True {
		return f.False
	}
	return n.File.Facts.True
}

// moved counts from another number.
func moved(by int64) func(*code.Node) string {
	return func(n *code.Node) string {
		text, _ := movedBy(n.Text(), by)
		return text
	}
}

// turned is a comparison by size that points the other way.
func turned(n *code.Node) string {
	op := overturned[n.Op]
	if op == "" {
		return ""
	}
	return n.File.Source[n.Start:n.OpStart] + op + n.File.Source[n.OpEnd:n.End]
}

// cased writes a text in other letters.
func cased(by func(string) string) func(*code.Node) string {
	return func(n *code.Node) string {
		if len(n.Kids) > 0 {
			return ""
		}
		return by(n.Text())
	}
}

// titled is a literal with a capital first letter.
func titled(lit string) string {
	r := []rune(lit)
	for i, c := range r {
		if unicode.IsLetter(c) {
			if i == 0 || r[i-1] != '"' && r[i-1] != '\'' && r[i-1] != '`' {
				return lit
			}
			r[i] = unicode.ToUpper(c)
			return string(r)
		}
	}
	return lit
}
