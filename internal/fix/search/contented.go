package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"fettle/internal/edit"
	"fettle/internal/fix"
)

// What a checker's content is worth less than that of tests.
const (
	unseen = 0.7 // a general edit: the checker says nothing of what the program does
	sure   = 0.7 // what is less sure is not joined with others: it would make them unsure as well
	opened = 0.7 // tests that could not run before fail
)

// candidates are what the check is content with: all of it at once, if several remedies together do that, and then one by one.
func (m *mending) candidates(ctx context.Context) ([]fix.Candidate, error) {
	slices.SortStableFunc(m.hits, func(a, b mended) int {
		return cmp.Or(cmp.Compare(len(b.trial.Healed), len(a.trial.Healed)), cmp.Compare(len(a.trial.Shown), len(b.trial.Shown)), cmp.Compare(b.worth(), a.worth()), cmp.Compare(a.size, b.size))
	})
	var out []fix.Candidate
	if joined, ok := m.joined(); ok {
		for trial, err := range m.task.TryAll(ctx, slices.Values([]edit.Patch{joined.Patch})) {
			if err != nil {
				return nil, err
			}
			if m.tried++; len(trial.Broken) == 0 && len(trial.Healed) > len(m.hits[0].trial.Healed) {
				out = append(out, joined)
			}
		}
	}
	for i, h := range m.hits[:min(len(m.hits), m.opts.Shown)] {
		out = append(out, m.candidate(i, h))
	}
	for i := range out {
		out[i].Effort.Tried, out[i].Effort.Took = m.tried, time.Since(m.began)
	}
	return out, nil
}

// worth orders remedies of the same effect.
func (h mended) worth() float64 { return h.score * h.template.precision }

// candidate is a remedy for the loop.
func (m *mending) candidate(i int, h mended) fix.Candidate {
	rivals, others := 0.0, 0
	for j, other := range m.hits {
		if j != i && slices.Equal(other.trial.Healed, h.trial.Healed) && len(other.trial.Shown) <= len(h.trial.Shown) {
			rivals += other.score
			others++
		}
	}
	c := h.template.precision * h.score / (h.score + rivals/2)
	if h.score <= general {
		c *= unseen
	}
	switch {
	case len(h.trial.Shown) > 0:
		c *= opened
	case m.task.Check.NamesTests() && h.trial.Plausible:
		c = 1 - (1-c)*alone // the tests run again, and pass
	}
	return fix.Candidate{
		Patch: tidy(&h.proposal), Author: "search", Explanation: sentence(&h.proposal), Alternatives: others, Confidence: math.Round(c*100) / 100,
		Effort: &fix.Effort{First: h.nth, Until: h.after},
	}
}

// joined is the best remedies of different complaints in one, if they heal more together than one of them.
func (m *mending) joined() (fix.Candidate, bool) {
	if len(m.hits) < 2 {
		return fix.Candidate{}, false
	}
	healed := map[string]bool{}
	var parts []mended
	var edits = map[string][]edit.Edit{}
	for i, h := range m.hits {
		if i > 0 && m.candidate(i, h).Confidence < sure || slices.ContainsFunc(h.trial.Healed, func(id string) bool { return healed[id] }) || overlap(edits[h.patch[0].Path], h.edits) {
			continue
		}
		for _, id := range h.trial.Healed {
			healed[id] = true
		}
		edits[h.patch[0].Path] = append(edits[h.patch[0].Path], h.edits...)
		parts = append(parts, h)
	}
	if len(parts) < 2 {
		return fix.Candidate{}, false
	}
	out := m.candidate(slices.IndexFunc(m.hits, func(h mended) bool { return h.nth == parts[0].nth }), parts[0])
	why := []string{strings.TrimSuffix(out.Explanation, ".")}
	for _, h := range parts[1:] {
		one := m.candidate(slices.IndexFunc(m.hits, func(o mended) bool { return o.nth == h.nth }), h)
		out.Confidence = min(out.Confidence, one.Confidence)
		why = append(why, h.why)
	}
	out.Explanation = strings.Join(why, "; ") + "."
	out.Patch = nil
	for _, f := range m.unit.order {
		if e := edits[f.Path]; len(e) > 0 {
			slices.SortFunc(e, func(a, b edit.Edit) int { return cmp.Compare(a.Start, b.Start) })
			out.Patch = append(out.Patch, edit.Change{Path: f.Path, Op: edit.Modify, Base: edit.Sum([]byte(f.Source)), Edits: e})
		}
	}
	return out, true
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
