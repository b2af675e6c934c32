package main

import (
	"fmt"
	"strconv"
	"strings"
)

// table is the document.
func table(all []Result) string {
	var b strings.Builder
	b.WriteString("# Where is the fault? Figures\n\n<!-- Written by make bench-locate; edit scripts/benchlocate, not this file. -->\n\n")
	fmt.Fprintf(&b, "`make bench-locate` takes %d real fixes in the history of %s back, each under the tests that came with it, and asks `fettle locate` where the fault is, and `fettle fix`, for one\n"+
		"round and without any model, to mend it, however sure it is. A *place* is that of the first stretch of lines which the fix changed, in the order of suspicion; of what a fix only puts in, the lines before and\n"+
		"behind it count. That what failing tests are called counts was found out with these fixes at hand: they are development data.\n\n", len(all), all[0].Repo)
	seen, healed, asked := 0, 0, 0
	within := map[int]int{}
	left := 0
	for _, r := range all {
		if !r.Seen {
			continue
		}
		seen++
		if r.Fixed != "" {
			asked++
		}
		if r.Fixed == "healed" {
			healed++
			continue
		}
		left++
		for _, n := range []int{1, 5, 10} {
			if r.Place > 0 && r.Place <= n {
				within[n]++
			}
		}
	}
	fmt.Fprintf(&b, "In %d of them a test fails and could be traced; of %d of these `fettle fix` was asked, and %d are healed. Of the other %d, the place is the first in %d, among the first five in %d, and among the first ten in %d.\n\n", seen, asked, healed, left, within[1], within[5], within[10])
	b.WriteString("| fix | file | lines | place | of | locate, s | fix | fix, s |\n|---|---|--:|--:|--:|--:|---|--:|\n")
	for _, r := range all {
		place := "–"
		if r.Place > 0 {
			place = strconv.Itoa(r.Place)
		}
		fixed, took := "–", "–"
		if r.Fixed != "" {
			fixed, took = r.Fixed, fmt.Sprintf("%.1f", r.Fix)
		}
		fmt.Fprintf(&b, "| %s %s | %s | %d | %s | %d | %.1f | %s | %s |\n", r.SHA[:9], strings.ReplaceAll(r.Subject, "|", "\\|"), r.File, r.Bug.Lines, place, r.Lines, r.Locate, fixed, took)
	}
	return b.String()
}
