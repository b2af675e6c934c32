package check_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/check"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// tree writes the files of a txtar text into a new folder.
func tree(t testing.TB, text string) string {
	t.Helper()
	root := t.TempDir()
	write(t, root, txtar.Parse([]byte(text)))
	return root
}

func write(t testing.TB, root string, a *txtar.Archive) {
	t.Helper()
	for _, f := range a.Files {
		p := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func both() *check.Config {
	return &check.Config{Checks: []check.Check{
		{Name: "test.go", Lang: "go", Run: []string{"go", "test", "-json", "./..."}, Parser: "gotest"},
		{Name: "test.python", Lang: "python", Run: []string{"python3", "-m", "pytest", "-q"}, Parser: "pytest"},
		{Name: "lint.vet", Run: []string{"go", "vet", "./..."}, Parser: "gobuild"},
		{Name: "lint.ruff", Run: []string{"ruff", "check"}, Parser: "ruff"},
		{Name: "format.gofmt", Run: []string{"gofmt", "-l", "."}, Parser: "gofmt"},
	}}
}

func names(checks []check.Check) string {
	var out []string
	for _, c := range checks {
		out = append(out, c.Name)
	}
	return strings.Join(out, " ")
}

func TestSelect(t *testing.T) {
	for given, want := range map[string]string{
		"":               "test.go test.python lint.vet lint.ruff format.gofmt",
		"all":            "test.go test.python lint.vet lint.ruff format.gofmt",
		"check":          "lint.vet lint.ruff format.gofmt",
		"test":           "test.go test.python",
		"lint.ruff":      "lint.ruff",
		"format lint":    "lint.vet lint.ruff format.gofmt",
		"test.go test":   "test.go test.python",
		"lint lint.ruff": "lint.vet lint.ruff",
	} {
		got, err := both().Select(strings.Fields(given))
		if err != nil || names(got) != want {
			t.Errorf("%q: %q, %v; want %q", given, names(got), err, want)
		}
	}
}

func TestSelectSaysWhatThereIs(t *testing.T) {
	for given, want := range map[string]string{
		"lnt":      "Unknown check: 'lnt'\nChecks of this repository: test.go, test.python, lint.vet, lint.ruff, format.gofmt\nDid you mean: lint",
		"lint.ruf": "Unknown check: 'lint.ruf'\nChecks of this repository: test.go, test.python, lint.vet, lint.ruff, format.gofmt\nDid you mean: lint.ruff",
		"security": "This repository has no check of the kind 'security'\nChecks of this repository: test.go, test.python, lint.vet, lint.ruff, format.gofmt",
		"te":       "", // only whole names up to a dot count
	} {
		_, err := both().Select([]string{given})
		var name *check.NameError
		if !errors.As(err, &name) {
			t.Fatalf("%s: %v is no NameError", given, err)
		}
		if want != "" && err.Error() != want {
			t.Errorf("%s: %q", given, err)
		}
	}
	if _, err := both().Select([]string{"--fix"}); err == nil || !strings.HasPrefix(err.Error(), "Invalid command: '--fix'") {
		t.Errorf("a flag: %v", err)
	}
	if _, err := (&check.Config{}).Select([]string{"test"}); err == nil || !strings.Contains(err.Error(), "no checks") {
		t.Errorf("nothing there: %v", err)
	}
}

const mixedTree = `
-- go.mod --
module x
-- pkg/x_test.go --
package pkg

func TestOne(t *testing.T) {}
func TestTwo(t *testing.T) {}
func TestMain(m *testing.M) {}
-- pkg/x.go --
package pkg
-- tests/test_x.py --
import unittest
class C(unittest.TestCase):
    def test_y(self): pass
-- tests/sub/__init__.py --
-- app.py --
-- test/notes.txt --
hello
`

func TestParseTarget(t *testing.T) {
	root := tree(t, mixedTree)
	for arg, want := range map[string]check.Target{
		"pkg/x_test.go:TestOne":         {Lang: "go", Path: "pkg/x_test.go", IDs: []string{"pkg:TestOne"}},
		"./pkg/x_test.go:TestOne/a/b:c": {Lang: "go", Path: "pkg/x_test.go", IDs: []string{"pkg:TestOne/a/b:c"}},
		"./pkg:TestTwo":                 {Lang: "go", Path: "pkg", IDs: []string{"pkg:TestTwo"}},
		"pkg/x_test.go":                 {Lang: "go", Path: "pkg/x_test.go", IDs: []string{"pkg:TestOne", "pkg:TestTwo"}},
		"./pkg":                         {Lang: "go", Path: "pkg"},
		"tests/test_x.py::C::test_y":    {Lang: "python", Path: "tests/test_x.py", IDs: []string{"tests/test_x.py::C::test_y"}},
		"tests/test_x.py::t[a::b]":      {Lang: "python", Path: "tests/test_x.py", IDs: []string{"tests/test_x.py::t[a::b]"}},
		"tests/test_x.py":               {Lang: "python", Path: "tests/test_x.py"},
		"tests/":                        {Lang: "python", Path: "tests"},
		".":                             {Path: "."},
		"tests.test_x.C.test_y":         {Lang: "python", Path: "tests/test_x.py", IDs: []string{"tests.test_x.C.test_y"}},
		"test_x.C":                      {Lang: "python", Path: "tests/test_x.py", IDs: []string{"test_x.C"}},
		"tests.test_x":                  {Lang: "python", Path: "tests/test_x.py"},
		root + "/tests":                 {Lang: "python", Path: "tests"},
	} {
		got, ok, err := check.ParseTarget(root, arg)
		if !ok || err != nil {
			t.Errorf("%s: %v, %v", arg, ok, err)
		} else if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got)\n%s", arg, d)
		}
	}
	for arg, want := range map[string]string{
		"pkg/x_test.go:TestOen": `there is no test TestOen in pkg/x_test.go; did you mean "TestOne"?`,
		"pkg/x.go:TestOne":      "pkg/x.go holds no Go tests: those are in files that end in _test.go",
		"pkg/none_test.go":      "there is no file or folder pkg/none_test.go",
		"tests/none.py::t":      "there is no file or folder tests/none.py",
		"tests::t":              "tests is not a Python file, so it holds no test t",
		"../x.py":               "../x.py lies outside the repository",
		"app.py":                "app.py is not a file of tests; to have only this file changed, write fettle fix --only app.py",
	} {
		if _, ok, err := check.ParseTarget(root, arg); !ok || err == nil || err.Error() != want {
			t.Errorf("%s: %v, %v", arg, ok, err)
		}
	}
	for _, arg := range []string{"lint", "lint.ruff", "tset", "no.such.module", "", "a:b"} {
		if got, ok, err := check.ParseTarget(root, arg); ok || err != nil {
			t.Errorf("%s was taken for %v, %v", arg, got, err)
		}
	}
}

func TestPick(t *testing.T) {
	root := tree(t, mixedTree)
	got, targets, err := both().Pick(root, ".", []string{"pkg/x_test.go:TestOne", "./pkg:TestTwo", "lint.ruff", "tests/test_x.py"})
	if err != nil || names(got) != "test.go test.python lint.ruff" || len(targets) != 3 {
		t.Fatalf("%s, %v, %v", names(got), targets, err)
	}
	if d := cmp.Diff([]string{"go", "test", "-json", "-run", "^TestOne$|^TestTwo$", "./pkg"}, got[0].Run); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"python3", "-m", "pytest", "-q", "tests/test_x.py"}, got[1].Run); d != "" {
		t.Error(d)
	}
	// The name of a check wins over a folder of that name, and a whole check over its parts.
	got, targets, err = both().Pick(root, ".", []string{"test", "tests/test_x.py"})
	if err != nil || names(got) != "test.go test.python" || len(got[1].Run) != 4 {
		t.Errorf("%v, %v, %v", got, targets, err)
	}
	if _, _, err := both().Pick(root, ".", []string{"tset"}); err == nil || !strings.Contains(err.Error(), "Did you mean: test") {
		t.Errorf("%v", err)
	}
	only := &check.Config{Checks: []check.Check{{Name: "test", Run: []string{"make", "test"}, Parser: "gotest"}}}
	if _, _, err := only.Pick(root, ".", []string{"./pkg:TestOne"}); err == nil || !strings.Contains(err.Error(), "no test check of this repository can run pkg:TestOne alone") {
		t.Errorf("%v", err)
	}
}

func TestFrom(t *testing.T) {
	root := tree(t, mixedTree)
	for _, c := range []struct{ from, arg, want string }{
		{".", "pkg/x_test.go:TestOne", "pkg/x_test.go:TestOne"},
		{"pkg", "x_test.go:TestOne", "pkg/x_test.go:TestOne"},
		{"pkg", ".:TestOne", "./pkg:TestOne"},
		{"pkg", "./x_test.go", "pkg/x_test.go"},
		{"pkg", "../tests/test_x.py::C::test_y", "tests/test_x.py::C::test_y"},
		{"pkg", "..", "."},
		{"pkg", "../tests", "./tests"},                          // not the check of that name
		{"pkg", "pkg/x_test.go", "pkg/x_test.go"},               // only seen from the root
		{"pkg", "./nosuch_test.go", "pkg/nosuch_test.go"},       // the error names what was meant
		{"pkg", "nosuch_test.go:TestX", "nosuch_test.go:TestX"}, // is nowhere
		{"pkg", "../../x:TestY", "../x:TestY"},
		{"pkg", "tests.test_x.test_y", "tests.test_x.test_y"},
		{"pkg", "/abs/x.py::y", "/abs/x.py::y"},
		{"pkg", "", ""},
	} {
		if got := check.From(root, c.from, c.arg); got != c.want {
			t.Errorf("%s from %s is %s, want %s", c.arg, c.from, got, c.want)
		}
	}
}

func FuzzParseTarget(f *testing.F) {
	root := tree(f, mixedTree)
	for _, s := range []string{"pkg/x_test.go:TestOne", "tests/test_x.py::C", "a.b.c", "./", "::", ":TestX", "../..::x", "\x00", "/etc/passwd:TestX"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		if arg != check.From(root, ".", arg) {
			t.Fatalf("%q is another argument from the root", arg)
		}
		target, ok, err := check.ParseTarget(root, check.From(root, "pkg", arg))
		if ok && err == nil && (!filepath.IsLocal(target.Path) || strings.HasPrefix(target.Path, "-")) {
			t.Fatalf("%q leads to %q", arg, target.Path)
		}
	})
}
