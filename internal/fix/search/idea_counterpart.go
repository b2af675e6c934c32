package search

import (
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// counterparts are the names that stand for each other where a function does the same to two things, in statements beside each other or in the two branches of one: of
// out.append(a[i]) and out.append(b[j]), a is for b what i is for j.
func (u *unit) counterparts(fn *code.Node) map[string]string {
	if known, ok := u.pairs[fn]; ok {
		return known
	}
	names := map[string]bool{}
	for n := range fn.Own() {
		if n.Role == code.Name && n.Part != code.Callee {
			names[n.Name] = true
		}
	}
	out := map[string]string{}
	for n := range fn.Own() {
		switch {
		case n.Is(code.If):
			other := n.Kid(code.Else).All(code.Stmt)
			for i, stmt := range n.Kid(code.Then).All(code.Stmt) {
				if i < len(other) {
					pairUp(stmt, other[i], names, out)
				}
			}
		case n.Part == code.Stmt && n.Next() != nil && plain(n) || n.Is(code.Declaration):
			pairUp(n, n.Next(), names, out)
		}
	}
	u.pairs[fn] = out
	return out
}

// pairUp adds the names in which alone two statements differ, unless one of them stands for another one already.
func pairUp(a, b *code.Node, names map[string]bool, pairs map[string]string) {
	x, y := parted(a.Text()), parted(b.Text())
	if len(x) != len(y) {
		return
	}
	found := map[string]string{}
	for i := range x {
		l, r := x[i].text, y[i].text
		if l == r {
			continue
		}
		if !names[l] || !names[r] || found[l] != "" && found[l] != r || found[r] != "" && found[r] != l {
			return
		}
		found[l], found[r] = r, l
	}
	for l, r := range found {
		if pairs[l] != "" && pairs[l] != r {
			return
		}
	}
	for l, r := range found {
		pairs[l] = r
	}
}

// forTheOther does behind a statement what it does to one of two things for the other one, too: what is left of a list once two are merged, what one lacks of the other.
func (s *site) forTheOther(try func(change)) {
	if !s.isStatement() || !s.Alone() || !s.Is(code.While, code.For, code.Each) && !plain(s.Node) || s.Kid(code.Value).Is(code.Int, code.Str) {
		return
	}
	fn := s.Function()
	text := renamedIn(s.Node, s.unit.counterparts(fn))
	if text == s.Text() || text == "" || strings.Contains(unspaced(fn.Text()), unspaced(text)) {
		return
	}
	try(s.after(text+s.end(s.Node), 1))
	if turned := otherAnswer.Replace(text); turned != text {
		try(s.after(turned+s.end(s.Node), 0.9))
	}
}

// otherAnswer gives back the opposite: that the second one is greater, where the first was.
var otherAnswer = strings.NewReplacer("return 1", "return -1", "return -1", "return 1", "return true", "return false", "return false", "return true", "return True", "return False", "return False", "return True")

// Which of two variables were exchanged, by how likely.
const (
	opposed  = 1.0 // rows and cols, x and y
	alikeTwo = 0.4 // any others of one kind
)

// exchangeNames exchanges two variables in an expression: x < height && y < width.
func (s *site) exchangeNames(try func(change)) {
	if s.Part != code.Cond && s.Part != code.Value || !s.Is(code.Logic, code.Arith, code.Call, code.Compare) || s.Function() == nil {
		return
	}
	var names []*code.Node
	seen := map[string]bool{}
	for n := range s.Walk() {
		if n.Role == code.Name && n.Part != code.Callee && s.changes(n) && !seen[n.Name] {
			seen[n.Name] = true
			names = append(names, n)
		}
	}
	for i, a := range names {
		for _, b := range names[i+1:] {
			w := alikeTwo
			if opposites[a.Name] == b.Name {
				w = opposed
			} else if fits(s.of(a), s.of(b)) < 0.85 {
				continue
			}
			why := quote(a.Name) + " and " + quote(b.Name) + " were exchanged"
			swapped := map[string]string{a.Name: b.Name, b.Name: a.Name}
			try(replace(s.Node, renamedIn(s.Node, swapped), w, "%s", why))
			if w == opposed {
				if edits := everywhere(s.Function(), swapped); len(edits) > 0 {
					try(change{edits, 0.6, why + " throughout"})
				}
			}
		}
	}
}

// everywhere are the edits that rename what a function reads, but for where it gives the names their values.
func everywhere(fn *code.Node, names map[string]string) (edits []edit.Edit) {
	for n := range fn.Own() {
		if to := names[n.Name]; n.Role == code.Name && to != "" && n.Part != code.Params && n.Part != code.Target && n.Parent.Role != code.Param {
			edits = append(edits, edit.Edit{Start: n.Start, End: n.End, New: []byte(to)})
		}
	}
	return edits
}

// asBeside does to an element what is done to the one beside it, by an operator and what stands behind it: [a, b / d] for [a / d, b / d].
func (s *site) asBeside(try func(change)) {
	if !s.Parent.Is(code.List, code.Call, code.Return) || s.Part == code.Callee || !s.value() || s.Is(code.List, code.Map, code.Str, code.Bool, code.Null, code.Compare, code.Logic, code.Not) {
		return
	}
	for _, beside := range []*code.Node{s.Prev(), s.Next()} {
		if !beside.Is(code.Arith) || beside.Part != s.Part || s.Op == beside.Op && dense(s.Kid(code.Right).Text()) == dense(beside.Kid(code.Right).Text()) {
			continue
		}
		by := beside.Kid(code.Right)
		if !by.Is(code.Name, code.Attr, code.Int, code.Float) || fits(s.of(s.Node), s.of(beside)) == 0 {
			continue
		}
		text := s.Text()
		if !code.Primary(s.Node) {
			text = "(" + text + ")"
		}
		text += " " + beside.Op + " " + by.Text()
		try(replace(s.Node, text, 0.8, "%s should be %s, as %s beside it", quote(s.Text()), quote(text), quote(beside.Text())))
	}
}
