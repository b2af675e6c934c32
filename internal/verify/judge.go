package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/phrase"
)

// judge compares a check's result on the patched copy with the baseline and refuses the patch when something is worse. What ran is the check, or a
// part of it: then only the tests that ran count; in a whole run a test that is not there any more is broken.
//
// What seems worse gets a fair hearing first: the candidate ran without the network, so the baseline is measured again
// under the same conditions; a test that fails now and then on the very baseline is flaky, not broken; and where something had run on
// the patched copy before, it is run once more where nothing has, as tests stumble over what others leave. Each hearing
// costs a run and is held only when there is something to hear.
func (v *trial) judge(ctx context.Context, c, ran check.Check, before, after check.Result) (diag.Delta, error) {
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
	narrowed := !slices.Equal(c.Run, ran.Run)
	if narrowed {
		alike = only(alike, after.Tests)
	}
	if w = Worsened(alike, after, nil); w.Broken != "" {
		return unable(w)
	}
	if w, err = v.steady(ctx, c, w); err != nil {
		return delta, err
	}
	if w.Any() && v.runs > 1 {
		if after, err = v.afresh(ctx, ran); err != nil {
			return delta, err
		}
		if !narrowed {
			v.after[c.Name] = after
		}
		delta = Worsened(before, after, nil).Delta
		if w = Worsened(alike, after, v.req.Known.Flaky); w.Broken != "" {
			return unable(w)
		}
	}
	v.hear(c, after, w)
	delta.New = w.Delta.New
	return delta, nil
}

// hear refuses the patch if something is worse after all hearings.
func (v *trial) hear(c check.Check, after check.Result, w Worse) {
	switch {
	case len(w.Tests) > 0:
		v.ev.Broken = append(v.ev.Broken, w.Tests...)
		fail := "fail"
		if len(w.Tests) == 1 {
			fail = "fails"
		}
		v.refuse(report(w.saidOf(after), after), "%s that passed before %s now: %s", phrase.Count(len(w.Tests), "test"), fail, phrase.Some(w.Tests, mostNamed))
	case len(w.Delta.New) > 0:
		v.refuse(report(w.Delta.New, after), "%s: %s: %s", c.Name, phrase.Count(len(w.Delta.New), "new finding"), Describe(w.Delta.New[0]))
	}
}

// afresh runs a check on the patched copy as it is before anything has run there.
func (v *trial) afresh(ctx context.Context, c check.Check) (check.Result, error) {
	if err := v.copy.Reset(ctx); err != nil {
		return check.Result{}, fmt.Errorf("take a private copy back: %w", err)
	}
	if err := v.copy.Apply(ctx, v.req.Patch); err != nil {
		return check.Result{}, fmt.Errorf("patch a private copy again: %w", err)
	}
	v.runs = 0
	return v.one(ctx, c)
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
