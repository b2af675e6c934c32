package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/check"
)

// targetsOf are the commands of the checks that one file makes.
func targetsOf(t testing.TB, file, text string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, file), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	checks, _, err := check.Discover(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range checks {
		out = append(out, strings.Join(c.Run, " "))
	}
	return strings.Join(out, ", ")
}

// What stands in Makefiles beside rules must not be taken for one, and rules are found however they are written.
func TestMakeTargets(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"test:\n\tx\n", "make test"},
		{"test: ; x\n", "make test"},
		{"test lint: dep\n", "make test, make lint"},
		{"  test : dep\r\n\tx\r\n", "make test"},
		{"test::\n\tx\n", "make test"},
		{"unit_tests:\n\tx\n", "make unit_tests"},
		{"check:\n\tx\n", "make check"},
		{"check: test lint\ntest:\n\tx\n", "make test"},
		{"all: x\n", "make all"},
		{"all: x\nbuild:\n\tx\n", "make build"},
		{"ci:\n\tx\n", "make ci"},
		{"ci:\n\tx\nlint:\n\tx\n", "make lint"},
		{"$(X) test:\n\tx\n", "make test"},
		{"test: $(wildcard *.c:.c=.o)\n", "make test"},
		{"te\\\nst:\n\tx\n", ""},
		{"other \\\n test:\n\tx\n", "make test"},
		{"test:\n", ""},
		{".PHONY: test\n", ""},
		{"test: X = 1\n", ""},
		{"test: export X := 1\n", ""},
		{"test := x\nlint ::= y\nbuild :::= z\nall ?= a\ncheck += b\nfmt-check != c: d\n", ""},
		{"override lint = a: b\nexport test = x: y\n", ""},
		{"# test: x\nX = y # test: z\n", ""},
		{"other:\n\ttest: x\n", ""},
		{"%: x\ntest%: x\n$(test): x\n.test: x\n", ""},
		{"define test\nlint:\n\tx\nendef\nbuild:\n\tx\n", "make build"},
		{"ifdef X\ntest:\n\tx\nelse\nlint:\n\tx\nendif\nbuild:\n\tx\n", "make build"},
		{"define\nendef\nendif\nendef\nelse\ntest:\n\tx\n", "make test"},
		{"include Makefile\ninclude /etc/passwd ../x\ntest:\n\tx\n", "make test"},
		{"test", ""},
		{":", ""},
		{"test:(\n:)", "make test"},
	} {
		if got := targetsOf(t, "Makefile", tc.text); got != tc.want {
			t.Errorf("%q has %q, want %q", tc.text, got, tc.want)
		}
	}
}

func TestJustRecipes(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"test:\n  x\n", "just test"},
		{"@test:\n  x\n", "just test"},
		{"test: build\n", "just test"},
		{"test: # nothing\n", ""},
		{"test what:\n  x\n", ""},
		{"test what='all':\n  x\n", "just test"},
		{"test *what:\n  x\n", "just test"},
		{"test +what:\n  x\n", ""},
		{"test $X='a' *y: dep\n", "just test"},
		{"test := 'x'\n", ""},
		{"set test := true\nexport lint := 'x'\n", ""},
		{"alias test := other\n", "just test"},
		{"[private]\ntest:\n  x\n", ""},
		{"[confirm('really?')]\n[no-cd]\ntest:\n  x\n", ""},
		{"[no-cd]\ntest:\n  x\n", "just test"},
		{"_test:\n  x\n", ""},
		{"x := '''\ntest:\n  x\n'''\nlint:\n  y\n", "just lint"},
		{"other:\n  test: x\n", ""},
		{"type_check:\n\tx\n", "just type_check"},
		{"import 'justfile'\ntest:\n  x\n", "just test"},
	} {
		if got := targetsOf(t, "justfile", tc.text); got != tc.want {
			t.Errorf("%q has %q, want %q", tc.text, got, tc.want)
		}
	}
}

// A target of a Makefile counts for the folder that it stands in, whatever other projects have.
func TestMakefilesOfSeveralProjects(t *testing.T) {
	p := newPlace(t, "-- go/go.mod --\nmodule x\n-- c/Makefile --\ntest:\n\tx\n-- docs/Makefile --\ntest:\n\tx\n-- py/pyproject.toml --\n[tool.pytest]\n-- py/sub/Makefile --\ntest:\n\tx\nlint:\n\tx\n")
	checks, _, err := check.Discover(t.Context(), p.root)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range checks {
		if c.Run[0] == "make" {
			got = append(got, fmt.Sprintf("%s in %s", c.Run[1], c.Dir))
		}
	}
	if s := strings.Join(got, ", "); s != "test in c, lint in py/sub" {
		t.Errorf("%s", s)
	}
}

// Whatever stands in the files of runners, looking at them ends, and what is found can be written down.
func FuzzRunners(f *testing.F) {
	for _, s := range []string{"test:\n\tx", "define x\n", "ifdef", "a\\\n", "x := '''", "import 'justfile'", "repos: [{hooks: [{id: x, entry: [1]}]}]", "pre-commit: {jobs: [{run: x, group: {jobs: [{}]}}]}", "pre-push: {commands: {x: {run: 'a\nb'}}}"} {
		f.Add(s)
	}
	root := f.TempDir()
	for _, dir := range []string{".git", "node_modules/.bin"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			f.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "node_modules/.bin/lefthook"), nil, 0o600); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"Makefile", "justfile", ".pre-commit-config.yaml", "lefthook.yml"} {
			if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		checks, _, err := check.Discover(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for _, c := range checks {
			if len(c.Run) == 0 || c.Parser == "" || names[c.Name] {
				t.Fatalf("%+v", c)
			}
			names[c.Name] = true
		}
	})
}
