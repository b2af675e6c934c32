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
	{"a.js", "const range = (start, stop, step = 1, { a = start, b: [c = 2] = [] } = {}) => {\n  if (start > stop) [start, stop] = [stop, start];\n  step = stop;\n  for (let n = start; step > 0 ? n < stop : n > stop; n += step) out.push(n);\n};\n"},
	{"a.py", "def f(a, b=[], *c, d=1, **e):\n    a, b = b, a\n    d = a = b\n    with open(a) as g, h() as (i, j):\n        i.x = g[a] = j\n    match a:\n        case {'k': v, **rest} if v:\n            return lambda q=v: q or d\n        case [x, *_] | x:\n            x[:] = b\n    try:\n        del a[0]\n    except (A, B) as err:\n        raise C from err\n    else:\n        return (yield a)\n"},
	{"b.go", "package b\n\nvar f = func(a int, b ...string) (c int, err error) {\n\ta, c = c, a\n\tswitch x := any(a).(type) {\n\tcase int, string:\n\t\tc = a\n\tdefault:\n\t\t_ = x\n\t}\nL:\n\tfor i, s := range b {\n\t\tselect {\n\t\tcase v, ok := <-ch:\n\t\t\tc, ok = v, !ok\n\t\tdefault:\n\t\t\tcontinue L\n\t\t}\n\t\tm[s][i] = c\n\t}\n\treturn\n}\n"},
	{"B.java", "class B<T> { int[] m = {1, 2}; static { m[0] = m[1]; } <U> U f(final int a, T... b) { int c = 0, d; d = c; c = d; do { c++; } while (c < a); for (int i = 0, j = 1; i < j; i++, j--) m[i] = j; try (var r = g(a)) { s.trim(); } catch (A | C e) { throw e; } finally { c = a; } return x -> { c = x; return c; }; } }\n"},
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
			if n++; n == 20_000 {
				break
			}
		}
	})
}
