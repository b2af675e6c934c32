package main

import (
	"fmt"
	"slices"
	"strings"

	"fettle/scripts/benchrepair/likeness"
	"fettle/scripts/benchrepair/rows"
	"fettle/scripts/figures"
)

// head is what stands before the table.
const head = `# Repair without a model: figures

<!-- Written by make bench-repair; edit scripts/benchrepair, not this file. -->

` + "`make bench-repair`" + ` lays each of %d small real bugs out as a repository, runs ` + "`fettle fix`" + ` on it, for one round, without any model, and compares the file with the reference that fettle
never sees. The rows are in scripts/benchrepair/rows: QuixBugs (Python) and small bugs that people made in Python, Go, JavaScript and Java. The templates were made with these rows at hand, so the figures say what
fettle reaches on bugs of these kinds, not what it would reach on others.

* **plausible**: every test passes;
* **right**: and the first patch does what the reference does: it is the same text but for blanks and parentheses, or it answers every one of up to %d generated inputs alike (the tests' own, and others made
  from them), or a person has read it and found it to do the same (readings.json);
* **to the first**: seconds from the beginning of the search to the first candidate that passed in a fresh process by the project's own command. Starting the test runner, tracing and that last
  process are in it; for Java the start of two machines is;
* **of these trying**: those from the end of the first trial on, when the runner is warm, without that last process: the search's own share;
* … **CPU**: and the processor seconds of fettle and all its processes in that time, until the candidate had passed in the warm runner: what the other workers try while it runs in its fresh process is for its rivals;
* **candidates to the first**: its place in the order in which candidates are tried;
* **in all**: seconds of the whole search, with the rivals that are looked for after the first;
* **CPU**: seconds of processor time of the whole session, the project's own checks at its beginning and end included;
* **a second**: candidates tried in a second by a warm runner, the median of the rows in which at least %d were: that is the whole search after the first trial, with those that never end,
  the fresh processes in which what passed ran again, and the comparison of what passed.

One row is measured at a time, on two cores. The confidence gate is taken away for this measurement: the first candidate is applied however sure fettle is of it.

`

// table is the document.
func table(all []Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, head, len(all), likeness.Most, many)
	b.WriteString("Of two numbers the first is the median, the second the 90th percentile, of the rows that are plausible.\n\n")
	b.WriteString("| rows | | plausible | right | to the first, s | of these trying, s | … CPU, s | candidates to the first | in all, s | CPU, s | a second |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, g := range groups(all) {
		plausible, right := 0, 0
		for _, r := range g.rows {
			plausible += one(r.Plausible)
			right += one(r.Right())
		}
		fmt.Fprintf(&b, "| %s | %d | %d (%.0f %%) | %d (%.0f %%) | %s | %s | %s | %s | %s | %s | %s |\n", g.name, len(g.rows), plausible, figures.Percent(plausible, len(g.rows)), right, figures.Percent(right, len(g.rows)),
			spread(g.rows, 2, until), spread(g.rows, 2, trying), spread(g.rows, 2, engine), spread(g.rows, 0, first), spread(g.rows, 1, took), spread(g.rows, 1, cpu), pace(g.rows))
	}
	sureness(&b, all)
	misses(&b, all)
	return b.String()
}

// spread is the median and the 90th percentile, with so many decimals.
func spread(rows []Result, decimals int, of func(Result) float64) string {
	return fmt.Sprintf("%.*f, %.*f", decimals, quantile(rows, 0.5, of), decimals, quantile(rows, 0.9, of))
}

// many is how many candidates have to be tried before their number in a second says something.
const many = 500

// pace is how many candidates are tried in a second.
func pace(rows []Result) string {
	enough := slices.DeleteFunc(slices.Clone(rows), func(r Result) bool { return r.Tried < many || r.Took <= r.Ready })
	rate := quantile(enough, 0.5, func(r Result) float64 { return float64(r.Tried) / (r.Took - r.Ready) })
	if rate == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", rate)
}

// sureness holds what fettle says of its patches against what they are.
func sureness(b *strings.Builder, all []Result) {
	b.WriteString("\n## How sure, and how often right\n\nWhat is at least 70 % sure is applied without asking anybody, unless fettle.yaml says otherwise. The sureness was fitted to half of these patches; [confidence.md](confidence.md) has it for the others alone.\n\n")
	b.WriteString(figures.Sureness(beliefs(all)))
}

// beliefs are those of patches that pass.
func beliefs(all []Result) (said []figures.Belief) {
	for _, r := range all {
		if r.Plausible {
			said = append(said, figures.Belief{Row: r.Row, Group: r.Row, Right: r.Right(), Confidence: r.Confidence, Grounds: r.Grounds, Bug: origin(r), Ideas: r.Ideas})
		}
	}
	return said
}

// origin is a row's bug, whatever the language it is told in.
func origin(r Result) string {
	if _, bug, ok := strings.Cut(r.Row, "-"); ok && r.Set == rows.Small {
		return bug
	}
	return r.Row
}

// misses lists the rows that are not right.
func misses(b *strings.Builder, all []Result) {
	b.WriteString("\n## Misses\n")
	for _, kind := range []struct {
		title string
		is    func(Result) bool
	}{
		{"Passing every test, and something else than the reference", func(r Result) bool { return r.Plausible && r.Likeness == likeness.Otherwise }},
		{"Passing every test by a text that nobody has read yet", func(r Result) bool { return r.Plausible && r.Likeness == likeness.Unread }},
		{"Some of the failing tests healed", func(r Result) bool { return !r.Plausible && r.Changes > 0 }},
		{"Left", func(r Result) bool { return !r.Plausible && r.Changes == 0 && r.Error == "" }},
		{"Not measured", func(r Result) bool { return r.Error != "" }},
	} {
		var lines []string
		for _, r := range all {
			if kind.is(r) {
				lines = append(lines, miss(r))
			}
		}
		if len(lines) > 0 {
			fmt.Fprintf(b, "\n### %s (%d)\n\n%s", kind.title, len(lines), strings.Join(lines, ""))
		}
	}
}

func miss(r Result) string {
	line := "* " + r.Row
	switch {
	case r.Error != "":
		line += ": " + oneLine(r.Error)
	case r.Difference != "":
		line += fmt.Sprintf(" (%.0f %% sure): %s %s", r.Confidence*100, oneLine(r.Why), oneLine(r.Difference))
	case r.Changes > 0:
		line += fmt.Sprintf(" (%.0f %% sure): %s", r.Confidence*100, oneLine(r.Why))
	}
	return line + "\n"
}

func oneLine(s string) string { return likeness.Clip(strings.Join(strings.Fields(s), " ")) }
