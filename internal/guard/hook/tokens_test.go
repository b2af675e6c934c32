package hook

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestRestylings are two texts of a file, and what of their style differs; none, where more may.
func TestRestylings(t *testing.T) {
	for _, c := range []struct{ ext, before, after, want string }{
		{".py", "x = 'a'\n", "x  =  'a'\n", "white space"},
		{".py", "def f(a):\n  return g(a, 'k')\n\nx = 1\n", "def f(a):\n    return g(a, 'k')\n\nx = 1\n", "white space"},
		{".py", "def f(a):\n  return a\nx = 1\n", "def f(a):\n  return a\n\n\nx = 1\n", "white space"},
		{".py", "x = foo(a, b)\n", "x = foo(\n    a,\n    b,\n)\n", "white space, trailing commas"},
		{".py", "def f(a, b):\n  return g(a, 'k')\n\nx = {'a': 1, 'b': 2}\n", "def f(a, b):\n    return g(a, \"k\")\n\n\nx = {\"a\": 1, \"b\": 2}\n", "white space, quotes"},
		{".py", "'''A text.'''\nx = 'it'\n", "\"\"\"A text.\"\"\"\nx = 'it'\n", "quotes"},
		{".py", "if a:\n\tb()\n\tif c:\n\t\td()\n", "if a:\n    b()\n    if c:\n        d()\n", "white space"},
		{".py", "x = 1 # a\n", "x = 1  # a\n", "white space"},
		{".py", "import os\nimport abc\n\nx = 'a'\n", "import abc\nimport os\n\nx = 'a'\n", "the order of imports"},
		{".py", "import os\nimport abc\n\nx = 'a'\n", "import abc\nimport os\n\nx = \"a\"\n", "the order of imports, quotes"},
		{".js", "a();\nb();\n", "a();\n\n\nb();\n", "white space"},
		{".js", "let a = foo(x, y);\n", "let a = foo(\n  x,\n  y,\n);\n", "white space, trailing commas"},
		{".js", "bar(\"it's\", \"b\");\n", "bar(\"it's\", 'b');\n", "quotes"},
		{".ts", "if (a) b();\n", "if (a)\n  b();\n", "white space"},
		{".ts", "if (a) { b(); } else { c(); }\n", "if (a) {\n  b();\n}\nelse {\n  c();\n}\n", "white space"},
		{".ts", "foo('x') // why\nbar(y / 2)\n", "foo('x'); // why\nbar(y / 2);\n", "semicolons"},
		{".ts", "interface A { a: string; b(): void }\n", "interface A {\n  a: string\n  b(): void\n}\n", "white space, semicolons"},
		{".js", "const r = /a b'/;\nf('x')\n", "const r = /a b'/;\nf(\"x\")\n", "quotes"},
		{".js", "f(`a ${b} c`, 'x')\n", "f(`a ${b} c`, \"x\")\n", "quotes"},
		{".jsx", "const a = 'x';\nconst b = <p>it's</p>;\n", "const a = \"x\";\nconst b = <p>it's</p>;\n", "quotes"},
		{".java", "class A { void f() { g(\"x\"); } }\n", "class A {\n  void f() {\n    g(\"x\");\n  }\n}\n", "white space"},
		{".java", "void f() { g(\"x\"); }\n", "void f()  {  g( \"x\" ); }\n", "white space"},
		{".go", "f(a, b)\n", "f(\n\ta,\n\tb,\n)\n", "white space, trailing commas"},
		{".rs", "fn f<'a>(x: &'a str) -> char { g(x, 'c') }\n", "fn f<'a>(x: &'a str) -> char {\n    g(x, 'c')\n}\n", "white space"},
		{".c", "#define A (b)\nint x=1;\n", "#define A (b)\nint x = 1;\n", "white space"},
		{".kt", "f(a, b)\ng()\n", "f(\n  a, b\n)\ng()\n", "white space"},

		{".py", "if a:\n  b()\n  c()\n", "if a:\n  b()\nc()\n", ""},
		{".py", "if a:\n  b()\nc()\n", "if a:\n    b()\n    c()\n", ""},
		{".py", "if a:\n    if b:\n        c()\n    d()\n", "if a:\n    if b:\n        c()\n        d()\n", ""},
		{".py", "x = (a, )\n", "x = (a)\n", ""},
		{".py", "x = (\n  lambda a, b: c,\n)\n", "x = (\n  lambda a, b: c\n)\n", ""},
		{".py", "x = f 'a'\n", "x = f'a'\n", ""},
		{".py", "x = f'{a[\"b  c\"]}'\n", "x = f'{a[\"b c\"]}'\n", ""},
		{".py", "x = 1 # a  b\n", "x = 1 # a b\n", ""},
		{".py", "x = f()  # type: ignore\n", "x = f()\n# type: ignore\n", ""},
		{".py", "x = '''\n  a\n'''\n", "x = '''\n a\n'''\n", ""},
		{".py", "a\nb\n", "a b\n", ""},
		{".py", "x = a + \\\n    b\n", "x = a + \\\n\n    b\n", ""},
		{".py", "x = a + \\\n    b\n", "x = a + \\ \n    b\n", ""},
		{".py", "x = [a for a, b in c\n]\n", "x = [a for a, b in c,\n]\n", ""},
		{".py", "f = lambda a, b: c\ng(\n  a,\n  b,\n)\n", "f = lambda a, b: c\ng(\n  a,\n  b\n)\n", "trailing commas"},
		{".py", "if a:\n\tb\n", "if a:\n \tb\n", ""},
		{".js", "return\nx\n", "return x\n", ""},
		{".js", "return\n(x)\n", "return (x)\n", ""},
		{".js", "a;\n(b)\n", "a\n(b)\n", ""},
		{".js", "a;\n[b].c()\n", "a\n[b].c()\n", ""},
		{".js", "while (a);\nb()\n", "while (a)\nb()\n", ""},
		{".js", "for await (a of b);\nc()\n", "for await (a of b)\nc()\n", ""},
		{".js", "if (a) b(); else;\nc()\n", "if (a) b(); else\nc()\n", ""},
		{".js", "a\n++b\n", "a++\nb\n", ""},
		{".js", "a\n++\nb\n", "a++\nb\n", ""},
		{".js", "[a, , ]", "[a, ]", ""},
		{".js", "[,]", "[]", ""},
		{".js", "for (;;) a()", "for (; a();) ", ""},
		{".js", "x = /a  b/\n", "x = /a b/\n", ""},
		{".js", "x = `a  ${b}`\n", "x = `a ${b}`\n", ""},
		{".js", "x = `${f(`a  b`)}`\n", "x = `${f(`a b`)}`\n", ""},
		{".js", "x = 'a  b'\n", "x = 'a b'\n", ""},
		{".jsx", "a = <p>\n  Say 'hi' and  go\n</p>\n", "a = <p>\n  Say \"hi\" and  go\n</p>\n", ""},
		{".jsx", "a = <p>\n  one  two\n</p>\n", "a = <p>\n  one two\n</p>\n", ""},
		{".ts", "a < b > c", "a <b> (c", ""},
		{".c", "#define A (b)\n", "#define A(b)\n", ""},
		{".c", "#if A\nx();\n#endif\n", "#if A x();\n#endif\n", ""},
		{".c", "a = b & &c;\n", "a = b &&c;\n", ""},
		{".cs", "x = @\"a  \\\";\n", "x = @\"a \\\";\n", ""},
		{".kt", "\"${a[\"b  c\"]}\"\n", "\"${a[\"b c\"]}\"\n", ""},
		{".rs", "r\"a  \\\";\n", "r\"a \\\";\n", ""},
		{".go", "return\nf()\n", "return f()\n", ""},
		{".go", "f(a\n, b)\n", "f(a, b)\n", ""},
		{".js", "if (a,) b()\n", "if (a) b()\n", ""},
		{".js", "x = { a: 1; }\n", "x = { a: 1 }\n", ""},
		{".js", "{\n  a,\n}\n", "{\n  a\n}\n", ""},
		{".js", "(a)\n=> b\n", "(a) => b\n", ""},
		{".go", "a := 'b'\n", "a := \"b\"\n", ""},
		{".go", "x(`a  b`)\n", "x(`a b`)\n", ""},
		{".scala", "if a then\n  b\n  c\n", "if a then\n  b\nc\n", ""},
		{".kt", "a\nb\n", "a b\n", ""},
	} {
		if got := strings.Join(restylings(c.ext, c.before, c.after), ", "); got != c.want {
			t.Errorf("%s: %q → %q: %q, want %q", c.ext, c.before, c.after, got, c.want)
		}
	}
}

// samples are texts in words of their own: those with white space around may stand apart from the next one in any way.
var samples = map[string]string{
	".py":   "def f(a, b):\n    if a > b and a != 'x':  # so far\n        return g(a - -b, [1, 2, {'k': \"it's\"}])\n    for c in h(a):\n        yield c\n    return None\n\n\nclass A(B):\n    x = '''long\n  text'''\n    y = f'{x} = {z}'\n",
	".js":   "import { a, b } from 'c';\nfunction f(x, y = 2) {\n  if (x < y) { return g(x - -y, [1, 2, { k: \"it's\" }]); }\n  for (let i = 0; i < 3; i++) h(i); // so far\n  const r = /a b/.test(x)\n  return `t ${x} t`;\n}\nwhile (x) f();\nlet z = a ? b : c\nz.k = 'd'\n",
	".java": "package a;\n\nclass A extends B<C> {\n  /** So far. */\n  int f(int x, char c) {\n    if (x > 1 && c == 'x') { return g(x - -1, \"a  b\"); }\n    for (int i = 0; i < x; i++) h(i); // more\n    return x >> 2;\n  }\n}\n",
	".go":   "package a\n\nfunc f(x int, y ...string) error {\n\tif x > 1 && y[0] == \"a  b\" {\n\t\treturn g(x - -1, `raw\n  text`, 'x')\n\t}\n\tfor i := range x { // so far\n\t\th(i)\n\t}\n\treturn nil\n}\n",
}

// TestRestyledOrChanged makes changes at random to code. What changes a word, a text, a comment, or what belongs to what is never style.
func TestRestyledOrChanged(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for ext, text := range samples {
		if _, ok := plainCode(ext, text, ""); !ok {
			t.Fatalf("%s is not read", ext)
		}
		seen := false
		for range 3000 {
			i := rnd.IntN(len(text))
			letter := "abcxyz0129+-*(){}[].:=<>!&|'\"`#/"[rnd.IntN(32)]
			was := text[i]
			after := text[:i] + string(letter) + text[i+1:]
			switch rnd.IntN(3) {
			case 0:
				after = text[:i] + string(letter) + text[i:] // one more
			case 1:
				if strings.IndexByte(" \t\r\n,;'\"", was) >= 0 {
					continue
				}
				after = text[:i] + text[i+1:] // one less
			}
			kinds := restylings(ext, text, after)
			if kinds != nil && worded(after) != worded(text) {
				t.Fatalf("%s: %q for %q at %d: %q", ext, letter, was, i, kinds)
			}
			if kinds != nil && ext != ".py" && ext != ".js" {
				t.Fatalf("%s: quotes at %d: %q", ext, i, after)
			}
		}
		// Another line is deeper, or less deep, than it was.
		lines := strings.SplitAfter(text, "\n")
		for i, line := range lines {
			deeper := slices.Clone(lines)
			deeper[i] = "    " + line
			kinds := restylings(ext, text, strings.Join(deeper, ""))
			if only := strings.HasPrefix(line, "        "); ext == ".py" && strings.TrimSpace(line) != "" && !only && kinds != nil {
				t.Errorf("%q, deeper by one: %q", line, kinds)
			}
		}
		// More white space, or another line, where there was some already.
		for range 2000 {
			i := rnd.IntN(len(text))
			if line := text[strings.LastIndexByte(text[:i], '\n')+1 : i]; text[i] != ' ' || ext == ".py" && strings.TrimSpace(line) == "" {
				continue // a line alone may be indented by more
			}
			after := text[:i] + " " + text[i:]
			kinds := restylings(ext, text, after)
			if inside := inMeaning(text, i); inside && kinds != nil {
				t.Fatalf("%s: a blank in a text, or a comment at %d is called %q: %q", ext, i, kinds, after)
			} else if !inside {
				seen = true
				if !slices.Equal(kinds, []string{"white space"}) {
					t.Fatalf("%s: a blank more at %d: %q", ext, i, kinds)
				}
			}
		}
		if !seen {
			t.Errorf("%s: nothing was tried", ext)
		}
	}
}

// inMeaning reports a blank of a sample that stands in a text, a pattern or a comment.
func inMeaning(text string, at int) bool {
	for _, part := range []string{"'x'", `"it's"`, "'''long\n  text'''", "'{x} = {z}'", "# so far", "// so far", "// more", "/** So far. */", "`t ${x} t`", "/a b/.test(x)", "`raw\n  text`", `"a  b"`} {
		for i := strings.Index(text, part); i >= 0 && i <= at; i = len(text) {
			if at < i+len(part) {
				return true
			}
		}
	}
	return false
}
