package check_test

import (
	"path"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fettle/internal/check"
)

func TestMatchGlob(t *testing.T) {
	for _, c := range []struct {
		glob, yes, no string // names separated by blanks
	}{
		{"*.go", "a.go", "a/b.go a.py"},
		{"**/*.go", "a.go a/b.go a/b/c.go", "a.py"},
		{"a/**", "a/b a/b/c", "b/a ab"},
		{"a/**/z", "a/z a/b/z a/b/c/z", "a/z/b"},
		{"docs/", "docs/a docs/a/b", "doc/a"},
		{"**", "a a/b", ""},
		{"a/**/b/**/c", "a/b/c a/x/b/y/c a/b/b/c/c", "a/c a/b/c/d"},
		{"x?[a-c].py", "xyb.py", "xyd.py x/b.py"},
	} {
		for _, n := range strings.Fields(c.yes) {
			if !check.MatchGlob(c.glob, n) {
				t.Errorf("%s should match %s", c.glob, n)
			}
		}
		for _, n := range strings.Fields(c.no) {
			if check.MatchGlob(c.glob, n) {
				t.Errorf("%s should not match %s", c.glob, n)
			}
		}
	}
	if check.MatchGlob(strings.Repeat("**/a/", 40)+"b", strings.Repeat("a/", 200)+"c") {
		t.Error("matched")
	}
}

func TestConcerns(t *testing.T) {
	c := check.Check{Files: []string{"**/*.go", "go.mod"}}
	for name, want := range map[string]bool{"a/b.go": true, "go.mod": true, "a/go.mod": false, "x.py": false} {
		if c.Concerns(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	if !(check.Check{}).Concerns("anything") {
		t.Error("a check without globs concerns every file")
	}
}

// A folder in which a file concerns a check is one that is looked into.
func TestConcernsIn(t *testing.T) {
	for glob, folders := range map[string][2]string{
		"a/**": {". a a/b", "b b/a"}, "**/*.go": {". a a/b", ""}, "*.md": {".", "a"}, "a/*/c.py": {"a/b a/c", ". a a/b/c"}, "docs/": {"docs docs/a", "a"},
	} {
		c := check.Check{Files: []string{glob}}
		for i, list := range folders {
			for _, dir := range strings.Fields(list) {
				if c.ConcernsIn(dir) != (i == 0) {
					t.Errorf("%s and the folder %s: %v", glob, dir, i != 0)
				}
			}
		}
	}
	part := rapid.SampledFrom([]string{"a", "b", "*", "**", "a*", "?"})
	name := rapid.SampledFrom([]string{"a", "b", "ab", "c"})
	rapid.Check(t, func(t *rapid.T) {
		c := check.Check{Files: []string{strings.Join(rapid.SliceOfN(part, 1, 5).Draw(t, "glob"), "/")}}
		file := strings.Join(rapid.SliceOfN(name, 1, 5).Draw(t, "file"), "/")
		if c.Concerns(file) && !c.ConcernsIn(path.Dir(file)) {
			t.Fatalf("%s concerns %v, and is not looked for in %s", file, c.Files, path.Dir(file))
		}
	})
}
