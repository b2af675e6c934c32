package check_test

import (
	"path"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fettle/internal/check"
)

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
