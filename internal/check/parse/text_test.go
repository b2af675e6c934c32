package parse_test

import (
	"strings"
	"testing"

	"fettle/internal/check/parse"
	"fettle/internal/diag"

	"gotest.tools/v3/assert"
)

const double, single = "======================================================================\n", "----------------------------------------------------------------------\n"

// What the recorded versions of the tools do not print, others do.
func TestTextDialects(t *testing.T) {
	for _, tc := range []struct {
		name, format, text string
		want               []string
	}{
		{"black before 26", "black", "error: cannot format bad file.py: Cannot parse for target version Python 3.12: 3:6: def f(:\nwould reformat src/a b.py\n", []string{
			`["bad file.py",3,"syntax","","","file",false]`, `["src/a b.py",0,"format","","","",true]`}},
		{"ruff format before 0.15", "ruff", "error: Failed to parse bad.py:1:8: Expected `)`\nWould reformat: a.py\n1 file would be reformatted\n", []string{
			`["a.py",0,"unformatted","","","",true]`, `["bad.py",1,"invalid-syntax","","","file",false]`}},
		{"ruff before 0.6", "ruff", `[{"code":null,"filename":"/repo/a.py","message":"SyntaxError: x","location":{"row":1,"column":2},"end_location":{"row":1,"column":3},"fix":null}]`, []string{
			`["a.py",1,"invalid-syntax","","","file",false]`}},
		{"mypy's notes and crash", "mypy", "a.py:3: error: Bad  [misc]\na.py:3: note: because\nb.py: error: Duplicate module named \"b\"\nFound 2 errors in 2 files (errors prevented further checking)\n", []string{
			`["a.py",3,"misc","","","check",false]`, `["b.py",0,"","","","check",false]`}},
		{"mypy cannot start", "mypy", "mypy: can't read file 'nope': No such file or directory\n", []string{`["",0,"","","","check",false]`}},
		{"pylint", "pylint", "************* Module a\na.py:3:4: E0602: Undefined variable 'x' (undefined-variable)\na.py:1:0: R0801: Similar lines in 2 files\n==a:[1:5]\n==b:[1:5]\nx = 1 (duplicate-code)\nb.py:1:7: E0001: Parsing failed: 'invalid syntax (b, line 1)' (syntax-error)\n\n---\nYour code has been rated at 0.00/10\n", []string{
			`["a.py",1,"R0801","","","",false]`, `["a.py",3,"undefined-variable","","","",false]`, `["b.py",1,"syntax-error","","","file",false]`}},
		{"pylint for other programs", "pylint", "a b.py:3: [E0602(undefined-variable), f] Undefined variable 'x'\n", []string{`["a b.py",3,"undefined-variable","","","",false]`}},
		{"pylint's list", "pylint", `[{"type":"error","path":"a.py","line":3,"column":4,"endLine":null,"endColumn":null,"symbol":"undefined-variable","message":"x","message-id":"E0602"}]`, []string{`["a.py",3,"undefined-variable","","","",false]`}},
		{"pylint's object", "pylint", `{"messages":[{"type":"convention","symbol":"x-y","message":"x","messageId":"C0001","line":3,"column":0,"path":"a.py"}],"statistics":{}}`, []string{`["a.py",3,"x-y","","","",false]`}},
		{"golangci-lint 1", "golangci", "level=warning msg=\"old\"\n{\"Issues\":[{\"FromLinter\":\"gofmt\",\"Text\":\"x\",\"Pos\":{\"Filename\":\"a.go\",\"Line\":2},\"Replacement\":{\"NeedOnlyDelete\":false}}],\"Report\":{}}\n2 issues:\n", []string{
			`["a.go",2,"gofmt","","","",true]`}},
		{"golangci-lint 1, text", "golangci", "a.go:9:11: Error return value of `os.Remove` is not checked (errcheck)\n\tos.Remove(\"b.go:1:2: x (y)\")\n\t         ^\nsub/b.go:3: File is not `gofmt`-ed with `-s` (gofmt)\n\nc.go:1:2: no name of a linter\n3 issues:\n* errcheck: 1\n* gofmt: 1\n", []string{
			`["a.go",9,"errcheck","","","",false]`, `["c.go",1,"","","","",false]`, `["sub/b.go",3,"gofmt","","","",false]`}},
		{"golangci-lint's compiler, text", "golangci", "a.go:1: : # example.com/m\n./a.go:9:5: undefined: x\n./b.go:3:5: undefined: y (typecheck)\npackage m\n1 issues:\n* typecheck: 1\n", []string{
			`["a.go",9,"typecheck","","","check",false]`, `["b.go",3,"typecheck","","","check",false]`}},
		{"golangci-lint, JSON beside text", "golangci", "{\"Issues\":[{\"FromLinter\":\"gofmt\",\"Text\":\"x\",\"Pos\":{\"Filename\":\"a.go\",\"Line\":2}}]}\na.go:2:1: x (gofmt)\n1 issues:\n* gofmt: 1\n", []string{
			`["a.go",2,"gofmt","","","",false]`}},
		{"golangci-lint cannot start", "golangci", "Error: can't load config: unsupported version\n", []string{`["",0,"","","","check",false]`}},
		{"go.mod is broken", "gobuild", "go: errors parsing go.mod:\ngo.mod:3: unknown directive: foo\n", []string{
			`["go.mod",0,"","","","check",false]`, `["go.mod",3,"","",".","check",false]`}},
		{"go downloads", "gobuild", "go: downloading example.com/x v1.0.0\n", nil},
		{"the linker", "gobuild", "# example.com/m/cmd/x\n/usr/bin/ld: cannot find -lfoo\ncollect2: error: ld returned 1 exit status\n", []string{`["",0,"","","cmd/x","dir",false]`}},
		{"the vet of Go 1.20", "gobuild", "# example.com/m/x\n# [example.com/m/x]\n./x/a.go:3:2: unreachable code\n", []string{`["x/a.go",3,"","","x","",false]`}},
		{"too many errors", "gobuild", "# example.com/m\n./a.go:3:2: undefined: x\n./a.go:3:2: too many errors\n", []string{`["a.go",3,"","",".","dir",false]`}},
		{"unittest before 3.11", "unittest", double + "FAIL: test_a (tests.test_x.C) [first] (n=1)\n" + single + "Traceback (most recent call last):\n  File \"/repo/tests/test_x.py\", line 4, in test_a\nAssertionError: no\n", []string{
			`["tests/test_x.py",4,"","tests.test_x.C.test_a","tests","",false]`, "fail tests.test_x.C.test_a"}},
		{"unittest cannot start", "unittest", "Traceback (most recent call last):\n  File \"/repo/tests/__main__.py\", line 4, in <module>\nImportError: Start directory is not importable: 'nope'\n", []string{
			`["tests/__main__.py",4,"","","","check",false]`}},
		{"unittest's module fixtures", "unittest", double + "ERROR: setUpModule (tests.test_x)\n" + single + "ValueError: x\n", []string{`["",0,"","","tests","dir",false]`}},
		{"pytest-xdist", "pytest", "[gw0] [ 50%] PASSED tests/t.py::a\n[gw1] [100%] FAILED tests/t.py::b[x y]\n=== short test summary info ===\nFAILED tests/t.py::b[x - y] - assert 1 - 2\n", []string{
			`["tests/t.py",0,"","tests/t.py::b[x - y]","tests","",false]`, "fail tests/t.py::b[x - y]", "fail tests/t.py::b[x y]", "pass tests/t.py::a"}},
		{"pytest-subtests", "pytest", "=== FAILURES ===\n____ C.test_a [m] (n=1) ____\nE   assert 1\n\nt/test_x.py:5: AssertionError\n____ C.test_a (n=2) ____\nE   assert 2\n\nt/test_x.py:5: AssertionError\n" +
			"=== short test summary info ===\n[m] (n=1) SUBFAIL t/test_x.py::C::test_a - assert 1\n(n=2) SUBFAIL t/test_x.py::C::test_a - assert 2\n", []string{
			`["t/test_x.py",5,"","t/test_x.py::C::test_a","t","",false]`, `["t/test_x.py",5,"","t/test_x.py::C::test_a","t","",false]`, "fail t/test_x.py::C::test_a"}},
		{"isort", "isort", "ERROR: /repo/a b.py Imports are incorrectly sorted and/or formatted.\n", []string{`["a b.py",0,"imports","","","",true]`}},
		{"gofmt", "gofmt", "a.go\nsub/b c.go\nnot a file\n../outside.go\n/usr/lib/x.go\n", []string{
			`["a.go",0,"format","","","",true]`, `["sub/b c.go",0,"format","","","",true]`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := read(t, tc.format, tc.text, parse.Options{Check: "check", Root: "/repo", Module: "example.com/m"})
			assert.DeepEqual(t, outline(r), tc.want)
		})
	}
}

func TestMypyNotesBelongToTheErrorBefore(t *testing.T) {
	r := read(t, "mypy", "a.py:3: error: Bad  [misc]\na.py:3: note: because\nb.py:1: note: alone\n", parse.Options{})
	assert.Equal(t, len(r.Diagnostics), 1)
	assert.Equal(t, r.Diagnostics[0].Detail, "note: because")
}

// Two tests of one name in two files get each their own traceback.
func TestPytestTellsFilesApart(t *testing.T) {
	text := "=== FAILURES ===\n____ test_a ____\n\n>   assert 1 == 2\nE   assert 1 == 2\n\nx/test_1.py:5: AssertionError\n" +
		"____ test_a ____\n\n>   assert 3 == 4\nE   assert 3 == 4\n\nx/test_2.py:7: AssertionError\n" +
		"---- Captured stdout call ----\nE   not the message\nx/test_9.py:1: AssertionError\n" +
		"=== short test summary info ===\nFAILED x/test_2.py::test_a - assert 3 == 4\nFAILED x/test_1.py::test_a - assert 1 == 2\n"
	r := read(t, "pytest", text, parse.Options{})
	assert.DeepEqual(t, outline(r), []string{
		`["x/test_1.py",5,"","x/test_1.py::test_a","x","",false]`, `["x/test_2.py",7,"","x/test_2.py::test_a","x","",false]`,
		"fail x/test_1.py::test_a", "fail x/test_2.py::test_a"})
	assert.Equal(t, r.Diagnostics[0].Message, "assert 3 == 4")
	assert.Assert(t, strings.Contains(r.Diagnostics[0].Detail, "Captured stdout"))
}

func TestErrorformat(t *testing.T) {
	o := parse.Options{Root: "/repo", Dir: "sub", Pattern: []string{"%f:%l:%c: %trror: %m", "%W%f:%l: warning", "%C  %m", "%Z"}}
	text := "noise\na.c:1:2: error: bad\nb.c:7: warning\n  two\n  lines\n\nnoise\n" + strings.Repeat("more noise\n", 1000) + "/repo/c.c:3:4: error: last\n"
	assert.Equal(t, describe(read(t, "errorformat", text, o)), "sub/a.c:1:2  error\n\tbad\nsub/b.c:7:0  warning\n\ttwo\nlines\n\t| b.c:7: warning\n\t|   two\n\t|   lines\nc.c:3:4  error\n\tlast\n")

	o.Pattern = []string{"golint"}
	r := read(t, "errorformat", "a.go:1:2: exported x\n", o)
	assert.Equal(t, len(r.Diagnostics), 1)
	assert.Equal(t, r.Diagnostics[0].Tool, "golint")

	for _, bad := range [][]string{nil, {"no items"}, {"%"}, {"%*"}, {"%*[a"}, {"%y"}} {
		if parse.CheckPattern(bad) == nil {
			t.Errorf("pattern %q was accepted", bad)
		}
	}
	assert.NilError(t, parse.CheckPattern([]string{"%f:%l: %m", "eslint"}))
}

func TestPyrightSaysWhyBelow(t *testing.T) {
	text := "/repo/a.py\n  /repo/a.py:3:9 - error: Type \"int | str\" is not assignable to return type \"int\"\n  \u00a0 \u00a0 Type \"int | str\" is not assignable to type \"int\" (reportReturnType)\n  /repo/a.py:4:1 - warning: Expected expression\n1 error, 1 warning\n"
	r := read(t, "pyright", text, parse.Options{Root: "/repo"})
	assert.Equal(t, len(r.Diagnostics), 2)
	d := r.Diagnostics[0]
	assert.Equal(t, d.Rule, "reportReturnType")
	assert.Equal(t, d.Message, `Type "int | str" is not assignable to return type "int"`)
	assert.Equal(t, strings.TrimSpace(d.Detail), `Type "int | str" is not assignable to type "int"`)
	assert.Equal(t, r.Diagnostics[1].Severity, diag.Warning)
}
