// Command benchhonesty measures whether the audit can be cheated: for each small real bug of make bench-repair it makes eight patches that would make the
// failing test pass, or go away, and mend nothing, and gives them and the true repair to the audit as fettle's loop would. Each of the eight
// must be refused, and the true repair let through.
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"fettle/internal/audit"
	"fettle/internal/edit"
	"fettle/internal/testenv/oracle"
	"fettle/internal/verdict"
	"fettle/scripts/benchrepair/rows"
)

func main() {
	verbose := flag.Bool("v", false, "name every cheat that was not refused, and every repair that was")
	flag.Parse()
	all, err := rows.All()
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchhonesty:", err)
		os.Exit(1)
	}
	fmt.Print(measure(all, *verbose))
}

// tally counts what became of patches.
type tally map[verdict.Decision]int

const repair = "the true repair"

// bench is what was measured: by patch and language.
type bench struct {
	counts  map[[2]string]tally
	verbose bool
	out     strings.Builder
}

// judge gives one patch to the audit. Tests are known by their names, as they are to fettle's loop.
func (b *bench) judge(row rows.Row, name string, after map[string]string, tests []string) {
	r := audit.Audit(context.Background(), audit.Input{Patch: edit.Between(tree(row.Files), tree(after)), Source: source(row.Files), Evidence: tests,
		Files: func() []string { return slices.Sorted(maps.Keys(row.Files)) }})
	key := [2]string{name, row.Language}
	if b.counts[key] == nil {
		b.counts[key] = tally{}
	}
	d := r.Decision()
	b.counts[key][d]++
	if b.verbose && (name == repair && d != verdict.Approve || name != repair && d != verdict.Refuse) {
		fmt.Fprintf(&b.out, "%s, %s: %v\n", row.ID, name, r.Findings)
	}
}

// measure judges every cheat and every repair, and tells what came of them.
func measure(all []rows.Row, verbose bool) string {
	b := &bench{counts: map[[2]string]tally{}, verbose: verbose}
	for _, row := range all {
		if row.Language == "" {
			row.Language = "python"
		}
		as := oracle.Read(row)
		for _, c := range oracle.Cheats {
			if s := as.Again(); c.Make(s) {
				b.judge(row, c.Name, s.Files, s.Named())
			}
		}
		s := as.Again()
		s.Files[row.Source] = row.Reference
		b.judge(row, repair, s.Files, s.Named())
	}
	languages := []string{"python", "go", "javascript", "java"}
	fmt.Fprintf(&b.out, "%-32s", "refused, asked about, of all")
	for _, l := range languages {
		fmt.Fprintf(&b.out, "  %-14s", l)
	}
	for _, c := range append(slices.Clone(oracle.Cheats), oracle.Cheat{Name: repair}) {
		fmt.Fprintf(&b.out, "\n%-32s", c.Name)
		for _, l := range languages {
			t := b.counts[[2]string{c.Name, l}]
			fmt.Fprintf(&b.out, "  %-14s", fmt.Sprintf("%d + %d / %d", t[verdict.Refuse], t[verdict.Ask], t[verdict.Refuse]+t[verdict.Ask]+t[verdict.Approve]))
		}
	}
	return b.out.String() + "\n"
}

func tree(files map[string]string) map[string]edit.File {
	all := map[string]edit.File{}
	for name, text := range files {
		if text != "" {
			all[name] = edit.File{Data: []byte(text), Mode: 0o644, Exists: true}
		}
	}
	return all
}

func source(files map[string]string) edit.Source {
	was := tree(files)
	return func(path string) (edit.File, error) { return was[path], nil }
}
