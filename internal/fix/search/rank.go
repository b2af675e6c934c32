package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"fettle/internal/code"
	"fettle/internal/fix"
	"fettle/internal/fix/belief"
)

// meant is the part of a template's doubt that remains where a change uses what was made and never looked at.
const meant = 0.6

// candidates orders what was found, best first, and says how sure it is. Patches that heal everything rule out those that heal a part.
func (h *hunt) candidates(ctx context.Context, f found) []fix.Candidate {
	hits := f.whole
	if len(hits) == 0 {
		hits = f.part
	}
	for i := range hits {
		hits[i].familiar = hits[i].readsAsElsewhere()
	}
	order := func(a, b hit) int {
		return cmp.Or(cmp.Compare(len(b.healed), len(a.healed)), cmp.Compare(b.promise(), a.promise()), cmp.Compare(a.size, b.size))
	}
	slices.SortStableFunc(hits, order)
	seen := map[string]bool{}
	hits = slices.DeleteFunc(hits, func(x hit) bool {
		m := x.meaning(ctx)
		again := seen[m]
		seen[m] = true
		return again
	})
	hits = h.elsewhere(ctx, hits)
	slices.SortStableFunc(hits, order)
	hits = h.typed(ctx, hits)
	hits = h.elsewhere(ctx, h.undisguise(ctx, hits)) // its plain forms
	slices.SortStableFunc(hits[:min(len(hits), mostElsewhere)], func(a, b hit) int { return cmp.Compare(len(b.healed), len(a.healed)) })
	hits, differs := h.cluster(ctx, hits)
	effort := h.all(f.effort, f.tried)
	var out []fix.Candidate
	for i, x := range hits[:min(len(hits), h.opts.Shown)] {
		g := h.grounds(x, f)
		for j, other := range hits {
			if j != i && len(other.healed) == len(x.healed) && other.against <= x.against {
				g.Rivals += other.score / x.score
			}
		}
		out = append(out, fix.Candidate{
			Patch: x.site.unit.tidy(x.patch), Author: "search", Explanation: sentence(&x.proposal), Heals: x.healed, Ideas: x.ideas(), Alternatives: len(hits) - 1,
			Confidence: min(belief.Of(g), x.atMost()), Grounds: &g, Effort: effort, Differs: differs[i],
		})
	}
	return out
}

// ideas are those by which a proposal was made.
func (p *proposal) ideas() []string {
	out := []string{p.site.File.Facts.Name + "/" + p.template.name}
	if p.second != nil {
		out = append(out, p.second.ideas()...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// promise orders what passes: how likely it was before it was tried, how often such patches are right once they pass, and whether the file says so elsewhere.
func (x *hit) promise() float64 {
	if x.familiar {
		return x.score * x.precision() * asElsewhere
	}
	return x.score * x.precision()
}

// precision is how often such patches are right once they pass; of two edits, the one that is less often.
func (x *hit) precision() float64 {
	sure := x.template.precision
	if x.second != nil {
		sure = min(sure, x.second.template.precision)
	}
	if x.takes {
		return 1 - (1-sure)*meant
	}
	return sure
}

// atMost is the most that a patch is believed, whatever speaks for it: one that no idea called for waits for a person.
func (x *hit) atMost() float64 {
	if wide(x.template) || x.second != nil && wide(x.second.template) {
		return uncalled
	}
	return 1
}

// grounds are what speaks for a patch that passes and against it, its rivals aside.
func (h *hunt) grounds(x hit, f found) fix.Grounds {
	g := fix.Grounds{
		Record: x.precision(), Weight: x.score, Edits: 1, Failing: len(union(h.suite.Failing(), h.touching(x))), Heals: len(x.healed), Leaves: h.unhealed(x), Passing: x.site.passing, Denied: x.against, Idle: x.idle, Exhausted: f.all,
	}
	if x.second != nil {
		g.Edits = 2
	}
	return g
}

// unhealed is how many failing tests that run what a patch changes do not pass with it.
func (h *hunt) unhealed(x hit) (n int) {
	left := h.touching(x)
	for _, r := range h.about.runs {
		if r.Ran(x.site.File.Path, x.site.Line()) {
			left = append(left, r.ID)
		}
	}
	for _, id := range left {
		if !slices.Contains(x.healed, id) {
			n++
		}
	}
	return n
}

// touching are the failing tests that were not asked about and run what a patch changes: it should heal them too, or there is more that is wrong than it knows of.
func (h *hunt) touching(x hit) []string {
	return h.opts.memory.touching(h.about, x.site.File.Path, x.site.Line())
}

// sentence is the explanation: where, and what was wrong.
func sentence(p *proposal) string {
	in := whereabouts(p)
	switch {
	case p.second == nil:
		return fmt.Sprintf("In %s, %s.", in, p.why)
	case whereabouts(p.second) != in:
		return fmt.Sprintf("In %s, %s, and in %s, %s.", in, p.why, whereabouts(p.second), p.second.why)
	case p.second.why == p.why:
		return fmt.Sprintf("In %s, in two places, %s.", in, p.why)
	}
	return fmt.Sprintf("In %s, %s, and %s.", in, p.why, p.second.why)
}

// whereabouts is what people call the function that a proposal changes, else its file.
func whereabouts(p *proposal) string {
	fn := p.site.Function()
	if p.site.Role == code.Function {
		fn = p.site.Node
	}
	if name := called(fn); name != "" {
		return name
	}
	return p.site.File.Path
}

// called is what people call a function: its own name, or that of the variable that holds it; else what the one around it is called.
func called(fn *code.Node) string {
	for ; fn != nil; fn = fn.Function() {
		if name := named(fn); name != "" {
			return name
		}
	}
	return ""
}

// named is a function's own name, or that of the variable that holds it; else empty.
func named(fn *code.Node) string {
	if fn.Name != "" {
		return fn.Name
	}
	if t := fn.Parent.Kid(code.Target); fn.Parent.Is(code.Assign) && t.Is(code.Name, code.Attr) {
		return t.Name
	}
	return ""
}
