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

// carryOver adds what a remainder leaves out to another number of the function's, where nothing does: seconds % 60 are seconds, and seconds / 60 more minutes.
func (s *site) carryOver(try func(change)) {
	if !s.isStatement() || !s.Alone() || s.Function() == nil || s.Is(code.If, code.While, code.For, code.Each) {
		return
	}
	for n := range s.Walk() {
		v, by := n.Kid(code.Left), n.Kid(code.Right)
		if !n.Is(code.Arith) || n.Op != "%" || !v.Is(code.Name, code.Attr) || !by.Is(code.Int, code.Name) || by.Text() == "2" {
			continue
		}
		whole := strings.NewReplacer("X", v.Text(), "Y", by.Text()).Replace(wholeParts[s.fact().Family])
		if whole == "" || strings.Contains(s.Function().Text(), whole) {
			continue
		}
		for _, total := range s.totals(v.Text()) {
			try(s.before(s.statement(total+" += "+whole), 0.9))
		}
	}
}

// totals are the numbers to which the function adds, but for one.
func (s *site) totals(but string) (out []string) {
	for _, w := range s.names() {
		if w.fn || !w.local && !strings.Contains(w.text, ".") || w.text == but || w.typ.known() && !w.typ.is(kNumber) {
			continue
		}
		if strings.Contains(s.Function().Text(), w.text+" += ") && len(out) < mostCarried {
			out = append(out, w.text)
		}
	}
	return out
}

// wholeParts are how languages say how often Y goes into X.
var wholeParts = map[string]string{"Python": "X // Y", "Go": "X / Y", "Java": "X / Y", "JavaScript": "Math.floor(X / Y)"}

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
