package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"fettle/internal/code"
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
		same := slices.IndexFunc(places, func(j int) bool { return sameAnswers(c, i, j) })
		switch {
		case same < 0:
			kept, places = append(kept, x), append(places, i)
		case x.template == &plainly && kept[same].idle && !kept[same].likelierThan(x): // what is never so, or always, need not be asked
			kept[same], places[same] = x, i
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
			differs[i] = difference(c, places[i], places[other], signatures(some))
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
func difference(c runner.Comparison, i, j int, params map[string][]string) string {
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
	text := fmt.Sprintf("no test asks what %s is: %s with this patch, %s with another one that passes every test, too", spelled(oneLine(c.Inputs[best]), params), oneLine(a[best].Text), oneLine(b[best].Text))
	if a[best].Said == runner.AsSaid {
		text += "; the documentation says the first"
	} else if b[best].Said == runner.AsSaid {
		text += "; the documentation says the second"
	}
	return text
}

// signatures are the names of the parameters of the functions that are changed, by what those are called.
func signatures(hits []hit) map[string][]string {
	out := map[string][]string{}
	for _, x := range hits {
		for p := &x.proposal; p != nil; p = p.second {
			for fn := p.site.Function(); fn != nil; fn = fn.Function() {
				var names []string
				for _, param := range fn.All(code.Params) {
					names = append(names, param.Name)
				}
				out[named(fn)] = names
			}
		}
	}
	return out
}

// spelled is a call with the names of its parameters before what they are given, where each has one.
func spelled(call string, params map[string][]string) string {
	name, _, _ := strings.Cut(call, "(")
	names := params[name[strings.LastIndexByte(name, '.')+1:]]
	inner, _, ok := arguments(strings.TrimPrefix(call, name))
	args := apart(inner)
	more := len(args) - len(names) // an object whose method it is
	if !ok || more < 0 || more > 1 || len(args) < 2 || slices.Contains(names, "") {
		return call
	}
	for i, n := range names {
		args[more+i] = n + " = " + args[more+i]
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// apart takes what is given to a call apart where commas stand between it.
func apart(args string) (out []string) {
	from := 0
	nested(args, func(at int, sign byte, depth int) bool {
		if sign == ',' && depth == 0 {
			out = append(out, strings.TrimSpace(args[from:at]))
			from = at + 1
		}
		return true
	})
	return append(out, strings.TrimSpace(args[from:]))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
