package verify

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/phrase"
)

// How much a report holds.
const (
	mostReport   = 2000 // bytes
	mostReported = 5    // findings
)

// still is what the checks say of the targets with the patch, and of what was not there before and may keep them from running.
func (v *trial) still() string {
	var parts []string
	for _, c := range v.targetChecks() {
		r, whole := v.after[c.Name]
		if !whole {
			r = v.alone[c.Name]
		}
		before := v.req.Known.Online[c.Name].Diagnostics
		of := slices.DeleteFunc(slices.Clone(r.Diagnostics), func(d diag.Diagnostic) bool {
			same := func(o diag.Diagnostic) bool { return o.ID == d.ID || o.Test != "" && o.Test == d.Test }
			return slices.ContainsFunc(before, same) && !slices.ContainsFunc(v.req.Targets, same)
		})
		if text := report(of, r); text != "" {
			parts = append(parts, text)
		}
	}
	return phrase.Ends(strings.Join(parts, "\n"), mostReport)
}

// saidOf are the findings about the tests that are worse.
func (w Worse) saidOf(r check.Result) []diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(r.Diagnostics), func(d diag.Diagnostic) bool { return !slices.Contains(w.Tests, d.Test) })
}

// report is what a check says of these of its findings, in its own words; where it says nothing of them, the end of what it printed.
func report(of []diag.Diagnostic, r check.Result) string {
	if len(of) == 0 {
		return phrase.Ends(strings.TrimSpace(r.Tail), mostReport)
	}
	shown := of[:min(len(of), mostReported)]
	var b strings.Builder
	for _, d := range shown {
		b.WriteString(phrase.Ends(inFull(d), mostReport/len(shown)) + "\n")
	}
	if more := len(of) - len(shown); more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	return b.String()
}

// inFull is all that is said of a finding.
func inFull(d diag.Diagnostic) string {
	text := Describe(d)
	if _, more, _ := strings.Cut(d.Message, "\n"); more != "" {
		text += "\n" + more
	}
	if d.Detail != "" && !strings.Contains(d.Message, d.Detail) {
		text += "\n" + d.Detail
	}
	return text
}
