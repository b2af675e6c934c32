package syntax_test

import (
	"strings"
	"testing"

	"fettle/internal/diag"
	"fettle/internal/syntax"

	"github.com/google/go-cmp/cmp"
)

const sample = "# c\ndef add(a, b):\r\n    return a+b\n\nadd(1, lambda: 2)\n"

func find(t *testing.T, tree *syntax.Tree, kind string) syntax.Node {
	t.Helper()
	for n := range tree.Root().Find(kind) {
		return n
	}
	t.Fatalf("there is no %s in %s", kind, tree.Root())
	return syntax.Node{}
}

func TestNode(t *testing.T) {
	tree := parse(t, syntax.Python, sample)
	def := find(t, tree, "function_definition")
	if got, want := def.String(), "(function_definition name: (identifier) parameters: (parameters (identifier) (identifier)) body: (block (return_statement (binary_operator left: (identifier) right: (identifier)))))"; got != want {
		t.Errorf("the function is %s", got)
	}
	if got := def.Child("name"); got.Text() != "add" || got.Field() != "name" || got.Parent() != def || !got.Is("call", "identifier") {
		t.Errorf("its name is %s %q", got, got.Text())
	}
	want := diag.Range{Start: diag.Position{Line: 2, Column: 1}, End: diag.Position{Line: 3, Column: 15}}
	if diff := cmp.Diff(want, def.Range()); diff != "" {
		t.Errorf("it is at (-want +got)\n%s", diff)
	}
	sum := find(t, tree, "binary_operator")
	op := sum.Child("operator")
	if op.Kind() != "+" || op.Named() || op.Prev().Text() != "a" || op.Next().Text() != "b" || sum.Text() != "a+b" {
		t.Errorf("the sum is %q, its operator %q between %q and %q", sum.Text(), op.Text(), op.Prev().Text(), op.Next().Text())
	}
	var named, all []string
	for c := range def.Child("parameters").NamedChildren() {
		named = append(named, c.Text())
	}
	for c := range def.Child("parameters").Children() {
		all = append(all, c.Text())
	}
	if got := strings.Join(named, " ") + "; " + strings.Join(all, " "); got != "a b; ( a , b )" {
		t.Errorf("the parameters are %s", got)
	}
	if first := find(t, tree, "comment"); !first.IsExtra() || first.Text() != "# c" {
		t.Errorf("the comment is %q", first.Text())
	}
	var lambdas []string
	for n := range tree.Root().Find("lambda", "integer") {
		lambdas = append(lambdas, n.Text())
	}
	if got := strings.Join(lambdas, "; "); got != "1; lambda: 2; 2" {
		t.Errorf("Find gives %s", got)
	}
	if tree.Lang() != syntax.Python || tree.Source() != sample || def.Tree() != tree {
		t.Error("the tree has forgotten where it comes from")
	}
}

func TestWalk(t *testing.T) {
	tree := parse(t, syntax.Python, sample)
	var seen []string
	for n, skip := range tree.Root().Walk() {
		if n.Is("function_definition", "argument_list") {
			skip()
			skip() // once is enough
		}
		if n.Named() {
			seen = append(seen, n.Kind())
		}
	}
	want := []string{"module", "comment", "function_definition", "expression_statement", "call", "identifier", "argument_list"}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for n := range tree.Root().Walk() {
		if n.Kind() == "comment" {
			break
		}
	}
}

// TestNone: the zero Node may be asked everything.
func TestNone(t *testing.T) {
	none := parse(t, syntax.Python, "x").Root().Parent()
	if !none.IsZero() || none != (syntax.Node{}) {
		t.Fatal("the root has a parent")
	}
	if none.Kind()+none.Field()+none.Text()+none.String() != "" || none.Start() != 0 || none.End() != 0 || none.Range() != (diag.Range{}) || none.Tree() != nil {
		t.Error("nothing says something")
	}
	if none.Named() || none.IsError() || none.IsMissing() || none.IsExtra() || none.HasError() || none.Is("") {
		t.Error("nothing is something")
	}
	for _, n := range []syntax.Node{none.Parent(), none.Next(), none.Prev(), none.Child("name"), none.Child("").Child("")} {
		if !n.IsZero() {
			t.Errorf("nothing has a relative: %s", n)
		}
	}
	for n := range none.Walk() {
		t.Errorf("nothing holds %s", n)
	}
	for n := range none.Find("identifier") {
		t.Errorf("nothing holds %s", n)
	}
	for n := range none.NamedChildren() {
		t.Errorf("nothing has the child %s", n)
	}
}

func TestEnclosing(t *testing.T) {
	tree := parse(t, syntax.Python, "\n"+"add(1, b+2)\n")
	at := strings.Index(tree.Source(), "b+2")
	for _, test := range []struct {
		start, end int
		want       string
	}{
		{at, at + 1, "identifier b"}, {at, at + 2, "binary_operator b+2"}, {at + 1, at + 2, "binary_operator b+2"}, {at - 1, at, "argument_list (1, b+2)"},
		{4, 4, "argument_list (1, b+2)"}, {at, at, "identifier b"}, {0, 1, "module add(1, b+2)\n"}, {0, 13, "module add(1, b+2)\n"},
		{-1, 2, " "}, {2, 1, " "}, {0, 14, " "},
	} {
		n := tree.Enclosing(test.start, test.end)
		if got := n.Kind() + " " + n.Text(); got != test.want {
			t.Errorf("[%d, %d) is in %q, want %q", test.start, test.end, got, test.want)
		}
	}
}

func TestPositions(t *testing.T) {
	tree := parse(t, syntax.Python, "a\r\nbü\n\nc")
	for offset, want := range map[int]diag.Position{
		0: {Line: 1, Column: 1}, 2: {Line: 1, Column: 3}, 3: {Line: 2, Column: 1}, 6: {Line: 2, Column: 4}, 7: {Line: 3, Column: 1}, 8: {Line: 4, Column: 1}, 9: {Line: 4, Column: 2},
		-5: {Line: 1, Column: 1}, 99: {Line: 4, Column: 2},
	} {
		if got := tree.Position(offset); got != want {
			t.Errorf("offset %d is at %v, want %v", offset, got, want)
		}
	}
	for p, want := range map[diag.Position]int{{Line: 2}: 3, {Line: 2, Column: 2}: 4, {Line: 2, Column: 99}: 6, {Line: 4, Column: 9}: 9, {Line: 5}: -1, {}: -1, {Line: 1, Column: -1}: -1} {
		if got := tree.Offset(p); got != want {
			t.Errorf("%v is offset %d, want %d", p, got, want)
		}
	}
}

// TestOddSources: what no editor would show is read to the last byte.
func TestOddSources(t *testing.T) {
	deep := strings.Repeat("(", 10_000) + "x" + strings.Repeat(")", 10_000)
	for _, test := range []struct {
		name, src string
		lang      syntax.Lang
		want      string // the text of the first identifier
		clean     bool
	}{
		{"CRLF", "def f():\r\n    return x\r\n", syntax.Python, "f", true},
		{"a BOM", "\ufeffx = 1\n", syntax.Python, "x", true},
		{"no UTF-8 in a comment", "# \xff\xe9\nx = '\xc3'\n", syntax.Python, "x", true},
		{"no UTF-8", "let x = 1; \xff\xfe", syntax.JavaScript, "x", false},
		{"a NUL", "let x = 1;\x00let y;", syntax.JavaScript, "x", false},
		{"a NUL in a string", "package p\n\nvar x = \"\x00\"\n", syntax.Go, "x", false},
		{"nothing", "", syntax.Rust, "", true},
		{"white space", " \n\t\r\n", syntax.Java, "", true},
		{"one long line", "x = [" + strings.Repeat("1, ", 100_000) + "]\n", syntax.Python, "x", true},
		{"one long token", "x = '" + strings.Repeat("a", 1<<20) + "'", syntax.Python, "x", true},
		{"deep brackets", "y = " + deep + "\n", syntax.Python, "y", true},
		{"deep brackets", "let y = " + deep + ";", syntax.TypeScript, "y", true},
		{"deep brackets", "package p\n\nvar y = " + deep + "\n", syntax.Go, "y", true},
		{"deep blocks", "fn y() " + strings.Repeat("{", 10_000) + strings.Repeat("}", 10_000), syntax.Rust, "y", true},
		{"deep elements", "let y = " + strings.Repeat("<a>", 10_000) + strings.Repeat("</a>", 10_000), syntax.TSX, "y", true},
		{"never closed", "class A { void f() " + strings.Repeat("{", 10_000), syntax.Java, "A", false},
	} {
		t.Run(string(test.lang)+" "+test.name, func(t *testing.T) {
			tree := parse(t, test.lang, test.src)
			sound(t, tree)
			if tree.Source() != test.src {
				t.Error("the source is another")
			}
			got := ""
			for n := range tree.Root().Find("identifier") {
				got = n.Text()
				break
			}
			if got != test.want {
				t.Errorf("the first identifier is %q, want %q", got, test.want)
			}
			if clean := len(tree.Errors()) == 0; clean != test.clean {
				t.Errorf("%d errors", len(tree.Errors()))
			}
			if shown := tree.Root().String(); strings.Count(shown, "(") != strings.Count(shown, ")") {
				t.Errorf("the brackets of String do not match")
			}
		})
	}
}

// TestErrors: faults are found where they are, also one inside of another, and what is missing.
func TestErrors(t *testing.T) {
	for _, test := range []struct {
		lang syntax.Lang
		src  string
		want string
	}{
		{syntax.Go, "package p\n\nfunc f() {\n\tx := (1\n}\n", "MISSING )"},
		{syntax.Python, "x = 1 2\n", "ERROR 1"},
		{syntax.Python, "while x:\n\ny = 1\n", "ERROR "},
		{syntax.Python, "def f():\n    # later\n", "ERROR "},
		{syntax.Python, "def f():\n    pass\n", "nothing"},
		{syntax.JavaScript, "let a = {b: };", "MISSING identifier"},
		{syntax.Java, "class A { int f( { } }", "MISSING )"},
	} {
		tree := parse(t, test.lang, test.src)
		got := "nothing"
		for _, n := range tree.Errors() {
			got = "ERROR " + n.Text()
			if n.IsMissing() {
				got = "MISSING " + n.Kind()
			}
			break
		}
		if got != test.want {
			t.Errorf("%q has %s, want %s: %s", test.src, got, test.want, tree.Root())
		}
	}
	if tree := parse(t, syntax.Go, "package p\n;"); len(tree.Errors()) != 1 {
		t.Errorf("a fault without a node is told of %d times", len(tree.Errors()))
	}
}
