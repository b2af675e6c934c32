package main

import (
	"fmt"
	"io"
	"strings"

	"fettle/internal/pattern"
	"fettle/scripts/figures"
	"fettle/scripts/localmodel/serve"
)

// show tells what became of a row.
func show(w io.Writer, r Result, verbose bool) {
	fmt.Fprintf(w, "%-34s %-22s %d calls, %d + %d tokens, %.0f s\n", r.Row, fate(r), len(r.Calls), input(r), output(r), r.Wall)
	if !verbose {
		return
	}
	for _, c := range r.Calls {
		if c.Asked != "" {
			fmt.Fprintln(w, "  asked again:", c.Asked)
		}
		fmt.Fprintln(w, "  said:", c.Said)
	}
	for _, s := range append(r.Notes, r.Refused...) {
		fmt.Fprintln(w, "  ", s)
	}
}

// fate is what became of a row, in a word or two.
func fate(r Result) string {
	last := strings.Join(r.Notes, " ")
	switch {
	case r.Error != "":
		return "not measured"
	case r.Right():
		return "right"
	case r.Plausible:
		return "passes, " + string(r.Likeness)
	case strings.Contains(last, "no answer of the model could be used"):
		return "unusable"
	case strings.Contains(last, "nothing to propose"):
		return "nothing proposed"
	}
	return "does not heal"
}

func sum(rs []Result, of func(Result) int) (n int) {
	for _, r := range rs {
		n += of(r)
	}
	return n
}

func input(r Result) (n int) {
	for _, c := range r.Calls {
		n += c.Input
	}
	return n
}

func output(r Result) (n int) {
	for _, c := range r.Calls {
		n += c.Output
	}
	return n
}

// unusable are the reasons for which answers could not be used, in the order in which they were put to the model.
func unusable(r Result) (reasons []string) {
	for _, c := range r.Calls {
		if c.Asked != "" {
			reasons = append(reasons, c.Asked)
		}
	}
	for _, n := range r.Notes {
		if _, last, ok := strings.Cut(n, "no answer of the model could be used"); ok {
			_, last, _ = strings.Cut(last, "the last: ")
			reasons = append(reasons, last)
		}
	}
	return reasons
}

// particular is what differs from one reason to the next of its kind: names, numbers, quotations.
var particular = pattern.New(`"[^"]*"|'[^']*'|` + "`[^`]*`" + `|\b[\w./-]+\.(?:py|go|js|java)\b|\d+`)

// kind is a reason without what it is about.
func kind(reason string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(reason), "\n")
	return strings.Join(strings.Fields(particular.ReplaceAllString(line, "…")), " ")
}

// kinds counts reasons by kind, the most frequent first.
func kinds(rs []Result) string {
	count := map[string]int{}
	var order []string
	for _, r := range rs {
		for _, reason := range unusable(r) {
			k := kind(reason)
			if count[k] == 0 {
				order = append(order, k)
			}
			count[k]++
		}
	}
	var b strings.Builder
	for _, k := range mostFirst(order, count) {
		fmt.Fprintf(&b, "| %s | %d |\n", strings.ReplaceAll(k, "|", `\|`), count[k])
	}
	return b.String()
}

// row is one line of the table.
func row(title string, rs []Result) string {
	n := func(of func(Result) bool) int {
		return sum(rs, func(r Result) int {
			if of(r) {
				return 1
			}
			return 0
		})
	}
	var seconds []float64
	calls := sum(rs, func(r Result) int { return len(r.Calls) })
	again := sum(rs, func(r Result) int { return len(unusable(r)) })
	for _, r := range rs {
		for _, c := range r.Calls {
			seconds = append(seconds, c.Seconds)
		}
	}
	per := func(all int) int { return all / max(calls, 1) }
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d (%d) | %d | %d | %.0f, %.0f |\n", title, len(rs),
		n(func(r Result) bool { return r.Plausible }), n(Result.Right), n(func(r Result) bool { return fate(r) == "unusable" }),
		calls, again, per(sum(rs, input)), per(sum(rs, output)), figures.Quantile(seconds, 0.5), figures.Quantile(seconds, 0.9))
}

const columns = `| bugs | | every test passes | right | no usable answer | calls (answers that could not be used) | tokens in, a call | out | seconds a call |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
`

// summary is the table of some rows.
func summary(rs []Result) string {
	var left, healed, measured []Result
	for _, r := range rs {
		switch {
		case r.Error != "":
			continue
		case r.BySearch:
			healed = append(healed, r)
		default:
			left = append(left, r)
		}
		measured = append(measured, r)
	}
	return columns + row("that the search does not heal", left) + row("that it heals", healed) + row("all", measured) +
		"\n| why an answer could not be used | |\n|---|--:|\n" + kinds(measured)
}

// table is the document.
func table(rs []Result, chosen int, how serve.How) string {
	var b strings.Builder
	fmt.Fprintf(&b, head, len(rs), chosen, how.Context, how.Threads, how.Nice)
	b.WriteString(summary(rs))
	b.WriteString("\n## Row by row\n\n| row | the search | the model | calls | seconds |\n|---|---|---|--:|--:|\n")
	for _, r := range rs {
		search := "does not heal it"
		if r.BySearch {
			search = "heals it"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %.0f |\n", r.Row, search, fate(r), len(r.Calls), r.Wall)
	}
	return b.String()
}
