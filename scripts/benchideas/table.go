package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fettle/internal/fix/search"
	"fettle/internal/syntax"
	"fettle/scripts/figures"
)

// head is what stands before the tables.
const head = `# What the search's ideas are good for: figures

<!-- Written by make bench-ideas; edit scripts/benchideas, not this file. -->

` + "`make bench-ideas`" + ` reads the histories of %d real projects for small changes (%d lines at most, taken and given together) of one source that came with a change of a test: most are
repairs, some are features. For each it asks whether the search would try that very change, blanks and parentheses aside, where it was made: among the first %d candidates for those lines, as if
nothing were known of types that only other files or a run tell. No test is run here, and what is reached need not be found first; what is not reached nobody finds without a model.

`

// enough is how many bugs an idea is to rest on.
const enough = 2

// lonely is what stands below the table.
const lonely = `
## Ideas that rest on less than two bugs

Nothing about these is made for the one bug, and people may make such a mistake anywhere, so they stay until a second bug is known or it is plain that there is none: %s.
`

// table is the document: of what was mended in the other benchmarks, of the changes in real histories, and of what people read elsewhere.
func table(repair, planted []figures.Belief, all []Change, read map[string][]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, head, len(projects), 6, mostTried)
	reach(&b, all)
	ideas(&b, repair, planted, all, read)
	return b.String()
}

// reach tells by language how many changes are among what is tried.
func reach(b *strings.Builder, all []Change) {
	by := map[string][]Change{}
	for _, c := range all {
		name := string(syntax.LangOf(c.File))
		by[name] = append(by[name], c)
		by["all"] = append(by["all"], c)
	}
	b.WriteString("| language | small changes | among what is tried | candidates to it, median and 90th percentile |\n|---|--:|--:|--:|\n")
	for _, name := range append(slices.DeleteFunc(slices.Sorted(maps.Keys(by)), func(n string) bool { return n == "all" }), "all") {
		var nth []float64
		for _, c := range by[name] {
			if c.Idea != "" {
				nth = append(nth, float64(c.Tried))
			}
		}
		fmt.Fprintf(b, "| %s | %d | %d (%.0f %%) | %.0f, %.0f |\n", name, len(by[name]), len(nth), figures.Percent(len(nth), len(by[name])), figures.Quantile(nth, 0.5), figures.Quantile(nth, 0.9))
	}
}

// ideas tells for each idea which bugs it mends.
func ideas(b *strings.Builder, repair, planted []figures.Belief, all []Change, read map[string][]string) {
	rows, faults, changes := mended(repair), mended(planted), map[string][]string{}
	for _, c := range all {
		if c.Idea != "" {
			changes[c.Idea] = append(changes[c.Idea], fmt.Sprintf("[%s %s](https://github.com/%s/commit/%s)", c.Project[strings.IndexByte(c.Project, '/')+1:], c.SHA[:7], c.Project, c.SHA))
		}
	}
	b.WriteString("\n## By idea\n\nThe bugs of [repair.md](repair.md) that came right by it, of which one that is there in several languages is one; the faults of [planted.md](planted.md); the small changes; and\n" +
		"bugs of other projects that a person found (scripts/benchideas/witnesses.tsv).\n\n" +
		"| idea | bugs | planted | changes | found | for instance |\n|---|--:|--:|--:|--:|---|\n")
	names := search.Ideas()
	total := func(n string) int { return len(rows[n]) + len(faults[n]) + len(changes[n]) + len(read[n]) }
	slices.SortStableFunc(names, func(x, y string) int { return cmp.Or(cmp.Compare(total(y), total(x)), cmp.Compare(x, y)) })
	for _, n := range names {
		some := slices.Concat(rows[n][:min(1, len(rows[n]))], changes[n][:min(2, len(changes[n]))], faults[n][:min(1, len(faults[n]))], read[n])
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %s |\n", n, len(rows[n]), len(faults[n]), len(changes[n]), len(read[n]), strings.Join(some, ", "))
	}
	if few := slices.DeleteFunc(names, func(n string) bool { return total(n) >= enough }); len(few) > 0 {
		fmt.Fprintf(b, lonely, strings.Join(few, ", "))
	}
}

// mended are the bugs that came right, by idea.
func mended(all []figures.Belief) map[string][]string {
	out := map[string][]string{}
	for _, x := range all {
		if !x.Right {
			continue
		}
		for _, idea := range x.Ideas {
			if _, name, _ := strings.Cut(idea, "/"); !slices.Contains(out[name], x.Bug) {
				out[name] = append(out[name], x.Bug)
			}
		}
	}
	return out
}
