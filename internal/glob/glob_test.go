package glob_test

import (
	"strings"
	"testing"

	"fettle/internal/glob"
)

func TestMatch(t *testing.T) {
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
			if !glob.Match(c.glob, n) {
				t.Errorf("%s should match %s", c.glob, n)
			}
		}
		for _, n := range strings.Fields(c.no) {
			if glob.Match(c.glob, n) {
				t.Errorf("%s should not match %s", c.glob, n)
			}
		}
	}
	if glob.Match(strings.Repeat("**/a/", 40)+"b", strings.Repeat("a/", 200)+"c") {
		t.Error("matched")
	}
}
