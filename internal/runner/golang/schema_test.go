package golang

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fettle/internal/edit"
)

const schemaSource = `package p

type t[K comparable, _ any] struct{}

func (t[K, V]) m(int, ...K) (n int) { return 1 }

func g[A, B any](a A, _ B) A { for { break }; return a }

func _() {}

//go:noinline
func directed() {}

func last() { func() { for range 3 { } }() }`

// at is the edit that replaces a text.
func at(was, is string) []edit.Edit {
	i := strings.Index(schemaSource, was)
	return []edit.Edit{{Start: i, End: i + len(was), New: []byte(is)}}
}

func TestSchema(t *testing.T) {
	s, err := newSchema("p.go", []byte(schemaSource))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		edits []edit.Edit
		ok    bool
	}{
		{at("return 1", "return 2"), true},
		{at("return a", "return *new(A)"), true},
		{at("range 3", "range 4"), true},
		{at("int, ...K", "int"), false},
		{at("package p", "package q"), false},
		{[]edit.Edit{{Start: strings.Index(schemaSource, "directed() {") + 12, End: strings.Index(schemaSource, "directed() {") + 12}}, false},
	} {
		if _, ok := s.add(7, c.edits); ok != c.ok {
			t.Errorf("%q: got %v", c.edits[0].New, ok)
		}
	}
	out := string(s.write())
	for _, want := range []string{
		"func (fettleR0 t[K, V]) m(fettleP0 int, fettleP1 ...K) (n int) { fettleStep(); if fettleMutant > 0 { switch fettleMutant { case 7: return fettleR0.fettleM7_m(fettleP0, fettleP1...); } }; return 1 }",
		"func (t[K, V]) fettleM7_m(int, ...K) (n int) { fettleStep(); return 2 }",
		"case 7: return fettleM7_g[A, B](a, fettleP1); }",
		"case 7: fettleM7_last(); return; }",
		"func directed() {}",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "p.go", out, 0); err != nil {
		t.Errorf("%v in\n%s", err, out)
	}
	for i, line := range strings.Split(out, "\n") {
		if id, ok := s.candidateAt(i + 1); ok != strings.Contains(line, ") fettleM7") && ok != strings.HasPrefix(line, "func fettleM7") || ok && id != 7 {
			t.Errorf("line %d: %v: %s", i+1, ok, line)
		}
	}
}

func TestNewSchemaRefuses(t *testing.T) {
	for _, src := range []string{"package p; func", "package p\n\nimport \"C\"\n"} {
		if _, err := newSchema("p.go", []byte(src)); err == nil {
			t.Errorf("%q was taken", src)
		}
	}
}

func TestSplice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(rapid.StringMatching(`[a-z]{0,12}`).Draw(t, "src"))
		from := rapid.IntRange(0, len(src)).Draw(t, "from")
		to := rapid.IntRange(from, len(src)).Draw(t, "to")
		changes := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) edit.Edit {
			i := rapid.IntRange(from, to).Draw(t, "at")
			return insertion(i, "#")
		}), 0, 4).Draw(t, "changes")
		out := string(splice(src, from, to, changes))
		if got := strings.ReplaceAll(out, "#", ""); got != string(src[from:to]) {
			t.Fatalf("%q became %q", src[from:to], out)
		}
		if strings.Count(out, "#") != len(changes) {
			t.Fatalf("%d insertions in %q", len(changes), out)
		}
	})
}

// What candidates import is imported once, as long as one of them is left, on a line that was there.
func TestSchemaImports(t *testing.T) {
	s, err := newSchema("p.go", []byte(schemaSource))
	if err != nil {
		t.Fatal(err)
	}
	after := strings.Index(schemaSource, "\n") + 1
	imported := func(text string) edit.Edit { return insertion(after, text) }
	for _, c := range []struct {
		id    int
		edits []edit.Edit
		ok    bool
	}{
		{1, append(at("return 1", "return len(sort.IntSlice{})"), imported("\nimport \"sort\"\n")), true},
		{2, append(at("return a", "sort.Ints(nil); return a"), imported("\t\"sort\"\n")), true},
		{3, append(at("range 3", "range int(math.Pi)"), imported("import \"math\"\n")), true},
		{4, []edit.Edit{imported("import \"math\"\n")}, false},
		{5, append(at("range 3", "range 4"), imported("import m \"math\"\n")), false},
		{6, append(at("range 3", "range 4"), imported("var x = 1\n")), false},
	} {
		if _, ok := s.add(c.id, c.edits); ok != c.ok {
			t.Errorf("candidate %d: got %v", c.id, ok)
		}
	}
	wants := func(first string) {
		t.Helper()
		out := s.write()
		if line, _, _ := strings.Cut(string(out), "\n"); line != first {
			t.Errorf("it begins %q, not %q", line, first)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", out, 0); err != nil {
			t.Errorf("%v in\n%s", err, out)
		}
	}
	wants(`package p; import "math"; import "sort"`)
	s.drop(1)
	s.drop(3)
	wants(`package p; import "sort"`)
	s.drop(2)
	wants(`package p`)
}
