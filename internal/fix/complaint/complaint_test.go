package complaint_test

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"fettle/internal/code"
	"fettle/internal/diag"
	"fettle/internal/fix/complaint"
	"fettle/internal/syntax"
)

// project is other sources, by their paths.
type project map[string]string

func (p project) Sources(path string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, file := range slices.Sorted(maps.Keys(p)) {
			if syntax.LangOf(file) == syntax.LangOf(path) && file != path && !yield(file, p[file]) {
				return
			}
		}
	}
}

// Types are those of a file of its own: an expression and its type on each line.
func (p project) Types(path string) map[complaint.Span]string {
	out := map[complaint.Span]string{}
	for line := range strings.Lines(p["types of "+path]) {
		expr, typ, _ := strings.Cut(strings.TrimSpace(line), " is ")
		for at := code.Word(p[path], expr, 0); at >= 0; at = code.Word(p[path], expr, at+1) {
			out[complaint.Span{Start: at, End: at + len(expr)}] = typ
		}
	}
	return out
}

// story is a finding as its tool gives it, and what comes of it: the lines that differ from the source.
type story struct {
	name          string
	path, source  string
	tool, rule    string
	message       string
	line, column  int
	project       project
	want          string   // the source after the likeliest remedy
	others        []string // … and after others, in any order
	none, unknown bool
}

// What stories are about that tell of more than one place.
const (
	atoi = "package a\n\nimport \"strconv\"\n\nfunc f(t string) (total int, err error) {\n\tif t != \"\" {\n\t\tn, err := strconv.Atoi(t)\n\t\tif err != nil {\n\t\t\treturn 0, err\n\t\t}\n\t\ttotal += n\n\t}\n\treturn total, err\n}\n"
	show = "package a\n\nimport \"fmt\"\n\nfunc f(name, title string, n int) string { return fmt.Sprintf(\"%d, %d: %d\", name, title, n) }\n"
)

var stories = []story{
	{name: "misspelt", path: "a.py", source: "def area(width, height):\n    return widht * height\n", tool: "ruff", rule: "F821", message: "Undefined name `widht`", line: 2, column: 12,
		want: "def area(width, height):\n    return width * height\n"},
	{name: "misspelt, and the compiler says so", path: "a.ts", source: "export interface Q {\n  idle(): bolean\n}\n", tool: "tsc", rule: "TS2304", message: "Cannot find name 'bolean'.", line: 2, column: 11,
		want: "export interface Q {\n  idle(): boolean\n}\n"},
	{name: "a hint", path: "a.ts", source: "const q = {first: 1}\nq.frist\n", tool: "tsc", rule: "TS2551", message: "Property 'frist' does not exist on type '{ first: number; }'. Did you mean 'first'?", line: 2, column: 3,
		want: "const q = {first: 1}\nq.first\n"},
	{name: "a member of Go", path: "a.go", source: "package a\n\ntype T struct{ Size int }\n\nfunc f(t T) int { return t.size }\n", tool: "go", message: "t.size undefined (type T has no field or method size, but does have field Size)", line: 5, column: 28,
		want: "package a\n\ntype T struct{ Size int }\n\nfunc f(t T) int { return t.Size }\n"},
	{name: "a field that only its type names", path: "a.go", source: "package a\n\ntype T struct{ Name string }\n\nfunc names(t T) string { return t.Nme }\n", tool: "go", message: "t.Nme undefined (type T has no field or method Nme)", line: 5, column: 36,
		want: "package a\n\ntype T struct{ Name string }\n\nfunc names(t T) string { return t.Name }\n"},
	{name: "a field whose type is made elsewhere", path: "a.py", source: "def show(user):\n    return user.nme\n", tool: "mypy", message: `"User" has no attribute "nme"`, line: 2, column: 12,
		project: project{"b.py": "class User:\n    name: str\n"},
		want:    "def show(user):\n    return user.name\n"},
	{name: "a module never imported", path: "a.py", source: "\"\"\"A.\"\"\"\nimport json\nimport sys\n\n\ndef f(p):\n    return os.path.join(p, json.dumps(sys.argv))\n", tool: "flake8", rule: "F821", message: "undefined name 'os'", line: 7, column: 12,
		want: "\"\"\"A.\"\"\"\nimport json\nimport os\nimport sys\n\n\ndef f(p):\n    return os.path.join(p, json.dumps(sys.argv))\n"},
	{name: "the first import", path: "a.py", source: "\"\"\"A.\"\"\"\n\n\ndef f(p):\n    return re.sub('a', 'b', p)\n", tool: "mypy", rule: "name-defined", message: `Name "re" is not defined`, line: 5,
		want: "\"\"\"A.\"\"\"\n\nimport re\n\n\ndef f(p):\n    return re.sub('a', 'b', p)\n"},
	{name: "one more from the same place", path: "a.py", source: "from typing import Any, List\n\ndef f(p: Optional[Any]) -> List:\n    return [p]\n", tool: "mypy", rule: "name-defined", message: `Name "Optional" is not defined`, line: 3,
		want: "from typing import Any, List, Optional\n\ndef f(p: Optional[Any]) -> List:\n    return [p]\n"},
	{name: "made elsewhere in the project", path: "src/shop/cart.py", source: "def total(items):\n    return sum(price_of(i) for i in items)\n", tool: "ruff", rule: "F821", message: "Undefined name `price_of`", line: 2, column: 16,
		project: project{"src/shop/prices.py": "def price_of(item):\n    return item.price\n"},
		want:    "from shop.prices import price_of\n\ndef total(items):\n    return sum(price_of(i) for i in items)\n"},
	{name: "taken elsewhere in the project", path: "src/A.java", source: "package p;\n\nimport java.util.List;\n\nclass A {\n    Widget w;\n}\n", tool: "javac", message: "cannot find symbol: class Widget", line: 6, column: 5,
		project: project{"src/B.java": "package p;\n\nimport org.acme.Widget;\n\nclass B {}\n"},
		want:    "package p;\n\nimport java.util.List;\nimport org.acme.Widget;\n\nclass A {\n    Widget w;\n}\n"},
	{name: "a class of the library", path: "A.java", source: "package p;\n\nimport java.util.List;\n\nclass A {\n    List<String> l = new ArrayList<>();\n}\n", tool: "javac", message: "cannot find symbol: class ArrayList", line: 6, column: 26,
		want: "package p;\n\nimport java.util.ArrayList;\nimport java.util.List;\n\nclass A {\n    List<String> l = new ArrayList<>();\n}\n"},
	{name: "a module of node", path: "a.js", source: "const fs = require('node:fs')\n\nmodule.exports = (f) => fs.readFileSync(path.join('a', f))\n", tool: "eslint", rule: "no-undef", message: "'path' is not defined.", line: 3, column: 41,
		want: "const fs = require('node:fs')\nconst path = require('node:path')\n\nmodule.exports = (f) => fs.readFileSync(path.join('a', f))\n"},
	{name: "Go's import", path: "a.go", source: "package a\n\nimport (\n\t\"fmt\"\n\t\"time\"\n)\n\nfunc f(s string) { fmt.Println(strings.ToUpper(s), time.Now()) }\n", tool: "go", message: "undefined: strings", line: 8, column: 32,
		want: "package a\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n\t\"time\"\n)\n\nfunc f(s string) { fmt.Println(strings.ToUpper(s), time.Now()) }\n"},
	{name: "an import too many", path: "a.py", source: "import os\nimport re\n\nprint(re.I)\n", tool: "flake8", rule: "F401", message: "'os' imported but unused", line: 1, column: 1,
		want: "import re\n\nprint(re.I)\n"},
	{name: "one of a list", path: "a.py", source: "from typing import Any, List, Optional\n\nx: Optional[Any] = None\n", tool: "flake8", rule: "F401", message: "'typing.List' imported but unused", line: 1, column: 1,
		want: "from typing import Any, Optional\n\nx: Optional[Any] = None\n"},
	{name: "the last of a list in lines", path: "a.py", source: "from typing import (\n    Any,\n    List\n)\n\nx: Any = None\n", tool: "flake8", rule: "F401", message: "'typing.List' imported but unused", line: 1, column: 1,
		want: "from typing import (\n    Any\n)\n\nx: Any = None\n"},
	{name: "Go's import too many", path: "a.go", source: "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc f() { fmt.Println() }\n", tool: "go", message: `"os" imported and not used`, line: 5, column: 2,
		want: "package a\n\nimport (\n\t\"fmt\"\n)\n\nfunc f() { fmt.Println() }\n"},
	{name: "Java's import too many", path: "A.java", source: "package p;\n\nimport java.util.List;\nimport java.util.Map;\n\nclass A { Map m; }\n", tool: "checkstyle", rule: "UnusedImports", message: "Unused import - java.util.List.", line: 3, column: 8,
		want: "package p;\n\nimport java.util.Map;\n\nclass A { Map m; }\n"},
	{name: "a variable that nobody reads", path: "a.py", source: "def f(text):\n    first = 0\n    return len(text)\n", tool: "flake8", rule: "F841", message: "local variable 'first' is assigned to but never used", line: 2, column: 5,
		want: "def f(text):\n    return len(text)\n"},
	{name: "its call may matter", path: "a.js", source: "function f (q) {\n  var size = q.pop()\n  return q\n}\n", tool: "eslint", rule: "no-unused-vars", message: "'size' is assigned a value but never used.", line: 2, column: 7,
		want: "function f (q) {\n  q.pop()\n  return q\n}\n"},
	{name: "an exception that nobody reads", path: "a.py", source: "try:\n    f()\nexcept ValueError as e:\n    pass\n", tool: "flake8", rule: "F841", message: "local variable 'e' is assigned to but never used", line: 3, column: 1,
		want: "try:\n    f()\nexcept ValueError:\n    pass\n"},
	{name: "one of two results", path: "a.go", source: "package a\n\nfunc f() error {\n\tn, err := g()\n\treturn err\n}\n", tool: "go", message: "declared and not used: n", line: 4, column: 2,
		want: "package a\n\nfunc f() error {\n\t_, err := g()\n\treturn err\n}\n"},
	{name: "the outer one is meant", path: "a.go", source: "package a\n\nfunc f(s string) int {\n\tn := 0\n\tif s != \"\" {\n\t\tn := len(s)\n\t}\n\treturn n\n}\n", tool: "go", message: "declared and not used: n", line: 6, column: 3,
		want: "package a\n\nfunc f(s string) int {\n\tn := 0\n\tif s != \"\" {\n\t\tn = len(s)\n\t}\n\treturn n\n}\n"},
	{name: "nothing given back", path: "a.go", source: "package a\n\nfunc f(l []int) int {\n\tsum := 0\n\tfor _, x := range l {\n\t\tsum += x\n\t}\n}\n", tool: "go", message: "missing return", line: 8, column: 1,
		want: "package a\n\nfunc f(l []int) int {\n\tsum := 0\n\tfor _, x := range l {\n\t\tsum += x\n\t}\n\treturn sum\n}\n"},
	{name: "just worked out, Go", path: "a.go", source: "package a\n\nfunc f(n int) int {\n\tresult := n * 2\n}\n", tool: "go", rule: "", message: "missing return", line: 5, column: 1,
		want: "package a\n\nfunc f(n int) int {\n\tresult := n * 2\n\treturn result\n}\n"},
	{name: "just worked out, Python", path: "a.py", source: "def f(n: int) -> int:\n    half = n // 2\n    result = half * 3\n", tool: "mypy", rule: "return", message: "Missing return statement", line: 1, column: 1,
		want: "def f(n: int) -> int:\n    half = n // 2\n    result = half * 3\n    return result\n"},
	{name: "worked out in each branch, Python", path: "a.py", source: "def f(n: int) -> int:\n    half = n // 2\n    if n > 3:\n        result = half\n    else:\n        result = n\n", tool: "mypy", rule: "return", message: "Missing return statement", line: 1, column: 1,
		want: "def f(n: int) -> int:\n    half = n // 2\n    if n > 3:\n        result = half\n    else:\n        result = n\n    return result\n"},
	{name: "just worked out, TypeScript", path: "a.ts", source: "function f(n: number): number {\n  const result = n * 2;\n}\n", tool: "tsc", rule: "TS2355", message: "A function whose declared type is neither 'undefined', 'void', nor 'any' must return a value.", line: 1, column: 24,
		want: "function f(n: number): number {\n  const result = n * 2;\n  return result;\n}\n"},
	{name: "just worked out, Java", path: "A.java", source: "class A {\n    int f(int n) {\n        int result = n;\n        int other = 2;\n        result = n * other;\n    }\n}\n", tool: "javac", rule: "", message: "missing return statement", line: 6, column: 5,
		want: "class A {\n    int f(int n) {\n        int result = n;\n        int other = 2;\n        result = n * other;\n        return result;\n    }\n}\n"},
	{name: "what a block keeps for itself", path: "a.go", source: "package a\n\nfunc f(n int) int {\n\tsum := 0\n\tif n > 2 {\n\t\thalf := n / 2\n\t}\n}\n", tool: "go", rule: "", message: "missing return", line: 8, column: 1,
		want: "package a\n\nfunc f(n int) int {\n\tsum := 0\n\tif n > 2 {\n\t\thalf := n / 2\n\t}\n\treturn sum\n}\n"},
	{name: "worked out and lost", path: "a.py", source: "def f(x: int) -> int:\n    x + 1\n", tool: "mypy", rule: "return", message: "Missing return statement", line: 1,
		want: "def f(x: int) -> int:\n    return x + 1\n"},
	{name: "declared as another type", path: "a.py", source: "def f(x: float) -> str:\n    ret: bytes = \"%f\" % x\n    return ret\n", tool: "mypy", rule: "assignment", message: `Incompatible types in assignment (expression has type "str", variable has type "bytes")`, line: 2,
		want: "def f(x: float) -> str:\n    ret: str = \"%f\" % x\n    return ret\n"},
	{name: "a result of another type", path: "a.py", source: "def dasherize(word: str) -> int:\n    return word.replace('_', '-')\n", tool: "mypy", rule: "return-value", message: `Incompatible return value type (got "str", expected "int")`, line: 2,
		want: "def dasherize(word: str) -> str:\n    return word.replace('_', '-')\n"},
	{name: "what is given back was declared as another type", path: "a.py", source: "def f(x: float) -> str:\n    ret: bytes = fmt % x\n    return ret\n", tool: "mypy", rule: "return-value", message: `Incompatible return value type (got "bytes", expected "str")`, line: 3,
		want: "def f(x: float) -> str:\n    ret: str = fmt % x\n    return ret\n", others: []string{"def f(x: float) -> bytes:\n    ret: bytes = fmt % x\n    return ret\n"}},
	{name: "a variable of another type", path: "a.go", source: "package a\n\nfunc f(l []int) int {\n\tvar end string\n\tfor i := range l {\n\t\tend = i\n\t}\n\treturn end\n}\n", tool: "go", message: "cannot use i (variable of type int) as string value in assignment", line: 6, column: 9,
		want: "package a\n\nfunc f(l []int) int {\n\tvar end int\n\tfor i := range l {\n\t\tend = i\n\t}\n\treturn end\n}\n"},
	{name: "a length", path: "a.go", source: "package a\n\ntype v struct{ n int }\n\nfunc f(parts []string) v {\n\treturn v{n: parts}\n}\n", tool: "go", message: "cannot use parts (variable of type []string) as int value in struct literal", line: 6, column: 14,
		want: "package a\n\ntype v struct{ n int }\n\nfunc f(parts []string) v {\n\treturn v{n: len(parts)}\n}\n"},
	{name: "an element", path: "a.go", source: "package a\n\nfunc f(extra []string) (s string) {\n\ts = extra\n\treturn s\n}\n", tool: "go", message: "cannot use extra (variable of type []string) as string value in assignment", line: 4, column: 6,
		want: "package a\n\nfunc f(extra []string) (s string) {\n\ts = extra[0]\n\treturn s\n}\n", others: []string{"package a\n\nfunc f(extra []string) (s string) {\n\ts = extra[1]\n\treturn s\n}\n"}},
	{name: "what it is called", path: "F.java", source: "class NameFilter {\n    String name(Artifact a) {\n        return a;\n    }\n    void x(Artifact a) { a.getVersion(); a.getName(); }\n}\n", tool: "javac", message: "incompatible types: Artifact cannot be converted to String", line: 3, column: 16,
		want: "class NameFilter {\n    String name(Artifact a) {\n        return a.getName();\n    }\n    void x(Artifact a) { a.getVersion(); a.getName(); }\n}\n", others: []string{"class NameFilter {\n    String name(Artifact a) {\n        return a.toString();\n    }\n    void x(Artifact a) { a.getVersion(); a.getName(); }\n}\n"}},
	{name: "a result without a type", path: "a.py", source: "def f(text: str):\n    return text.strip()\n", tool: "mypy", rule: "no-untyped-def", message: "Function is missing a return type annotation", line: 1,
		want: "def f(text: str) -> str:\n    return text.strip()\n"},
	{name: "nothing is given", path: "a.py", source: "def f(text: str):\n    print(text)\n", tool: "mypy", rule: "no-untyped-def", message: "Function is missing a return type annotation", line: 1,
		want: "def f(text: str) -> None:\n    print(text)\n"},
	{name: "perhaps missing", path: "a.ts", source: "function f(m: RegExpMatchArray | null) {\n  return m.index;\n}\n", tool: "tsc", rule: "TS18047", message: "'m' is possibly 'null'.", line: 2, column: 10,
		want: "function f(m: RegExpMatchArray | null) {\n  return m?.index;\n}\n", others: []string{"function f(m: RegExpMatchArray | null) {\n  if (m === null) {\n    return undefined;\n  }\n  return m.index;\n}\n"}},
	{name: "a result perhaps missing", path: "a.ts", source: "const y = (t: string) => /a/.exec(t).at(0);\n", tool: "tsc", rule: "TS2531", message: "Object is possibly 'null'.", line: 1, column: 26,
		want: "const y = (t: string) => /a/.exec(t)?.at(0);\n"},
	{name: "perhaps None", path: "a.py", source: "import re\n\ndef f(s: str) -> str:\n    m = re.match('a', s)\n    return m.group()\n", tool: "mypy", rule: "union-attr", message: `Item "None" of "Match[str] | None" has no attribute "group"`, line: 5,
		want: "import re\n\ndef f(s: str) -> str:\n    m = re.match('a', s)\n    if m is None:\n        return \"\"\n    return m.group()\n"},
	{name: "not awaited", path: "a.py", source: "async def g() -> int:\n    return 1\n\nasync def f() -> int:\n    return g() + 1\n", tool: "mypy", rule: "operator", message: `Unsupported left operand type for + ("Coroutine[Any, Any, int]"); Maybe you forgot to use "await"?`, line: 5, column: 12,
		want: "async def g() -> int:\n    return 1\n\nasync def f() -> int:\n    return await g() + 1\n"},
	{name: "an error lost", path: "a.go", source: "package a\n\nfunc f(w *W) (int, error) {\n\tw.Flush()\n\treturn w.n, nil\n}\n", tool: "golangci-lint", rule: "errcheck", message: "Error return value of `w.Flush` is not checked", line: 4, column: 9,
		want: "package a\n\nfunc f(w *W) (int, error) {\n\tif err := w.Flush(); err != nil {\n\t\treturn 0, err\n\t}\n\treturn w.n, nil\n}\n"},
	{name: "a hidden error", path: "a.go", source: "package a\n\nfunc f() (err error) {\n\tif true {\n\t\terr := g()\n\t\tprintln(err)\n\t}\n\treturn err\n}\n", tool: "vet", message: `declaration of "err" shadows declaration at line 3`, line: 5, column: 3,
		want: "package a\n\nfunc f() (err error) {\n\tif true {\n\t\terr = g()\n\t\tprintln(err)\n\t}\n\treturn err\n}\n"},
	{name: "a verb", path: "a.go", source: "package a\n\nimport \"fmt\"\n\nfunc f(v string) error {\n\treturn fmt.Errorf(\"malformed version: %d\", v)\n}\n", tool: "vet", message: "fmt.Errorf format %d has arg v of wrong type string", line: 6, column: 43,
		want: "package a\n\nimport \"fmt\"\n\nfunc f(v string) error {\n\treturn fmt.Errorf(\"malformed version: %s\", v)\n}\n"},
	{name: "an argument", path: "a.go", source: "package a\n\nimport \"fmt\"\n\nfunc f(vars []string) error {\n\tfor _, v := range vars {\n\t\tif v == \"\" {\n\t\t\treturn fmt.Errorf(\"missing %q\")\n\t\t}\n\t}\n\treturn nil\n}\n", tool: "vet", message: "fmt.Errorf format %q reads arg #1, but call has 0 args", line: 8, column: 31,
		want: "package a\n\nimport \"fmt\"\n\nfunc f(vars []string) error {\n\tfor _, v := range vars {\n\t\tif v == \"\" {\n\t\t\treturn fmt.Errorf(\"missing %q\", v)\n\t\t}\n\t}\n\treturn nil\n}\n"},
	{name: "true is true", path: "A.java", source: "class A {\n    int f(boolean b) {\n        if (b == true) { return 1; }\n        return 0;\n    }\n}\n", tool: "checkstyle", rule: "SimplifyBooleanExpression", message: "Expression can be simplified.", line: 3, column: 15,
		want: "class A {\n    int f(boolean b) {\n        if (b) { return 1; }\n        return 0;\n    }\n}\n"},
	{name: "a list of another type", path: "a.ts", source: "type E = { n: number };\nfunction f(): readonly E[] {\n  const out: Array<string> = [];\n  out.push({ n: 1 });\n  return out;\n}\n", tool: "tsc", rule: "TS2322", message: "Type 'string[]' is not assignable to type 'readonly E[]'.\n  Type 'string' is not assignable to type 'E'.", line: 5, column: 3,
		want: "type E = { n: number };\nfunction f(): readonly E[] {\n  const out: Array<E> = [];\n  out.push({ n: 1 });\n  return out;\n}\n"},
	{name: "compared without converting", path: "a.js", source: "function f(a, b) {\n  return a != null && a == b && a == 1\n}\n", tool: "eslint", rule: "eqeqeq", message: "Expected '===' and instead saw '=='.", line: 2, column: 25,
		want: "function f(a, b) {\n  return a != null && a === b && a == 1\n}\n"},
	{name: "null and undefined", path: "a.js", source: "function f(a) {\n  return a == null\n}\n", tool: "eslint", rule: "eqeqeq", message: "Expected '===' and instead saw '=='.", line: 2, column: 12, none: true},
	{name: "None is None", path: "a.py", source: "def f(x):\n    return x == None\n", tool: "flake8", rule: "E711", message: "comparison to None should be 'if cond is None:'", line: 2, column: 14,
		want: "def f(x):\n    return x is None\n"},
	{name: "around an operator", path: "a.py", source: "def f(word):\n    word =word.lower()\n    return word\n", tool: "flake8", rule: "E225", message: "missing whitespace around operator", line: 2, column: 11,
		want: "def f(word):\n    word = word.lower()\n    return word\n"},
	{name: "after a comma", path: "a.py", source: "x = [1,2]\n", tool: "flake8", rule: "E231", message: "missing whitespace after ','", line: 1, column: 7,
		want: "x = [1, 2]\n"},
	{name: "before a function", path: "a.py", source: "def f():\n    pass\n\ndef g():\n    pass\n", tool: "flake8", rule: "E302", message: "expected 2 blank lines, found 1", line: 4, column: 1,
		want: "def f():\n    pass\n\n\ndef g():\n    pass\n"},
	{name: "too many lines", path: "a.py", source: "def f():\n    x = 1\n\n\n\n    return x\n", tool: "flake8", rule: "E303", message: "too many blank lines (3)", line: 6, column: 5,
		want: "def f():\n    x = 1\n\n    return x\n"},
	{name: "the line's end", path: "a.py", source: "x = 1  \n", tool: "flake8", rule: "W291", message: "trailing whitespace", line: 1, column: 6,
		want: "x = 1\n"},
	{name: "a checker's instruction stays first", path: "src/a.js", source: "// @ts-check\n\nexport const x = total([1])\n", tool: "tsc", rule: "TS2304", message: "Cannot find name 'total'.", line: 3, column: 18,
		project: project{"src/b.js": "export function total (l) { return l.length }\n"},
		want:    "// @ts-check\nimport { total } from './b.js'\n\nexport const x = total([1])\n"},
	{name: "a module's name that is a variable's", path: "a.py", source: "def f(times):\n    return sum(time)\n", tool: "flake8", rule: "F821", message: "undefined name 'time'", line: 2, column: 16,
		want: "def f(times):\n    return sum(times)\n"},
	{name: "a default that nobody reads", path: "a.js", source: "exports.f = (a, b = 1) => {\n  return a\n}\n", tool: "eslint", rule: "no-unused-vars", message: "'b' is assigned a value but never used.", line: 1, column: 17, none: true},
	{name: "a name made within a call", path: "a.py", source: "def f():\n    process(item := load())\n", tool: "ruff", rule: "F841", message: "Local variable `item` is assigned to but never used", line: 2, column: 13, none: true},
	{name: "what a package gives", path: "pkg/__init__.py", source: "from .core import run\n", tool: "ruff", rule: "F401", message: "`.core.run` imported but unused", line: 1, column: 19, none: true},
	{name: "is it there?", path: "a.py", source: "try:\n    import numpy\n    HAVE = True\nexcept ImportError:\n    HAVE = False\n", tool: "flake8", rule: "F401", message: "'numpy' imported but unused", line: 2, column: 5, none: true},
	{name: "one of two kinds", path: "a.js", source: "import React, { useState } from 'react'\nReact.go()\n", tool: "eslint", rule: "no-unused-vars", message: "'useState' is defined but never used.", line: 1, column: 17,
		want: "import React from 'react'\nReact.go()\n"},
	{name: "a type of a list", path: "a.ts", source: "import { type A, b } from './c'\nb()\n", tool: "tsc", rule: "TS6133", message: "'A' is declared but its value is never read.", line: 1, column: 15,
		want: "import { b } from './c'\nb()\n"},
	{name: "more on the line", path: "a.py", source: "import os; print(1)\n", tool: "flake8", rule: "F401", message: "'os' imported but unused", line: 1, column: 1, none: true},
	{name: "white space of a value", path: "a.py", source: "T = \"\"\"a  \nb\"\"\"\n", tool: "flake8", rule: "W291", message: "trailing whitespace", line: 1, column: 9, none: true},
	{name: "a question for later", path: "a.py", source: "def f(q, u):\n    return q.filter(u.name == None)\n", tool: "flake8", rule: "E711", message: "comparison to None should be 'if cond is None:'", line: 2, column: 27, none: true},
	{name: "in another routine", path: "a.go", source: "package a\n\nfunc f() (err error) {\n\tgo func() {\n\t\terr := g()\n\t\tprintln(err)\n\t}()\n\treturn err\n}\n", tool: "vet", message: `declaration of "err" shadows declaration at line 3`, line: 5, column: 3, none: true},
	{name: "left to others", path: "a.py", source: "class A:\n    def f(self, x: int):\n        raise NotImplementedError\n", tool: "mypy", rule: "no-untyped-def", message: "Function is missing a return type annotation", line: 2, none: true},
	{name: "a colon in a comment", path: "a.py", source: "def f(x: int):  # a: b\n    print(x)\n", tool: "mypy", rule: "no-untyped-def", message: "Function is missing a return type annotation", line: 1,
		want: "def f(x: int) -> None:  # a: b\n    print(x)\n"},
	{name: "not exported, but there", path: "a.go", source: "package a\n\nimport \"fmt\"\n\nfunc f() { fmt.println() }\n", tool: "go test", message: "undefined: fmt.println (but have Println)", line: 5, column: 16,
		want: "package a\n\nimport \"fmt\"\n\nfunc f() { fmt.Println() }\n"},
	{name: "a field misspelt", path: "a.go", source: "package a\n\ntype T struct{ Size int }\n\nvar t = T{siez: 1}\n", tool: "go", message: "unknown field siez in struct literal of type T, but does have Size", line: 5, column: 11,
		want: "package a\n\ntype T struct{ Size int }\n\nvar t = T{Size: 1}\n"},
	{name: "a promise asked for a member", path: "a.ts", source: "async function f() {\n  return load().name;\n}\n", tool: "tsc", rule: "TS2339", message: "Property 'name' does not exist on type 'Promise<User>'.", line: 2, column: 17,
		want: "async function f() {\n  return (await load()).name;\n}\n"},
	{name: "a promise asked for a method", path: "a.ts", source: "async function f(key: string): Promise<string> {\n  return load(key).toUpperCase();\n}\n", tool: "tsc", rule: "TS2339", message: "Property 'toUpperCase' does not exist on type 'Promise<string>'.", line: 2, column: 20,
		want: "async function f(key: string): Promise<string> {\n  return (await load(key)).toUpperCase();\n}\n"},
	{name: "a promise asked for a method, within another call", path: "a.ts", source: "async function f(key: string) {\n  show(load(key).trim().length);\n}\n", tool: "tsc", rule: "TS2339", message: "Property 'trim' does not exist on type 'Promise<string>'.", line: 2, column: 18,
		want: "async function f(key: string) {\n  show((await load(key)).trim().length);\n}\n"},
	{name: "a product made smaller", path: "A.java", source: "class A {\n    int f(int a) {\n        int x = a * 0.5;\n        return x;\n    }\n}\n", tool: "javac", message: "incompatible types: possible lossy conversion from double to int", line: 3, column: 19,
		want: "class A {\n    int f(int a) {\n        double x = a * 0.5;\n        return x;\n    }\n}\n", others: []string{"class A {\n    int f(int a) {\n        int x = (int) (a * 0.5);\n        return x;\n    }\n}\n"}},
	{name: "an exception that is not declared", path: "A.java", source: "class A {\n    String read(Path p) {\n        return Files.readString(p);\n    }\n}\n", tool: "javac", message: "unreported exception IOException; must be caught or declared to be thrown", line: 3, column: 32,
		want: "import java.io.IOException;\n\nclass A {\n    String read(Path p) throws IOException {\n        return Files.readString(p);\n    }\n}\n"},
	{name: "an exception that is imported", path: "A.java", source: "package p;\n\nimport java.io.IOException;\n\nclass A {\n    String read(Path p) {\n        return Files.readString(p);\n    }\n}\n", tool: "javac", message: "unreported exception IOException; must be caught or declared to be thrown", line: 7, column: 32,
		want: "package p;\n\nimport java.io.IOException;\n\nclass A {\n    String read(Path p) throws IOException {\n        return Files.readString(p);\n    }\n}\n"},
	{name: "an exception that is imported with all its package", path: "A.java", source: "package p;\n\nimport java.io.*;\n\nclass A {\n    String read(Path p) {\n        return Files.readString(p);\n    }\n}\n", tool: "javac", message: "unreported exception IOException; must be caught or declared to be thrown", line: 7, column: 32,
		want: "package p;\n\nimport java.io.*;\n\nclass A {\n    String read(Path p) throws IOException {\n        return Files.readString(p);\n    }\n}\n"},
	{name: "an exception of the project's, never imported", path: "src/A.java", source: "package p;\n\nimport java.util.List;\n\nclass A {\n    void load(List<String> l) {\n        Loader.load(l);\n    }\n}\n", tool: "javac", message: "unreported exception LoadException; must be caught or declared to be thrown", line: 7, column: 20,
		project: project{"src/B.java": "package p;\n\nimport org.acme.LoadException;\n\nclass B {}\n"},
		want:    "package p;\n\nimport java.util.List;\nimport org.acme.LoadException;\n\nclass A {\n    void load(List<String> l) throws LoadException {\n        Loader.load(l);\n    }\n}\n"},
	{name: "an exception of the same package", path: "src/A.java", source: "package p;\n\nimport java.util.List;\n\nclass A {\n    void load(List<String> l) {\n        Loader.load(l);\n    }\n}\n", tool: "javac", message: "unreported exception LoadException; must be caught or declared to be thrown", line: 7, column: 20,
		project: project{"src/LoadException.java": "package p;\n\nclass LoadException extends Exception {}\n", "test/C.java": "package q;\n\nimport org.acme.LoadException;\n\nclass C {}\n"},
		want:    "package p;\n\nimport java.util.List;\n\nclass A {\n    void load(List<String> l) throws LoadException {\n        Loader.load(l);\n    }\n}\n"},
	{name: "another exception", path: "A.java", source: "class A {\n    A(Path p)\n            throws IOException {\n        Files.readString(p);\n        Thread.sleep(1);\n    }\n}\n", tool: "javac", message: "unreported exception InterruptedException; must be caught or declared to be thrown", line: 5, column: 21,
		want: "class A {\n    A(Path p)\n            throws IOException, InterruptedException {\n        Files.readString(p);\n        Thread.sleep(1);\n    }\n}\n"},
	{name: "an exception in a lambda", path: "A.java", source: "class A {\n    Runnable r = () -> { Thread.sleep(1); };\n}\n", tool: "javac", message: "unreported exception InterruptedException; must be caught or declared to be thrown", line: 2, column: 38, none: true},
	{name: "no value on one way", path: "A.java", source: "class A {\n    int f(boolean b) {\n        int n;\n        if (b) n = 1;\n        return n;\n    }\n}\n", tool: "javac", message: "variable n might not have been initialized", line: 5, column: 16,
		want: "class A {\n    int f(boolean b) {\n        int n = 0;\n        if (b) n = 1;\n        return n;\n    }\n}\n"},
	{name: "a count without a beginning", path: "A.java", source: "class A {\n    int f(int[] l) {\n        int n;\n        for (int x : l) {\n            if (x > 0) n++;\n        }\n        return n;\n    }\n}\n", tool: "javac", message: "variable n might not have been initialized", line: 5, column: 24,
		want: "class A {\n    int f(int[] l) {\n        int n = 0;\n        for (int x : l) {\n            if (x > 0) n++;\n        }\n        return n;\n    }\n}\n"},
	{name: "a field without a value", path: "A.java", source: "class A {\n    final int n;\n    A() {\n        System.out.println(n);\n    }\n}\n", tool: "javac", message: "variable n might not have been initialized", line: 4, column: 28, none: true},
	{name: "one way gives nothing", path: "a.py", source: "def f(a):\n    if a:\n        return 1\n", tool: "pylint", rule: "inconsistent-return-statements", message: "Either all return statements in a function should return an expression, or none of them should.", line: 1, column: 1,
		want: "def f(a):\n    if a:\n        return 1\n    return a\n", others: []string{"def f(a):\n    if a:\n        return 1\n    return None\n"}},
	{name: "the right object", path: "a.py", source: "def f(g: G, x: list[int] | None) -> int:\n    return g.h(x[0])\n", tool: "mypy", rule: "index", message: `Value of type "list[int] | None" is not indexable`, line: 2,
		want: "def f(g: G, x: list[int] | None) -> int:\n    if x is None:\n        return 0\n    return g.h(x[0])\n"},
	{name: "several results of a type", path: "a.go", source: "package a\n\nfunc f(w *W) (a, b int, err error) {\n\tw.Flush()\n\treturn 1, 2, nil\n}\n", tool: "golangci-lint", rule: "errcheck", message: "Error return value of `w.Flush` is not checked", line: 4, column: 9,
		want: "package a\n\nfunc f(w *W) (a, b int, err error) {\n\tif err := w.Flush(); err != nil {\n\t\treturn 0, 0, err\n\t}\n\treturn 1, 2, nil\n}\n"},
	{name: "a comment of the function", path: "a.py", source: "x = 1\n# About f.\ndef f():\n    pass\n", tool: "flake8", rule: "E302", message: "expected 2 blank lines, found 0", line: 3, column: 1,
		want: "x = 1\n\n\n# About f.\ndef f():\n    pass\n"},
	{name: "lines of another system", path: "a.py", source: "def f():\r\n    pass\r\n\r\ndef g():\r\n    pass  \r\n", tool: "flake8", rule: "E302", message: "expected 2 blank lines, found 1", line: 4, column: 1,
		want: "def f():\r\n    pass\r\n\r\n\r\ndef g():\r\n    pass  \r\n"},
	{name: "a linter's own", path: "a.go", source: "package a\n\nfunc f(a int) { a = a }\n", tool: "vet", message: "self-assignment of a to a", line: 3, column: 17, unknown: true},
	{name: "nothing is like it", path: "a.py", source: "print(frobnicate)\n", tool: "flake8", rule: "F821", message: "undefined name 'frobnicate'", line: 1, column: 7, none: true},
	{name: "not ours", path: "a.py", source: "x = 1\n", tool: "flake8", rule: "E501", message: "line too long (90 > 79 characters)", line: 1, column: 80, unknown: true},
	{name: "one argument too many", path: "a.go", source: "package a\n\nfunc area(w, h int) int { return w * h }\n\nfunc f(w, h, d int) int { return area(w, h, d) }\n", tool: "go", message: "too many arguments in call to area\n\thave (int, int, int)\n\twant (int, int)", line: 5, column: 45,
		want: "package a\n\nfunc area(w, h int) int { return w * h }\n\nfunc f(w, h, d int) int { return area(w, h) }\n"},
	{name: "one argument too few", path: "a.go", source: "package a\n\nfunc area(w, h int) int { return w * h }\n\nfunc f(w, h int) int { return area(w) }\n", tool: "go", message: "not enough arguments in call to area\n\thave (int)\n\twant (int, int)", line: 5, column: 37,
		want: "package a\n\nfunc area(w, h int) int { return w * h }\n\nfunc f(w, h int) int { return area(w, h) }\n"},
	{name: "the same once more", path: "a.py", source: "def square(width: int) -> int:\n    return area(width)\n", tool: "mypy", rule: "call-arg", message: `Missing positional argument "height" in call to "area"`, line: 2, column: 12,
		want: "def square(width: int) -> int:\n    return area(width, width)\n"},
	{name: "the parameter's name", path: "a.py", source: "def f(width: int, height: int, depth: int) -> int:\n    print(depth)\n    return area(width)\n", tool: "mypy", rule: "call-arg", message: `Missing positional argument "height" in call to "area"`, line: 3, column: 12,
		want: "def f(width: int, height: int, depth: int) -> int:\n    print(depth)\n    return area(width, height)\n"},
	{name: "too many for TypeScript", path: "a.ts", source: "const a = area(1, w, load());\n", tool: "tsc", rule: "TS2554", message: "Expected 2 arguments, but got 3.", line: 1, column: 22,
		want: "const a = area(1, load());\n", others: []string{"const a = area(1, w);\n"}},
	{name: "awaited where it is stored", path: "a.py", source: "async def f() -> str:\n    text = load()\n    return text + \"!\"\n", tool: "mypy", rule: "operator", message: `Unsupported left operand type for + ("Coroutine[Any, Any, str]"); Maybe you forgot to use "await"?`, line: 3, column: 12,
		want: "async def f() -> str:\n    text = await load()\n    return text + \"!\"\n"},
	{name: "awaited where it is stored, of two operands", path: "a.py", source: "async def f() -> str:\n    text = load()\n    return text + \"!\"\n", tool: "mypy", rule: "operator", message: `Unsupported operand types for + ("Coroutine[Any, Any, str]" and "str")`, line: 3, column: 12,
		want: "async def f() -> str:\n    text = await load()\n    return text + \"!\"\n"},
	{name: "a promise that is counted with", path: "a.ts", source: "async function f(): Promise<number> {\n  const n = load();\n  return n + 1;\n}\n", tool: "tsc", rule: "TS2365", message: "Operator '+' cannot be applied to types 'Promise<number>' and 'number'.", line: 3, column: 10,
		want: "async function f(): Promise<number> {\n  const n = await load();\n  return n + 1;\n}\n"},
	{name: "an error behind another result", path: "a.go", source: "package a\n\nfunc f(w W) error {\n\tw.Write(nil)\n\treturn nil\n}\n", tool: "golangci-lint", rule: "errcheck", message: "Error return value of `w.Write` is not checked", line: 4, column: 9,
		want:   "package a\n\nfunc f(w W) error {\n\tif err := w.Write(nil); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n",
		others: []string{"package a\n\nfunc f(w W) error {\n\tif _, err := w.Write(nil); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n"}},
	{name: "nobody to hand an error to", path: "a.go", source: "package a\n\nfunc f(w W) {\n\tw.Flush()\n}\n", tool: "golangci-lint", rule: "errcheck", message: "Error return value of `w.Flush` is not checked", line: 4, column: 9, none: true},
	{name: "two verbs", path: "a.go", source: "package a\n\nimport \"fmt\"\n\nfunc f(name string, n int) { fmt.Printf(\"%d has %s\", name, n) }\n", tool: "vet", message: "fmt.Printf format %d has arg name of wrong type string", line: 5, column: 42,
		want: "package a\n\nimport \"fmt\"\n\nfunc f(name string, n int) { fmt.Printf(\"%s has %s\", name, n) }\n",
		others: []string{"package a\n\nimport \"fmt\"\n\nfunc f(name string, n int) { fmt.Printf(\"%s has %d\", name, n) }\n",
			"package a\n\nimport \"fmt\"\n\nfunc f(name string, n int) { fmt.Printf(\"%d has %s\", n, name) }\n"}},
	{name: "a hidden error beside a new result", path: "a.go", source: atoi, tool: "golangci-lint", rule: "govet", message: `shadow: declaration of "err" shadows declaration at line 5`, line: 7, column: 6,
		project: project{"a.go": atoi, "types of a.go": "n is int\nerr is error\n"},
		want:    strings.Replace(atoi, "\t\tn, err := strconv", "\t\tvar n int\n\t\tn, err = strconv", 1)},
	{name: "a hidden error beside a result of another package's", path: "a.go", source: "package a\n\nimport \"os\"\n\nfunc f() (err error) {\n\tif true {\n\t\tp, err := os.StartProcess(\"a\", nil, nil)\n\t\tp.Release()\n\t}\n\treturn err\n}\n", tool: "go", message: "declared and not used: err", line: 7, column: 6,
		project: project{"a.go": "package a\n\nimport \"os\"\n\nfunc f() (err error) {\n\tif true {\n\t\tp, err :=", "types of a.go": "p is *example.org/x/os.Process\n"},
		want:    "package a\n\nimport \"os\"\n\nfunc f() (err error) {\n\tif true {\n\t\tvar p *os.Process\n\t\tp, err = os.StartProcess(\"a\", nil, nil)\n\t\tp.Release()\n\t}\n\treturn err\n}\n"},
	{name: "a new result of a type that nobody knows", path: "a.go", source: atoi, tool: "golangci-lint", rule: "govet", message: `shadow: declaration of "err" shadows declaration at line 5`, line: 7, column: 6, none: true},
	{name: "two wrong verbs", path: "a.go", source: show, tool: "vet", message: "fmt.Sprintf format %d has arg name of wrong type string", line: 5, column: 60,
		project: project{"a.go": show, "types of a.go": "name is string\ntitle is string\nn is int\n"},
		want:    strings.Replace(show, "%d, %d: %d", "%s, %s: %d", 1)},
	{name: "the second of a verb", path: "a.go", source: "package a\n\nimport \"fmt\"\n\nfunc f(n int, name string) { fmt.Printf(\"%d %d\", n, name) }\n", tool: "vet", message: "fmt.Printf format %d has arg name of wrong type string", line: 5, column: 42,
		want: "package a\n\nimport \"fmt\"\n\nfunc f(n int, name string) { fmt.Printf(\"%d %s\", n, name) }\n"},
	{name: "the second of a verb, and one that stands elsewhere", path: "a.go", source: "package a\n\nimport \"fmt\"\n\nfunc f(x, n int, name string) { fmt.Printf(\"%d %d is %s\", x, name, n) }\n", tool: "vet", message: "fmt.Printf format %d has arg name of wrong type string", line: 5, column: 42,
		want: "package a\n\nimport \"fmt\"\n\nfunc f(x, n int, name string) { fmt.Printf(\"%d %s is %s\", x, name, n) }\n",
		others: []string{"package a\n\nimport \"fmt\"\n\nfunc f(x, n int, name string) { fmt.Printf(\"%d %s is %d\", x, name, n) }\n",
			"package a\n\nimport \"fmt\"\n\nfunc f(x, n int, name string) { fmt.Printf(\"%d %d is %s\", x, n, name) }\n"}},
	{name: "given to a call", path: "a.py", source: "def f(words: Optional[list[str]]) -> int:\n    return len(words)\n", tool: "mypy", rule: "arg-type", message: `Argument 1 to "len" has incompatible type "Optional[list[str]]"; expected "Sized"`, line: 2,
		want: "def f(words: Optional[list[str]]) -> int:\n    if words is None:\n        return 0\n    return len(words)\n"},
	{name: "given to a call, of an object's", path: "a.py", source: "class T:\n    def size(self) -> int:\n        return max(0, len(self.items))\n", tool: "mypy", rule: "arg-type", message: `Argument 1 to "len" has incompatible type "list[int] | None"; expected "Sized"`, line: 3,
		want: "class T:\n    def size(self) -> int:\n        if self.items is None:\n            return 0\n        return max(0, len(self.items))\n"},
	{name: "one of a list", path: "a.py", source: "def f(names: list[str | None]) -> list[str]:\n    out = []\n    for name in names:\n        out.append(name)\n    return out\n", tool: "mypy", rule: "arg-type", message: `Argument 1 to "append" of "list" has incompatible type "str | None"; expected "str"`, line: 4,
		want: "def f(names: list[str | None]) -> list[str]:\n    out = []\n    for name in names:\n        if name is None:\n            continue\n        out.append(name)\n    return out\n"},
	{name: "given by its name", path: "a.py", source: "def f(x: int | None, n: int) -> str:\n    return pad(\"\", fill=x)\n", tool: "mypy", rule: "arg-type", message: `Argument "fill" to "pad" has incompatible type "int | None"; expected "int"`, line: 2,
		want: "def f(x: int | None, n: int) -> str:\n    if x is None:\n        return \"\"\n    return pad(\"\", fill=x)\n"},
	{name: "looked through", path: "a.py", source: "def f(words: list[str] | None) -> None:\n    for w in words:\n        print(w)\n", tool: "mypy", rule: "union-attr", message: `Item "None" of "list[str] | None" has no attribute "__iter__" (not iterable)`, line: 2,
		want: "def f(words: list[str] | None) -> None:\n    if words is None:\n        return\n    for w in words:\n        print(w)\n"},
	{name: "on the right", path: "a.py", source: "def f(y: int, x: int | None) -> int:\n    return y + x\n", tool: "mypy", rule: "operator", message: `Unsupported operand types for + ("int" and "None")`, line: 2,
		want: "def f(y: int, x: int | None) -> int:\n    if x is None:\n        return 0\n    return y + x\n"},
	{name: "on the left", path: "a.py", source: "def f(y: int, x: int | None) -> int:\n    return x + y\n", tool: "mypy", rule: "operator", message: `Unsupported operand types for + ("None" and "int")`, line: 2,
		want: "def f(y: int, x: int | None) -> int:\n    if x is None:\n        return 0\n    return x + y\n"},
	{name: "an argument, by another checker", path: "a.py", source: "def f(words: Optional[list[str]]) -> int:\n    return len(words) + len(other)\n", tool: "pyright", rule: "reportArgumentType", message: `Argument of type "list[str] | None" cannot be assigned to parameter "obj" of type "Sized" in function "len"`, line: 2, column: 16,
		want: "def f(words: Optional[list[str]]) -> int:\n    if words is None:\n        return 0\n    return len(words) + len(other)\n"},
	{name: "on the right, by another checker", path: "a.py", source: "def f(y: int, x: int | None) -> int:\n    return y + x\n", tool: "pyright", rule: "reportOperatorIssue", message: `Operator "+" not supported for types "int" and "int | None"`, line: 2, column: 12,
		want: "def f(y: int, x: int | None) -> int:\n    if x is None:\n        return 0\n    return y + x\n"},
	{name: "looked through, by another checker", path: "a.py", source: "def f(words: list[str] | None) -> None:\n    for w in words:\n        print(w)\n", tool: "pyright", rule: "reportOptionalIterable", message: `Object of type "None" cannot be used as iterable value`, line: 2, column: 14,
		want: "def f(words: list[str] | None) -> None:\n    if words is None:\n        return\n    for w in words:\n        print(w)\n"},
	{name: "both may be missing", path: "a.py", source: "def f(x: int | None) -> None:\n    g(x)\n", tool: "mypy", rule: "arg-type", message: `Argument 1 to "g" has incompatible type "int | None"; expected "str | None"`, line: 2, none: true},
	{name: "one more of what is imported", path: "src/a.ts", source: "import { find, type User } from './store.js';\n\nconst t = load('a');\n", tool: "tsc", rule: "TS2304", message: "Cannot find name 'load'.", line: 3, column: 11,
		project: project{"src/store.ts": "export async function load(name: string) { return name; }\n"},
		want:    "import { find, type User, load } from './store.js';\n\nconst t = load('a');\n"},
	{name: "as the others are written", path: "src/a.ts", source: "import { x } from './other.js';\n\nconst t = load(x);\n", tool: "tsc", rule: "TS2304", message: "Cannot find name 'load'.", line: 3, column: 11,
		project: project{"src/store.ts": "export async function load(name: string) { return name; }\n"},
		want:    "import { load } from './store.js';\nimport { x } from './other.js';\n\nconst t = load(x);\n"},
	{name: "a colon is missing", path: "a.py", source: "def f(n):\n    if n > 1  # one\n        return n\n", tool: "pytest", message: "cannot collect test_a.py: SyntaxError: expected ':'", line: 2,
		want: "def f(n):\n    if n > 1:  # one\n        return n\n"},
	{name: "a bracket is missing", path: "a.ts", source: "f(g(1);\n", tool: "tsc", rule: "TS1005", message: "')' expected.", line: 1, column: 7,
		want: "f(g(1));\n"},
	{name: "misspelt, by pyright's words", path: "a.py", source: "def area(width, height):\n    return widht * height\n", tool: "pyright", rule: "reportUndefinedVariable", message: `"widht" is not defined`, line: 2, column: 12,
		want: "def area(width, height):\n    return width * height\n"},
	{name: "a member, by pyright's words", path: "a.py", source: "class T:\n    def __init__(self) -> None:\n        self.count = 0\n\n\ndef f(t: T) -> int:\n    return t.cuont\n", tool: "pyright", rule: "reportAttributeAccessIssue", message: `Cannot access attribute "cuont" for class "T"`, line: 7, column: 14,
		want: "class T:\n    def __init__(self) -> None:\n        self.count = 0\n\n\ndef f(t: T) -> int:\n    return t.count\n"},
	{name: "a coroutine that nobody waits for", path: "a.py", source: "async def f() -> None:\n    load(\"a\")\n", tool: "pyright", rule: "reportUnusedCoroutine", message: `Result of async function call is not used; use "await" or assign result to variable`, line: 2, column: 5,
		want: "async def f() -> None:\n    await load(\"a\")\n"},
	{name: "a coroutine that is asked for a member", path: "a.py", source: "async def f() -> None:\n    t = load(\"b\")\n    print(t.upper())\n", tool: "pyright", rule: "reportAttributeAccessIssue", message: `Cannot access attribute "upper" for class "CoroutineType[Any, Any, str]"`, line: 3, column: 13,
		want: "async def f() -> None:\n    t = await load(\"b\")\n    print(t.upper())\n"},
	{name: "a value of another type than is given", path: "a.py", source: "def f() -> int:\n    return \"x\"\n", tool: "pyright", rule: "reportReturnType", message: `Type "Literal['x']" is not assignable to return type "int"`, line: 2, column: 12,
		want: "def f() -> str:\n    return \"x\"\n"},
	{name: "a value of another type, in older words", path: "a.py", source: "n: int = \"x\"\n", tool: "pyright", rule: "reportGeneralTypeIssues", message: `Expression of type "Literal['x']" cannot be assigned to declared type "int"`, line: 1, column: 10,
		want: "n: str = \"x\"\n"},
	{name: "nothing given back, by pyright's words", path: "a.py", source: "def f(x: int) -> int:\n    x + 1\n", tool: "pyright", rule: "reportReturnType", message: `Function with declared return type "int" must return value on all code paths`, line: 1, column: 18,
		want: "def f(x: int) -> int:\n    return x + 1\n"},
	{name: "an argument too many, by pyright's words", path: "a.py", source: "x = area(1, 2, 3)\n", tool: "pyright", rule: "reportCallIssue", message: `Expected 2 positional arguments`, line: 1, column: 16,
		want: "x = area(1, 2)\n"},
	{name: "the parameter's name, by pyright's words", path: "a.py", source: "def f(width: int, height: int, depth: int) -> int:\n    print(depth)\n    return area(width)\n", tool: "pyright", rule: "reportCallIssue", message: `Argument missing for parameter "height"`, line: 3, column: 12,
		want: "def f(width: int, height: int, depth: int) -> int:\n    print(depth)\n    return area(width, height)\n"},
	{name: "no such parameter", path: "a.py", source: "area(1, c=2)\n", tool: "pyright", rule: "reportCallIssue", message: `No parameter named "c"`, line: 1, column: 9,
		want: "area(1)\n"},
	{name: "an import too many, by pyright's words", path: "a.py", source: "import os\nimport re\n\nprint(re.I)\n", tool: "pyright", rule: "reportUnusedImport", message: `Import "os" is not accessed`, line: 1, column: 8,
		want: "import re\n\nprint(re.I)\n"},
	{name: "a variable that nobody reads, by pyright's words", path: "a.py", source: "def f(text):\n    first = 0\n    return len(text)\n", tool: "pyright", rule: "reportUnusedVariable", message: `Variable "first" is not accessed`, line: 2, column: 5,
		want: "def f(text):\n    return len(text)\n"},
	{name: "misspelt, by pylint's words", path: "a.py", source: "def area(width, height):\n    return widht * height\n", tool: "pylint", rule: "undefined-variable", message: "Undefined variable 'widht'", line: 2, column: 12,
		want: "def area(width, height):\n    return width * height\n"},
	{name: "a member with pylint's hint", path: "a.py", source: "import math\n\nmath.sqr(2)\n", tool: "pylint", rule: "no-member", message: "Module 'math' has no 'sqr' member; maybe 'sqrt'?", line: 3, column: 1,
		want: "import math\n\nmath.sqrt(2)\n"},
	{name: "an import too many, by pylint's words", path: "a.py", source: "from os import path, sep\n\nprint(sep)\n", tool: "pylint", rule: "unused-import", message: "Unused path imported from os", line: 1, column: 1,
		want: "from os import sep\n\nprint(sep)\n"},
	{name: "an argument too few, by pylint's words", path: "a.py", source: "def f(width, height):\n    return area(width)\n", tool: "pylint", rule: "no-value-for-parameter", message: "No value for argument 'height' in function call", line: 2, column: 12,
		want: "def f(width, height):\n    return area(width, height)\n"},
	{name: "an argument too many, by pylint's words", path: "a.py", source: "x = area(1, 2, 3)\n", tool: "pylint", rule: "too-many-function-args", message: "Too many positional arguments for function call", line: 1, column: 5,
		want: "x = area(1, 2)\n"},
	{name: "None is None, by pylint's words", path: "a.py", source: "def f(x):\n    return x == None\n", tool: "pylint", rule: "singleton-comparison", message: "Comparison 'x == None' should be 'x is None'", line: 2, column: 12,
		want: "def f(x):\n    return x is None\n"},
	{name: "beyond the file", path: "a.py", source: "x = 1\n", tool: "flake8", rule: "W291", message: "trailing whitespace", line: 9, column: 1, none: true},
}

func TestRemedies(t *testing.T) {
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) {
			d := diag.Diagnostic{File: s.path, Tool: s.tool, Rule: s.rule, Message: s.message, Range: diag.Range{Start: diag.Position{Line: s.line, Column: s.column}}}
			c, ok := complaint.Read(d)
			if ok == s.unknown {
				t.Fatalf("Read = %+v, %v", c, ok)
			}
			if s.unknown {
				return
			}
			f := read(t, s.path, s.source)
			var got []string
			for _, r := range complaint.Remedies(f, c, s.project) {
				got = append(got, applied(t, s.source, r))
			}
			if s.none {
				if len(got) > 0 {
					t.Fatalf("remedies: %q", got)
				}
				return
			}
			if len(got) == 0 || got[0] != s.want {
				t.Fatalf("%+v\ngot  %q\nwant %q first", c, got, s.want)
			}
			for _, o := range s.others {
				if !slices.Contains(got, o) {
					t.Errorf("got %q, without %q", got, o)
				}
			}
		})
	}
}

func read(t testing.TB, path, source string) *code.File {
	f, err := code.Read(t.Context(), syntax.LangOf(path), path, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func applied(t testing.TB, source string, r complaint.Remedy) string {
	var b strings.Builder
	at := 0
	for _, e := range r.Edits {
		if e.Start < at || e.End < e.Start || e.End > len(source) {
			t.Fatalf("%s: edit %d–%d of %d bytes, after %d", r.Name, e.Start, e.End, len(source), at)
		}
		b.WriteString(source[at:e.Start])
		b.Write(e.New)
		at = e.End
	}
	b.WriteString(source[at:])
	if b.String() == source {
		t.Fatalf("%s changes nothing", r.Name)
	}
	return b.String()
}

// Whatever a tool says of whatever source: edits are in order and inside of it, and each changes something.
func FuzzRemedies(f *testing.F) {
	for _, s := range stories {
		f.Add(s.path, s.source, s.tool, s.rule, s.message, s.line, s.column)
	}
	for _, s := range sayings {
		source, line, column := s.place()
		f.Add(s.path, source, s.tool, s.rule, s.message, line, column)
	}
	f.Fuzz(func(t *testing.T, path, source, tool, rule, message string, line, column int) {
		l := syntax.LangOf(path)
		if l == "" || len(source) > 10_000 {
			return
		}
		d := diag.Diagnostic{File: path, Tool: tool, Rule: rule, Message: message, Range: diag.Range{Start: diag.Position{Line: line, Column: column}}}
		c, ok := complaint.Read(d)
		if !ok {
			return
		}
		file, err := code.Read(t.Context(), l, path, []byte(source))
		if err != nil {
			return
		}
		for _, r := range complaint.Remedies(file, c, nil) {
			at := 0
			for _, e := range r.Edits {
				if e.Start < at || e.End < e.Start || e.End > len(source) {
					t.Fatalf("%s: edit %d–%d of %d bytes, after %d", r.Name, e.Start, e.End, len(source), at)
				}
				at = e.End
			}
		}
	})
}
