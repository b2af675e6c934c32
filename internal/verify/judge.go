package verify

import (
	"context"
	"fmt"
	"strings"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/phrase"
)

// judge compares a check's result on the patched copy with the baseline and refuses the patch when something is worse.
//
// What seems worse gets a fair hearing first: the candidate ran without the network, so the baseline is measured again
// under the same conditions; and a test that fails now and then on the very baseline is flaky, not broken. Both hearings
// cost a run and are held only when there is something to hear. When the check was narrowed, only the tests that ran count;
// in a whole run a test that is not there any more is broken.
func (v *trial) judge(ctx context.Context, c check.Check, before, after check.Result, narrowed bool) (diag.Delta, error) {
	unable := func(w Worse) (diag.Delta, error) {
		v.refuse(report(nil, after), "%s could not run on the patched copy: %s", c.Name, w.Broken)
		return diag.Delta{}, nil
	}
	w := Worsened(before, after, nil)
	if w.Broken != "" {
		return unable(w)
	}
	delta := w.Delta
	if !w.Any() {
		return delta, nil
	}
	alike, err := v.lab.offline(ctx, v.req.Known, c)
	if err != nil {
		return delta, err
	}
	if narrowed {
		alike = only(alike, after.Tests)
	}
	if w = Worsened(alike, after, nil); w.Broken != "" {
		return unable(w)
	}
	if w, err = v.steady(ctx, c, w); err != nil {
		return delta, err
	}
	delta.New = w.Delta.New
	switch {
	case len(w.Tests) > 0:
		v.ev.Broken = append(v.ev.Broken, w.Tests...)
		fail := "fail"
		if len(w.Tests) == 1 {
			fail = "fails"
		}
		v.refuse(report(w.saidOf(after), after), "%s that passed before %s now: %s", phrase.Count(len(w.Tests), "test"), fail, phrase.Some(w.Tests, mostNamed))
	case len(delta.New) > 0:
		v.refuse(report(delta.New, after), "%s: %s: %s", c.Name, phrase.Count(len(delta.New), "new finding"), Describe(delta.New[0]))
	}
	return delta, nil
}

// reruns is how often a test that seems broken is run on the unpatched baseline to see whether it is flaky there.
const reruns = 3

// steady takes out of what seems worse the tests that fail on the unpatched baseline too when they are run alone a few times.
func (v *trial) steady(ctx context.Context, c check.Check, w Worse) (Worse, error) {
	flaky := v.req.Known.Flaky
	narrow, ok := c.Narrow(check.Tests(w.Tests...))
	if len(w.Tests) == 0 || !ok { // who cannot be run alone is believed
		return Worse{Tests: w.Tests, Delta: w.without(flaky).Delta}, nil
	}
	for range reruns {
		r, err := v.lab.alone(ctx, narrow)
		if err != nil {
			return w, err
		}
		for _, id := range w.Tests {
			if r.Tests[id] == parse.Fail {
				flaky[id] = true
			}
		}
	}
	for _, id := range w.Tests {
		if flaky[id] {
			v.ev.Flaky = append(v.ev.Flaky, id)
		}
	}
	return w.without(flaky), nil
}

// Describe is one line about a finding, for people: where, what, by which rule.
func Describe(d diag.Diagnostic) string {
	var b strings.Builder
	if d.File != "" {
		b.WriteString(d.File)
		if d.Range.Start.Line > 0 {
			fmt.Fprintf(&b, ":%d", d.Range.Start.Line)
		}
		b.WriteString(": ")
	}
	if d.Test != "" {
		fmt.Fprintf(&b, "%s: ", d.Test)
	}
	message, _, _ := strings.Cut(d.Message, "\n")
	b.WriteString(message)
	if d.Rule != "" {
		fmt.Fprintf(&b, " (%s)", d.Rule)
	}
	return b.String()
}

// mostNamed is how many names one line of evidence gives.
const mostNamed = 3
