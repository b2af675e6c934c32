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
	if after.Status == check.Broken && before.Status != check.Broken {
		v.refuse("%s could not run on the patched copy: %s", c.Name, after.Reason)
		return diag.Delta{}, nil
	}
	delta := diag.Compare(before.Diagnostics, after.Diagnostics)
	broken := Broken(before.Tests, after.Tests)
	if len(broken) == 0 && len(delta.New) == 0 {
		return delta, nil
	}
	alike, err := v.lab.offline(ctx, v.req.Known, c)
	if err != nil {
		return delta, err
	}
	if narrowed {
		alike = only(alike, after.Tests)
	}
	fair := diag.Compare(alike.Diagnostics, after.Diagnostics)
	delta.New = fair.New
	broken, err = v.steady(ctx, c, Broken(alike.Tests, after.Tests))
	if err != nil {
		return delta, err
	}
	delta.New = v.dropFlaky(delta.New)
	switch {
	case len(broken) > 0:
		v.ev.Broken = append(v.ev.Broken, broken...)
		fail := "fail"
		if len(broken) == 1 {
			fail = "fails"
		}
		v.refuse("%s that passed before %s now: %s", phrase.Count(len(broken), "test"), fail, phrase.Some(broken, mostNamed))
	case len(delta.New) > 0:
		v.refuse("%s: %s: %s", c.Name, phrase.Count(len(delta.New), "new finding"), Describe(delta.New[0]))
	}
	return delta, nil
}

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

// reruns is how often a test that seems broken is run on the unpatched baseline to see whether it is flaky there.
const reruns = 3

// steady takes out of broken those tests that fail on the unpatched baseline too when they are run alone a few times.
func (v *trial) steady(ctx context.Context, c check.Check, broken []string) ([]string, error) {
	if len(broken) == 0 {
		return nil, nil
	}
	narrow, ok := c.Narrow(check.Tests(broken...))
	if !ok {
		return broken, nil
	}
	flaky := v.req.Known.Flaky
	for range reruns {
		r, err := v.lab.alone(ctx, narrow)
		if err != nil {
			return nil, err
		}
		for _, id := range broken {
			if r.Tests[id] == parse.Fail {
				flaky[id] = true
			}
		}
	}
	var out []string
	for _, id := range broken {
		if flaky[id] {
			v.ev.Flaky = append(v.ev.Flaky, id)
		} else {
			out = append(out, id)
		}
	}
	return out, nil
}

func (v *trial) dropFlaky(ds []diag.Diagnostic) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, d := range ds {
		if d.Test == "" || !v.req.Known.Flaky[d.Test] {
			out = append(out, d)
		}
	}
	return out
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
