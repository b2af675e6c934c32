package search

import (
	"fmt"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// How likely a branch that leaves early stands in the wrong place: before one that does not, or behind it, before another that leaves, and some statements too early or too late.
const (
	leavesFirst   = 1.0
	leavesBoth    = 0.8
	compoundFirst = 0.5
	mostPassed    = 3 // statements that a branch is moved past
	passedMore    = 0.6
)

// mayLeave reports whether a statement is a branch that ends with a return or a jump in some case, so that what stands behind it is not always done.
func mayLeave(n *code.Node) bool {
	if !n.Is(code.If) {
		return false
	}
	for k := range n.Own() {
		if ends(k) {
			return true
		}
	}
	return false
}

// compound reports whether a statement holds others.
func compound(n *code.Node) bool { return n.Is(code.If, code.For, code.Each, code.While, code.Switch) }

// guardOrder exchanges two statements that hold others, and moves a branch that leaves early past some statements: what it asks may have to be asked of what they change, or before it.
func (s *site) guardOrder(try func(change)) {
	next := s.Next()
	if !s.isStatement() || !s.Alone() {
		return
	}
	if compound(s.Node) && compound(next) && next.Alone() {
		w := compoundFirst
		switch one, other := mayLeave(s.Node), mayLeave(next); {
		case one && other:
			w = leavesBoth
		case one || other:
			w = leavesFirst
		}
		try(s.past(next, w))
	}
	if !mayLeave(s.Node) {
		return
	}
	s.guardPast(next, (*code.Node).Next, try)
	s.guardPast(s.Prev(), (*code.Node).Prev, try)
}

// guardPast moves a branch that leaves early past two statements or more, one way; what declares something stays where it is.
func (s *site) guardPast(first *code.Node, step func(*code.Node) *code.Node, try func(change)) {
	w := 1.0
	for i, n := 1, first; i <= mostPassed && n != nil && n.Alone() && (plain(n) || compound(n)); i, n = i+1, step(n) {
		if w *= passedMore; i > 1 {
			try(s.past(n, w))
		}
	}
}

// past moves the site behind a statement that comes after it in its block, or before one that comes earlier.
func (s *site) past(n *code.Node, weight float64) change {
	src := s.File.Source
	if n.Start > s.Start {
		next := s.Next()
		moved := src[next.Start:n.End] + src[s.End:next.Start] + s.Text()
		return change{[]edit.Edit{{Start: s.Start, End: n.End, New: []byte(moved)}}, weight, fmt.Sprintf("%s came before %s", quote(firstOf(s.Text())), quote(firstOf(n.Text())))}
	}
	prev := s.Prev()
	moved := s.Text() + src[prev.End:s.Start] + src[n.Start:prev.End]
	return change{[]edit.Edit{{Start: n.Start, End: s.End, New: []byte(moved)}}, weight, fmt.Sprintf("%s came before %s", quote(firstOf(n.Text())), quote(firstOf(s.Text())))}
}
