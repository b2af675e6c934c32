package parse_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"fettle/internal/check/parse"
	"fettle/internal/diag"

	"gotest.tools/v3/assert"
)

// What TAP producers other than Node print. The wanted text is describe's, without longer texts.
func TestTAP(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"results alone", "1..3\nok 1\nnot ok 2\nok 3 third # SKIP no network\n",
			":0:0 tap error test=test 2\n\ttest 2 failed without a word\npass test 1\nfail test 2\nskip third\n"},
		{"tape", "TAP version 13\n# adds\nnot ok 1 should be strictly equal\n  ---\n    operator: equal\n    expected: 2\n    actual:   3\n    at: Test.<anonymous> (/repo/test/add.js:5:5)\n    stack: |-\n      Error: should be strictly equal\n          at Test.<anonymous> (/repo/test/add.js:5:5)\n          at Test.run (/repo/node_modules/tape/lib/test.js:1:1)\n  ...\nok 2 fine\n",
			"test/add.js:5:0 tap error test=should be strictly equal dir=test\n\texpected 2, got 3\n\tat test/add.js:5 Test.<anonymous>\nfail should be strictly equal\npass fine\n"},
		{"node-tap's subtests", "TAP version 14\n# Subtest: test/a.js\n    # Subtest: deep\n        not ok 1 - off\n          ---\n          at:\n            fileName: test/a.js\n            lineNumber: 7\n          message: no luck\n          ...\n        1..1\n    not ok 1 - deep # time=2ms\n    1..1\nnot ok 1 - test/a.js # time=9ms\n",
			"test/a.js:7:0 tap error test=test/a.js::deep > off dir=test\n\tno luck\nfail test/a.js::deep > off\nfail test/a.js::deep\nfail test/a.js\n"},
		{"bail out", "ok 1 a\nBail out! the disk is full\n", ":0:0 tap error masks=check\n\tthe test run was given up: the disk is full\npass a\n"},
		{"a failing test that is to do", "not ok 1 - later # TODO not written\n", "skip later\n"},
		{"cut off inside a parent", "    ok 1 - child\n    not ok 2 - other\n", ":0:0 tap error test=other\n\tother failed without a word\npass child\nfail other\n"},
		{"marks that are names", "ok 1 - issue \\#12 and C\\\\n\n", "pass issue #12 and C\\n\n"},
	} {
		if got := brief(t, "tap", c.text); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}

// brief is what is read of a format's text, without longer texts.
func brief(t *testing.T, format, text string) string {
	var b strings.Builder
	for line := range strings.Lines(describe(read(t, format, text, parse.Options{Check: "check", Root: "/repo"}))) {
		if !strings.HasPrefix(line, "\t|") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// What tape prints: results are assertions, and belong to the test that a comment above them names.
func TestTape(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"tests of several assertions",
			"TAP version 13\n# adds\nok 1 should be strictly equal\nnot ok 2 sum\n  ---\n    operator: equal\n    expected: 2\n    actual:   3\n    at: Test.<anonymous> (/repo/test/add.js:5:5)\n  ...\nok 3 fine\n# SKIP  later \n# is  empty\n\n1..3\n# tests 3\n# pass  2\n# fail  1\n",
			"test/add.js:5:0 tape error test=adds dir=test\n\tsum: expected 2, got 3\n\tat test/add.js:5 Test.<anonymous>\nfail adds\nskip later\npass is empty\n"},
		{"a name in two files", "# a\nok 1 x\n# b\nok 2 y\n# a\nnot ok 3 z\n\n1..3\n", ":0:0 tape error test=a\n\tz failed without a word\nfail a\npass b\n"},
		{"a test that is to do", "# TODO a\nnot ok 1 x # TODO\nok 2 y # TODO\n\n1..2\n", "skip a\n"},
		{"what is still to do", "# a\nnot ok 1 x # TODO one day\n\n1..1\n", "pass a\n"},
		{"the program ends in a test", "# a\nok 1 x\n# b\nok 2 y\n", ":0:0 tape error test=b masks=check\n\tthe program ended before this test did\npass a\nfail b\n"},
		{"nothing", "", ""},
	} {
		if got := brief(t, "tape", c.text); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}

// Stack frames are the repository's own, whatever writes them.
func TestJavaScriptFrames(t *testing.T) {
	for line, want := range map[string]string{
		"at f (/repo/src/a.js:3:4)":                                     "src/a.js:3 f",
		"at async Promise.all (index 0)":                                "",
		"at async later (/repo/src/a.js:3:4)":                           "src/a.js:3 later",
		"at file:///repo/src/a%20b.mjs:3:4":                             "src/a b.mjs:3 ",
		"at Object.<anonymous> (src/a.ts:3:4)":                          "sub/src/a.ts:3 Object.<anonymous>",
		"at /repo/src/a.ts?t=1712:3:4":                                  "src/a.ts:3 ",
		"at render (webpack-internal:///./src/App.tsx:10:2)":            "sub/src/App.tsx:10 render",
		"at render (webpack://shop/./src/App.tsx:10:2)":                 "sub/src/App.tsx:10 render",
		"at Module._compile (node:internal/modules/cjs/loader:1554:14)": "",
		"at internal/process/task_queues.js:95:5":                       "",
		"at x (/repo/node_modules/y/z.js:1:1)":                          "",
		"at x (/elsewhere/z.js:1:1)":                                    "",
		"at new Promise (<anonymous>)":                                  "",
		"at Array.map (native)":                                         "",
		"at eval (eval at run (/repo/src/a.js:9:1), <anonymous>:1:1)":   "src/a.js:9 eval",
		"at https://example.com/x.js:1:2":                               "",
		"at com.example.Main.run(Main.java:12)":                         "",
		"looks at nothing (/repo/src/a.js:3:4)":                         "",
		"at Context.<anonymous> (/repo/test/deep/a.spec.cjs:120:33)":    "test/deep/a.spec.cjs:120 Context.<anonymous>",
		"at Proxy.x [as y] (/repo/src/comp(onent)/a.vue:1:2)":           "src/comp(onent)/a.vue:1 Proxy.x [as y]",
		"at ../outside.js:1:2":                                          "sub/../outside.js",
	} {
		if line == "at ../outside.js:1:2" {
			want = "outside.js:1 " // from the folder sub it is the root's
		}
		text := `{"testResults":[{"name":"/repo/sub/t.test.js","assertionResults":[{"status":"failed","title":"t","failureMessages":["Error: no\n    ` + line + `"]}]}]}`
		r := read(t, "jest", text, parse.Options{Check: "check", Root: "/repo", Dir: "sub"})
		got := ""
		for _, f := range r.Diagnostics[0].Frames {
			got = describe(parse.Report{Diagnostics: []diag.Diagnostic{{Frames: []diag.Frame{f}}}})
			got = strings.TrimSuffix(got[strings.Index(got, "\tat ")+4:], "\n")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// What stands between findings, and shapes that another version may have, change nothing.
func TestNodeOddities(t *testing.T) {
	o := parse.Options{Check: "check", Root: "/repo", Exists: func(p string) bool { return p == "a.js" || p == "b c.md" }}
	for _, c := range []struct{ name, format, text, want string }{
		{"words of prettier that are no files", "prettier", "Checking formatting...\n[warn] Ignored unknown option { x: 1 }.\n[warn] a.js\n[warn] b c.md\n[warn] gone.js\n[warn] Code style issues found in 2 files. Run Prettier with --write to fix.\n",
			"a.js:0:0 prettier error rule=unformatted fixable\nb c.md:0:0 prettier error rule=unformatted fixable\n"},
		{"a configuration that prettier cannot read", "prettier", "[error] Invalid configuration for file \"/repo/.prettierrc\":\n[error] x\n", ""},
		{"commas and colons in biome's properties", "biome", "::warning title=lint/a,file=/repo/x%2Cy%3A.js,line=2,endLine=2,col=1,endColumn=3::50%25 off\n", "x,y:.js:2:1-2:3 biome warning rule=lint/a\n"},
		{"an error of types beside one of syntax", "tsc", "a.ts(1,1): error TS1005: ';' expected.\nb.ts(1,1): error TS2322: no.\n", "a.ts:1:1 tsc error rule=TS1005 masks=file\nb.ts:1:1 tsc error rule=TS2322\n"},
		{"a list where eslint had none", "eslint", `[{"filePath":"/repo/a.js","messages":null},7,{"filePath":"a.js","messages":[{"severity":1,"message":"m","line":1}]}]`, "a.js:1:0 eslint warning\n"},
		{"a test without a word", "jest", `{"testResults":[{"name":"/repo/a.js","status":"failed","assertionResults":[{"status":"failed","title":"t","location":{"line":4,"column":2}}]}]}`, "a.js:4:0 jest error test=a.js::t dir=.\nfail a.js::t\n"},
		{"ts-jest", "jest", `{"testResults":[{"name":"/repo/src/a.test.ts","status":"failed","message":"  ● Test suite failed to run\n\n    src/a.ts:2:5 - error TS2322: Type 'x'.\n","assertionResults":[]}]}`, "src/a.ts:2:5 jest error dir=src masks=dir\n"},
		{"vitest on oxc", "vitest", `{"testResults":[{"name":"/repo/src/a.test.ts","status":"failed","message":"Transform failed with 1 error:\n\n\u001b[31m[PARSE_ERROR] \u001b[0mExpected\n   ╭─[ src/a.test.ts:2:19 ]\n   │\n","assertionResults":[]}]}`,
			"src/a.test.ts:2:19 vitest error dir=src masks=dir\n"},
		{"mocha without a file", "mocha", `{"failures":[{"title":"b","fullTitle":"a b","err":{"message":"no"}}]}`, ":0:0 mocha error test=a > b\nfail a > b\n"},
	} {
		var b strings.Builder
		for line := range strings.Lines(describe(read(t, c.format, c.text, o))) {
			if !strings.HasPrefix(line, "\t") {
				b.WriteString(line)
			}
		}
		if b.String() != c.want {
			t.Errorf("%s:\n%swant:\n%s", c.name, b.String(), c.want)
		}
	}
}

func TestNodeFormatsWithInvalidUTF8(t *testing.T) {
	for format, text := range map[string]string{
		"eslint":   `[{"filePath":"a.js","messages":[{"message":"bad ` + "\xff" + ` name"}]}]`,
		"biome":    "::error title=x,file=a.js::bad \xff name\n",
		"tsc":      "a.ts(1,2): error TS1: bad \xff name\n",
		"prettier": "[error] a.js: SyntaxError: bad \xff name (1:1)\n",
		"tap":      "not ok 1 - t\n  ---\n  error: 'bad \xff name'\n  ...\n",
		"mocha":    `{"failures":[{"title":"t","err":{"message":"bad ` + "\xff" + ` name"}}]}`,
	} {
		ds := read(t, format, text, options(format)).Diagnostics
		if len(ds) != 1 || !utf8.ValidString(ds[0].Message+ds[0].Detail+ds[0].Test) || !strings.Contains(ds[0].Message, "\uFFFD") {
			t.Errorf("%s: %+v", format, ds)
		}
	}
}

// Results that wait for a parent that never comes are held within bounds, and none is lost.
func TestTAPWithoutParents(t *testing.T) {
	const n = 60_000
	text := strings.Repeat("    ok 1 - child\n", n) + strings.Repeat("    not ok 1 - bad\n      ---\n      error: '"+strings.Repeat("x", 900)+"'\n      ...\n", 5000)
	r := read(t, "tap", text, parse.Options{Check: "check", Root: "/repo"})
	assert.Equal(t, len(r.Tests), 2)
	assert.Equal(t, len(r.Diagnostics), 5000)
}
