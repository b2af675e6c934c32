package verify

import (
	"slices"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
)

// Worse is what a check says of one tree, held against what it said of an earlier one.
type Worse struct {
	Broken string     // why it cannot run any more; then there is nothing to compare, and the rest is empty
	Tests  []string   // those that passed before and do not now ([Broken])
	Delta  diag.Delta // its findings; those that are worse are the new ones
}

// Worsened compares what a check said before with what it says now. What flaky tests say does not count.
func Worsened(was, is check.Result, flaky map[string]bool) Worse {
	if is.Status == check.Broken && was.Status != check.Broken {
		return Worse{Broken: is.Reason}
	}
	w := Worse{Tests: Broken(was.Tests, is.Tests), Delta: diag.Compare(was.Diagnostics, is.Diagnostics)}
	if was.Untold() {
		w.Delta = hindered(w.Delta)
	}
	return w.without(flaky)
}

// hindered counts as new what keeps tests from running where before they ran and never came to their end: a test that cannot begin any more does end,
// and nothing is healed by that. Tests that fail now that they end were hidden.
func hindered(d diag.Delta) diag.Delta {
	hides := func(x diag.Diagnostic) bool { return x.Test == "" && x.Masks != diag.MasksNothing }
	var hidden []diag.Diagnostic
	for _, x := range d.Unmasked {
		if hides(x) {
			d.New = append(d.New, x)
		} else {
			hidden = append(hidden, x)
		}
	}
	d.Unmasked = hidden
	return d
}

// without leaves out what flaky tests say.
func (w Worse) without(flaky map[string]bool) Worse {
	w.Tests = slices.DeleteFunc(slices.Clone(w.Tests), func(id string) bool { return flaky[id] })
	w.Delta.New = slices.DeleteFunc(slices.Clone(w.Delta.New), func(d diag.Diagnostic) bool { return d.Test != "" && flaky[d.Test] })
	return w
}

// Any reports whether anything is worse.
func (w Worse) Any() bool { return w.Broken != "" || len(w.Tests) > 0 || len(w.Delta.New) > 0 }

// Broken lists the tests that passed in before and do not pass in after: failing, skipped or not there any more.
func Broken(before, after map[string]parse.Outcome) []string {
	var out []string
	for _, id := range sortedKeys(before) {
		if before[id] == parse.Pass && after[id] != parse.Pass {
			out = append(out, id)
		}
	}
	return out
}
