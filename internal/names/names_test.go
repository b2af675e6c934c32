package names_test

import (
	"context"
	"slices"
	"testing"

	"fettle/internal/names"
	"fettle/internal/syntax"
)

// TestUndefined holds what defines a name in each language, and what does not.
func TestUndefined(t *testing.T) {
	cases := []struct {
		name, path, src string
		want            []string
	}{
		{"py: nothing", "a.py", "f(x)\n", []string{"f", "x"}},
		{"py: parameters", "a.py", "def f(a, /, b: int = 3, *c, d=1, **e):\n    return a, b, c, d, e\n", nil},
		{"py: a default is read outside", "a.py", "def f(a, b=a):\n    return b\n", []string{"a"}},
		{"py: an annotation", "a.py", "def f(a: T) -> U:\n    x: V = a\n    return x\n", []string{"T", "U"}},
		{"py: annotations that are texts", "a.py", "from __future__ import annotations\ndef f(a: T) -> U:\n    return a\n", nil},
		{"py: a quoted annotation", "a.py", "def f(a: 'T'):\n    return a\n", nil},
		{"py: type parameters", "a.py", "class K[T](list[T]):\n    def f[U: int](self, a: T, b: U) -> U: ...\ntype X[V] = list[V]\n", nil},
		{"py: a comprehension", "a.py", "y = [i + j for i, (j, k) in z if k]\nprint(i)\n", []string{"z", "i"}},
		{"py: a walrus in a comprehension", "a.py", "if any((m := x) for x in []):\n    print(m)\n", nil},
		{"py: lambda", "a.py", "f = lambda a, *b: a + b + c\n", []string{"c"}},
		{"py: global", "a.py", "def f():\n    global g\n    g = 1\ndef h():\n    return g\n", nil},
		{"py: a local is not seen elsewhere", "a.py", "def f():\n    g = 1\n    return g\ndef h():\n    return g\n", []string{"g"}},
		{"py: a class is no scope for its methods", "a.py", "class C:\n    a = 1\n    b = a\n    def f(self):\n        return a\n", []string{"a"}},
		{"py: __class__", "a.py", "class C:\n    def f(self):\n        return __class__\n", nil},
		{"py: imports", "a.py", "import a.b, c as d\nfrom .e import f as g, h\nprint(a, d, g, h)\n", nil},
		{"py: what an alias hides", "a.py", "from e import f as g\nprint(f, e)\n", []string{"f", "e"}},
		{"py: a star import", "a.py", "from e import *\nprint(f)\n", nil},
		{"py: exec", "a.py", "exec(text)\nprint(f)\n", nil},
		{"py: globals()", "a.py", "globals()['f'] = 1\nprint(f)\n", nil},
		{"py: try an import", "a.py", "try:\n    import a\nexcept ImportError:\n    a = None\nprint(a)\n", nil},
		{"py: except NameError", "a.py", "try:\n    text = unicode\nexcept NameError:\n    text = str\n", nil},
		{"py: except ... as", "a.py", "try:\n    f = 1\nexcept ValueError as e:\n    print(e, f)\n", nil},
		{"py: with ... as", "a.py", "with open('a') as a, open('b') as (b, c.d):\n    print(a, b)\n", []string{"c"}},
		{"py: targets", "a.py", "a, (b, *c) = d = 1, 2\nfor e, f[0] in c:\n    print(a, b, d, e)\n", []string{"f"}},
		{"py: match", "a.py", "def f(x):\n    match x:\n        case [a, *b] | {'k': a, **b}:\n            return a, b\n        case int(y=c) as d:\n            return c, d\n", nil},
		{"py: type checking imports", "a.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import T\ndef f(a: T): ...\n", nil},
		{"py: __all__", "a.py", "__all__ = ['f', 'g']\ndef f(): ...\n", []string{"g"}},
		{"py: __all__ of a package", "p/__init__.py", "__all__ = ['f', 'g']\n", nil},
		{"py: an f-string", "a.py", "print(f'{a!r:{b}} {{c}}')\n", []string{"a", "b"}},
		{"py: keywords and attributes", "a.py", "print(1, end='', file=int.real)\n", nil},
		{"py: a decorator", "a.py", "@cached(size=1)\ndef f(): ...\n", []string{"cached"}},
		{"py: a version's own names", "a.py", "import sys\nif sys.version_info >= (3, 99):\n    print(frozendict)\n", nil},
		{"py: broken", "a.py", "def f(:\n    g(\n", nil},

		{"js: nothing", "a.mjs", "import a from 'a';\na(b, c);\n", []string{"b", "c"}},
		{"js: hoisted", "a.js", "f(); g; function f() { if (x) { var y = 1 } return y } var g, x;\n", nil},
		{"js: a block's own", "a.js", "{ let a = 1; } for (const b of []) {} print2(a, b);\n", []string{"print2", "a", "b"}},
		{"js: taken apart", "a.js", "const { a, b: c, d = e, ...f } = {}, [g, , h = g] = []; [a, c, d, f, h];\n", []string{"e"}},
		{"js: what a key is called", "a.js", "const { b: c } = {}; b; ({ b: 1 }).b;\n", []string{"b"}},
		{"js: short for itself", "a.js", "const a = { b };\n", []string{"b"}},
		{"js: parameters", "a.js", "const f = (a, { b }, [c] = a, ...d) => [a, b, c, d], g = h => h;\n", nil},
		{"js: named expressions", "a.js", "const f = function g() { return g }, K = class L { m() { return L } }; g; L;\n", []string{"g", "L"}},
		{"js: catch", "a.js", "try {} catch (e) { e } try {} catch ({ m }) { m } e;\n", []string{"e"}},
		{"js: globals", "a.js", "window.x = process.env; describe('a', () => expect(arguments).toBe(globalThis)); require('a')(module, __dirname, undefined);\n", nil},
		{"js: typeof", "a.js", "if (typeof define2 === 'function') define2();\n", nil},
		{"js: a comment says so", "a.js", "/* global a, b:writable */\na(b);\n", nil},
		{"js: exports", "a.mjs", "const a = 1; export { a as b, c }; export { d } from 'd'; export * as e from 'e'; export default f;\n", []string{"c", "f"}},
		{"js: an assignment declares in a script", "a.js", "a = 1; for (b of [a]) {} b;\n", nil},
		{"js: and not in a module", "a.mjs", "import 'x'; a = 1;\n", []string{"a"}},
		{"js: with", "a.js", "with (Math) { floor(x) }\n", nil},
		{"js: labels and meta", "a.mjs", "l: for (;;) { break l } import.meta.url; function f() { new.target }\n", nil},
		{"jsx", "a.jsx", "import { C } from 'c';\nexport const e = (p) => <C.D a={p}><div/><my-tag/><E>{q}</E></C.D>;\n", []string{"E", "q"}},
		{"ts: types are not values", "a.ts", "import { a as b, type T } from 'x';\nfunction f(this: T, c?: U, ...d: V[]): asserts c is W { return <X>(b as Y).z<Q>(c!, d) }\n", nil},
		{"ts: declarations", "a.ts", "declare const g: number; declare global { var h: string }\nenum E { A, B = A } namespace N.M { export const t = g }\nexport { E, N, h, I }; interface I { a(b: string): void }\n", nil},
		{"ts: an alias's first name", "a.ts", "import { a as b } from 'x';\na(b);\n", []string{"a"}},
		{"ts: parameter properties", "a.ts", "export class K { constructor(private readonly z: number, @dec q = z) { q } @dec m() {} }\n", []string{"dec"}},
		{"ts: overloads", "a.ts", "function f(x: string): void;\nfunction f(x: any) { x }\nexport default f;\n", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			n, err := names.Read(context.Background(), syntax.LangOf(c.path), c.path, []byte(c.src))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, u := range n.Undefined {
				got = append(got, u.Name)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q (open %v, broken %v)", got, c.want, n.Open, n.Broken)
			}
		})
	}
}

func TestWhatHasNoNames(t *testing.T) {
	for _, path := range []string{"a.go", "A.java", "a.pyi", "a.d.ts", "a.txt"} {
		if _, err := names.Read(context.Background(), syntax.LangOf(path), path, []byte("x")); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
}
