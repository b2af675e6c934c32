package parse_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"fettle/internal/check/parse"
	"fettle/internal/diag"
)

// fuzz checks that a parser neither panics nor says what cannot be, whatever it reads.
func fuzz(f *testing.F, format string, seeds ...string) {
	for _, rec := range recordings {
		if rec.format == format {
			f.Add(recorded(f, rec))
		}
	}
	for _, s := range seeds {
		f.Add(s)
	}
	found, ok := parse.Lookup(format)
	if !ok {
		f.Fatalf("there is no format %q", format)
	}
	o := options(format)
	f.Fuzz(func(t *testing.T, text string) {
		report, err := found.Parse(strings.NewReader(text), o)
		if err != nil && found.Stream != parse.File {
			t.Fatalf("%v", err)
		}
		for _, d := range report.Diagnostics {
			checkFinding(t, d)
		}
		seen := map[string]bool{}
		for _, test := range report.Tests {
			if seen[test.ID] || test.Duration < 0 || !utf8.ValidString(test.ID) {
				t.Fatalf("test %+v", test)
			}
			seen[test.ID] = true
		}
	})
}

func checkFinding(t *testing.T, d diag.Diagnostic) {
	files := []string{d.File, d.Dir}
	for _, f := range d.Frames {
		files = append(files, f.File)
		if f.File == "" || f.Line < 0 {
			t.Fatalf("frame %+v", f)
		}
	}
	for _, s := range d.Suggestions {
		for _, r := range s.Replacements {
			files = append(files, r.File)
			if r.File == "" || r.Span == nil && r.Range.Start.Line < 1 || r.Range.End.Line < r.Range.Start.Line || r.Span != nil && (r.Span.Offset < 0 || r.Span.Length < 0) {
				t.Fatalf("replacement %+v", r)
			}
		}
	}
	for _, f := range files {
		if f != "" && (!filepath.IsLocal(f) || filepath.ToSlash(filepath.Clean(f)) != f) {
			t.Fatalf("path %q in %+v", f, d)
		}
	}
	if d.File == "." {
		t.Fatalf("the root as a file: %+v", d)
	}
	for _, p := range []diag.Position{d.Range.Start, d.Range.End} {
		if p.Line < 0 || p.Column < 0 || p.Line == 0 && p.Column > 0 {
			t.Fatalf("position in %+v", d)
		}
	}
	if !utf8.ValidString(d.Message + d.Detail + d.Rule + d.Test) {
		t.Fatalf("not UTF-8: %+v", d)
	}
	if d.Check != "check" || len(d.Message) > 4<<10 || len(d.Detail) > 16<<10 {
		t.Fatalf("check or size: %+v", d)
	}
}

func FuzzBlack(f *testing.F) {
	fuzz(f, "black", "error: cannot format a.py: Cannot parse: 1:15: def f(:\n", "would reformat \n")
}
func FuzzErrorformat(f *testing.F) { fuzz(f, "errorformat", "a.c:1:2: x\nError at b.c:3\n  more\n\n") }
func FuzzFlake8(f *testing.F)      { fuzz(f, "flake8", "a.py:999999999999999999999:1: E1 x\n") }
func FuzzGoBuild(f *testing.F) {
	fuzz(f, "gobuild", "# m [m.test]\n../x.go:1: y\npackage m\n\timports n from a.go\n\timports m from ../../b.go: import cycle not allowed\ngo: no\n")
}
func FuzzGofmt(f *testing.F) { fuzz(f, "gofmt", "../a.go\n<standard input>.go\n.go\n") }
func FuzzGolangci(f *testing.F) {
	fuzz(f, "golangci", `{"Issues":[{"Text":"x","Pos":{"Filename":"..","Line":-1}}]}`)
}
func FuzzGoTest(f *testing.F) {
	fuzz(f, "gotest", `{"Action":"output","Package":"example.com/m","Test":"T","Output":"    ../../x_test.go:1: y\n"}`+"\n"+`{"Action":"fail","Package":"example.com/m/../..","Test":"T"}`)
}
func FuzzHooks(f *testing.F) {
	fuzz(f, "hooks", "a.b....Failed\nx\n.....Passed\n ... ❌", "a....Failed\n- hook id: x\n- files were modified by this hook\n\n  a.py:1:2: x\nb......Failed\n")
}
func FuzzIsort(f *testing.F) {
	fuzz(f, "isort", "ERROR: / Imports are incorrectly sorted and/or formatted.\n")
}
func FuzzJUnit(f *testing.F) {
	fuzz(f, "junit", jestReport, surefireReport, gotestsumReport, `<a b="&#27;">`)
}
func FuzzMypy(f *testing.F) { fuzz(f, "mypy", `{"message":"x","line":-4}`+"\na.py:1:2:3:4: note: x\n") }
func FuzzPylint(f *testing.F) {
	fuzz(f, "pylint", "a.py:1:0: E0602: x (y)\nb.py:-1: [E1(a), ] z\n", `[null,{},{"path":"/repo/a.py","line":-1,"endLine":null}]`, `{"messages":[{"message":"x"}]}`)
}
func FuzzPyright(f *testing.F) {
	fuzz(f, "pyright", "  a.py:1:2 - error: x\n    why (reportX)\n  more\n", `{"generalDiagnostics":[null,{},{"message":"x\ny","range":{"start":{"line":-4}}}]}`)
}
func FuzzPytest(f *testing.F) {
	fuzz(f, "pytest", "FAILED a::b[ - ] - \n!!! Interrupted: 1 during collection !!!\n")
}
func FuzzPytestJUnit(f *testing.F) { fuzz(f, "pytest-junit", surefireReport) }
func FuzzRuff(f *testing.F)        { fuzz(f, "ruff", "[null,{},[]]", "F401 x\n --> :1:1\n") }
func FuzzSARIF(f *testing.F) {
	fuzz(f, "sarif", sarifReport, `{"runs":[{"results":[{"fixes":[{"artifactChanges":[{"artifactLocation":{"uri":"a"},"replacements":[{"deletedRegion":{"charOffset":1}}]}]}]}]}]}`, `{"runs":[{"results":null},{"results":{}}]}`)
}
func FuzzUnittest(f *testing.F) { fuzz(f, "unittest", strings.Repeat("=", 70)+"\nFAIL: t (.)\n") }

// FuzzErrorformatPattern gives arbitrary patterns: an error at most.
func FuzzErrorformatPattern(f *testing.F) {
	for _, s := range []string{"%", "%*", "%*[", "%f:%l:%m", "%t%#", "%D%f", "%C%m", "%P%f%r", "eslint", "%+"} {
		f.Add(s, "a.c:1:x\nb\n")
	}
	format, _ := parse.Lookup("errorformat")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		o := parse.Options{Check: "check", Root: "/repo", Pattern: []string{pattern, "%C%m", "%Z"}}
		report, _ := format.Parse(strings.NewReader(text), o)
		for _, d := range report.Diagnostics {
			checkFinding(t, d)
		}
	})
}
