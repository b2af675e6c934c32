package searchgo

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"fettle/internal/edit"
)

// TestTemplates reads testdata/templates.txtar. For each template there is a file of its name with the source, and one with
// .want beside it: the line at fault after each change the template proposes for the line that ends in "// here", in order of
// weight, one a line; changes of several lines are shown with ⏎.
func TestTemplates(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/templates.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	tested := map[string]bool{}
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".go")
		if !ok {
			continue
		}
		template, _, _ := strings.Cut(name, "/")
		tested[template] = true
		t.Run(name, func(t *testing.T) {
			got := strings.Join(proposed(t, template, files[f.Name]), "\n") + "\n"
			if os.Getenv("FETTLE_UPDATE") != "" {
				files[name+".want"] = got
				return
			}
			if want := files[name+".want"]; got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
	for _, x := range templates {
		if !tested[x.name] {
			t.Errorf("the template %s has no case", x.name)
		}
	}
	if os.Getenv("FETTLE_UPDATE") != "" {
		update(t, archive, files)
	}
}

func update(t *testing.T, archive *txtar.Archive, files map[string]string) {
	out := &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		if name, ok := strings.CutSuffix(f.Name, ".go"); ok {
			out.Files = append(out.Files, txtar.File{Name: f.Name, Data: f.Data}, txtar.File{Name: name + ".want", Data: []byte(files[name+".want"])})
		}
	}
	if err := os.WriteFile("testdata/templates.txtar", txtar.Format(out), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What the cases import is type-checked from source, once for all of them.
var (
	fset    = token.NewFileSet()
	imports = importer.ForCompiler(fset, "source", nil)
)

// read makes a unit of one file.
func read(t testing.TB, text string) *unit {
	t.Helper()
	u := &unit{fset: fset}
	f, err := parser.ParseFile(u.fset, "x.go", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	s := &source{path: "x.go", data: []byte(text), file: f, tok: u.fset.File(f.Pos())}
	if s.stripped, err = parser.ParseFile(u.fset, "x.go", strip(s), parser.SkipObjectResolution); err != nil {
		t.Fatal(err)
	}
	u.sources = []*source{s}
	u.imports = imports
	u.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
	}
	conf := u.config(func(err error) { t.Fatal(err) })
	u.pkg, _ = conf.Check("x", u.fset, []*ast.File{f}, u.info)
	u.gather()
	return u
}

// proposed are the lines that one template makes of the line that ends in "// here". Every one type-checks.
func proposed(t testing.TB, name, text string) []string {
	t.Helper()
	u := read(t, text)
	above, _, _ := strings.Cut(text, "// here")
	here := strings.Count(above, "\n") + 1
	src := u.sources[0]
	var all []*siteAt
	for _, d := range src.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		all = append(all, walk(u, src, fn, fn.Body, func(n ast.Node) (float64, int) {
			if lineOf(u, n) == here {
				return 1, 0
			}
			return 0, 0
		})...)
	}
	all = slices.DeleteFunc(all, func(s *siteAt) bool { return s.score == 0 })
	var out []string
	for p := range propose(all) {
		if p.template.name != name {
			continue
		}
		after, err := p.patch.Apply(func(string) (edit.File, error) { return edit.File{Data: src.data, Exists: true}, nil })
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, around(text, string(after["x.go"].Data), here))
	}
	return out
}

// around is what stands in the place of a line after a change, from the first to the last line that differs.
func around(before, after string, here int) string {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	from := here - 1
	tail := 0
	for tail < len(a)-here && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	lines := b[from:max(from, len(b)-tail)]
	for i, l := range lines {
		lines[i] = strings.TrimSpace(strings.ReplaceAll(l, "// here", ""))
	}
	return strings.Join(lines, " ⏎ ")
}

// TestProposeIsLazyAndInOrder asks for a few candidates of many.
func TestProposeIsLazyAndInOrder(t *testing.T) {
	u := read(t, "package x\n\nfunc f(a, b, c int) int {\n"+strings.Repeat("\tif a < b && b < c {\n\t\ta = b + c\n\t}\n", 200)+"\treturn a\n}\n")
	fn := u.sources[0].file.Decls[0].(*ast.FuncDecl)
	all := walk(u, u.sources[0], fn, fn.Body, func(ast.Node) (float64, int) { return 0.5, 1 })
	last, n := 1.0, 0
	seen := map[string]bool{}
	for p := range propose(all) {
		if p.score > last {
			t.Fatalf("%s (%v) comes after %v", p.why, p.score, last)
		}
		key := string(p.patch[0].Edits[0].New) + string(rune(p.patch[0].Edits[0].Start)) + string(rune(p.patch[0].Edits[0].End))
		if seen[key] {
			t.Fatalf("twice: %+v", p.patch)
		}
		seen[key] = true
		last = p.score
		if n++; n == 40 {
			break
		}
	}
	if n != 40 {
		t.Errorf("only %d candidates", n)
	}
}
