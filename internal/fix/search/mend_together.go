package search

import (
	"cmp"
	"context"
	"slices"

	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/verdict"
)

// Bounds of what is tried for several errors that keep the tests from running: remedies of each, and joins of them.
const (
	mostOfEach   = 3
	mostErrors   = 6
	mostTogether = 12
)

// joint is a remedy for each of several complaints.
type joint struct {
	parts  []int // of the hits
	weight float64
	trial  verdict.Trial
}

// together has the tests tell remedies apart where several errors keep them from running: with one of them mended they run as little as before,
// so nothing is known of any remedy by itself. It tries them together, and proposes the likeliest with which every test passes.
func (m *mending) together(ctx context.Context) ([]fix.Candidate, error) {
	joins := m.joins()
	if len(joins) == 0 {
		return nil, nil
	}
	patches := func(yield func(edit.Patch) bool) {
		for _, j := range joins {
			if !yield(m.patchOf(j.parts)) {
				return
			}
		}
	}
	var passing []joint
	for trial, err := range m.task.TryAll(ctx, patches) {
		if err != nil {
			return nil, err
		}
		m.tried++
		if trial.Plausible && trial.Passing > 0 && trial.Index < len(joins) {
			j := joins[trial.Index]
			j.trial = trial
			passing = append(passing, j)
		}
	}
	if len(passing) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(passing, func(a, b joint) int { return cmp.Compare(b.weight, a.weight) })
	best, rivals, least := passing[0], 0.0, 1.0
	for _, j := range passing[1:] {
		rivals += j.weight
	}
	for _, i := range best.parts {
		least = min(least, m.hits[i].template.precision)
	}
	c := m.join(best.parts)
	c.Confidence = m.weighed(least*best.weight/(best.weight+rivals/2), best.trial)
	c.Alternatives = len(passing) - 1
	return []fix.Candidate{c}, nil
}

// joins are the likeliest ways to mend all the errors at once; none where an error by itself keeps no tests from running.
func (m *mending) joins() []joint {
	var order []diag.Fingerprint
	by := map[diag.Fingerprint][]int{}
	for i, h := range m.hits {
		if h.trial.Plausible || len(h.trial.Shown) > 0 {
			return nil // the tests have run
		}
		if len(by[h.about]) == 0 {
			order = append(order, h.about)
		}
		if len(by[h.about]) < mostOfEach {
			by[h.about] = append(by[h.about], i)
		}
	}
	if !m.task.Check.NamesTests() || len(order) < 2 || len(order) > mostErrors {
		return nil
	}
	all := []joint{{weight: 1}}
	for _, about := range order {
		var longer []joint
		for _, j := range all {
			for _, i := range by[about] {
				if !overlap(m.editsOf(j.parts)[m.hits[i].site.File.Path], m.hits[i].edits) {
					longer = append(longer, joint{parts: append(slices.Clone(j.parts), i), weight: j.weight * m.hits[i].score})
				}
			}
		}
		all = longer
	}
	slices.SortStableFunc(all, func(a, b joint) int { return cmp.Compare(b.weight, a.weight) })
	return all[:min(len(all), mostTogether)]
}
