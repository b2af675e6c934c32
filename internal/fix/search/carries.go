package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
)

// mostCarried bounds how many greater units a remainder may have been taken of.
const mostCarried = 4

// carry gives the next greater unit what a remainder leaves out, as it is done for another unit beside: before sum.Seconds %= 60 stands sum.Minutes += sum.Seconds / 60, as
// sum.Seconds += sum.Frames / 25 stands before sum.Frames %= 25.
func (s *site) carry(try func(change)) {
	unit, by := remainder(s.Node)
	if unit == nil || s.Parent == nil {
		return
	}
	for _, n := range s.Parent.All(code.Stmt) {
		other, otherBy := remainder(n)
		before := n.Prev()
		if other == nil || n == s.Node || before == nil || strings.Contains(before.Text(), "\n") {
			continue
		}
		add := assignment(before)
		to, value := add.Kid(code.Target), add.Kid(code.Value)
		if !add.Is(code.Assign) || to == nil || value == nil || !mentions(value.Text(), lastWord(other.Text())) || s.Prev() != nil && divides(s.Prev(), unit) {
			continue
		}
		tried := 0
		for _, greater := range s.updated(unit.Text(), other.Text()) {
			if tried++; tried > mostCarried {
				break
			}
			share := strings.ReplaceAll(value.Text(), other.Text(), unit.Text())
			share = replaceWord(share, otherBy.Text(), by.Text())
			text := strings.ReplaceAll(before.Text()[:value.Start-before.Start], to.Text(), greater) + share + before.Text()[value.End-before.Start:]
			try(s.before(text, 1-0.1*float64(tried-1)))
		}
		return
	}
}

// remainder is what a statement keeps only the remainder of, and by what it is divided.
func remainder(stmt *code.Node) (unit, by *code.Node) {
	a := assignment(stmt)
	to, value := a.Kid(code.Target), a.Kid(code.Value)
	switch {
	case !a.Is(code.Assign) || !to.Is(code.Name, code.Attr):
		return nil, nil
	case a.Op == "%=":
		return to, value
	case a.Op == "=" && value.Is(code.Arith) && value.Op == "%" && value.Kid(code.Left).Text() == to.Text():
		return to, value.Kid(code.Right)
	}
	return nil, nil
}

// divides reports whether a statement hands on what a unit has too much of.
func divides(stmt, unit *code.Node) bool {
	value := assignment(stmt).Kid(code.Value)
	return value != nil && mentions(value.Text(), lastWord(unit.Text()))
}

// updated are what the block adds to elsewhere, but for these two.
func (s *site) updated(unit, other string) (out []string) {
	for n := range s.Function().Own() {
		if n.Part != code.Target || !n.Is(code.Name, code.Attr) || !n.Parent.Is(code.Assign) {
			continue
		}
		if text := n.Text(); text != unit && text != other && !slices.Contains(out, text) && (n.Parent.Op == "+=" || strings.HasPrefix(n.Parent.Kid(code.Value).Text(), text)) {
			out = append(out, text)
		}
	}
	return out
}

// lastWord is the name of a variable, or of a member without what it is a member of.
func lastWord(text string) string { return text[strings.LastIndexByte(text, '.')+1:] }

// replaceWord puts one word in the place of another one, wherever that stands as a word of its own.
func replaceWord(text, from, to string) string {
	return aWordOrNumber.ReplaceAllStringFunc(text, func(w string) string {
		if w == from {
			return to
		}
		return w
	})
}
