package search

import (
	"container/heap"
	"iter"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// proposal is one candidate with all that is known of it before it is tried.
type proposal struct {
	template *template
	site     *site
	edits    []edit.Edit
	patch    edit.Patch
	why      string
	score    float64 // prior × suspicion × the change's own weight
	size     int     // bytes taken and given
	clones   int     // further places that are changed alike
	takes    bool    // up a name that was not used
	second   *proposal
}

// entry is either a change that is ready, or the promise of those that a template would make of a site.
type entry struct {
	score  float64
	order  int // of equals, the first comes first
	site   *site
	next   int // the template whose turn it is
	change *change
	clones int
	odd    bool // its oddity has been counted
	takes  bool // the change takes up a name that was not used
}

type queue []*entry

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if q[i].score != q[j].score {
		return q[i].score > q[j].score
	}
	return q[i].order < q[j].order
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*entry)) }
func (q *queue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// alike is what the same edit at all its clones counts, against the edit alone.
const alike = 0.4

// propose hands out candidates for these sites in order of score. A template is asked about a site only when nothing better is left, so
// that what nobody asks for costs nothing. Each candidate comes once.
func propose(sites []*site) iter.Seq[proposal] {
	return proposeBy(sites, func(s *site) []template { return s.unit.templates(s.File) })
}

// proposeBy is propose for other templates than the search's own.
func proposeBy(sites []*site, ideas func(*site) []template) iter.Seq[proposal] {
	return func(yield func(proposal) bool) {
		q := &queue{}
		order := 0
		push := func(e *entry) {
			order++
			e.order = order
			heap.Push(q, e)
		}
		for _, s := range sites {
			push(&entry{score: s.most(ideas(s)[0]), site: s})
		}
		seen := map[string]bool{}
		for q.Len() > 0 {
			e := heap.Pop(q).(*entry)
			templates := ideas(e.site)
			t := &templates[e.next]
			if e.change == nil {
				e.site.ask(t, func(c change) {
					up := e.site.takesUp(c)
					score := e.site.score * t.prior * c.weight * up
					push(&entry{score: score, site: e.site, next: e.next, change: &c, takes: up > 1})
					all, kin := e.site.clones(c)
					also := alike
					if e.site.unknown() {
						also = 1 // it is wrong wherever it stands
					}
					for _, more := range []change{all, kin} {
						if n := len(more.edits) - 1; n > 0 {
							push(&entry{score: score * also, site: e.site, next: e.next, change: &more, clones: n, takes: up > 1})
						}
					}
				})
				if e.next+1 < len(templates) {
					push(&entry{score: e.site.most(templates[e.next+1]), site: e.site, next: e.next + 1})
				}
				continue
			}
			if odd := e.oddity(); odd < 1 {
				e.score *= odd
				push(e)
				continue
			}
			p, ok := e.site.proposal(t, *e.change, seen)
			if !ok {
				continue
			}
			p.score, p.clones, p.takes = e.score, e.clones, e.takes
			if !yield(p) {
				return
			}
		}
	}
}

// most is the highest score that a change by a template can have at the site.
func (s *site) most(t template) float64 {
	score := s.score * t.prior
	if len(s.unit.unused(s.Function())) > 0 {
		score *= takenUp
	}
	return score
}

// most clones that are changed together
const mostClones = 6

// clones is a change together with the same one wherever the function has the same text in the same role: an error that was made once is
// often made again. Kin are those of them that stand in the same way, if they are fewer: given to something, say, and not compared with it.
// Each is empty if there are none, or too many.
func (s *site) clones(c change) (all, kin change) {
	fn := s.Function()
	if fn == nil || len(c.edits) != 1 || c.edits[0].Start < s.Start || c.edits[0].End > s.End || s.Is(code.Bool, code.Block) {
		return change{}, change{}
	}
	text := s.Text()
	all = change{slices.Clone(c.edits), c.weight, c.why + ", here and wherever else it stands so"}
	kin = change{slices.Clone(c.edits), c.weight, all.why}
	for n := range fn.Walk() {
		if n == s.Node || n.Role != s.Role || n.End-n.Start != len(text) || n.Text() != text || n.Holds(s.Start, s.End) || s.at(n).value() != s.value() {
			continue
		}
		by := n.Start - s.Start
		e := edit.Edit{Start: c.edits[0].Start + by, End: c.edits[0].End + by, New: c.edits[0].New}
		all.edits = append(all.edits, e)
		if n.Part == s.Part && n.Parent.Role == s.Parent.Role {
			kin.edits = append(kin.edits, e)
		}
	}
	if len(kin.edits) == len(all.edits) {
		kin = change{}
	}
	for _, more := range []*change{&all, &kin} {
		if len(more.edits) > mostClones {
			*more = change{}
		}
		slices.SortFunc(more.edits, func(a, b edit.Edit) int { return a.Start - b.Start })
	}
	return all, kin
}

// proposal makes a change into a patch, unless it was there before or breaks a rule.
func (s *site) proposal(t *template, c change, seen map[string]bool) (proposal, bool) {
	slices.SortFunc(c.edits, func(a, b edit.Edit) int { return a.Start - b.Start })
	after, ok := apply(s.File.Source, c.edits)
	if !ok {
		return proposal{}, false
	}
	from, to := 0, len(s.File.Source)
	top := s.Node
	for n := s.Node; n != nil; n = n.Parent {
		if n.Role == code.Function {
			top = n
		}
	}
	if top.Role == code.Function && top.Holds(c.edits[0].Start, c.edits[len(c.edits)-1].End) {
		from, to = top.Start, top.End
	}
	rest := len(s.File.Source) - to
	before, now := dense(s.File.Source[from:to]), dense(after[from:len(after)-rest])
	key := s.File.Path + "\x00" + now
	if from > 0 {
		key += "\x00" + top.Name
	}
	if seen[key] || before == now || s.breaksRules(c) {
		return proposal{}, false
	}
	seen[key] = true
	if s.unit.checker != nil && !s.unit.checker.Compiles(s.File.Path, c.edits) {
		return proposal{}, false
	}
	size := 0
	for _, e := range c.edits {
		size += e.End - e.Start + len(e.New)
	}
	return proposal{
		template: t, site: s, edits: c.edits, why: c.why, size: size,
		patch: edit.Patch{{Path: s.File.Path, Op: edit.Modify, Base: s.unit.sum(s.File), Edits: c.edits}},
	}, true
}

// apply makes edits, which are in order. Edits that overlap are none.
func apply(src string, edits []edit.Edit) (string, bool) {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(src) {
			return "", false
		}
		b.WriteString(src[at:e.Start])
		b.Write(e.New)
		at = e.End
	}
	b.WriteString(src[at:])
	return b.String(), true
}

// unspaced is a text without any white space.
func unspaced(text string) string { return strings.Join(strings.Fields(text), "") }

// dense is a text without the white space between words that a formatter decides about; where lines begin, depth counts.
func dense(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(line, " \t")
		if strings.TrimSpace(body) == "" {
			continue
		}
		b.WriteString(line[:len(line)-len(body)])
		b.WriteString(strings.Join(strings.Fields(body), " "))
		b.WriteByte('\n')
	}
	return b.String()
}
