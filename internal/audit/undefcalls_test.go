package audit_test

import (
	"testing"
)

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

// TestUnseen holds characters and words that look like what they are not.
func TestUnseen(t *testing.T) {
	for _, c := range []struct {
		name, path, after string
		want              []string
	}{
		{"a Cyrillic letter in a word", "a.py", "x = 1\np\u0430th = 2\n", []string{"ask confusable"}},
		{"a word of another script", "a.py", "x = 1\nпуть = 2\n", nil},
		{"a unit", "a.go", "package a\n\nconst Δx, µs = 1, 2\n", nil},
		{"in prose", "a.md", "p\u0430th\n", nil},
		{"a selector that hides text", "a.py", "x = 1  # \U000e0141\n", []string{"refuse hidden"}},
		{"a line that no editor ends", "a.js", "var x = 1; // \u2028 y()\n", []string{"ask hidden"}},
		{"an emoji", "a.py", "x = '\u2764\ufe0f'\n", nil},
		{"an escape", "a.txt", "\x1b[2K\n", []string{"ask hidden"}},
	} {
		t.Run(c.name, func(t *testing.T) { check(t, input(files{}, files{c.path: c.after}), c.want) })
	}
}
