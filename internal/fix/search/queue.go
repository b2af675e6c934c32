package search

import (
	"bytes"
	"container/heap"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode"

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
	rank     float64 // by which proposals that are made one after the other go down: the score, or what two are worth together
	size     int     // bytes taken and given
	worn     int     // how worn its template was, which the rank counts
	clones   int     // further places that are changed alike
	takes    bool    // up a name that was not used
	shuts    bool    // nothing behind it is ever reached: it is asked, and not offered
	always   bool    // what a branch does is done whatever its condition says
	silent   bool    // nobody hears any more of what was asked for: it is asked, and not offered
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
	worn   int  // how worn its template was when it was counted last
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
		seen, handed := map[string]bool{}, map[string]int{}
		for q.Len() > 0 {
			e := heap.Pop(q).(*entry)
			templates := ideas(e.site)
			t := &templates[e.next]
			if e.change == nil {
				asked := 0
				e.site.ask(t, func(c change) {
					if asked++; asked > mostChanges {
						return
					}
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
			odd := 1.0
			if e.site.carefully(t, func() { odd = e.oddity() }); odd < 1 {
				e.score *= odd
				push(e)
				continue
			}
			if worn := wornBy(handed[t.name]); worn > e.worn {
				e.score *= wear(worn - e.worn)
				e.worn = worn
				push(e)
				continue
			}
			var p proposal
			ok := false
			if e.site.carefully(t, func() { p, ok = e.site.proposal(t, *e.change, seen) }); !ok {
				continue
			}
			p.score, p.rank, p.worn, p.clones, p.takes = e.score/wear(e.worn), e.score, e.worn, e.clones, e.takes
			handed[t.name]++
			if !yield(p) {
				return
			}
		}
	}
}

// A template wears out: the more of its edits have come to nothing, the less is to be expected of the next, and the more of templates that were asked less.
// Where a test runs all of a project's sources, nothing else keeps one that has a hundred edits for every place (another text, another number) from
// taking all the time. Of faults planted in real projects, the right edit comes after half as many others so; of small programs' it makes no difference.
const (
	unworn = 8    // edits of a template that count as they are
	worn   = 0.85 // what those count that come after as many again, twice as many, four times as many …
)

// wornBy is how often a template has worn, after so many of its edits.
func wornBy(edits int) int { return bits.Len(uint(edits / unworn)) }

// wear is what an edit counts of a template that has worn so often.
func wear(times int) float64 { return math.Pow(worn, float64(times)) }

// unworn is the rank that a proposal would have if its template had no edits before it.
func (p *proposal) unworn() float64 { return p.rank / wear(p.worn) }

// most is the highest score that a change by a template can have at the site.
func (s *site) most(t template) float64 {
	score := s.score * t.prior
	if len(s.unit.unused(s.Function())) > 0 {
		score *= takenUp
	}
	return score
}

// mostChanges bounds what one template makes of one site: each is kept until its turn comes.
const mostChanges = 1000

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
	fits := s.fitting(c.edits[0])
	all = change{slices.Clone(c.edits), c.weight, c.why + ", here and wherever else it stands so"}
	kin = change{slices.Clone(c.edits), c.weight, all.why}
	for n := range fn.Walk() {
		if n == s.Node || n.Role != s.Role || n.End-n.Start != len(text) || n.Text() != text || n.Holds(s.Start, s.End) || !fits(n) {
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

// fitting is whether an edit of the site would say the same at another node that reads like it: a value or none as here, laid out alike, and no member of a part of what it makes.
func (s *site) fitting(e edit.Edit) func(*code.Node) bool {
	after := s.Text()[:e.Start-s.Start] + string(e.New) + s.Text()[e.End-s.Start:]
	lines := bytes.IndexByte(e.New, '\n') >= 0 // which are indented as those here
	return func(n *code.Node) bool {
		return s.at(n).value() == s.value() && (!lines || n.Indent() == s.Indent()) && (headed(s.Node) || !headed(n) || heads(after))
	}
}

// headed reports whether a node is what a member, an element or a call is of.
func headed(n *code.Node) bool { return n.Part == code.Object || n.Part == code.Callee }

// heads reports whether a member of a text is one of all of it: x, x.y(a + b) and xs[0], but not x + y.
func heads(text string) bool {
	depth, last := 0, ""
	for i, p := range parted(text) {
		switch {
		case p.text == "(" || p.text == "[" || p.text == "{":
			depth++
		case p.text == ")" || p.text == "]" || p.text == "}":
			depth--
		case depth > 0:
		case p.kind == aSign && p.text != ".", p.kind != aSign && i > 0 && last != ".":
			return false
		}
		last = p.text
	}
	return true
}

// proposal makes a change into a patch, unless it was there before or breaks a rule.
func (s *site) proposal(t *template, c change, seen map[string]bool) (proposal, bool) {
	slices.SortFunc(c.edits, func(a, b edit.Edit) int { return a.Start - b.Start })
	after, ok := apply(s.File.Source, c.edits)
	if !ok {
		return proposal{}, false
	}
	from, to := 0, len(s.File.Source)
	if top := s.Outermost(); top != nil && top.Holds(c.edits[0].Start, c.edits[len(c.edits)-1].End) {
		from, to = top.Start, top.End
	}
	rest := len(s.File.Source) - to
	before, now := dense(s.File.Source[from:to]), dense(after[from:len(after)-rest])
	key := fmt.Sprintf("%s\x00%d\x00%s", s.File.Path, from, now)
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

// span is from where to where a proposal's edits reach.
func (p *proposal) span() (start, end int) { return p.edits[0].Start, p.edits[len(p.edits)-1].End }

// apply makes edits, which are in order. Edits that overlap are none, nor are two insertions at one place, of which nothing says which text comes first.
func apply(src string, edits []edit.Edit) (string, bool) {
	var b strings.Builder
	at, last := 0, edit.Edit{Start: -1}
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(src) || e.Start == last.Start && e.End == last.End {
			return "", false
		}
		last = e
		b.WriteString(src[at:e.Start])
		b.Write(e.New)
		at = e.End
	}
	b.WriteString(src[at:])
	return b.String(), true
}

// unspaced is a text without any white space.
func unspaced(text string) string { return strings.Join(strings.Fields(text), "") }

// dense is a text without the white space between words that a formatter decides about; where lines begin, depth counts, and within literals all of it.
func dense(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 1)
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(line, " \t")
		if strings.TrimSpace(body) == "" {
			continue
		}
		b.WriteString(line[:len(line)-len(body)])
		writeSpaced(&b, strings.TrimRightFunc(body, unicode.IsSpace))
		b.WriteByte('\n')
	}
	return b.String()
}

// writeSpaced writes a line with one blank for whatever stands between its words. A literal stays as it is.
func writeSpaced(b *strings.Builder, line string) {
	for from := 0; from < len(line); {
		quoted := strings.IndexAny(line[from:], "\"'`")
		if quoted < 0 {
			writeWords(b, line[from:])
			return
		}
		writeWords(b, line[from:from+quoted])
		end := closed(line, from+quoted)
		b.WriteString(line[from+quoted : end])
		from = end
	}
}

// writeWords writes the words of what stands outside of literals, with one blank for those around and between them.
func writeWords(b *strings.Builder, text string) {
	words := strings.TrimFunc(text, unicode.IsSpace)
	if len(words) == 0 || !strings.HasPrefix(text, words) {
		if text != "" {
			b.WriteByte(' ')
		}
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
	}
	between := ""
	for word := range strings.FieldsSeq(words) {
		b.WriteString(between)
		b.WriteString(word)
		between = " "
	}
	if len(text) > len(words) {
		b.WriteByte(' ')
	}
}
