package audit_test

import (
	"testing"
)

// TestUndefinedNames holds the ways in which a change leaves a name that nothing defines, and those in which a name was never this change's affair.
func TestUndefinedNames(t *testing.T) {
	const (
		py = "import os\n\n\ndef root():\n    return os.sep\n\n\ndef _depth(path):\n    return path.count(root())\n\n\ndef deep(path):\n    return _depth(path) > 3\n"
		js = "const os = require('os');\nfunction half(n) { return n / 2; }\nmodule.exports = { f: (n) => half(n) + os.cpus().length };\n"
	)
	cases := []struct {
		name, path, before, old, new string
		want                         []string
	}{
		{"py: the import is dropped", "a.py", py, "import os\n", "", []string{"refuse undefined-name"}},
		{"py: the function is renamed", "a.py", py, "def _depth(", "def _levels(", []string{"note deleted-function", "refuse undefined-name"}},
		{"py: a parameter is renamed", "a.py", py, "def deep(path)", "def deep(name)", []string{"refuse undefined-name"}},
		{"py: a helper that is not there", "a.py", py, "_depth(path) > 3", "levels(path) > 3", []string{"refuse undefined-name"}},
		{"py: a builtin", "a.py", py, "_depth(path) > 3", "_depth(str(path)) > 3", nil},
		{"py: from now on anything", "a.py", py, "import os\n", "from os import *\n", nil},
		{"py: it was undefined", "a.py", "def f():\n    return g()\n", "g()", "g() + 1", nil},
		{"py: where names come from is not seen", "a.py", "def f():\n    return g()\n", "g()", "h()", nil},
		{"py: it was broken", "a.py", "def f(:\n    return g()\n", "f(:", "f():", nil},
		{"py: it is broken", "a.py", py, "def deep(path):", "def deep(path:", nil},
		{"js: the import is dropped", "a.js", js, "const os = require('os');\n", "", []string{"refuse undefined-name"}},
		{"js: the function is renamed", "a.js", js, "function half", "function third", []string{"note deleted-function", "refuse undefined-name"}},
		{"js: what the host may define", "a.js", js, "=> half(n)", "=> halve(n)", []string{"ask undefined-name"}},
		{"js: a page's scripts share names", "a.js", "function f() { return 1; }\n", "1", "g()", nil},
		{"js: a page's script took it away", "a.js", "function g() { return 1; }\nfunction f() { return g(); }\n", "function g", "function h", []string{"note deleted-function", "refuse undefined-name"}},
		{"ts: the import is dropped", "a.ts", "import { g } from './g';\nexport const f = () => g();\n", "import { g } from './g';\n", "", []string{"refuse undefined-name"}},
		{"go: the compiler says so", "a.go", "package a\n\nfunc f() int { return 1 }\n", "1", "g()", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			check(t, input(files{c.path: c.before}, files{c.path: replaceOnce(t, c.before, c.old, c.new)}), c.want)
		})
	}
}

// TestUndefinedCalls holds what a change of Go or Java leaves called that nothing defines, with the files of the repository known and without.
func TestUndefinedCalls(t *testing.T) {
	const (
		gosc = "package a\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n)\n\nfunc half(n int) int { return n / 2 }\n\n// F says it.\nfunc F(n int) string {\n\tg := func(s string) string { return s }\n\tif len(g(\"\")) > 0 {\n\t\treturn strings.Repeat(\"a\", int(twice(n)))\n\t}\n\treturn fmt.Sprint(half(n))\n}\n"
		near = "package a\n\nfunc twice(n int) int { return n * 2 }\n\ntype kind int\n"
		java = "public class A {\n    private int half(int n) {\n        return n / 2;\n    }\n    public int f(int n) {\n        return half(n) + Math.abs(n) + hashCode();\n    }\n}\n"
		sub  = "public class A extends B {\n    private int half(int n) {\n        return n / 2;\n    }\n    public int f(int n) {\n        return half(n);\n    }\n}\n"
	)
	for _, c := range []struct {
		name, path, before, old, new string
		alone, known                 []string // what is found without the files of the repository, and with them
	}{
		{"go: the function is gone", "p/a.go", gosc, "func half(n int) int { return n / 2 }\n\n", "", []string{"note deleted-function", "refuse undefined-name"}, []string{"note deleted-function", "refuse undefined-name"}},
		{"go: the function is renamed", "p/a.go", gosc, "func half(", "func third(", []string{"note deleted-function", "refuse undefined-name"}, []string{"note deleted-function", "refuse undefined-name"}},
		{"go: the import is gone", "p/a.go", gosc, "\t\"strings\"\n", "", []string{"refuse undefined-name"}, []string{"refuse undefined-name"}},
		{"go: the import has another name", "p/a.go", gosc, "\t\"strings\"\n", "\tstr \"strings\"\n", []string{"refuse undefined-name"}, []string{"refuse undefined-name"}},
		{"go: another version", "p/a.go", gosc, "\t\"strings\"\n", "\t\"example.com/go-strings.v2\"\n", nil, nil},
		{"go: a helper that is not there", "p/a.go", gosc, "half(n))", "halve(n))", nil, []string{"refuse undefined-name"}},
		{"go: a neighbour's", "p/a.go", gosc, "half(n))", "twice(half(n)))", nil, nil},
		{"go: a neighbour's type", "p/a.go", gosc, "half(n))", "kind(half(n)))", nil, nil},
		{"go: a builtin", "p/a.go", gosc, "half(n))", "max(half(n), 1))", nil, nil},
		{"go: its own variable", "p/a.go", gosc, "half(n))", "g(\"b\"))", nil, nil},
		{"go: from a dot import", "p/a.go", gosc, "\t\"fmt\"\n", "\t\"fmt\"\n\t. \"math\"\n", nil, nil},
		{"go: it was missing", "p/a.go", "package a\n\nfunc F() { gone() }\n", "gone()", "gone(); println()", nil, nil},
		{"java: the method is gone", "A.java", java, "    private int half(int n) {\n        return n / 2;\n    }\n", "", []string{"note deleted-function", "refuse undefined-name"}, []string{"note deleted-function", "refuse undefined-name"}},
		{"java: the method is renamed", "A.java", java, "private int half(", "private int third(", []string{"note deleted-function", "refuse undefined-name"}, []string{"note deleted-function", "refuse undefined-name"}},
		{"java: a superclass may have it", "A.java", sub, "private int half(", "private int third(", []string{"ask undefined-name", "note deleted-function"}, []string{"ask undefined-name", "note deleted-function"}},
		{"java: a helper that is not there", "A.java", java, "half(n) +", "halve(n) +", []string{"refuse undefined-name"}, []string{"refuse undefined-name"}},
		{"java: a superclass may have the helper", "A.java", sub, "return half(n)", "return halve(n)", nil, nil},
		{"java: imported", "A.java", "import static java.lang.Math.abs;\n" + java, "half(n) +", "abs(n) +", nil, nil},
		{"java: every object has it", "A.java", java, "hashCode()", "toString().length()", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := files{"p/b.go": near, "q/c.go": "package q\n\nfunc halve(n int) int { return n }\n", c.path: c.before}
			after := before.changed(t, c.path, c.old, c.new)
			check(t, input(before, after), c.alone)
			check(t, listed(before, after), c.known)
		})
	}
}
