package main

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const odd = "//go:build linux\n\n// Package odd has all that matters.\npackage odd\n\nimport (\n\t\"embed\" // a comment\n\t_ \"os\"\n)\n\nvar (\n\t//go:embed a.txt\n\ttext string /* of\n\ttwo lines */\n)\n\n" +
	"//go:noinline\nfunc f[T any](a, b T,\n) (x int) {\n\tfor i := range 3 {\n\t\tx += i -\n\t\t\t1\n\t}\n\treturn\n}\n\nvar raw = `a\nb`; const c = 'x'\n\ntype t struct{ embed.FS }\nfunc (t) g() { if f(1, 2) == 0 { return }; f(\"//go:not one\", \"\") }"

// TestUnlined is that a file says the same, and has its declarations where they were.
func TestUnlined(t *testing.T) {
	sources := map[string]string{"odd.go": odd}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources[name] = string(src)
	}
	for name, src := range sources {
		got, err := unlined([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if a, b := tokens(src), tokens(got); !slices.Equal(a, b) {
			t.Errorf("%s says something else:\n%s", name, got)
		}
		// Behind a directive within a declaration lines are behind by those that it needs.
		a, b := declared(t, src), declared(t, got)
		for i := range a {
			if d := b[i][0] - a[i][0]; d != 0 {
				t.Errorf("%s: a declaration of line %d is on line %d", name, a[i][0], b[i][0])
			}
		}
	}
}

// TestUnlinedIsShort is that a function has one line.
func TestUnlinedIsShort(t *testing.T) {
	got, err := unlined([]byte(odd))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range declared(t, got)[2:] {
		if d[2] == isFunc && d[0] != d[1] {
			t.Errorf("a function is on lines %d to %d:\n%s", d[0], d[1], got)
		}
	}
}

func TestUnlinedRefuses(t *testing.T) {
	if _, err := unlined([]byte("package p\n\nvar a = `")); err == nil {
		t.Error("a text without an end is taken for one")
	}
}

// tokens are a text's words and the compiler's directives.
func tokens(src string) []string {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), []byte(src), nil, scanner.ScanComments)
	var all []string
	for {
		_, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return all
		case tok == token.SEMICOLON:
			all = append(all, ";")
		case tok != token.COMMENT || len(text) > 5 && text[:5] == "//go:":
			all = append(all, tok.String()+text)
		}
	}
}

const isFunc = 1

// declared is where each declaration begins and ends, and whether it is a function.
func declared(t *testing.T, src string) [][3]int {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", src, 0)
	if err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	var all [][3]int
	for _, d := range f.Decls {
		what := 0
		if _, ok := d.(*ast.FuncDecl); ok {
			what = isFunc
		}
		all = append(all, [3]int{set.Position(d.Pos()).Line, set.Position(d.End()).Line, what})
	}
	return all
}
