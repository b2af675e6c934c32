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
