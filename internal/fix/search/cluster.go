package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/runner"
)

// mostCompared bounds how many patches are held against one another.
const mostCompared = 16

// leastInputs is how many answers two patches have to share before they count as one.
const leastInputs = 12

// cluster puts patches that do the same on every input together, as the best of them, where the suite can tell; those that do what the
// documentation says come first. differs says, for each that stays, on what it and another one part ways.
func (h *hunt) cluster(ctx context.Context, hits []hit) (kept []hit, differs []string) {
	differs = make([]string, len(hits))
	comparer, ok := h.suite.(runner.Comparer)
	if !ok || len(hits) < 2 {
		return hits, differs
	}
	some := hits[:min(len(hits), mostCompared)]
	patches := make([]edit.Patch, len(some))
	for i, x := range some {
		patches[i] = x.patch
	}
	c, err := comparer.Compare(ctx, patches, documented(some))
	if err != nil {
		return hits, differs // they stay apart
	}
	var places []int // of those that are kept, in the comparison
	for _, i := range h.asDocumented(some, c) {
		x := some[i]
		same := false
		for _, j := range places {
			same = same || sameAnswers(c, i, j)
		}
		if !same {
			kept, places = append(kept, x), append(places, i)
		}
	}
	kept = append(kept, hits[len(some):]...)
	differs = make([]string, len(kept))
	for i := range places {
		other := 0
		if i == 0 {
			other = 1
		}
		if other < len(places) {
			differs[i] = difference(c, places[i], places[other])
		}
	}
	return kept, differs
}

// asDocumented orders patches that heal as much as one another by how often they answer otherwise than the documentation says, and notes that of
// each. What none of them does as it says may be wrong there.
func (h *hunt) asDocumented(some []hit, c runner.Comparison) []int {
	order := make([]int, len(some))
	for i := range some {
		order[i] = i
		for k := range c.Answers[i] {
			met := func(answers []runner.Answer) bool { return k < len(answers) && answers[k].Said == runner.AsSaid }
			if c.Answers[i][k].Said == runner.Otherwise && slices.ContainsFunc(c.Answers, met) {
				some[i].against++
			}
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if len(some[i].healed) != len(some[j].healed) {
			return cmp.Compare(i, j)
		}
		return cmp.Compare(some[i].against, some[j].against)
	})
	return order
}

// sameAnswers reports whether two patches answer every input alike, and there are enough to tell.
func sameAnswers(c runner.Comparison, i, j int) bool {
	a, b := c.Answers[i], c.Answers[j]
	if len(a) < leastInputs || len(a) != len(b) {
		return false
	}
	for k := range a {
		if a[k].Digest != b[k].Digest {
			return false
		}
	}
	return true
}

// difference is the shortest input on which two patches part ways, in words; one that the documentation shows, if there is any.
func difference(c runner.Comparison, i, j int) string {
	a, b := c.Answers[i], c.Answers[j]
	best := -1
	for k := range min(len(a), len(b), len(c.Inputs)) {
		if a[k].Digest == b[k].Digest || a[k].Text == b[k].Text {
			continue
		}
		shown := func(k int) bool { return a[k].Said == runner.AsSaid || b[k].Said == runner.AsSaid }
		if best < 0 || shown(k) && !shown(best) || shown(k) == shown(best) && len(c.Inputs[k]) < len(c.Inputs[best]) {
			best = k
		}
	}
	if best < 0 {
		return ""
	}
	text := fmt.Sprintf("%s gives %s with it, and %s with another patch that passes", oneLine(c.Inputs[best]), oneLine(a[best].Text), oneLine(b[best].Text))
	if a[best].Said == runner.AsSaid {
		text += "; the documentation says the first"
	} else if b[best].Said == runner.AsSaid {
		text += "; the documentation says the second"
	}
	return text
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
