package search_test

import (
	"bytes"
	"os"
	"testing"

	"fettle/internal/fix/search"
)

var odd = []struct{ path, text string }{
	{"a.py", "def make(base, mixins):\n    class Made(base, mixins[0], metaclass=base.kind):\n        pass\n    return Made\n"},
	{"a.py", "@cached(size)\ndef f(size):\n    print >>f, size\n    return [x for x in size if (x := f(x))][:]\n"},
	{"a.go", "package a\n\nfunc f[T any](xs ...T) (out []T) {\n\tdefer func() { recover() }()\n\treturn append(out, xs[1:]...)\n}\n"},
	{"a.js", "class A extends f(xs) { static { new.target; } *g(a = xs?.[0], ...b) { yield* b`x${a}`; } }\n"},
	{"a.ts", "function f<T>(this: T, a?: T[], b = a!): b is T { return <T>a?.[0] satisfies T; }\n"},
	{"A.java", "record A(int a) { A { if (a < 0) throw new Error(); } int f() { return switch (a) { case 1 -> 2; default -> { yield a; } }; } }\n"},
}

// FuzzReach asks for changes of any text: there is an end, and each is another text.
func FuzzReach(f *testing.F) {
	for _, o := range odd {
		f.Add(o.path, []byte(o.text))
	}
	for _, path := range []string{"sample.py", "sample.go", "sample.js", "sample.ts", "sample.java"} {
		src, err := os.ReadFile("../../code/testdata/" + path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(path, src)
	}
	f.Fuzz(func(t *testing.T, path string, src []byte) {
		if len(src) > 4096 {
			return
		}
		all, err := search.Reach(t.Context(), path, src, 1, bytes.Count(src, []byte("\n"))+1)
		if err != nil {
			return // it is in no language, or cannot be read
		}
		n := 0
		for idea, text := range all {
			if text == string(src) {
				t.Fatalf("%s changes nothing", idea)
			}
			if n++; n == 2000 {
				break
			}
		}
	})
}
