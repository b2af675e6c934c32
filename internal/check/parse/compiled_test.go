package parse_test

import (
	"testing"

	"gotest.tools/v3/assert"

	"fettle/internal/check/parse"
)

// What compilers say is found among the lines of whatever else a script prints; what only looks like it is not.
func TestCompiled(t *testing.T) {
	o := among("A.java", "src/B.java", "a.go", "sub/b.go", "a.ts", "notes.md")
	o.Module = "example.com/m"
	for name, tc := range map[string]struct{ text, want string }{
		"javac": {"building\nA.java:3: error: incompatible types: String cannot be converted to int\n        int n = name;\n                ^\nNote: Some messages have been simplified; recompile with -Xdiags:verbose to get full output\n1 error\n",
			"A.java:3:17 javac error dir=. masks=dir\n\tincompatible types: String cannot be converted to int\n"},
		"a symbol":              {"src/B.java:7: error: cannot find symbol\n  n = nme;\n      ^\n  symbol:   variable nme\n  location: class B\n1 error\n", "src/B.java:7:7 javac error dir=. masks=dir\n\tcannot find symbol: variable nme\n\t|   symbol:   variable nme\n\t|   location: class B\n"},
		"go":                    {"$ go build ./...\n# example.com/m/sub\nsub/b.go:4:2: undefined: x\nsub/b.go:5:2: undefined: y\nmake: *** [build] Error 1\n", "sub/b.go:4:2 go error dir=sub masks=dir\n\tundefined: x\nsub/b.go:5:2 go error dir=sub masks=dir\n\tundefined: y\n"},
		"tsc":                   {"> tsc && node a.js\na.ts(3,4): error TS2304: Cannot find name 'x'.\n", "a.ts:3:4 tsc error rule=TS2304\n\tCannot find name 'x'.\n"},
		"a test's own line":     {"a.go:7: got 3, want 4\n    a.go:9: nothing\nA.java:12: the third one\n", ""},
		"a file that is gone":   {"C.java:3: error: ';' expected\n", ""},
		"only a warning":        {"A.java:3: warning: [deprecation] f() in B has been deprecated\n", ""},
		"a heading and a place": {"# Results\nsaid at a.go:3:4\na.go:3:4: this is no compiler\n", ""},
		"nothing":               {"", ""},
	} {
		assert.Equal(t, describe(parse.Report{Diagnostics: parse.Compiled(tc.text, o)}), tc.want, name)
	}
}

func FuzzCompiled(f *testing.F) {
	for _, text := range []string{"A.java:3: error: x\n  y\n ^\n", "# m\na.go:1:2: x\n", "a.ts(1,2): error TS1: x\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range parse.Compiled(text, among("A.java", "a.go", "a.ts")) {
			if d.File != "A.java" && d.File != "a.go" && d.File != "a.ts" || d.Message == "" {
				t.Errorf("%+v", d)
			}
		}
	})
}
