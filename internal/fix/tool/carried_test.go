package tool_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/fix/fixtest"
	"fettle/internal/fix/tool"
)

// reports is a check of a tool that nobody knows, and that carries fixes in its report.
var reports = check.Check{Name: "lint.x", Run: []string{"./lint"}, Parser: "rdjson"}

// put replaces columns of a line.
func put(file string, line, from, to int, text string) diag.Replacement {
	return diag.Replacement{File: file, Text: text, Range: diag.Range{
		Start: diag.Position{Line: line, Column: from}, End: diag.Position{Line: line, Column: to},
	}}
}

// suggesting is a finding in the file of its first replacement.
func suggesting(rs ...diag.Replacement) diag.Diagnostic {
	return diag.Diagnostic{File: rs[0].File, Tool: "scan", Rule: "R1", Suggestions: []diag.Suggestion{{Replacements: rs}}}
}

func TestCarriedFixes(t *testing.T) {
	two := suggesting(put("a.txt", 1, 1, 2, "1"))
	two.Suggestions = append(two.Suggestions, diag.Suggestion{Replacements: []diag.Replacement{put("a.txt", 1, 1, 2, "2")}})
	files := map[string]string{"a.txt": "abc\ndef\n", "b.txt": "é\n", "d/c.txt": "x"}
	cases := []struct {
		name  string
		found []diag.Diagnostic
		want  string // of the files that the first candidate changes
		says  string
	}{
		{"of two the first", []diag.Diagnostic{two}, "a.txt: 1bc|def|", "took the fix that scan suggests for 1 finding (R1)"},
		{"several at once", []diag.Diagnostic{suggesting(put("a.txt", 1, 1, 2, "A")), suggesting(put("a.txt", 2, 1, 2, "D")), suggesting(put("b.txt", 1, 1, 3, "e"))},
			"a.txt: Abc|Def| b.txt: e|", "took the fixes that scan suggests for 3 findings (R1)"},
		{"one in several files", []diag.Diagnostic{suggesting(put("d/c.txt", 1, 2, 2, "y"), put("a.txt", 2, 1, 4, ""), put("a.txt", 1, 1, 1, ">"))}, "a.txt: >abc|| d/c.txt: xy", "1 finding"},
		{"neighbours", []diag.Diagnostic{suggesting(put("a.txt", 1, 1, 2, "A")), suggesting(put("a.txt", 1, 2, 3, "B"))}, "a.txt: ABc|def|", "2 findings"},
		{"the same twice", []diag.Diagnostic{suggesting(put("a.txt", 1, 1, 1, "A")), suggesting(put("a.txt", 1, 1, 1, "A"), put("a.txt", 2, 1, 2, "D"))}, "a.txt: Aabc|Def|", "2 findings"},
		{"overlapping", []diag.Diagnostic{suggesting(put("a.txt", 1, 1, 3, "A")), suggesting(put("a.txt", 1, 2, 4, "B")), suggesting(put("a.txt", 1, 3, 3, "C"))}, "a.txt: Ac|def|", "left out: 2 overlapping with another"},
		{"whole or not at all", []diag.Diagnostic{suggesting(put("a.txt", 1, 1, 2, "A"), put("b.txt", 9, 1, 1, "x")), suggesting(put("a.txt", 2, 1, 2, "D"))}, "a.txt: abc|Def|", "left out: 1 that did not fit"},
		{"against itself", []diag.Diagnostic{suggesting(put("a.txt", 1, 1, 3, "A"), put("a.txt", 1, 2, 4, "B"))}, "", ""},
		{"out of scope", []diag.Diagnostic{suggesting(put("out.txt", 1, 1, 2, "A")), suggesting(put("a.txt", 1, 1, 2, "A"))}, "a.txt: Abc|def|", "left out: 1 outside the scope"},
		{"no file", []diag.Diagnostic{suggesting(put("gone.txt", 1, 1, 1, "A")), suggesting(put("d", 1, 1, 1, "A"))}, "", ""},
		{"nothing changes", []diag.Diagnostic{suggesting(put("a.txt", 1, 1, 2, "a"))}, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			place := fixtest.New(t, files)
			all, err := propose(t, place, fix.Task{Check: reports, Diagnostics: c.found, InScope: func(p string) bool { return p != "out.txt" }})
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				if len(all) > 0 {
					t.Errorf("got %+v", all)
				}
				return
			}
			if len(all) == 0 {
				t.Fatal("no candidate")
			}
			var got []string
			for _, name := range all[0].Patch.Paths() {
				got = append(got, name+": "+strings.ReplaceAll(after(t, place, all[0], name), "\n", "|"))
			}
			if strings.Join(got, " ") != c.want || !strings.Contains(all[0].Explanation, c.says) {
				t.Errorf("got %q (%s), want %q (%s)", got, all[0].Explanation, c.want, c.says)
			}
			for _, d := range c.found {
				if !tool.New().Takes(reports, d) {
					t.Errorf("does not take %+v", d)
				}
			}
		})
	}
}

// A wrong fix spoils its half only; what changes tests comes last.
func TestCarriedFixesByHalves(t *testing.T) {
	place := fixtest.New(t, map[string]string{"a.py": "1\n2\n3\n", "tests/test_a.py": "def test_a():\n    assert 1\n"})
	var ds []diag.Diagnostic
	for line := range 3 {
		ds = append(ds, suggesting(put("a.py", line+1, 1, 2, "x")))
	}
	ds = append(ds, suggesting(put("tests/test_a.py", 2, 12, 13, "2")))
	all, err := propose(t, place, fix.Task{Check: reports, Diagnostics: ds})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, k := range all {
		name := k.Patch.Paths()[0]
		got = append(got, strings.ReplaceAll(after(t, place, k, name), "\n", " "))
	}
	if want := []string{"x x x ", "x 2 3 ", "1 x x ", "1 x 3 ", "1 2 x ", "def test_a():     assert 2 "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A check's own fix comes first, and what the report carries after it, also where that fix cannot work. Where the tool is
// known to fix by itself, what it only suggests is left alone.
func TestCarriedFixesComeAfterTheOwn(t *testing.T) {
	d := suggesting(put("a.txt", 1, 1, 2, "b"))
	cases := []struct {
		name  string
		check check.Check
		want  []string
	}{
		{"own first", sh("echo own > a.txt"), []string{"own\n", "b\n"}},
		{"own does nothing", sh("true"), []string{"b\n"}},
		{"own cannot work", sh("exit 3"), []string{"b\n"}},
		{"known tool", check.Check{Name: "lint.ruff", Run: []string{"ruff", "check", "--output-format=sarif", "."}}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			place := fixtest.New(t, map[string]string{"a.txt": "a\n"})
			all, _ := propose(t, place, fix.Task{Check: c.check, Diagnostics: []diag.Diagnostic{d}})
			var got []string
			for _, k := range all {
				got = append(got, after(t, place, k, "a.txt"))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	guess := suggesting(put("src/lib.rs", 1, 1, 1, ".into()"))
	guess.Rule = "E0308"
	if tool.New().Takes(reports, guess) {
		t.Error("takes a guess of the compiler's")
	}
	if tool.New().Takes(reports, diag.Diagnostic{File: "a.txt"}) {
		t.Error("takes a finding without a fix")
	}
}

// The formatters that had nothing to complain of have the last word on what was suggested.
func TestCarriedFixesAreFormatted(t *testing.T) {
	place := fixtest.New(t, map[string]string{"a.txt": "a\nb\n", "c.md": "c\n"})
	format := check.Check{Name: "format", Fix: [][]string{{"sh", "-c", "tr a-z A-Z < a.txt > t && cat t > a.txt && rm t"}}, Files: []string{"*.txt"}}
	task := fix.Task{Check: reports, Formatters: []check.Check{format}, Diagnostics: []diag.Diagnostic{suggesting(put("a.txt", 1, 1, 2, "x"), put("c.md", 1, 1, 2, "d"))}}
	all, err := propose(t, place, task)
	if err != nil || len(all) != 1 || after(t, place, all[0], "a.txt") != "X\nB\n" || after(t, place, all[0], "c.md") != "d\n" {
		t.Fatalf("%v, %v", all, err)
	}
	if !strings.Contains(all[0].Explanation, "1 finding (R1), then `sh -c") {
		t.Errorf("got %q", all[0].Explanation)
	}
}
