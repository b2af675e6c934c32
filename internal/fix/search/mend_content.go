package search

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/complaint"
	"fettle/internal/verdict"
)

// What a checker's content is worth less than that of tests.
const (
	alone  = 0.6  // the part of a template's doubt that remains when tests pass, or all that could be given back was tried and only one value is accepted
	unseen = 0.7  // a general edit: the checker says nothing of what the program does
	sure   = 0.7  // what is less sure is not joined with others: it would make them unsure as well
	blind  = 0.85 // other errors still keep the tests from running
	opened = 0.6  // all tests that could not run before fail now that they can
)

// candidates are what the check is content with: all of it at once, if several remedies together do that, and then one by one.
func (m *mending) candidates(ctx context.Context) ([]fix.Candidate, error) {
	slices.SortStableFunc(m.hits, func(a, b mended) int {
		return cmp.Or(cmp.Compare(len(b.trial.Healed), len(a.trial.Healed)), cmp.Compare(len(a.trial.Shown), len(b.trial.Shown)), cmp.Compare(b.worth(), a.worth()), cmp.Compare(a.size, b.size))
	})
	all := m.hits
	m.hits = slices.DeleteFunc(slices.Clone(all), func(h mended) bool {
		return slices.ContainsFunc(all, func(o mended) bool { return o.outdoes(h) || o.spells(h) })
	})
	var out []fix.Candidate
	if parts, worth := m.compatible(); len(parts) > 1 {
		joined := m.join(parts)
		for trial, err := range m.task.TryAll(ctx, slices.Values([]edit.Patch{joined.Patch})) {
			if err != nil {
				return nil, err
			}
			if m.tried++; len(trial.Broken) == 0 && len(trial.Healed) > len(m.hits[0].trial.Healed) {
				joined.Confidence = m.weighed(worth, trial)
				out = append(append(out, joined), m.byFunction(parts)...)
			}
		}
	}
	if len(out) == 0 {
		more, err := m.together(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	for i, h := range m.hits[:min(len(m.hits), m.opts.Shown)] {
		out = append(out, m.candidate(i, h))
	}
	for i := range out {
		out[i].Effort = m.all(*out[i].Effort, m.tried)
	}
	return out, nil
}

// worth orders remedies of the same effect.
func (h mended) worth() float64 { return h.score * h.template.precision }

// outdoes reports whether a remedy heals all that another one does, and more: what takes one error after the other away follows the symptoms.
func (h mended) outdoes(other mended) bool {
	if len(h.trial.Healed) <= len(other.trial.Healed) || h.score <= general && other.score > general {
		return false
	}
	return !slices.ContainsFunc(other.trial.Healed, func(id string) bool { return !slices.Contains(h.trial.Healed, id) })
}

// spells reports whether a remedy has the name that the other one has spelled less like what stands there. What a name contents besides, a variable that nobody
// read, says nothing of what was meant.
func (h mended) spells(other mended) bool {
	return h.about == other.about && h.template.name == other.template.name && h.template.name == complaint.NearName && h.score > other.score
}

// likely is how likely a remedy is the right one, by its kind and its rivals, and how many these are, and their weight.
func (m *mending) likely(i int) (p float64, others int, rivals float64) {
	h := m.hits[i]
	for j, other := range m.hits {
		if j != i && other.about == h.about && slices.Equal(other.trial.Healed, h.trial.Healed) && len(other.trial.Shown) <= len(h.trial.Shown) {
			rivals += other.score
			others++
		}
	}
	p = h.template.precision * h.score / (h.score + rivals/2)
	if others == 0 && h.template.name == complaint.GiveBack && !m.left[h.about] {
		p = 1 - (1-p)*alone
	}
	if h.score <= general {
		p *= unseen
	}
	return p, others, rivals
}

// weighed is what is left of a likelihood, or comes to it, by what the tests have to say, if a compiler's complaint had kept them from running.
func (m *mending) weighed(p float64, t verdict.Trial) float64 {
	switch {
	case m.task.Check.Kind() == "test" && !m.task.Check.NamesTests() && t.Plausible: // whatever it asks, after compiling, it is content
		p = 1 - (1-p)*alone
	case !m.task.Check.NamesTests(): // what is shown now, a compiler's later step says
	case len(t.Shown) > 0: // perhaps because of it, perhaps because of another fault
		pass := float64(t.Passing) / float64(t.Passing+len(t.Shown))
		p *= opened + (1-opened)*pass
	case !t.Plausible:
		p *= blind
	case t.Passing > 0:
		p = 1 - (1-p)*alone
	}
	return math.Round(p*100) / 100
}

// candidate is a remedy for the loop.
func (m *mending) candidate(i int, h mended) fix.Candidate {
	p, others, rivals := m.likely(i)
	return fix.Candidate{
		Patch: m.unit.tidy(h.patch), Author: "search", Explanation: sentence(&h.proposal), Ideas: h.ideas(), Alternatives: others, Confidence: m.weighed(p, h.trial),
		Grounds: m.grounds(h, rivals), Effort: &h.effort,
	}
}

// compatible are the best remedies of different complaints that can be in one patch, and how likely the least likely of them is right.
func (m *mending) compatible() (parts []int, least float64) {
	healed := map[string]bool{}
	for i, h := range m.hits {
		p, _, _ := m.likely(i)
		if p < sure || slices.ContainsFunc(h.trial.Healed, func(id string) bool { return healed[id] }) || overlap(m.editsOf(parts)[h.site.File.Path], h.edits) {
			continue
		}
		for _, id := range h.trial.Healed {
			healed[id] = true
		}
		if parts = append(parts, i); len(parts) == 1 || p < least {
			least = p
		}
	}
	return parts, least
}

// byFunction is what is left of a join if one of its remedies turns out to break something that this check does not see: those of each function apart, as far
// as there are several, the surest first.
func (m *mending) byFunction(parts []int) (out []fix.Candidate) {
	groups := map[string][]int{}
	for _, i := range parts {
		p := &m.hits[i].proposal
		where := p.site.File.Path + "\x00" + whereabouts(p)
		groups[where] = append(groups[where], i)
	}
	for _, where := range slices.Sorted(maps.Keys(groups)) {
		if group := groups[where]; len(group) > 1 && len(group) < len(parts) {
			c := m.join(group)
			for _, i := range group {
				p, _, _ := m.likely(i)
				c.Confidence = min(c.Confidence, m.weighed(p, m.hits[i].trial))
			}
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b fix.Candidate) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return out
}

// join is several remedies in one candidate.
func (m *mending) join(parts []int) fix.Candidate {
	joined := m.candidate(parts[0], m.hits[parts[0]])
	why := []string{strings.TrimSuffix(joined.Explanation, ".")}
	for n, i := range parts[1:] {
		before, next := &m.hits[parts[n]].proposal, &m.hits[i].proposal
		if where := whereabouts(next); where != whereabouts(before) {
			why = append(why, "in "+where+", "+next.why)
		} else {
			why = append(why, next.why)
		}
		joined.Ideas = append(joined.Ideas, m.hits[i].ideas()...)
		joined.Grounds.Edits++
		joined.Grounds.Exhausted = joined.Grounds.Exhausted && !m.left[m.hits[i].about]
	}
	joined.Explanation = strings.Join(why, "; ") + "."
	slices.Sort(joined.Ideas)
	joined.Ideas, joined.Patch = slices.Compact(joined.Ideas), m.unit.tidy(m.patchOf(parts))
	return joined
}

// editsOf are the edits of several remedies, by file.
func (m *mending) editsOf(parts []int) map[string][]edit.Edit {
	edits := map[string][]edit.Edit{}
	for _, i := range parts {
		path := m.hits[i].site.File.Path
		edits[path] = append(edits[path], m.hits[i].edits...)
	}
	return edits
}

// patchOf is the patch that several remedies make together.
func (m *mending) patchOf(parts []int) (out edit.Patch) {
	edits := m.editsOf(parts)
	for _, f := range m.unit.order {
		if e := edits[f.Path]; len(e) > 0 {
			slices.SortFunc(e, func(a, b edit.Edit) int { return cmp.Compare(a.Start, b.Start) })
			out = append(out, edit.Change{Path: f.Path, Op: edit.Modify, Base: m.unit.sum(f), Edits: e})
		}
	}
	sortByPath(out)
	return out
}

// overlap reports whether edits touch one another.
func overlap(had, more []edit.Edit) bool {
	for _, a := range had {
		for _, b := range more {
			if a.Start <= b.End && b.Start <= a.End {
				return true
			}
		}
	}
	return false
}
