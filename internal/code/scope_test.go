package code_test

import (
	"slices"
	"strings"
	"testing"
)

// What is known at the place marked by HERE: variables, nearest first.
func TestScope(t *testing.T) {
	for name, tc := range map[string]struct{ path, src, want string }{
		"python": {"a.py", `
import os.path, re as regex
from x import (a as b, c)
LIMIT = 3
def helper(q): pass
def f(first, second=2, *rest, **options):
    before = 1
    for i, (j, k) in enumerate(rest):
        later_in_loop = before
        HERE
        in_loop = 2
    after = [z for z in rest]
`, "k j i before options rest second first in_loop later_in_loop f helper LIMIT c b regex os"},
		"comprehension": {"a.py", "def f(xs):\n    y = [HERE for x in xs]\n    return [z for z in y]\n", "x xs f"},
		"closure":       {"a.py", "def f(a):\n    b = 1\n    def g(c):\n        HERE\n    d = 2\n    return g\n", "c g b a f"},
		"go": {"a.go", `package p
var global = 1
func other() {}
func (r *T) f(a, b int) (err error) {
	x := 1
	if y := x; y > 0 {
		z := 2
		_ = HERE
	} else {
		no := 3
	}
	after := 1
}
`, "z y x err b a r f other global"},
		"javascript": {"a.js", `const top = 1;
function f({k}, [l], m = 2, ...n) {
  let a = 1, b;
  for (const v of n) { const inner = 1; HERE; }
  for (const w of n) { }
  const after = 1;
}
`, "inner v b a n m l k f top"},
		"javascript's imports": {"a.mjs", `import whole, {one, two as other} from './x.js';
import * as all from "./y.js"
import {
  three,
} from './z.js';
import './only.js';
function f() { HERE; }
`, "whole one other all three f"},
		"java": {"A.java", `class A { int field;
  int f(int a, String... b) {
    int x = 1;
    for (int i = 0; i < a; i++) { int y = 2; foo(HERE); int z = 1; }
    int after = 1;
    return 0;
  }
}
`, "y i x b a"},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, tc.path, tc.src)
			at := strings.Index(tc.src, "HERE")
			n := f.At(at, at+len("HERE"))
			if n == nil || n.Text() != "HERE" {
				t.Fatalf("at HERE stands %v", n)
			}
			var got, want []string
			for _, v := range n.Scope() {
				got = append(got, v.Name)
			}
			want = strings.Fields(tc.want)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("known are %q, want %q", got, want)
			}
		})
	}
}

// The members of an object that its class writes to.
func TestFields(t *testing.T) {
	for name, tc := range map[string]struct{ path, src, want string }{
		"python":     {"a.py", "class A:\n    def __init__(self, a):\n        self.a = a\n        self.b, other.c = 1, 2\n    def f(self):\n        HERE\n", "self.a self.b"},
		"javascript": {"a.js", "class A { size = 1; constructor() { this.a = 1; } f() { HERE; } }", "this.size this.a"},
		"java":       {"A.java", "class A { int size = 1; void f() { this.a = 1; foo(HERE); } }", "this.size this.a"},
		"none":       {"a.py", "def f(x):\n    x.y = 1\n    HERE\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, tc.path, tc.src)
			at := strings.Index(tc.src, "HERE")
			if got := strings.Join(f.At(at, at+4).Fields(), " "); got != tc.want {
				t.Errorf("fields are %q, want %q", got, tc.want)
			}
		})
	}
}
