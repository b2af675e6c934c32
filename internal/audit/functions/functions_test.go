package functions_test

import (
	"fmt"
	"strings"
	"testing"

	"fettle/internal/audit/functions"
	"fettle/internal/audit/parts"
)

// TestOf reads the functions of Go and Python, also where a part of a file is all that there is.
func TestOf(t *testing.T) {
	for _, c := range []struct{ name, file, src, want string }{
		{"go", "a.go", "package a\n\nfunc Add(a, b int) int { return a + b }\n\nfunc (c *Cart) total() int { panic(\"not implemented\") }\n", "Add public | Cart.total empty"},
		{"go: no package", "a.go", "func ok() bool { return true }\n", "ok true"},
		{"go: only an end", "a.go", "package a\n\nfunc (e Lost) lookup() {\n\treturn\n}\n\nfunc (e Lost) named() (n int) {\n\tn = 1\n\treturn\n}\n", "Lost.lookup empty | Lost.named"},
		{"go: a test", "a_test.go", "package a\n\nfunc TestAdd(t *testing.T) {\n\tt.Skip()\n\tif Add(1, 1) != 2 {\n\t\tt.Fatal()\n\t}\n}\n", "TestAdd public test checks:1 skip:2"},
		{"go: an error is set aside", "a.go", "package a\n\nfunc f() {\n\tif err := g(); err != nil {\n\t}\n\trecover()\n}\n", "f swallowed:2"},
		{"python", "a.py", "class A:\n    def f(self): pass\n    def _g(self):\n        try: h()\n        except Exception: pass\n", "A.f public empty | A._g swallowed:1"},
		{"python: only an end", "a.py", "def f():\n    'Nothing.'\n    return\ndef g():\n    return None\n", "f public empty | g public"},
		{"python: a test", "test_a.py", "@pytest.mark.skipif(os.name == 'nt')\n@pytest.mark.parametrize('a', [1, 2, 3])\ndef test_a(a):\n    assert a\n    assert True\n", "test_a public decorated test checks:1 rows:3 skip:1"},
		{"python: in a branch", "a.py", "if x:\n    def f(): return 1\nelse:\n    def f(): return 2\n", "f public conditional | f public conditional"},
	} {
		all, ok := functions.Of(c.file, []byte(c.src))
		if got := told(all); !ok || got != c.want {
			t.Errorf("%s: %v %q, want %q", c.name, ok, got, c.want)
		}
	}
	if _, ok := functions.Of("a.py", []byte("def f(:\n")); ok {
		t.Error("what is no Python was read")
	}
	if _, ok := functions.Of("a.js", []byte("f()")); ok {
		t.Error("what has no reader here was read")
	}
}

// TestOfProgram reads those of languages that are read as programs.
func TestOfProgram(t *testing.T) {
	for file, c := range map[string][2]string{
		"a.js":   {"function add(a, b) { return a + b; }\nclass A {\n  ok() { return true; }\n  no() {}\n}\n", "add | A.ok true | A.no empty"},
		"A.java": {"class A {\n  int f(int a) { return a; }\n  int f(String a) { try { g(); } catch (Exception e) {} return 0; }\n}\n", "A.f | A.f swallowed:1"},
		"a.go":   {"package a\n\nfunc f() {}\n", ""},
	} {
		if got := told(functions.OfProgram(parts.Read(file, []byte(c[0])))); got != c[1] {
			t.Errorf("%s: %q, want %q", file, got, c[1])
		}
	}
}

// told are functions by their names, each with what is so of it.
func told(all []functions.Function) string {
	texts := make([]string, len(all))
	for i, f := range all {
		words := []string{f.Name}
		for _, fact := range []struct {
			word string
			is   bool
		}{{"public", f.Public}, {"decorated", f.Decorated}, {"empty", f.Empty}, {"true", f.AlwaysTrue}, {"test", f.Test}, {"conditional", f.Conditional}} {
			if fact.is {
				words = append(words, fact.word)
			}
		}
		for _, count := range []struct {
			word string
			n    int
		}{{"checks", f.Checks}, {"rows", f.Rows}, {"skip", int(f.Skip)}, {"swallowed", f.Swallowed}} {
			if count.n > 0 {
				words = append(words, fmt.Sprintf("%s:%d", count.word, count.n))
			}
		}
		texts[i] = strings.Join(words, " ")
	}
	return strings.Join(texts, " | ")
}

// TestHandedOut tells whether others than its package can have a value of a type of Go's.
func TestHandedOut(t *testing.T) {
	const node = "package a\n\ntype node struct{ next *node }\n\nfunc (n *node) Len() int { return 0 }\n\nfunc (n *node) Next() *node { return n.next }\n\nfunc newNode() *node { return nil }\n\nfunc Count() int { return newNode().Len() }\n"
	for _, c := range []struct {
		name, more string
		want       bool
	}{
		{"its own affair", "", false},
		{"a field that nobody sees", "type List struct{ first *node }\n", false},
		{"a field that others see", "type List struct{ First *node }\n", true},
		{"a part whose methods are the whole's", "type List struct{ *node }\n", true},
		{"a part of what is a part", "type list struct{ node }\n", true},
		{"another name", "type Node = node\n", true},
		{"a type of its form", "type Node node\n", true},
		{"a function of others", "func New() *node { return newNode() }\n", true},
		{"a function that is given one", "func Walk(f func(n *node)) {}\n", true},
		{"a method of another type", "type List int\n\nfunc (l List) First() *node { return nil }\n", true},
		{"a variable", "var First = newNode()\n", true},
		{"a variable that is made there", "var First = &node{}\n", true},
		{"a variable that nobody sees", "var first = newNode()\n", false},
		{"an interface that speaks of it", "type Walker interface{ Walk(n *node) }\n", true},
		{"what cannot be read", "func (\n", true},
	} {
		if got := functions.HandedOut("node", [][]byte{[]byte(node), nil, []byte("package a\n\n" + c.more)}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if !functions.HandedOut("Node", nil) || !functions.AskedByInterface("MarshalJSON") || functions.AskedByInterface("Len") {
		t.Error("an exported name, or what any value is asked for, is not known")
	}
}
