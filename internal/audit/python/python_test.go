package python_test

import (
	"fmt"
	"strings"
	"testing"

	"fettle/internal/audit/python"
)

// spelled writes tokens as one text: what has no text by a sign.
func spelled(all []python.Token) string {
	signs := map[python.Kind]string{python.Newline: "¶", python.Indent: "→", python.Dedent: "←"}
	var words []string
	for _, t := range all {
		if sign := signs[t.Kind]; sign != "" {
			words = append(words, sign)
		} else {
			words = append(words, t.Text)
		}
	}
	return strings.Join(words, " ")
}

// TestTokens reads what a source is made of, also where it is newer than any grammar or a part of a file, and says of what is no Python that it is none.
func TestTokens(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"nothing", "", ""},
		{"only a comment", "# a\n", "# a"},
		{"blank lines and comments make no line", "a\n\n   # b\n\nc", "a ¶ # b c ¶"},
		{"brackets and backslashes join lines", "f(a,\n  b)\nx = \\\n  1\n", "f ( a , b ) ¶ x = 1 ¶"},
		{"a block, and its end at the end of the file", "if a:\n    b", "if a : ¶ → b ¶ ←"},
		{"tabs go to the next eight", "if a:\n\tb\n        c\n", "if a : ¶ → b ¶ c ¶ ←"},
		{"ends of lines of any system", "a\r\nb\rc\n", "a ¶ b ¶ c ¶"},
		{"a mark of the byte order", "\ufeffa\n", "a ¶"},
		{"operators, the longest first", "a **= b // c != d -> ...\n", "a **= b // c != d -> ... ¶"},
		{"numbers", "0xE+1 1e-5 1_000 .5 2j\n", "0xE + 1 1e-5 1_000 .5 2j ¶"},
		{"words of other scripts", "größe = 变量\n", "größe = 变量 ¶"},
		{"prefixes of texts", "rb'a' Rb\"b\" u'c' f'd' x'e'\n", "rb'a' Rb\"b\" u'c' f'd' x 'e' ¶"},
		{"a backslash keeps the quote in a raw text too", "r'\\'' + a\n", "r'\\'' + a ¶"},
		{"a long text over lines", "a = '''x\n  'y'\n'''\n", "a = '''x\n  'y'\n''' ¶"},
		{"fields hold texts with the same quotes", "f'{d['a']:>{w}} {{}}'\n", "f'{d['a']:>{w}} {{}}' ¶"},
		{"what no grammar knows yet", "match x | y: lazy import z\n", "match x | y : lazy import z ¶"},
		{"a text that is open", "a = 'x\n", "error"},
		{"a long one that is open", "a = '''x\n", "error"},
		{"a field that is open", "f'{a'\n", "error"},
		{"a bracket that is open", "f(\n", "error"},
		{"a bracket that closes another", "f(]\n", "error"},
		{"a bracket that closes nothing", ")\n", "error"},
		{"a block that ends where none begun", "if a:\n    b\n  c\n", "error"},
		{"a sign that Python has not", "a ? b\n", "error"},
	} {
		all, err := python.Tokens([]byte(c.src))
		got := spelled(all)
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestLines reads logical lines, every statement on its own, with the depth of its block and its number in the file.
func TestLines(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"statements side by side", "a; b;\nc\n", "1.0 a|1.0 b|2.0 c"},
		{"a block on one line", "if a: b; c\nd\n", "1.0 if a :|1.1 b|1.1 c|2.0 d"},
		{"the colon of a lambda opens none", "if (lambda: 1)(): a\n", "1.0 if ( lambda : 1 ) ( ) :|1.1 a"},
		{"nor that of a slice or an annotation", "x: int = y[1:2]\nfor i in y[:2]: a\n", "1.0 x : int = y [ 1 : 2 ]|2.0 for i in y [ : 2 ] :|2.1 a"},
		{"lines that are joined have the number of the first", "\nf(a,\n  b)  # c\ng()\n", "2.0 f ( a , b )|4.0 g ( )"},
		{"blocks in blocks", "class A:\n  def f(self):\n    return 1\n  x = 2\n", "1.0 class A :|2.1 def f ( self ) :|3.2 return 1|4.1 x = 2"},
		{"a docstring is a line", "def f():\n  '''a\n  b'''\n  return\n", "1.0 def f ( ) :|2.1 '''a\n  b'''|4.1 return"},
	} {
		lines, ok := python.Lines([]byte(c.src))
		var all []string
		for _, l := range lines {
			all = append(all, fmt.Sprintf("%d.%d %s", l.Number, l.Depth, l.Text()))
		}
		if got := strings.Join(all, "|"); !ok || got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if _, ok := python.Lines([]byte("f(\n")); ok {
		t.Error("what is no Python has lines")
	}
	lines, _ := python.Lines([]byte("if a:\n  b\n  if c:\n    d\ne\n"))
	for i, want := range []int{3, 0, 1, 0, 0} {
		if got := len(python.Block(lines, i)); got != want {
			t.Errorf("the block of line %d has %d lines, want %d", i, got, want)
		}
	}
}

// TestNormalString has one spelling for texts that mean the same, and none for two that do not.
func TestNormalString(t *testing.T) {
	for _, c := range []struct {
		name, lit string
		docstring bool
		want      string
	}{
		{"single quotes", `'a'`, false, `"a"`},
		{"a prefix in capitals, and one that says nothing", `U'a'`, false, `"a"`},
		{"bytes", `B'a'`, false, `b"a"`},
		{"quotes in it need no backslash", `'it\'s'`, false, `"it's"`},
		{"other backslashes stay", `'a\n\\'`, false, `"a\n\\"`},
		{"a raw text with a quote keeps its own", `r'"'`, false, `r'"'`},
		{"a raw text without", `r'\d'`, false, `r"\d"`},
		{"fields keep their quotes", `f'{a["b"]}'`, false, `f'{a["b"]}'`},
		{"three quotes are not one", `'''a'''`, false, `"""a"""`},
		{"nothing", `''`, false, `""`},
		{"a docstring is folded", "'''A.\n\n      b\n        c\n    '''", true, "\"\"\"A.\n\nb\n  c\"\"\""},
		{"the same, as no docstring", "'''A.\n  b'''", false, "\"\"\"A.\n  b\"\"\""},
		{"a raw docstring is not", `r'a '`, true, `r"a "`},
	} {
		if got := python.NormalString(c.lit, c.docstring); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestJoinStrings joins what is one text to Python, and leaves alone what would be another one then.
func TestJoinStrings(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{`"a"`, `"b"`, `"ab"`},
		{`b"a"`, `b"b"`, `b"ab"`},
		{`f"{a}"`, `f"{b}"`, `f"{a}{b}"`},
		{`"a"`, `b"b"`, ""},
		{`"a"`, `f"b"`, ""},
		{`"""a"""`, `"b"`, ""},
		{`"a"`, `"""b"""`, ""},
		{`"\1"`, `"2"`, ""},          // \12 is another one
		{`"\101"`, `"2"`, `"\1012"`}, // an escape of three has an end
	} {
		if got, ok := python.JoinStrings(c.a, c.b); got != c.want || ok != (c.want != "") {
			t.Errorf("%s %s: %s %v, want %s", c.a, c.b, got, ok, c.want)
		}
	}
}
