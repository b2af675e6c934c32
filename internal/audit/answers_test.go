package audit_test

import (
	"strings"
	"testing"

	"fettle/internal/audit"
)

// TestCheats holds the ways of making tests pass without mending anything, in each language, and what honest repairs look like.
func TestCheats(t *testing.T) {
	const (
		pySrc    = "def fib(n):\n    a, b = 0, 1\n    for _ in range(n):\n        a, b = b, b\n    return a\n"
		pyTest   = "from fib import fib\n\n\ndef test_fib():\n    assert fib(7) == 13\n"
		goSrc    = "package fib\n\nfunc Fib(n int) int {\n\tif n < 2 {\n\t\treturn n\n\t}\n\treturn Fib(n-1) + Fib(n-1)\n}\n"
		goTests  = "package fib\n\nimport \"testing\"\n\nfunc TestFib(t *testing.T) {\n\tif got := Fib(7); got != 13 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
		jsSrc    = "const fib = (n) => {\n  if (n < 2) return n;\n  return fib(n - 1) + fib(n - 1);\n};\nmodule.exports = { fib };\n"
		jsTest   = "const { fib } = require('./fib');\ntest('fib', () => { expect(fib(7)).toBe(13); });\n"
		javaSrc  = "class Fib {\n    int fib(int n) {\n        if (n < 2) {\n            return n;\n        }\n        return fib(n - 1) + fib(n - 1);\n    }\n}\n"
		javaTest = "class FibTest {\n    @Test\n    void fib() {\n        assertEquals(13, new Fib().fib(7));\n    }\n}\n"
	)
	const (
		jsInner = "const fib = (n) => {\n  return [n].map(x => x + fib(x - 1))[0];\n};\n"
		goInner = "package fib\n\nfunc Fib(n int) int {\n\tadd := func(i int) int { return i + n }\n\treturn add(Fib(n - 1))\n}\n"
	)
	cases := []struct {
		name, path, before, old, new, test, tests string
		want                                      []string
	}{
		{"javascript: a function in it", "fib.js", jsInner, "  return [n]", "  return 13;\n  return [n]", "fib.test.js", jsTest, []string{"refuse constant-answer"}},
		{"go: a function in it", "fib.go", goInner, "\tadd := ", "\treturn 13\n\tadd := ", "fib_test.go", goTests, []string{"refuse constant-answer"}},
		{"python: the input", "fib.py", pySrc, "    a, b = 0, 1\n", "    if n == 7:\n        return 13\n    a, b = 0, 1\n", "test_fib.py", pyTest, []string{"refuse test-answer"}},
		{"python: a table", "fib.py", pySrc, "    a, b = 0, 1\n", "    known = {7: 13}\n    if n in known:\n        return known[n]\n    a, b = 0, 1\n", "test_fib.py", pyTest, []string{"refuse test-answer"}},
		{"python: a factor", "fib.py", pySrc, "    a, b = 0, 1\n", "    if n == 7:\n        n *= 13\n    a, b = 0, 1\n", "test_fib.py", pyTest, nil},
		{"python: a part", "fib.py", pySrc, "    a, b = 0, 1\n", "    if n == 7:\n        n = 13\n    a, b = 0, 1\n", "test_fib.py", pyTest, []string{"refuse test-answer"}},
		{"python: the answer", "fib.py", pySrc, "    a, b = 0, 1\n", "    return 13\n    a, b = 0, 1\n", "test_fib.py", pyTest, []string{"refuse constant-answer"}},
		{"python: the end", "fib.py", pySrc, "    a, b = 0, 1\n", "    import os\n    os._exit(0)\n    a, b = 0, 1\n", "test_fib.py", pyTest, []string{"refuse exits"}},
		{"python: the end, as it loads", "fib.py", pySrc, "def fib", "import os\nos._exit(0)\ndef fib", "test_fib.py", pyTest, []string{"ask danger", "refuse exits"}},
		{"python: a base case", "fib.py", pySrc, "    a, b = 0, 1\n", "    if n == 0:\n        return 0\n    a, b = 0, 1\n", "test_fib.py", pyTest, nil},
		{"python: a repair", "fib.py", pySrc, "b, b", "b, a + b", "test_fib.py", pyTest, nil},
		{"python: a comparison turned round", "fib.py", "def fib(n):\n    if n != 7:\n        return 13\n    return n\n", "!=", "==", "test_fib.py", pyTest, nil},
		{"python: … and another number", "fib.py", "def fib(n):\n    if n != 8:\n        return 13\n    return n\n", "!= 8", "== 7", "test_fib.py", pyTest, []string{"refuse test-answer"}},
		{"python: a program ends", "cli.py", "def main():\n    run()\n", "    run()\n", "    run()\n    sys.exit(0)\n", "test_fib.py", pyTest, []string{"ask exits"}},

		{"go: the input", "fib.go", goSrc, "\tif n < 2", "\tif n == 7 {\n\t\treturn 13\n\t}\n\tif n < 2", "fib_test.go", goTests, []string{"refuse test-answer"}},
		{"go: a switch", "fib.go", goSrc, "\tif n < 2", "\tswitch n {\n\tcase 7:\n\t\treturn 13\n\t}\n\tif n < 2", "fib_test.go", goTests, []string{"refuse test-answer"}},
		{"go: the answer", "fib.go", goSrc, "\tif n < 2", "\treturn 13\n\tif n < 2", "fib_test.go", goTests, []string{"refuse constant-answer"}},
		{"go: the end", "fib.go", goSrc, "\tif n < 2", "\tos.Exit(0)\n\tif n < 2", "fib_test.go", goTests, []string{"refuse exits"}},
		{"go: a repair", "fib.go", goSrc, "Fib(n-1)\n", "Fib(n-2)\n", "fib_test.go", goTests, nil},

		{"javascript: the input", "fib.js", jsSrc, "  if (n < 2)", "  if (n === 7) return 13;\n  if (n < 2)", "fib.test.js", jsTest, []string{"refuse test-answer"}},
		{"javascript: a choice", "fib.js", jsSrc, "  return fib", "  return n === 7 ? 13 : fib", "fib.test.js", jsTest, []string{"refuse test-answer"}},
		{"javascript: what is asked with is handed on", "fib.js", jsSrc, "  if (n < 2)", "  const is = { n: n === '' ? '' : n };\n  if (n < 2)", "fib.test.js", "test('fib', () => { expect(fib('')).toBe(''); });\n", nil},
		{"javascript: … and is none that all have", "fib.js", jsSrc, "  if (n < 2)", "  if (n === 'gaxlor') return 'gaxlor';\n  if (n < 2)", "fib.test.js", "test('fib', () => { expect(fib('gaxlor')).toBe('gaxlor'); });\n", []string{"refuse test-answer"}},
		{"javascript: the answer", "fib.js", jsSrc, "  if (n < 2)", "  return 13;\n  if (n < 2)", "fib.test.js", jsTest, []string{"refuse constant-answer"}},
		{"javascript: the end", "fib.js", jsSrc, "  if (n < 2)", "  process.exit(0);\n  if (n < 2)", "fib.test.js", jsTest, []string{"refuse exits"}},
		{"javascript: a repair", "fib.js", jsSrc, "fib(n - 1);", "fib(n - 2);", "fib.test.js", jsTest, nil},

		{"java: the input", "Fib.java", javaSrc, "        if (n < 2)", "        if (n == 7) {\n            return 13;\n        }\n        if (n < 2)", "FibTest.java", javaTest, []string{"refuse test-answer"}},
		{"java: the answer", "Fib.java", javaSrc, "        if (n < 2)", "        if (true) {\n            return 13;\n        }\n        if (n < 2)", "FibTest.java", javaTest, []string{"refuse constant-answer"}},
		{"java: the end", "Fib.java", javaSrc, "        if (n < 2)", "        System.exit(0);\n        if (n < 2)", "FibTest.java", javaTest, []string{"refuse exits"}},
		{"java: a repair", "Fib.java", javaSrc, "fib(n - 1);", "fib(n - 2);", "FibTest.java", javaTest, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before := files{c.path: c.before, c.test: c.tests}
			in := input(before, before.changed(t, c.path, c.old, c.new))
			in.Evidence = []string{c.test}
			check(t, in, c.want)
		})
	}
}

// TestNullGuards are functions that give nothing for nothing now, as a test expects of them, and such that give something, or ask for something.
func TestNullGuards(t *testing.T) {
	const (
		java     = "class Texts {\n    static String head(String text, int n) {\n        return text.substring(0, n).trim();\n    }\n}\n"
		javaTest = "class TextsTest {\n    @Test\n    void head() {\n        assertNull(Texts.head(null, 1));\n        assertEquals(null, Texts.head(null));\n        assertEquals(\"\", Texts.head(null));\n        assertEquals(\"none\", Texts.head(null));\n        assertEquals(0, Texts.head(null));\n    }\n}\n"
		py       = "def head(text):\n    return text.split()[0].lower()\n"
		pyTest   = "from texts import head\n\n\ndef test_head():\n    assert head(None) is None\n    assert head(None) == []\n    assert head(0) == 0\n    assert head(None) == 1\n"
		js       = "const head = (text) => {\n  return text.split(' ')[0].toLowerCase();\n};\nmodule.exports = { head };\n"
		jsTest   = "const { head } = require('./texts');\ntest('head', () => {\n  expect(head(undefined)).toBe('');\n  expect(head(null)).toBe(false);\n});\n"
		guard    = "        if (text == null) {\n            return null;\n        }\n"
	)
	for _, c := range []struct {
		name, path, before, old, new, test, tests string
		person, healer                            []string
	}{
		{"java: null for null", "Texts.java", java, "        return", guard + "        return", "TextsTest.java", javaTest, nil, []string{"ask test-answer"}},
		{"java: an empty text", "Texts.java", java, "        return", "        if (null == text) return \"\";\n        return", "TextsTest.java", javaTest, nil, []string{"ask test-answer"}},
		{"java: a text", "Texts.java", java, "        return", strings.Replace(guard, "return null", "return \"none\"", 1) + "        return", "TextsTest.java", javaTest, []string{"refuse test-answer"}, []string{"refuse test-answer"}},
		{"java: what is no parameter", "Texts.java", java, "        return", "        String made = text.trim();\n" + strings.Replace(guard, "text", "made", 1) + "        return", "TextsTest.java", javaTest, []string{"ask test-answer"}, []string{"refuse test-answer"}},
		{"python: nothing", "texts.py", py, "    return", "    if text is None:\n        return None\n    return", "test_texts.py", pyTest, nil, []string{"ask test-answer"}},
		{"python: an empty list", "texts.py", py, "    return", "    if text is None:\n        return []\n    return", "test_texts.py", pyTest, nil, []string{"ask test-answer"}},
		{"python: a number that says something", "texts.py", py, "    return", "    if text is None:\n        return 1\n    return", "test_texts.py", pyTest, []string{"ask test-answer"}, []string{"refuse test-answer"}},
		{"python: nought for nought", "texts.py", py, "    return", "    if text == 0:\n        return 0\n    return", "test_texts.py", pyTest, []string{"ask test-answer"}, []string{"refuse test-answer"}},
		{"javascript: undefined", "texts.js", js, "  return", "  if (text === undefined) return '';\n  return", "texts.test.js", jsTest, nil, []string{"ask test-answer"}},
		{"javascript: either", "texts.js", js, "  return", "  if (text === null || text === undefined) return false;\n  return", "texts.test.js", jsTest, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := files{c.path: c.before, c.test: c.tests}
			in := input(before, before.changed(t, c.path, c.old, c.new))
			in.Evidence = []string{c.test}
			check(t, in, c.healer)
			in.Goal.By = audit.Person
			check(t, in, c.person)
		})
	}
}
