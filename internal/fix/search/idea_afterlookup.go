package search

import (
	"strings"

	"fettle/internal/code"
)

// Bounds and weights of what is done behind a lookup elsewhere.
const (
	mostAfterLookup = 4
	ofTheFound      = 1.0 // it is about what was found
	besideTheFound  = 0.5
)

// afterLookup does with what was looked up what another function of the file does behind the same lookup, and this one never does: what is used is moved to the front,
// wherever it is found.
func (s *site) afterLookup(try func(change)) {
	if !s.isStatement() || !s.Alone() || s.Function() == nil {
		return
	}
	here := s.lookupBefore()
	if here == nil {
		return
	}
	known, own, tried := s.knownNames(), dense(s.Function().Text()), 0
	for _, fn := range s.unit.pool(s.File).functions {
		if fn == s.Function() || tried == mostAfterLookup {
			continue
		}
		there, names := lookupLike(fn, here)
		if there == nil {
			continue
		}
		for n := range fn.Own() {
			if n.Part != code.Stmt || n.Start < there.End || !plain(n) || n.Up(code.For, code.Each, code.While) != there.Up(code.For, code.Each, code.While) || len(n.Text()) > longestTwin || strings.Contains(n.Text(), "\n") {
				continue
			}
			text := renamedIn(n, names)
			if !knownAs(n, names, known) || strings.Contains(own, dense(text)) || tried == mostAfterLookup {
				continue
			}
			tried++
			w := besideTheFound
			if found := here.Kid(code.Target); mentions(text, found.Text()) {
				w = ofTheFound
			}
			s.place(text+s.end(n), w, try)
		}
	}
}

// lookupBefore is the assignment that looks up something in a member of an object before the site, in its block, before the branch around it, or in that branch's condition.
func (s *site) lookupBefore() *code.Node {
	block := s.Parent
	for range 2 {
		if branch := block.Parent; branch.Is(code.If) && block.Part == code.Then {
			if a := lookup(branch.Kid(code.Init)); a != nil {
				return a
			}
		}
		for _, n := range block.All(code.Stmt) {
			if a := lookup(n); a != nil && a.End <= s.Start {
				return a
			}
		}
		outer := block.Parent
		if !outer.Is(code.If) || outer.Part != code.Stmt {
			return nil
		}
		block = outer.Parent
	}
	return nil
}

// lookup is the assignment that a statement is, if it takes what is found under a key of a member.
func lookup(stmt *code.Node) *code.Node {
	if stmt == nil {
		return nil
	}
	a := assignment(stmt)
	if !a.Is(code.Assign) || len(a.All(code.Value)) != 1 || !a.Kid(code.Target).Is(code.Name) {
		return nil
	}
	at, of := elementOf(a.Kid(code.Value))
	if at == nil || !of.Is(code.Attr, code.Name) {
		return nil
	}
	return a
}

// lookupLike is a function's assignment that looks up the same as another one, but for the names of what it has of its own, and how these are called there.
func lookupLike(fn, other *code.Node) (there *code.Node, names map[string]string) {
	for n := range fn.Own() {
		if !n.Is(code.Assign) || lookup(n) == nil {
			continue
		}
		if names, ok := namedAs(n, other); ok {
			return n, names
		}
	}
	return nil, nil
}

// namedAs are the names of one piece of code with those that stand in their places in another one; false: they differ in more than names, or in what they look into.
func namedAs(n, other *code.Node) (map[string]string, bool) {
	x, y := parted(n.Text()), parted(other.Text())
	_, in := elementOf(n.Kid(code.Value))
	_, into := elementOf(other.Kid(code.Value))
	if len(x) != len(y) || in.Role != into.Role || in.Name != into.Name {
		return nil, false
	}
	local := map[string]bool{}
	for k := range n.Walk() {
		if k.Role == code.Name && k.Part != code.Callee {
			local[k.Name] = true
		}
	}
	names := map[string]string{}
	for i := range x {
		if was := names[x[i].text]; !x[i].like(y[i]) || x[i].text != y[i].text && !local[x[i].text] || was != "" && was != y[i].text {
			return nil, false
		}
		if x[i].kind == aWord && local[x[i].text] {
			names[x[i].text] = y[i].text
		}
	}
	return names, true
}

// knownAs reports whether all names of a statement are known where it is to stand, by the names they have there.
func knownAs(n *code.Node, names map[string]string, known map[string]bool) bool {
	for k := range n.Walk() {
		if k.Role == code.Name && k.Part != code.Callee && names[k.Name] == "" && !known[k.Name] {
			return false
		}
	}
	return true
}
