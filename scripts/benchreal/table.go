package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/pattern"
)

var escapes = pattern.New(`\x1b\[[0-9;]*m`)

// plain is text without the colours of a terminal.
func plain(s string) string { return escapes.ReplaceAllString(s, "") }

// shown are the fates in the table, with what they are called there.
var shown = []struct {
	fate Fate
	head string
}{
	{Exact, "healed, exact"}, {Equivalent, "healed, equivalent"}, {Unread, "green, not reviewed"}, {Waiting, "waits, right"}, {Doubtful, "waits, other text"},
	{Left, "left and named"}, {Hidden, "left, hidden"}, {Unnamed, "left, not named"}, {Wrong, "WRONG"},
}

// head is what the table calls a fate.
func (f Fate) head() string {
	for _, s := range shown {
		if s.fate == f {
			return s.head
		}
	}
	return string(f)
}

// table is docs/real-projects.md.
func table(results []Result) string {
	var b strings.Builder
	b.WriteString(preface)
	writeCounts(&b, results)
	writeProjects(&b, results)
	writeTexts(&b, results)
	writeVersions(&b, results)
	return b.String()
}

const preface = `# Real projects

<!-- Written by make bench-real; edit scripts/benchreal, not this file. -->

` + "`make bench-real`" + ` brings pinned releases of real open-source projects from their registries, installs what their checks need, shows that each is green
under ` + "`fettle run`" + `, and then puts faults in: each on its own, and all five at once. ` + "`fettle fix`" + ` begins each time without any memory of the project. What it did is judged
by the files alone:

* **healed, exact**: every byte of the project is again what it was before the fault, and every check passes;
* **healed, equivalent**: every check passes by another text, which a person has read and found to do the same as the original;
* **waits**: nothing is applied; a patch was proposed and waits for ` + "`fettle accept`" + `. It is *right* if accepting it gives the original's bytes;
* **green, not reviewed**: every check passes by another text, which nobody has read yet;
* **left and named**: not healed, and the report names it by its test, or where it is;
* **left, hidden**: not healed, and not seen either, because another fault keeps the code from being built;
* **left, not named**: not healed, and the report does not name it, or names it elsewhere;
* **WRONG**: something was applied that should not have been.

A *trouble* is what must never happen: a file changed elsewhere, an end or an exit code that does not tell the truth, a check that breaks, a byte that
` + "`fettle rollback`" + ` does not give back. ` + "`make bench-real REAL=\"mux itoa\"`" + ` measures only these; what was measured with the same fettle is not measured again (` + "`FORCE=1`" + `:
it is). The files under scripts/benchreal/projects say everything about the projects and their faults.

`

func writeCounts(b *strings.Builder, results []Result) {
	fmt.Fprintf(b, "## All faults, by kind\n\n%d projects, each fault on its own.\n\n| fault |", len(results))
	for _, s := range shown {
		fmt.Fprintf(b, " %s |", s.head)
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(shown)) + "\n")
	for _, kind := range slices.Compact(slices.Clone(kinds)) {
		writeCount(b, results, kind, false)
	}
	writeCount(b, results, "", false)
	writeCount(b, results, "", true)
	troubles := 0
	for _, r := range results {
		for _, s := range r.Sessions {
			troubles += len(s.Troubles)
		}
	}
	fmt.Fprintf(b, "\nTroubles: %d.\n\n", troubles)
}

// writeCount writes one line of the counts: a kind, or all of them on their own or together.
func writeCount(b *strings.Builder, results []Result, kind string, at bool) {
	count := map[Fate]int{}
	for _, r := range results {
		for key, s := range r.Sessions {
			for _, o := range s.Faults {
				if (key == together) == at && (kind == "" || r.Project.Faults[o.Fault].Kind == kind) {
					count[o.Fate]++
				}
			}
		}
	}
	name := kind
	switch {
	case at:
		name = "**all five at once**"
	case kind == "":
		name = "**all of them**"
	}
	fmt.Fprintf(b, "| %s |", name)
	for _, s := range shown {
		if n := count[s.fate]; n > 0 {
			fmt.Fprintf(b, " %d |", n)
		} else {
			b.WriteString(" |")
		}
	}
	b.WriteString("\n")
}

func writeProjects(b *strings.Builder, results []Result) {
	for _, lang := range languages {
		first := true
		for _, r := range results {
			if r.Project.Language != lang {
				continue
			}
			if first {
				fmt.Fprintf(b, "## %s\n\n", lang)
				first = false
			}
			writeProject(b, r)
		}
	}
}

func writeProject(b *strings.Builder, r Result) {
	p := r.Project
	fmt.Fprintf(b, "### %s %s\n\nChecks: %s; `fettle run` on the project as it is takes %.1f s.", p.Package, p.Version, "`"+strings.Join(p.Checks, "`, `")+"`", r.Seconds)
	if p.Config != "" {
		fmt.Fprintf(b, " It has a fettle.yaml: %s.", p.Why)
	}
	b.WriteString("\n\n| fault | what | fate | seen at | end | seconds | rounds |\n|---|---|---|---|---|--:|--:|\n")
	for i, f := range p.Faults {
		s, ok := r.Sessions[strconv.Itoa(i)]
		if !ok {
			continue
		}
		o := s.Faults[0]
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s (%d) | %.1f | %d |\n", f.Kind, cell(f.What), o.Fate.head(), seenAt[o.Named], s.End, s.Exit, s.Seconds, s.Rounds)
	}
	if s, ok := r.Sessions[together]; ok {
		var fates []string
		for _, o := range s.Faults {
			fates = append(fates, o.Fate.head())
		}
		fmt.Fprintf(b, "| all five | | %s | | %s (%d) | %.1f | %d |\n", strings.Join(fates, "; "), s.End, s.Exit, s.Seconds, s.Rounds)
	}
	b.WriteString("\n")
	for _, key := range sessionKeys(r) {
		for _, t := range r.Sessions[key].Troubles {
			fmt.Fprintf(b, "* **Trouble** (%s): %s\n\n", faultName(p, key), t)
		}
	}
}

// seenAt says how fettle run names a fault.
var seenAt = map[string]string{"line": "its line", "test": "a test", "file": "its file", "check": "its check", "": "nowhere"}

func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

func faultName(p Project, key string) string {
	for i, f := range p.Faults {
		if strconv.Itoa(i) == key {
			return f.What
		}
	}
	return "all five"
}

// sessionKeys are the keys of a result's sessions, in the order of the table.
func sessionKeys(r Result) []string {
	var keys []string
	for i := range r.Project.Faults {
		keys = append(keys, strconv.Itoa(i))
	}
	return append(keys, together)
}

// writeTexts shows what fettle has put, or proposes to put, in place of a fault where that is not the original.
func writeTexts(b *strings.Builder, results []Result) {
	head := "## Not the original's text\n\nThe tree against the original, where something else than the original was applied or proposed.\n\n"
	for _, r := range results {
		for _, key := range sessionKeys(r) {
			if text := r.Sessions[key].Text; text != "" {
				fmt.Fprintf(b, "%s%s: %s\n\n```diff\n%s\n```\n\n", head, r.Project.Name, faultName(r.Project, key), strings.TrimRight(text, "\n"))
				head = ""
			}
		}
		for i, f := range r.Project.Faults {
			for _, o := range r.Sessions[strconv.Itoa(i)].Faults {
				for _, v := range f.Reviewed {
					if o.Fate == Equivalent || o.Fate == Wrong {
						fmt.Fprintf(b, "%s%s: %s. Reviewed: %s\n\n", head, r.Project.Name, f.What, v.Because)
						head = ""
					}
				}
			}
		}
	}
}

func writeVersions(b *strings.Builder, results []Result) {
	tools := map[string][]string{}
	builds := map[string]bool{}
	for _, r := range results {
		tools[r.Project.Language] = append(tools[r.Project.Language], r.Tools...)
		builds[r.Build[:min(len(r.Build), 12)]] = true
	}
	b.WriteString("## Measured with\n\n")
	for _, lang := range languages {
		if list := tools[lang]; len(list) > 0 {
			slices.Sort(list)
			fmt.Fprintf(b, "* %s: %s\n", lang, strings.Join(slices.Compact(list), "; "))
		}
	}
	if len(builds) > 1 {
		fmt.Fprintf(b, "\nThe projects were measured with %d builds of fettle: `make bench-real` brings all of them to one.\n", len(builds))
	}
	b.WriteString("\nSeconds are wall time on a virtual machine with 2 cores that had much other work to do. A search whose time is over before every\n" +
		"rival of a repair is tried is less sure of it: on a busy machine a repair waits that is applied on a quiet one.\n")
}
