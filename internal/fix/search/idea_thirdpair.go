package search

import (
	"slices"

	"fettle/internal/code"
)

// oneInMidst is how likely a pair is missing of which both are compared with a third, against one that ends a row of comparisons.
const oneInMidst = 0.6

// thirdPair compares the one pair that is left out where each value is compared with each other one: a == b || b == c lacks a == c. Where all have to be
// equal, the others say so already.
func thirdPair(s *site, try func(change)) {
	s.eachLast(s.chain(), try)
	f := s.fact()
	word := map[string]string{"==": f.Or, "===": f.Or, "!=": f.And, "!==": f.And}
	var values []string
	var last *code.Node
	type pair [2]int
	compared, firsts := map[pair]bool{}, map[int]bool{}
	index := func(n *code.Node) int {
		if !slices.Contains(values, n.Text()) {
			values = append(values, n.Text())
		}
		return slices.Index(values, n.Text())
	}
	for _, c := range s.chain() {
		l, r := c.Kid(code.Left), c.Kid(code.Right)
		if !c.Is(code.Compare) || word[c.Op] != s.Op || !s.changes(l) || !s.changes(r) || last != nil && last.Op != c.Op {
			continue
		}
		last = c
		a, b := index(l), index(r)
		compared[pair{min(a, b), max(a, b)}] = true
		firsts[a] = true
	}
	n := len(values)
	if n < 3 || len(compared) != n*(n-1)/2-1 {
		return
	}
	w := 1.0
	if len(firsts) == 1 {
		w = oneInMidst
	}
	for a := range values {
		for b := a + 1; b < n; b++ {
			if !compared[pair{a, b}] {
				more := s.Op + " " + values[a] + " " + last.Op + " " + values[b]
				try(insert(last.End, " "+more, w, "the condition lacks %s", quote(more)))
			}
		}
	}
}

// changes reports whether a value is a variable of the function's, or a part of one or of its object: no constant.
func (s *site) changes(n *code.Node) bool {
	n = root(n)
	return n.Is(code.Self) || n.Is(code.Name) && slices.ContainsFunc(s.Scope(), func(v code.Variable) bool {
		return v.Name == n.Name && (v.Kind == code.Local || v.Kind == code.Parameter)
	})
}
