package parse_test

import (
	"encoding/json"
	"strings"
	"testing"

	"fettle/internal/check/parse"

	"gotest.tools/v3/assert"
)

// events writes a stream of test2json events, each given as "action test output"; the package is example.com/m/p.
func events(lines ...string) string {
	var b strings.Builder
	for _, l := range lines {
		if strings.HasPrefix(l, "#") || strings.HasPrefix(l, "{") {
			b.WriteString(l + "\n")
			continue
		}
		f := append(strings.SplitN(l, " ", 3), "", "")
		e := map[string]any{"Action": f[0], "Package": "example.com/m/p", "Test": strings.TrimSuffix(f[1], "-"), "Elapsed": 0.5}
		if f[0] == "output" {
			e["Output"] = strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(f[2])
		}
		if e["Test"] == "" {
			delete(e, "Test")
		}
		j, _ := json.Marshal(e)
		b.Write(append(j, '\n'))
	}
	return b.String()
}

func TestGoTestStreams(t *testing.T) {
	for _, tc := range []struct {
		name string
		text string
		want []string
	}{
		{"a parent with its own complaint and a failing child is told once",
			events("run T", "run T/a", `output T/a     x_test.go:3: want 1\n`, "fail T/a", "fail T", "fail -"),
			[]string{`["p/x_test.go",3,"","p:T/a","p","",false]`, "fail p:T", "fail p:T/a"}},
		{"a silent subtest is still a finding",
			events("run T", "run T/a", "fail T/a", "fail T", "fail -"),
			[]string{`["",0,"","p:T/a","p","",false]`, "fail p:T", "fail p:T/a"}},
		{"os.Exit in one of two, the other waits",
			events("run A", "pause A", "run B", "fail -"),
			[]string{`["",0,"","p:B","p","dir",false]`, "fail p:B"}},
		{"the compiler before Go 1.24, on stderr",
			events("# example.com/m/p", `{not an event}`, "output - FAIL\texample.com/m/p [build failed]\\n", "fail -") + "p/a.go:1:2: undefined: x\n",
			[]string{`["",0,"","","p","dir",false]`, `["p/a.go",1,"","","p","dir",false]`}},
		{"the compiler before Go 1.24, in order",
			"# example.com/m/p\np/a.go:1:2: undefined: x\n" + events("output - FAIL\texample.com/m/p [build failed]\\n", "fail -"),
			[]string{`["p/a.go",1,"","","p","dir",false]`}},
		{"a test that ran twice and failed once failed",
			events("run T", "pass T", "run T", `output T     x_test.go:3: bad\n`, "fail T", "fail -"),
			[]string{`["p/x_test.go",3,"","p:T","p","",false]`, "fail p:T"}},
		{"a skipped package, a passing one", events("skip -", "run T", "pass T", "pass -"), []string{"pass p:T"}},
		{"go itself", "go: cannot find main module, but found .git/config\n", []string{`["",0,"","","","check",false]`}},
		{"an event behind text on its line", "some text" + events("run T", "fail T"), []string{`["",0,"","p:T","p","",false]`, "fail p:T"}},
		{"another module's package", `{"Action":"fail","Package":"other.org/q","Test":"T"}` + "\n", []string{`["",0,"","other.org/q:T","","",false]`, "fail other.org/q:T"}},
		{"with -trimpath", events("run T", `output T panic: no\n\ngoroutine 7 [running]:\nexample.com/m/p.f(0x1)\n\texample.com/m/p/f.go:9 +0x1\n`, "fail T", "fail -"),
			[]string{`["p/f.go",9,"","p:T","p","dir",false]`, "fail p:T"}},
		{"fatal error", events("run T", `output T fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.x()\n\t/repo/p/x.go:2 +0x1\n`, "fail -"),
			[]string{`["p/x.go",2,"","p:T","p","dir",false]`, "fail p:T"}},
		{"a stack without end", events("run T", `output T fatal error: stack overflow

goroutine 20 gp=0x3 m=4 mp=0x3 [running]:
example.com/m/p.f(0x1)
	/repo/p/f.go:9 +0x27 fp=0x33d6 sp=0x33d6 pc=0x62b4
example.com/m/p.T(0x1)
	/repo/p/x_test.go:3 +0x1
`, "fail -"),
			[]string{`["p/f.go",9,"","p:T","p","dir",false]`, "fail p:T"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := read(t, "gotest", tc.text, parse.Options{Check: "check", Root: "/repo", Module: "example.com/m"})
			assert.DeepEqual(t, outline(r), tc.want)
		})
	}
}

// Which of several lines says why: a complaint rather than a log line, an error that is marked as one, else the last.
func TestGoTestMessage(t *testing.T) {
	for _, tc := range []struct{ output, want string }{
		{`    x_test.go:1: connecting\n    x_test.go:2: got 1, want 2\n    x_test.go:3: closing\n`, "got 1, want 2"},
		{`    x_test.go:1: one\n    x_test.go:2: two\n`, "two"},
		{`    x_test.go:1: \n        \tError Trace:\t/repo/p/x_test.go:1\n        \tError:      \tReceived unexpected error:\n        \t            \tboom\n        \tTest:       \tT\n`, "Received unexpected error: boom"},
		{`plain words\n`, "plain words"},
		{`    x_test.go:1: in pa`, "in pa"},
		{"\x1b[31m    x_test.go:1: red\x1b[0m\\n", "red"},
	} {
		r := read(t, "gotest", events("run T", "output T "+tc.output, "fail T"), parse.Options{Module: "example.com/m"})
		assert.Equal(t, r.Diagnostics[0].Message, tc.want)
	}
	marked := `{"Action":"output","Package":"p","Test":"T","Output":"    x_test.go:1: not an error\n"}` + "\n" +
		`{"Action":"output","Package":"p","Test":"T","Output":"    x_test.go:2: this one\n","OutputType":"error"}` + "\n" + `{"Action":"fail","Package":"p","Test":"T"}`
	assert.Equal(t, read(t, "gotest", marked, parse.Options{}).Diagnostics[0].Message, "this one")
}

// Parallel tests take turns line by line; each keeps its own.
func TestGoTestInterleaved(t *testing.T) {
	r := read(t, "gotest", events("run A", "run B", `output A     a_test.go:1: half`, `output B     b_test.go:2: want b\n`, `output A  a line, want a\n`, "fail B", "fail A", "fail -"),
		parse.Options{Module: "example.com/m"})
	assert.Equal(t, r.Diagnostics[0].Message, "want b")
	assert.Equal(t, r.Diagnostics[1].Message, "half a line, want a")
}

func TestGoTestOutputIsBounded(t *testing.T) {
	lines := []string{"run T", `output T     x_test.go:1: want the first\n`}
	for range 10_000 {
		lines = append(lines, `output T noise noise noise noise noise noise\n`)
	}
	lines = append(lines, `output T panic: the end\n`, "fail T")
	d := read(t, "gotest", events(lines...), parse.Options{}).Diagnostics[0]
	assert.Equal(t, d.Message, "panic: the end")
	assert.Assert(t, len(d.Detail) <= 9<<10 && strings.Contains(d.Detail, "the first") && strings.Contains(d.Detail, "the end"))
}

// What quicktest says is told with what it got and wanted.
func TestQuicktest(t *testing.T) {
	text := "        a_test.go:12: \n            error:\n              values are not equal\n            got:\n              int(1)\n            want:\n              int(2)\n            stack:\n              /repo/a_test.go:12\n                qt.Assert(t, 1, qt.Equals, 2)\n"
	var lines strings.Builder
	for l := range strings.Lines("=== RUN   TestA\n" + text + "--- FAIL: TestA (0.00s)\n") {
		out, _ := json.Marshal(map[string]string{"Action": "output", "Package": "m", "Test": "TestA", "Output": l})
		lines.Write(append(out, '\n'))
	}
	lines.WriteString(`{"Action":"fail","Package":"m","Test":"TestA"}` + "\n")
	ds := read(t, "gotest", lines.String(), parse.Options{Root: "/repo", Module: "m"}).Diagnostics
	if len(ds) != 1 || ds[0].Message != "values are not equal; got: int(1); want: int(2)" {
		t.Errorf("%+v", ds)
	}
}
