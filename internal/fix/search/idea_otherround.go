package search

import (
	"strings"

	"fettle/internal/code"
)

// otherWayRound does with the two parts of a pair exchanged what a branch does with them as they come: a tile that does not fit may fit when it is turned.
func (s *site) otherWayRound(try func(change)) {
	cond, then := s.Kid(code.Cond), s.Kid(code.Then)
	if !s.isStatement() || !s.Is(code.If) || cond == nil || len(then.All(code.Stmt)) == 0 {
		return
	}
	for _, pair := range s.pairsIn(cond) {
		turned := map[string]string{pair[0]: pair[1], pair[1]: pair[0]}
		asked, done := renamedIn(cond, turned), renamedIn(then, turned)
		if asked == cond.Text() || done == then.Text() || strings.Contains(s.Function().Text(), asked) {
			continue
		}
		text := " else if (" + asked + ") " + done
		switch {
		case !s.fact().Braces:
			text = "\n" + s.Indent() + "elif " + asked + ":\n" + s.at(then.All(code.Stmt)[0]).Indent() + done
		case !s.fact().Parens:
			text = " else if " + asked + " " + done
		case !strings.HasPrefix(then.Text(), "{"):
			continue
		}
		try(insert(then.End, text, 0.9, "%s and %s may be the other way round", quote(pair[0]), quote(pair[1])))
	}
}

// pairsIn are the variables of a condition that are one half of a pair, each with the other half: what is taken apart together, and opposites.
func (s *site) pairsIn(cond *code.Node) (out [][2]string) {
	seen := map[string]bool{}
	for n := range cond.Walk() {
		if n.Role != code.Name || seen[n.Name] || n.Part == code.Callee {
			continue
		}
		seen[n.Name] = true
		other := opposites[n.Name]
		if d := s.declaring(n); d.Part == code.Elem || d.Part == code.Target {
			if both := d.Parent.All(d.Part); len(both) == 2 && fits(s.of(both[0]), s.of(both[1])) > 0 {
				other = both[0].Text()
				if other == n.Name {
					other = both[1].Text()
				}
			}
		}
		if plainName(other) && s.has(other) {
			out = append(out, [2]string{n.Name, other})
		}
	}
	return out
}

// asItWasCounted takes a step back only where it was taken: what was counted in a case is counted no more in the same case, of the element that leaves.
func (s *site) asItWasCounted(try func(change)) {
	back, ok := operationOf(s.Node)
	if !ok || !s.isStatement() || !s.Alone() || s.Function() == nil {
		return
	}
	for n := range s.Function().Own() {
		cond := n.Kid(code.Cond)
		stmts := n.Kid(code.Then).All(code.Stmt)
		if !n.Is(code.If) || n.Kid(code.Else) != nil || len(stmts) != 1 || n.Holds(s.Start, s.End) || strings.Contains(cond.Text(), "\n") {
			continue
		}
		if there, ok := operationOf(stmts[0]); !ok || !there.undoes(back) {
			continue
		}
		for i, asked := range s.ofTheOneThatLeaves(cond) {
			try(s.onlyWith(asked, max(1-0.1*float64(i), 0.4)))
		}
	}
}

// ofTheOneThatLeaves are a condition as it would be asked of other elements: at each of the other numbers that the function counts with, the opposite one first; and as it is.
func (s *site) ofTheOneThatLeaves(cond *code.Node) (out []string) {
	asked := map[string]bool{}
	for n := range cond.Walk() {
		if n.Role != code.Name || n.Part != code.At || asked[n.Name] {
			continue
		}
		asked[n.Name] = true
		others := []string{}
		if o := opposites[n.Name]; o != "" && s.has(o) {
			others = append(others, o)
		}
		for _, v := range s.names() {
			if !v.fn && v.local && v.text != n.Name && (v.typ.is(kInt) || !v.typ.known()) && plainName(v.text) && opposites[n.Name] != v.text && len(others) < mostLeaving {
				others = append(others, v.text)
			}
		}
		for _, o := range others {
			out = append(out, renamedIn(cond, map[string]string{n.Name: o}))
		}
	}
	return append(out, cond.Text())
}

// mostLeaving bounds by how many other variables the element is named that leaves.
const mostLeaving = 5
