package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
)

// mostShared bounds how many guards of other functions are tried at a place, and behindStart how many statements may stand before it.
const (
	mostShared  = 6
	behindStart = 3
)

// sharedGuards begins a function with a guard with which another one of the file begins, where all names in it are known here: what has to be asked before a thing is looked into
// has to be asked wherever somebody does.
func (s *site) sharedGuards(try func(change)) {
	fn := s.Function()
	if !s.isStatement() || !s.Alone() || fn == nil || s.Parent != fn.Kid(code.Body) || s.Is(code.Return) && s.Prev() == nil {
		return
	}
	if i := slices.Index(s.Parent.All(code.Stmt), s.Node); i > behindStart {
		return
	}
	known := s.knownNames()
	tried := 0
	for _, other := range s.unit.pool(s.File).functions {
		for _, g := range other.Kid(code.Body).All(code.Stmt) {
			if !g.Is(code.If) {
				continue
			}
			if other == fn || tried == mostShared || g.Kid(code.Else) != nil || !ends(lastOf(g.Kid(code.Then))) || !allKnown(g, known) || strings.Contains(unspaced(fn.Text()), unspaced(g.Text())) {
				break
			}
			tried++
			try(insert(s.Start, reindented(g, s.Indent())+"\n"+s.Indent(), 0.8-0.05*float64(tried), "%s asks first what was left out here: %s", quote(named(other)), quote(firstOf(g.Text()))))
		}
	}
}
