package same_test

import (
	"bytes"
	"os/exec"
	"testing"

	"pgregory.net/rapid"

	"fettle/internal/audit/same"
	"fettle/internal/testenv"
)

func TestSyntax(t *testing.T) {
	cases := []struct {
		name, file, before, after string
		same                      bool
	}{
		{"equal bytes of any kind", "a.bin", "\x00", "\x00", true},
		{"white space in an unknown language", "a.yml", "a: 1", "a: 1\n", false},

		{"go: indentation", "a.go", "package a\nfunc f( ) {\n x:=1\n_=x}\n", "package a\n\nfunc f() {\n\tx := 1\n\t_ = x\n}\n", true},
		{"go: CRLF", "a.go", "package a\r\n\r\nvar s = `a\r\nb`\r\n", "package a\n\nvar s = `a\nb`\n", true},
		{"go: trailing comma and lines", "a.go", "package a\n\nvar x = []int{1, 2}\n", "package a\n\nvar x = []int{\n\t1,\n\t2,\n}\n", true},
		{"go: order of imports", "a.go", "package a\nimport (\n\"os\"\n\"fmt\"\n)\nvar _ = os.Args\nvar _ = fmt.Sprint\n", "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nvar _ = os.Args\nvar _ = fmt.Sprint\n", true},
		{"go: another import", "a.go", "package a\nimport \"os\"\n", "package a\nimport _ \"os\"\n", false},
		{"go: another operator", "a.go", "package a\nvar x = 1 + 2\n", "package a\nvar x = 1 - 2\n", false},
		{"go: another text", "a.go", "package a\nvar x = \"a b\"\n", "package a\nvar x = \"a  b\"\n", false},
		{"go: a comment changed", "a.go", "package a\n\n// one\nvar x = 1\n", "package a\n\n// two\nvar x = 1\n", false},
		{"go: a comment was indented", "a.go", "package a\n\nfunc f() {\n// one\n}\n", "package a\n\nfunc f() {\n\t// one\n}\n", true},
		{"go: a directive comes alive", "a.go", "// go:build ignore\n\npackage a\n", "//go:build ignore\n\npackage a\n", false},
		{"go: a directive moves", "a.go", "package a\n\nvar a = f() //nolint\nvar b = f()\n", "package a\n\nvar a = f()\nvar b = f() //nolint\n", false},
		{"go: cgo's comment is code", "a.go", "package a\n\n// int x;\nimport \"C\"\n", "package a\n\n// intx;\nimport \"C\"\n", false},
		{"go: does not parse", "a.go", "package a\nfunc {", "package a\nfunc  {", false},
		{"go: two statements stay two", "a.go", "package a\nfunc f() { a(); b() }\n", "package a\n\nfunc f() {\n\ta()\n\tb()\n}\n", true},

		{"py: spaces", "a.py", "x=1\nf( a,b )\n", "x = 1\nf(a, b)\n", true},
		{"py: indentation width", "a.py", "if a:\n  b()\nc()\n", "if a:\n    b()\nc()\n", true},
		{"py: another block", "a.py", "if a:\n    b()\nc()\n", "if a:\n    b()\n    c()\n", false},
		{"py: quotes", "a.py", "x = 'a\\n'\n", "x = \"a\\n\"\n", true},
		{"py: escaped quotes", "a.py", "x = 'it\\'s'\n", "x = \"it's\"\n", true},
		{"py: a backslash is not a quote", "a.py", "x = 'a\\\\'\n", "x = 'a'\n", false},
		{"py: another text", "a.py", "x = 'a b'\n", "x = 'a  b'\n", false},
		{"py: raw strings keep their escapes", "a.py", "x = r'\\''\n", "x = r\"'\"\n", false},
		{"py: prefix", "a.py", "x = u'a' + B'b'\n", "x = \"a\" + b\"b\"\n", true},
		{"py: strings side by side", "a.py", "f('a b ' 'c', f'{x}' f'y')\n", "f(\"a b c\", f\"{x}y\")\n", true},
		{"py: strings of two kinds side by side", "a.py", "x = b'a' 'b'\n", "x = b'ab'\n", false},
		{"py: f-string beside a plain one", "a.py", "x = f'a' '{b}'\n", "x = f'a{b}'\n", false},
		{"py: an escape that would grow", "a.py", "x = '\\1' '2'\n", "x = '\\12'\n", false},
		{"py: empty string beside another", "a.py", "x = '' 'a'\n", "x = \"a\"\n", true},
		{"py: strings in two elements", "a.py", "x = ['a', 'b']\n", "x = ['a' 'b']\n", false},
		{"py: f-string quotes inside", "a.py", "x = f'{d[\"k\"]}'\n", "x = f\"{d['k']}\"\n", false},
		{"py: f-string nested quotes", "a.py", "x = f\"{d[\"k\"]:>{w}}\";\n", "x = f\"{d[\"k\"]:>{w}}\"\n", true},
		{"py: f-string fill character", "a.py", "x=f\"{n:'>10}\"\n", "x = f\"{n:'>10}\"\n", true},
		{"py: trailing comma in a call", "a.py", "f(a, b)\n", "f(\n    a,\n    b,\n)\n", true},
		{"py: trailing comma makes a tuple", "a.py", "x = (a)\n", "x = (a,)\n", false},
		{"py: … after a keyword too", "a.py", "return_(x)\nassert (a)\n", "return_(x)\nassert (a,)\n", false},
		{"py: … and in a subscript", "a.py", "x[a]\n", "x[a,]\n", false},
		{"py: joined lines", "a.py", "x = a + \\\n    b\n", "x = a + b\n", true},
		{"py: parentheses round a value", "a.py", "x = a + b\n", "x = (\n    a\n    + b\n)\n", true},
		{"py: parentheses that mean something", "a.py", "x = a * (b + c)\n", "x = a * b + c\n", false},
		{"py: parentheses of an assertion", "a.py", "assert a == b, 'm'\n", "assert (\n    a == b\n), \"m\"\n", true},
		{"py: an assertion becomes a tuple", "a.py", "assert a == b, 'm'\n", "assert (a == b, 'm')\n", false},
		{"py: block on one line", "a.py", "if a: b(); c()\nd()\n", "if a:\n    b()\n    c()\nd()\n", true},
		{"py: semicolon keeps the block", "a.py", "if a: b(); c()\n", "if a: b()\nc()\n", false},
		{"py: lambda's colon opens no block", "a.py", "if f(lambda: 1): b()\n", "if f(lambda: 1):\n    b()\n", true},
		{"py: hex digits", "a.py", "x = 0XAB\n", "x = 0xab\n", true},
		{"py: docstring", "a.py", "def f():\n  '''Does.\n  More.   \n  '''\n", "def f():\n    \"\"\"Does.\n    More.\n    \"\"\"\n", true},
		{"py: docstring says something else", "a.py", "def f():\n    'a'\n", "def f():\n    'b'\n", false},
		{"py: order of imports", "a.py", "import os\nfrom b import d, c\nimport a, e\n", "import a\nimport e\nimport os\nfrom b import c\nfrom b import (\n    d,\n)\n", true},
		{"py: order of imports that bind one name", "a.py", "from a import f\nfrom b import f\n", "from b import f\nfrom a import f\n", false},
		{"py: another import", "a.py", "import a\n", "import a as b\n", false},
		{"py: star imports", "a.py", "from a import *\nfrom b import *\n", "from b import *\nfrom a import *\n", false},
		{"py: comment folded", "a.py", "x = 1 #why\n", "x = 1  # why\n", true},
		{"py: comment changed", "a.py", "x = 1  # why\n", "x = 1  # how\n", false},
		{"py: directive moved", "a.py", "a()  # noqa\nb()\n", "a()\nb()  # noqa\n", false},
		{"py: BOM and CRLF", "a.py", "\ufeffx = 1\r\n", "x = 1\n", true},
		{"py: missing final newline", "a.py", "x = 1", "x = 1\n", true},
		{"py: blank lines", "a.py", "a()\nb()\n", "a()\n\n\nb()\n", true},
		{"py: open string", "a.py", "x = 'a\n", "x  = 'a\n", false},
		{"py: open bracket", "a.py", "f(\n", "f( \n", false},
		{"py: is and is not", "a.py", "a is not b\n", "a is (not b)\n", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := same.Syntax(c.file, []byte(c.before), []byte(c.after)); got != c.same {
				t.Errorf("Syntax = %v, want %v", got, c.same)
			}
			if got := same.Syntax(c.file, []byte(c.after), []byte(c.before)); got != c.same {
				t.Errorf("Syntax the other way = %v, want %v", got, c.same)
			}
		})
	}
}

// messy is Python as nobody should write it: every formatter changes it, and none changes what it means.
const messy = `import os, sys
from  collections import (OrderedDict,
  defaultdict)
import abc
class  A( object ):
   '''Doc.

   more   '''
   def f ( self,a,b = 1,*args,** kw ) :
      if a : return   ( a+b )
      x = { 'a':1,'b':[1,2,3], "c" : (1,) }
      for  i in range( 10 ): print( i );  print( x [ 'a' ] )
      assert some_function_with_a_long_name(a, b) == another_function_with_a_long_name(a, b, c=3), 'message'
      value = some_function_with_a_long_name(a, b) + another_function_with_a_long_name(a, b, c=3) + 1
      with open( os.path.join( 'a','b' ) ) as fh: data=fh.read( ) #comment
      return lambda : f'{x!r:>{10}}' + u'z' + 0XFF
def test_a( ) :
  assert sys.maxsize>0 and abc and OrderedDict and defaultdict
`

func TestSyntaxKnowsFormatters(t *testing.T) {
	for _, tool := range [][]string{{"black", "-q", "-"}, {"ruff", "format", "-"}, {"isort", "-q", "-"}} {
		t.Run(tool[0], func(t *testing.T) {
			cmd := exec.Command(testenv.NeedTool(t, tool[0]), tool[1:]...)
			cmd.Stdin = bytes.NewReader([]byte(messy))
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(out, []byte(messy)) {
				t.Fatal("the formatter changed nothing")
			}
			if !same.Syntax("a.py", []byte(messy), out) {
				t.Errorf("not the same:\n%s", out)
			}
		})
	}
}

// One byte of code that is changed is never a matter of form.
func TestSyntaxSeesEveryName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(messy)
		at := rapid.IntRange(0, len(src)-1).Draw(t, "at")
		letter := src[at]
		if letter < 'a' || letter > 'z' {
			t.Skip("no letter")
		}
		after := bytes.Clone(src)
		after[at] = 'q'
		if letter != 'q' && same.Syntax("a.py", src, after) {
			t.Fatalf("byte %d (%q) may change", at, letter)
		}
	})
}

func FuzzSyntax(f *testing.F) {
	f.Add(messy, "x = 1\n")
	f.Add("package a\nfunc f() {}\n", "f\"{a:{b}}\"")
	f.Add("if x: a; b\n\\\n\t", "'''")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, name := range []string{"a.py", "a.go"} {
			if !same.Syntax(name, []byte(a), []byte(a)) {
				t.Error("not the same as itself")
			}
			if same.Syntax(name, []byte(a), []byte(b)) != same.Syntax(name, []byte(b), []byte(a)) {
				t.Error("it matters which comes first")
			}
		}
	})
}
