package search

import (
	"cmp"
	"container/heap"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"fettle/internal/edit"
)

// Bounds of the second order.
const (
	mostParts   = 40     // candidates that heal a part, the best first
	mostSingles = 1500   // edits that these are joined with
	mostApart   = 400    // edits that are joined with one another where nothing says that one of them helps
	mostJoined  = 20_000 // pairs
)

// again is how likely who took one thing for another does so each time, once it is known that a single edit is not enough.
const again = 0.7

// partner is an edit that may be one of two.
type partner struct {
	*proposal
	worth float64 // 0–1
	part  bool    // it heals a part
}

// pairs joins edits, those first that are worth the most together: candidates that heal a part, which are right by half, with one another and with
// every other edit; then the best edits of a function with one another.
func pairs(parts []hit, all []*site) iter.Seq[proposal] {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b hit) int {
		if len(a.healed) != len(b.healed) {
			return len(b.healed) - len(a.healed)
		}
		return compareScore(a.proposal, b.proposal)
	})
	parts = distinctParts(parts)
	parts = parts[:min(len(parts), mostParts)]
	return func(yield func(proposal) bool) {
		var partners []partner
		for i := range parts {
			p := &parts[i]
			share := float64(len(p.healed)) / float64(len(parts[0].healed)) // of what the best of them heals
			partners = append(partners, partner{&p.proposal, share * share * math.Pow(p.score, 0.25), true})
		}
		for p := range propose(all) {
			if partners = append(partners, partner{&p, p.score, false}); len(partners) == len(parts)+mostSingles {
				break
			}
		}
		slices.SortStableFunc(partners, func(a, b partner) int { return cmp.Compare(b.worth, a.worth) })
		seen := map[string]bool{}
		n := 0
		try := func(p proposal) bool {
			if seen[p.patchKey()] {
				return true
			}
			seen[p.patchKey()] = true
			n++
			return n <= mostJoined && yield(p)
		}
		same := repeated(partners)
		for a, b := range together(partners) {
			worth := a.worth * b.worth
			for len(same) > 0 && same[0].rank >= worth {
				if !try(same[0]) {
					return
				}
				same = same[1:]
			}
			if p, ok := joined(a.proposal, b.proposal); ok {
				if p.rank = worth; !try(p) {
					return
				}
			}
		}
	}
}

// repeated are edits that mend one and the same mistake wherever a file makes it, the likeliest first: who takes one operator, or one function, for another
// takes it so each time. A mistake is what is taken out, and what is put in its place.
func repeated(partners []partner) (out []proposal) {
	type mistake struct{ template, path, exchange string }
	made := map[mistake][]*proposal{}
	var all []mistake
	for _, p := range partners {
		m := mistake{p.template.name, p.site.File.Path, p.exchange()}
		if made[m] == nil {
			all = append(all, m)
		}
		made[m] = append(made[m], p.proposal)
	}
	for _, m := range all {
		places := made[m]
		if n := len(places); n < 2 || n > mostClones {
			continue
		}
		p, ok := *places[0], true
		for _, x := range places[1:] {
			if p, ok = joined(&p, x); !ok {
				break
			}
		}
		p.second, p.clones, p.score, p.why = nil, len(places)-1, again*places[0].score, places[0].why+", here and wherever else it stands so"
		p.rank = p.score
		if ok {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, compareScore)
	return out
}

// exchange is what an edit takes out, and what it puts in its place.
func (p *proposal) exchange() string {
	var b strings.Builder
	for _, e := range p.edits {
		fmt.Fprintf(&b, "%s\x00%s\x00", p.site.File.Source[e.Start:e.End], e.New)
	}
	return b.String()
}

// together are the pairs of edits, those first that are worth the most.
func together(partners []partner) iter.Seq2[partner, partner] {
	return func(yield func(a, b partner) bool) {
		q := &couples{partners: partners}
		for i := range len(partners) - 1 {
			q.all = append(q.all, couple{i, i + 1})
		}
		heap.Init(q)
		for q.Len() > 0 {
			c := q.all[0]
			a, b := partners[c.first], partners[c.second]
			apart := !a.part && !b.part
			if fn := a.site.Function(); !apart || c.second < mostApart && fn != nil && fn == b.site.Function() {
				if !yield(a, b) {
					return
				}
			}
			if c.second+1 < len(partners) {
				q.all[0].second++
				heap.Fix(q, 0)
			} else {
				heap.Pop(q)
			}
		}
	}
}

// couple is two edits, by their places among all.
type couple struct{ first, second int }

// couples are the next of each edit's pairs, the best of all at the top.
type couples struct {
	partners []partner
	all      []couple
}

func (q *couples) worth(c couple) float64 {
	return q.partners[c.first].worth * q.partners[c.second].worth
}

func (q *couples) Len() int { return len(q.all) }
func (q *couples) Less(i, j int) bool {
	x, y := q.worth(q.all[i]), q.worth(q.all[j])
	if x != y {
		return x > y
	}
	return q.all[i].first < q.all[j].first
}
func (q *couples) Swap(i, j int) { q.all[i], q.all[j] = q.all[j], q.all[i] }
func (q *couples) Push(x any)    { q.all = append(q.all, x.(couple)) }
func (q *couples) Pop() any {
	x := q.all[len(q.all)-1]
	q.all = q.all[:len(q.all)-1]
	return x
}

// distinctParts keeps the best of those that heal the same tests at the same place.
func distinctParts(parts []hit) []hit {
	type at struct {
		path  string
		start int
		heals int
	}
	count := map[at]int{}
	return slices.DeleteFunc(parts, func(p hit) bool {
		k := at{p.site.File.Path, p.edits[0].Start, len(p.healed)}
		count[k]++
		return count[k] > 3
	})
}

func compareScore(a, b proposal) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return 0
}

func (p *proposal) patchKey() string {
	var b []byte
	for _, c := range p.patch {
		b = append(b, c.Path...)
		for _, e := range c.Edits {
			b = append(b, 0, byte(e.Start), byte(e.Start>>8), byte(e.Start>>16), byte(e.End), byte(e.End>>8), byte(e.End>>16))
			b = append(b, e.New...)
		}
	}
	return string(b)
}

// sortByPath brings the changes of a patch into the order in which patches have them.
func sortByPath(p edit.Patch) {
	slices.SortFunc(p, func(a, b edit.Change) int { return cmp.Compare(a.Path, b.Path) })
}

// joined is the patch of both, unless they touch one another, or break a rule together: two sound edits may make both sides of an operator the same, or take away the last two
// uses of a parameter.
func joined(a, b *proposal) (proposal, bool) {
	out := *a
	out.second = b
	out.score = a.score * b.score
	out.rank = 0
	out.size = a.size + b.size
	if a.site.File != b.site.File {
		out.patch = edit.Patch{a.patch[0], b.patch[0]}
		sortByPath(out.patch)
		return out, true
	}
	edits := append(slices.Clone(a.edits), b.edits...)
	slices.SortFunc(edits, func(x, y edit.Edit) int { return x.Start - y.Start })
	for i := 1; i < len(edits); i++ {
		if edits[i].Start < edits[i-1].End || edits[i].Start == edits[i-1].Start {
			return out, false
		}
	}
	both := change{edits: edits}
	if a.site.breaksRules(both) || a.site.Function() != b.site.Function() && b.site.breaksRules(both) {
		return out, false
	}
	c := a.patch[0]
	c.Edits = edits
	out.edits = edits
	out.patch = edit.Patch{c}
	return out, true
}
