package check_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"

	"pgregory.net/rapid"
)

func TestNarrowNode(t *testing.T) {
	type at = check.Target
	tests := check.Tests
	const jest, vitest, mocha, node = "node_modules/.bin/jest --json --outputFile={report}", "node_modules/.bin/vitest run --reporter=json --outputFile={report}",
		"npx --no-install mocha --reporter json", "node --test --test-reporter=tap"
	for _, c := range []struct {
		run, parser, dir string
		targets          []at
		want             string // words joined by a blank; empty: cannot be narrowed
	}{
		{jest, "jest", "", []at{tests("src/a.test.js::calc > adds 1 + 1")}, jest + ` --coverage=false -t ^calc(?: >)? adds 1 \+ 1$ --runTestsByPath src/a.test.js`},
		{jest, "jest", "", []at{tests("a.test.js::x", "b.test.js::y")}, jest + ` --coverage=false -t ^(?:x|y)$ --runTestsByPath a.test.js b.test.js`},
		{jest, "jest", "", []at{{Path: "src/a.test.js"}}, jest + " --coverage=false --runTestsByPath src/a.test.js"},
		{jest, "jest", "", []at{{Path: "src"}, {Path: "b.test.js"}}, jest + ` --coverage=false /b\.test\.js$ /src/`},
		{jest, "jest", "", []at{{Path: "."}}, jest + " --coverage=false"},
		{jest, "jest", "", []at{tests("a.test.js::group > ")}, jest + " --coverage=false -t ^group .*$ --runTestsByPath a.test.js"},
		{"jest --coverage -w 2 src", "jest", "", []at{tests("src/a.test.js::x")}, "jest -w 2 --coverage=false -t ^x$ --runTestsByPath src/a.test.js"},
		{"jest src", "jest", "", []at{tests("lib/a.test.js::x")}, ""},
		{"jest -t x", "jest", "", []at{tests("a.test.js::x")}, ""},
		{"jest --mystery x", "jest", "", []at{tests("a.test.js::x")}, ""},
		{"node_modules/.bin/react-scripts test --watchAll=false --json", "jest", "", []at{{Path: "src/a.test.js"}}, "node_modules/.bin/react-scripts test --watchAll=false --json --coverage=false --runTestsByPath src/a.test.js"},
		{"npm run -s test -- --json --outputFile={report}", "jest", "", []at{{Path: "src/a.test.js"}}, ""},
		{vitest, "vitest", "packages/a", []at{tests("packages/a/src/x.test.ts::b > c")}, vitest + " --coverage.enabled=false -t ^b(?: >)? c$ src/x.test.ts"},
		{vitest, "vitest", "packages/a", []at{tests("packages/b/src/x.test.ts::b > c")}, ""},
		{vitest, "vitest", "", []at{{Path: "src"}, tests("x.test.ts::y")}, vitest + " --coverage.enabled=false src x.test.ts"},
		{mocha + " -r esm --recursive test/**/*.spec.js", "mocha", "", []at{tests("test/deep/a.spec.js::calc add > adds")}, mocha + " -r esm --recursive --grep ^calc add(?: >)? adds$ test/deep/a.spec.js"},
		{mocha + " test/*.spec.js", "mocha", "", []at{tests("other/a.spec.js::x")}, ""},
		{mocha, "mocha", "", []at{tests(`test/a.js::calc db > "before all" hook: connect for "x"`)}, mocha + " --grep ^calc db .*$ test/a.js"},
		{mocha + " --grep x", "mocha", "", []at{tests("test/a.js::x")}, ""},
		{node, "tap", "", []at{tests("calc > add (deep) > one")}, node + ` --test-name-pattern=^calc(?: > .*)?$`},
		{node + " --import tsx test/", "tap", "", []at{tests("one")}, node + " --import tsx --test-name-pattern=^one(?: > .*)?$ test/"},
		{node, "tap", "", []at{tests("test/plain.test.js")}, node + " test/plain.test.js"},
		{node, "tap", "", []at{{Path: "test/a.test.js", IDs: []string{"test/a.test.js::calc > adds"}}}, node + " --test-name-pattern=^calc(?: > .*)?$ test/a.test.js"},
		{node + " --test-only", "tap", "", []at{tests("x")}, ""},
		{"node_modules/.bin/tape test/*.js", "tap", "", []at{tests("x")}, ""},
		{"node_modules/.bin/tape test/*.js", "tape", "", []at{tests("x")}, ""},
		{"node_modules/.bin/tape -r esm test/*.js", "tape", "", []at{{Path: "test/a.js", IDs: []string{"x"}}}, "node_modules/.bin/tape -r esm test/a.js"},
		{"node_modules/.bin/tape test/*.js", "tape", "", []at{{Path: "lib/a.js", IDs: []string{"x"}}}, ""},
		{"node build.js", "tap", "", []at{tests("x")}, ""},
	} {
		k := check.Check{Name: "test", Run: strings.Fields(c.run), Parser: c.parser, Dir: c.dir}
		got, ok := k.Narrow(c.targets...)
		if have := strings.Join(got.Run, " "); ok != (c.want != "") || ok && have != c.want {
			t.Errorf("%s (in %q) narrowed to %v:\n got %q %v\nwant %q", c.run, c.dir, c.targets, have, ok, c.want)
		}
	}
	shell := check.Check{Name: "test", Run: []string{"sh", "-c", "exec node --test --test-reporter=tap test/*.test.js"}, Parser: "tap"}
	got, ok := shell.Narrow(tests("adds 1 + 1"))
	if want := `exec node --test --test-reporter=tap '--test-name-pattern=^adds 1 \+ 1(?: > .*)?$' test/*.test.js`; !ok || got.Run[2] != want {
		t.Errorf("in a shell: %q", got.Run)
	}
	got, ok = shell.Narrow(check.Target{Path: "test/a.test.js"})
	if want := `exec node --test --test-reporter=tap test/a.test.js`; !ok || got.Run[2] != want {
		t.Errorf("in a shell: %q", got.Run)
	}
}

// The pattern of a narrowed check selects the tests it is narrowed to, by their full names as the runners join them, and no
// longer one.
func TestNarrowNodeSelects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.StringMatching(`[a-z(+.$^\[|?*\\] ?[a-z >]{0,5}[a-z)]`)
		var ids, full []string
		for range rapid.IntRange(1, 4).Draw(t, "n") {
			names := rapid.SliceOfN(part, 1, 3).Draw(t, "names")
			ids = append(ids, "a.test.js::"+strings.Join(names, " > "))
			full = append(full, strings.Join(names, " "))
		}
		got, ok := check.Check{Run: []string{"jest"}, Parser: "jest"}.Narrow(check.Tests(ids...))
		if !ok {
			t.Fatalf("cannot narrow to %q", ids)
		}
		pattern := regexp.MustCompile(got.Run[slices.Index(got.Run, "-t")+1])
		for _, name := range full {
			if !pattern.MatchString(name) {
				t.Fatalf("%s does not select %q", pattern, name)
			}
			if pattern.MatchString(name+"#") || pattern.MatchString("#"+name) {
				t.Fatalf("%s selects more than %q", pattern, name)
			}
		}
	})
}

func TestParseTargetOfNode(t *testing.T) {
	root := tree(t, "-- src/a.test.ts --\ndescribe(\"calc\", () => { it('adds', f); describe.each([1])(`deep %i`, g); });\ntest(\"both\", f); describe(\"both\", g)\n"+
		"-- src/a.ts --\n-- test/helper.js --\n-- web/x.spec.jsx --\n")
	for arg, want := range map[string]check.Target{
		"src/a.test.ts":              {Lang: "javascript", Path: "src/a.test.ts"},
		"src/a.test.ts::":            {Lang: "javascript", Path: "src/a.test.ts"},
		"src/a.test.ts::calc > adds": {Lang: "javascript", Path: "src/a.test.ts", IDs: []string{"src/a.test.ts::calc > adds"}},
		"./src/a.test.ts::calc":      {Lang: "javascript", Path: "src/a.test.ts", IDs: []string{"src/a.test.ts::calc > "}},
		"src/a.test.ts::both":        {Lang: "javascript", Path: "src/a.test.ts", IDs: []string{"src/a.test.ts::both"}},
		"web":                        {Lang: "javascript", Path: "web"},
		"web/x.spec.jsx":             {Lang: "javascript", Path: "web/x.spec.jsx"},
		"src/a.ts::in source (a::b)": {Lang: "javascript", Path: "src/a.ts", IDs: []string{"src/a.ts::in source (a::b)"}},
	} {
		if arg == "web" {
			arg = "web/"
		}
		got, ok, err := check.ParseTarget(root, arg)
		if !ok || err != nil || got.Lang != want.Lang || got.Path != want.Path || !slices.Equal(got.IDs, want.IDs) {
			t.Errorf("%s: %+v %v %v", arg, got, ok, err)
		}
	}
	for _, arg := range []string{"src/gone.test.ts::x", "src/a.ts", "src/gone.test.ts"} {
		if got, ok, err := check.ParseTarget(root, arg); !ok || err == nil {
			t.Errorf("%s: %+v %v %v", arg, got, ok, err)
		}
	}
}
