package undefined_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fettle/internal/audit/parts"
	"fettle/internal/audit/undefined"
	"fettle/internal/syntax"
)

// told are uses, each with how sure it is that nothing defines it.
func told(all []undefined.Use) string {
	texts := make([]string, len(all))
	for i, u := range all {
		texts[i] = fmt.Sprintf("%s:%d taken=%v sure=%v", u.Name, u.Line, u.Taken, u.Sure)
	}
	slices.Sort(texts)
	return strings.Join(texts, ", ")
}

// TestGo tells what is missing in a package, with and without its other files.
func TestGo(t *testing.T) {
	const src = "package a\n\nimport \"strings\"\n\nfunc half(n int) int { return n / 2 }\n\nfunc F() string { return strings.Repeat(\"a\", half(4)) }\n"
	near := undefined.Sibling{Before: []byte("package a\n\nfunc third(n int) int { return n / 3 }\n")}
	near.After = near.Before
	for _, c := range []struct{ name, old, with, alone, known string }{
		{"nothing", "half(4)", "half(6)", "", ""},
		{"an import", "import \"strings\"\n", "", "strings:6 taken=true sure=true", "strings:6 taken=true sure=true"},
		{"a function", "half(4)", "fourth(4)", "", "fourth:7 taken=false sure=true"},
		{"a neighbour's", "half(4)", "third(4)", "", ""},
		{"its own is gone", "func half(n int) int { return n / 2 }\n\n", "", "half:5 taken=true sure=true", "half:5 taken=true sure=true"},
	} {
		before, after := []byte(src), []byte(strings.Replace(src, c.old, c.with, 1))
		own := undefined.Sibling{Before: before, After: after}
		if got := told(undefined.Go(before, after, func() ([]undefined.Sibling, bool) { return []undefined.Sibling{own}, false })); got != c.alone {
			t.Errorf("%s: %q, want %q", c.name, got, c.alone)
		}
		if got := told(undefined.Go(before, after, func() ([]undefined.Sibling, bool) { return []undefined.Sibling{own, near}, true })); got != c.known {
			t.Errorf("%s, with the package: %q, want %q", c.name, got, c.known)
		}
	}
}

// TestJava tells what a class calls on itself and has no more.
func TestJava(t *testing.T) {
	const src = "class A {\n    int half(int n) { return n / 2; }\n    int f(int n) { return half(n) + hashCode(); }\n}\n"
	for _, c := range []struct{ name, before, old, with, want string }{
		{"nothing", src, "half(n)", "half(3)", ""},
		{"renamed", src, "int half(", "int third(", "half:3 taken=true sure=true"},
		{"new", src, "half(n)", "third(n)", "third:3 taken=false sure=true"},
		{"a superclass may have it", strings.Replace(src, "class A", "class A extends B", 1), "int half(", "int third(", "half:3 taken=true sure=false"},
		{"a superclass may have what is new", strings.Replace(src, "class A", "class A extends B", 1), "half(n)", "third(n)", ""},
	} {
		after := strings.Replace(c.before, c.old, c.with, 1)
		if got := told(undefined.Java(parts.Read("A.java", []byte(c.before)), parts.Read("A.java", []byte(after)))); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestScript tells what is missing where no compiler says so.
func TestScript(t *testing.T) {
	for _, c := range []struct {
		l                         syntax.Lang
		file, before, after, want string
	}{
		{syntax.Python, "a.py", "import os\n\n\ndef f():\n    return os.sep\n", "def f():\n    return os.sep\n", "os:2 taken=true sure=true"},
		{syntax.Python, "a.py", "def f():\n    return 1\n", "def f():\n    return one()\n", "one:2 taken=false sure=true"},
		{syntax.Python, "a.py", "def f():\n    return one()\n", "def f():\n    return one() + 1\n", ""},
		{syntax.JavaScript, "a.js", "export function f() { return 1; }\n", "export function f() { return one(); }\n", "one:1 taken=false sure=false"},
	} {
		if got := told(undefined.Script(c.l, c.file, []byte(c.before), []byte(c.after))); got != c.want {
			t.Errorf("%q: %q, want %q", c.after, got, c.want)
		}
	}
}
