package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fettle/scripts/figures"
)

// head is what stands before the tables.
const head = `# Faults planted in real projects: figures

<!-- Written by make bench-planted; edit scripts/benchplanted, not this file. -->

` + "`make bench-planted`" + ` brings pinned releases of real open-source projects from their registries, plants a single edit in their sources, runs ` + "`fettle fix`" + `, for one round, without
any model or memory of the project, and compares every byte with the original. Edits that no test of the project notices, or that keep the code from being built, are passed over. The
edits are those of mutation testing (relations, arithmetic, logic, negations, constants, deleted statements) and some slips of people's (another variable, exchanged arguments, half a condition, a neighbour's
index); kinds and places are drawn at random, the same each time. No template was made with one of them at hand before it was measured for the first time. What is not right is then read,
and what is general about it mended; measured again, such rows are development rows, and the tables hold them as they are by now.

* **plausible**: every test passes;
* **right**: and the project is what it was before, byte for byte, or a person has read the patch and found it to do the same (scripts/benchplanted/readings.json);
* **by itself**: of the right ones, those of which fettle is at least 70 %% sure: they are applied without asking, the others wait for ` + "`fettle accept`" + `;
* **wrong by itself**: applied without asking, and something else than the original;
* **of these trying**: seconds from the end of the first trial on, when the runner is warm, to the first candidate that passed in a fresh process by the project's own command;
* **in all**: seconds of ` + "`fettle fix`" + `, the project's own tests at its beginning and end included.

Forty projects are pinned, ten of each language, and twenty faults are drawn for each of them; a fault takes a minute, so what is measured here grows. The aim is that 75 %% are right.

%d faults in %d projects, by %s. When each was measured for the first time, before anybody had looked at it, by the build of that day, %d (%.0f %%) were plausible and %d (%.0f %%) right:
that is what to expect of faults never seen. Of two numbers the first is the median, the second the 90th percentile, of the rows that are plausible; what was
mended in parts, none of which passes every test by itself, counts in the last column alone.

`

// table is the document: of all the results, and what they were when each was measured for the first time.
func table(all, early []Result) string {
	var b strings.Builder
	builds, projects := map[string]bool{}, map[string]bool{}
	for _, r := range all {
		builds[r.Build], projects[r.Project] = true, true
	}
	by := "one build of fettle"
	if len(builds) != 1 {
		by = fmt.Sprintf("%d builds of fettle, the newest last", len(builds))
	}
	plausible, right := 0, 0
	for _, r := range early {
		if r.Plausible() {
			plausible++
		}
		if r.Right() {
			right++
		}
	}
	fmt.Fprintf(&b, head, len(all), len(projects), by, plausible, figures.Percent(plausible, len(early)), right, figures.Percent(right, len(early)))
	part(&b, "language", all, func(r Result) string { return r.Language })
	b.WriteString("\n## By kind of edit\n\n")
	part(&b, "kind", sorted(all, func(r Result) string { return r.Fault.Kind }), func(r Result) string { return r.Fault.Kind })
	b.WriteString("\n## By project\n\n")
	part(&b, "project", all, func(r Result) string { return r.Project + " " + r.Release })
	b.WriteString("\n## How sure, and how often right\n\n")
	b.WriteString(figures.Sureness(beliefs(all)))
	b.WriteString("\n## When each was measured for the first time\n\n")
	part(&b, "language", early, func(r Result) string { return r.Language })
	b.WriteString("\n" + figures.Sureness(beliefs(early)))
	for _, k := range []struct {
		title string
		is    Like
	}{{"Passing every test, and something else than the original", wrong}, {"Passing every test by a text that nobody has read yet", unread}, {"Left", left}} {
		list(&b, k.title, slices.DeleteFunc(slices.Clone(all), func(r Result) bool { return r.Likeness != k.is }))
	}
	return b.String()
}

// beliefs are those of patches that pass and that somebody has read, or need not.
func beliefs(all []Result) (said []figures.Belief) {
	for _, r := range all {
		if r.Plausible() && r.Likeness != unread {
			said = append(said, figures.Belief{Row: r.key(), Group: r.Project, Right: r.Right(), Confidence: r.Confidence, Grounds: r.Grounds, Bug: r.key(), Ideas: r.Ideas})
		}
	}
	return said
}

func sorted(all []Result, by func(Result) string) []Result {
	return slices.SortedStableFunc(slices.Values(all), func(a, b Result) int { return strings.Compare(by(a), by(b)) })
}

// part is a table with a row for each group, in the order in which they come, and one for all.
func part(b *strings.Builder, title string, all []Result, by func(Result) string) {
	var names []string
	of := map[string][]Result{}
	for _, r := range all {
		name := by(r)
		if _, ok := of[name]; !ok {
			names = append(names, name)
		}
		of[name] = append(of[name], r)
	}
	fmt.Fprintf(b, "| %s | faults | plausible | right | by itself | wrong by itself | of these trying, s | candidates to the first | in all, s |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n", title)
	for _, name := range names {
		row(b, name, of[name])
	}
	if len(names) > 1 {
		row(b, "**all**", slices.Concat(slices.Collect(maps.Values(of))...))
	}
}

func row(b *strings.Builder, name string, rows []Result) {
	plausible, right, alone, bad := 0, 0, 0, 0
	var trying, tried, wall []float64
	for _, r := range rows {
		if !r.Plausible() {
			continue
		}
		plausible++
		wall = append(wall, r.Wall)
		if r.First > 0 {
			trying, tried = append(trying, r.trying()), append(tried, r.candidate())
		}
		switch {
		case r.Right():
			right++
			if r.applied() {
				alone++
			}
		case r.applied():
			bad++
		}
	}
	of := len(rows)
	fmt.Fprintf(b, "| %s | %d | %d (%.0f %%) | %d (%.0f %%) | %d (%.0f %%) | %d | %s | %s | %s |\n", name, of, plausible, figures.Percent(plausible, of), right, figures.Percent(right, of), alone, figures.Percent(alone, of), bad,
		spread(trying, 2), spread(tried, 0), spread(wall, 1))
}

func spread(values []float64, decimals int) string {
	if len(values) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.*f, %.*f", decimals, figures.Quantile(values, 0.5), decimals, figures.Quantile(values, 0.9))
}

// list names the rows that are not right.
func list(b *strings.Builder, title string, rows []Result) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s (%d)\n\n", title, len(rows))
	for _, r := range rows {
		fmt.Fprintf(b, "* %s %d, %s:%d, %s", r.Project, r.Number, r.Fault.File, r.Fault.Line, oneLine(r.Fault.String()))
		if r.Plausible() {
			fmt.Fprintf(b, " (%.0f %% sure): %s", r.Confidence*100, oneLine(r.Why))
		}
		b.WriteString("\n")
	}
}

// longest is how many characters of a text are told.
const longest = 240

func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return s
}
