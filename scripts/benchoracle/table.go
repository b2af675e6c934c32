package main

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/testenv/oracle"
	"fettle/scripts/figures"
)

// count is what became of some sessions.
type count struct{ of, healed, fooled, asked int }

func (c *count) add(r Result) {
	c.of++
	c.asked += len(r.Given)
	if r.Healed() {
		c.healed++
	}
	if r.Fooled() {
		c.fooled++
	}
}

func (c count) row(name string) string {
	return fmt.Sprintf("| %s | %d | %d (%.1f %%) | %d | %.1f |\n", name, c.of, c.healed, figures.Percent(c.healed, c.of), c.fooled, float64(c.asked)/float64(max(c.of, 1)))
}

// table is what was measured: by the first answer, by the form of the right one, by language, and in all.
func table(all []Result) string {
	var b strings.Builder
	var errors int
	head := func(what string) {
		fmt.Fprintf(&b, "\n| %s | sessions | healed | taken though wrong | answers asked for |\n|---|--:|--:|--:|--:|\n", what)
	}
	group := func(what string, of func(Result) string, order []string) {
		sums := map[string]*count{}
		for _, r := range all {
			key := of(r)
			if sums[key] == nil {
				sums[key] = &count{}
			}
			sums[key].add(r)
		}
		head(what)
		for _, key := range order {
			if sums[key] != nil {
				b.WriteString(sums[key].row(key))
			}
		}
	}
	var wrongs, forms, langs []string
	for _, w := range oracle.Wrongs {
		wrongs = append(wrongs, w.Name)
	}
	total := count{}
	var cpu []float64
	for _, r := range all {
		if r.Error != "" {
			errors++
		}
		total.add(r)
		cpu = append(cpu, r.CPU)
		if f := formOf(r); !slices.Contains(forms, f) {
			forms = append(forms, f)
		}
		if !slices.Contains(langs, r.Language) {
			langs = append(langs, r.Language)
		}
	}
	slices.Sort(forms)
	slices.Sort(langs)
	group("the first answer", func(r Result) string { return r.Wrong }, wrongs)
	group("the right answer is written as", formOf, forms)
	group("language", func(r Result) string { return r.Language }, langs)
	b.WriteString(total.row("**all**"))
	fmt.Fprintf(&b, "\n%d sessions could not be measured. Half take %.1f s of CPU at most, nine of ten %.1f s.\n", errors, figures.Quantile(cpu, 0.5), figures.Quantile(cpu, 0.9))
	return b.String()
}

func formOf(r Result) string {
	form, _, _ := strings.Cut(r.Form, ", ")
	return form
}
