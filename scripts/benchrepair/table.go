package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"fettle/scripts/benchrepair/likeness"
	"fettle/scripts/figures"
)

// show writes what became of a row.
func show(w io.Writer, r Result, verbose bool) {
	verdict := "left"
	switch {
	case r.Error != "":
		verdict = "ERROR"
	case r.Right():
		verdict = "right"
	case r.Plausible && r.Likeness == likeness.Unread:
		verdict = "unread"
	case r.Plausible:
		verdict = "other"
	case r.Changes > 0:
		verdict = "part"
	}
	fmt.Fprintf(w, "%-32s %-6s %-9s %.2f sure, %5d tried, first %5d after %5.2f s; %5.1f s in all, %5.1f s of CPU  %s%s\n", r.Row, verdict, r.Likeness, r.Confidence, r.Tried, r.First, r.Until, r.Wall, r.CPU, r.Digest, r.Error)
	if !r.Plausible && r.Changes == 0 && r.Error == "" {
		fmt.Fprintf(w, "    %s\n", r.Why)
	}
	if verbose || r.Plausible && !r.Right() || r.Changes > 0 && !r.Plausible {
		fmt.Fprintf(w, "    %s\n", r.Why)
		for line := range strings.Lines(r.Diff) {
			fmt.Fprint(w, "      "+line)
		}
		if r.Difference != "" {
			fmt.Fprintf(w, "    %s\n", r.Difference)
		}
	}
}

// group is the rows of one set and language.
type group struct {
	name string
	rows []Result
}

func groups(all []Result) []group {
	var out []group
	for _, r := range all {
		name := titles[r.Set+" "+r.Language]
		i := slices.IndexFunc(out, func(g group) bool { return g.name == name })
		if i < 0 {
			out = append(out, group{name: name})
			i = len(out) - 1
		}
		out[i].rows = append(out[i].rows, r)
	}
	return out
}

var titles = map[string]string{
	"quixbugs python": "QuixBugs, Python", "small python": "small bugs, Python", "small go": "small bugs, Go", "small javascript": "small bugs, JavaScript",
	"small java": "small bugs, Java", "student python": "students' bugs, one hunk, Python", "student-any python": "students' bugs of any size, Python",
	"fresh python": "fresh bugs, Python", "fresh go": "fresh bugs, Go", "fresh javascript": "fresh bugs, JavaScript", "fresh java": "fresh bugs, Java",
	"fresh typescript": "fresh bugs, TypeScript",
}

// summary is a line for each group.
func summary(all []Result) string {
	var b strings.Builder
	for _, g := range groups(all) {
		plausible, right := 0, 0
		for _, r := range g.rows {
			plausible += one(r.Plausible)
			right += one(r.Right())
		}
		fmt.Fprintf(&b, "%-36s %3d rows: %3d plausible (%.0f%%), %3d right at first (%.0f%%); to the first %.2f s, p90 %.2f s; %d and %d candidates; search %.2f s, p90 %.2f s\n", g.name, len(g.rows), plausible, figures.Percent(plausible, len(g.rows)), right,
			figures.Percent(right, len(g.rows)), quantile(g.rows, 0.5, until), quantile(g.rows, 0.9, until), int(quantile(g.rows, 0.5, first)), int(quantile(g.rows, 0.9, first)),
			quantile(g.rows, 0.5, took), quantile(g.rows, 0.9, took))
	}
	sure, sureRight := 0, 0
	for _, r := range all {
		if r.Plausible && r.Confidence >= figures.Gate {
			sure++
			sureRight += one(r.Right())
		}
	}
	fmt.Fprintf(&b, "applied by itself (at least 70%% sure): %d, of these right %d (%.0f%%)\n", sure, sureRight, figures.Percent(sureRight, sure))
	return b.String()
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func until(r Result) float64  { return r.Until }
func trying(r Result) float64 { return max(0, r.Until-r.Ready-r.Proof) }
func engine(r Result) float64 { return r.Engine }
func took(r Result) float64   { return r.Took }
func cpu(r Result) float64    { return r.CPU }
func first(r Result) float64  { return float64(r.First) }

// quantile is of the rows that were healed.
func quantile(rows []Result, q float64, of func(Result) float64) float64 {
	var all []float64
	for _, r := range rows {
		if r.Plausible {
			all = append(all, of(r))
		}
	}
	return figures.Quantile(all, q)
}
