package audit_test

import (
	"testing"

	"fettle/internal/audit"
)

// TestUnfinished: a function that gave a value, and ends by saying that it is not implemented where it gave it, has lost its body, whatever is left of it.
func TestUnfinished(t *testing.T) {
	const (
		python = "def f(x):\n    y = x + 1\n    return y * 2\n"
		js     = "export function f(x) {\n  const y = x + 1;\n  return y * 2;\n}\n"
		golang = "package a\n\nimport \"errors\"\n\nfunc f(x int) (int, error) {\n\ty := x + 1\n\treturn y * 2, errors.New(\"a\")\n}\n"
		java   = "class A {\n  int f(int x) {\n    int y = x + 1;\n    return y * 2;\n  }\n}\n"
		kinds  = "def f(kind, x):\n    if kind == 'a':\n        return x + 1\n    return x * 2\n"
	)
	for _, c := range []struct{ name, path, before, after, want string }{
		{"python: raises", "a.py", python, "def f(x):\n    y = x + 1\n    raise NotImplementedError\n", "placeholder"},
		{"python: raises, with a word", "a.py", python, "def f(x):\n    y = x + 1\n    raise NotImplementedError('later')\n", "placeholder"},
		{"python: raises first", "a.py", python, "def f(x):\n    raise NotImplementedError()\n    y = x + 1\n    return y * 2\n", "placeholder"},
		{"python: dots", "a.py", python, "def f(x):\n    y = x + 1\n    # TODO: implement\n    ...\n", "placeholder"},
		{"python: pass", "a.py", python, "def f(x):\n    y = x + 1\n    pass\n", "placeholder"},
		{"python: none, and a promise", "a.py", python, "def f(x):\n    y = x + 1\n    # TODO: implement\n    return None\n", "placeholder"},
		{"python: the other case alone", "a.py", kinds, "def f(kind, x):\n    if kind == 'a':\n        return x + 1\n    raise NotImplementedError(kind)\n", "placeholder"},
		{"python: a method", "a.py", "class A:\n    def f(self, x):\n        y = x + 1\n        return y * 2\n", "class A:\n    def f(self, x):\n        y = x + 1\n        raise NotImplementedError\n", "placeholder"},
		{"javascript: throws", "a.js", js, "export function f(x) {\n  const y = x + 1;\n  throw new Error(\"not implemented\");\n}\n", "placeholder"},
		{"javascript: a todo", "a.js", js, "export function f(x) {\n  const y = x + 1;\n  throw new Error('TODO');\n}\n", "placeholder"},
		{"javascript: rejects", "a.js", js, "export function f(x) {\n  const y = x + 1;\n  return Promise.reject(new Error('not implemented'));\n}\n", "placeholder"},
		{"typescript: throws", "a.ts", "export const f = (x: number): number => {\n  const y = x + 1;\n  return y * 2;\n};\n", "export const f = (x: number): number => {\n  const y = x + 1;\n  throw new Error(`Not implemented`);\n};\n", "placeholder"},
		{"go: panics", "a.go", golang, "package a\n\nfunc f(x int) (int, error) {\n\ty := x + 1\n\t_ = y\n\tpanic(\"not implemented\")\n}\n", "placeholder"},
		{"go: an error", "a.go", golang, "package a\n\nimport \"errors\"\n\nfunc f(x int) (int, error) {\n\ty := x + 1\n\t_ = y\n\treturn 0, errors.New(\"not implemented\")\n}\n", "placeholder"},
		{"go: a method", "a.go", "package a\n\nfunc (a A) f() int { return 1 }\n\nfunc (b B) f(x int) int {\n\ty := x + 1\n\treturn y\n}\n", "package a\n\nfunc (a A) f() int { return 1 }\n\nfunc (b B) f(x int) int {\n\ty := x + 1\n\t_ = y\n\tpanic(\"unimplemented\")\n}\n", "placeholder"},
		{"java: throws", "A.java", java, "class A {\n  int f(int x) {\n    int y = x + 1;\n    throw new UnsupportedOperationException();\n  }\n}\n", "placeholder"},

		{"python: a case more that is refused", "a.py", kinds, "def f(kind, x):\n    if kind == 'a':\n        return x + 1\n    if kind == 'b':\n        return x * 2\n    raise NotImplementedError(kind)\n", ""},
		{"python: a guard", "a.py", python, "def f(x):\n    if x < 0:\n        raise NotImplementedError('negative')\n    y = x + 1\n    return y * 2\n", ""},
		{"python: it was unfinished", "a.py", "def f(x):\n    y = x + 1\n    raise NotImplementedError\n", "def f(x):\n    y = x + 2\n    raise NotImplementedError\n", ""},
		{"python: it gave nothing", "a.py", "def f(x):\n    g(x)\n    h(x)\n", "def f(x):\n    g(x)\n    raise NotImplementedError\n", ""},
		{"python: an abstract method", "a.py", "class A(ABC):\n    def f(self, x):\n        y = x + 1\n        return y * 2\n", "class A(ABC):\n    @abstractmethod\n    def f(self, x):\n        y = x + 1\n        raise NotImplementedError\n", ""},
		{"python: a protocol", "a.py", "class A(Protocol):\n    def f(self, x):\n        \"\"\"Does.\"\"\"\n        return x\n    def g(self): ...\n", "class A(Protocol):\n    def f(self, x):\n        y = x\n        ...\n    def g(self): ...\n", ""},
		{"python: a stub", "a.pyi", python, "def f(x):\n    y = x + 1\n    ...\n", ""},
		{"python: none, without a promise", "a.py", "def f(x):\n    if x:\n        return 1\n    return 2\n", "def f(x):\n    if x:\n        return 1\n    return None\n", ""},
		{"python: none, a promise that was there", "a.py", "def f(x):\n    y = x + 1\n    # TODO: other units\n    return y\n", "def f(x):\n    y = x + 1\n    # TODO: other units\n    return None\n", ""},
		{"javascript: a default that throws", "a.js", "export function f(k) {\n  if (k === 'a') return 1;\n  return 2;\n}\n", "export function f(k) {\n  if (k === 'a') return 1;\n  if (k === 'b') return 2;\n  throw new Error('not implemented: ' + k);\n}\n", ""},
		{"javascript: another error", "a.js", js, "export function f(x) {\n  const y = x + 1;\n  throw new RangeError('too much');\n}\n", ""},
		{"go: another error", "a.go", golang, "package a\n\nimport \"errors\"\n\nfunc f(x int) (int, error) {\n\ty := x + 1\n\treturn y, errors.New(\"too much\")\n}\n", ""},
		{"go: a list of things to do", "a.go", "package a\n\nfunc f() []string {\n\ta := g()\n\treturn a\n}\n", "package a\n\nfunc f() []string {\n\ta := g()\n\treturn todo.List(a)\n}\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(files{c.path: c.before}, files{c.path: c.after})
			for _, by := range []audit.Maker{audit.Healer, audit.Person} {
				in.Goal.By = by
				expect(t, in, c.want)
			}
		})
	}
}
