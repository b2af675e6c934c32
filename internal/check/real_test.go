package check_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/testenv"
)

// discovered runs what is discovered in a place, by name.
func discovered(t *testing.T, p place, o check.RunOptions) (map[string]check.Check, map[string]check.Result) {
	t.Helper()
	checks, _, err := check.Discover(t.Context(), p.root)
	if err != nil {
		t.Fatal(err)
	}
	rs, err := check.Run(t.Context(), p, checks, o)
	if err != nil {
		t.Fatal(err)
	}
	byName, results := map[string]check.Check{}, map[string]check.Result{}
	for i, c := range checks {
		byName[c.Name], results[c.Name] = c, rs[i]
	}
	return byName, results
}

func files(ds []diag.Diagnostic) string {
	var out []string
	for _, d := range ds {
		out = append(out, d.File)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}

const sickGo = `
-- go.mod --
module example.com/sick // a comment

go 1.21
-- sum/sum.go --
package sum

// Of adds.
func Of(a, b int) int { return a - b }

func Set(a int) { a = a }
-- sum/sum_test.go --
package sum

import "testing"

func TestOf(t *testing.T) {
	t.Run("two and two", func(t *testing.T) {
		if Of(2, 2) != 4 {
			t.Error("not four")
		}
	})
	t.Run("nothing", func(t *testing.T) {
		if Of(0, 0) != 0 {
			t.Error("not zero")
		}
	})
}
func TestFine(t *testing.T) {}
-- ugly/ugly.go --
package ugly
func  Ugly( ) {}
-- ugly/testdata/bad.go --
package ???
-- tools/go.mod --
module example.com/tools
-- tools/tools.go --
package nonsense(
`

func TestRealGo(t *testing.T) {
	testenv.NeedTool(t, "go")
	testenv.NeedTool(t, "gofmt")
	p := newPlace(t, sickGo)
	checks, results := discovered(t, p, check.RunOptions{})
	test := results["test"]
	if test.Status != check.Failed || test.Tests["sum:TestOf/two_and_two"] != parse.Fail || test.Tests["sum:TestFine"] != parse.Pass {
		t.Errorf("test: %+v", test)
	}
	if vet := results["lint.vet"]; vet.Status != check.Failed || files(vet.Diagnostics) != "sum/sum.go" || !strings.Contains(vet.Diagnostics[0].Excerpt, "a = a") {
		t.Errorf("vet: %+v", vet)
	}
	if format := results["format.gofmt"]; format.Status != check.Failed || !strings.Contains(files(format.Diagnostics), "ugly/ugly.go") || strings.Contains(files(format.Diagnostics), "testdata") {
		t.Errorf("gofmt: %+v", format)
	}
	// One test alone: the same test fails, and no other runs.
	one, ok := checks["test"].Narrow(check.Tests("sum:TestOf/two_and_two"))
	if !ok {
		t.Fatal("cannot be narrowed")
	}
	r := runOne(t, p, one, check.RunOptions{Fresh: true, Args: []string{"-vet=off"}})
	if r.Status != check.Failed || r.Tests["sum:TestOf/two_and_two"] != parse.Fail || len(r.Tests) != 2 {
		t.Errorf("one test: %+v", r)
	}
	if len(r.Diagnostics) == 0 || len(test.Diagnostics) == 0 || r.Diagnostics[0].ID != test.Diagnostics[0].ID {
		t.Errorf("alone, the finding is another one: %v, %v", r.Diagnostics, test.Diagnostics)
	}
}

func TestRealGoThatDoesNotCompile(t *testing.T) {
	testenv.NeedTool(t, "go")
	p := newPlace(t, "-- go.mod --\nmodule x\n\ngo 1.21\n-- a.go --\npackage x\n\nvar A = missing\n-- a_test.go --\npackage x\n")
	_, results := discovered(t, p, check.RunOptions{})
	for _, name := range []string{"test", "lint.vet"} {
		if r := results[name]; r.Status != check.Failed || files(r.Diagnostics) != "a.go" || r.Diagnostics[0].Masks == diag.MasksNothing {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

const sickPython = `
-- pyproject.toml --
[project]
name = "sick"
version = "1"
[project.optional-dependencies]
dev = ["pytest", "ruff"]
[tool.ruff.lint]
select = ["F"]
-- sick.py --
import os
def half(n):
    return n/3
-- tests/test_sick.py --
import pytest
from sick import half

@pytest.mark.parametrize("n, want", [(4, 2), (0, 0)])
def test_half(n, want):
    assert half(n) == want

def test_fine():
    pass
`

func TestRealPython(t *testing.T) {
	testenv.NeedTool(t, "pytest")
	testenv.NeedTool(t, "ruff")
	p := newPlace(t, sickPython)
	checks, results := discovered(t, p, check.RunOptions{})
	test := results["test"]
	if test.Status != check.Failed || test.Tests["tests/test_sick.py::test_half[4-2]"] != parse.Fail || test.Tests["tests/test_sick.py::test_fine"] != parse.Pass {
		t.Errorf("test: %+v", test)
	}
	if lint := results["lint.ruff"]; lint.Status != check.Failed || files(lint.Diagnostics) != "sick.py" || lint.Diagnostics[0].Rule != "F401" || lint.Diagnostics[0].Excerpt != "import os" {
		t.Errorf("ruff: %+v", lint)
	}
	if format := results["format.ruff"]; format.Status != check.Failed || !strings.Contains(files(format.Diagnostics), "sick.py") {
		t.Errorf("ruff format: %+v", format)
	}
	one, ok := checks["test"].Narrow(check.Tests("tests/test_sick.py::test_half[4-2]"))
	if !ok {
		t.Fatal("cannot be narrowed")
	}
	r := runOne(t, p, one, check.RunOptions{})
	if r.Status != check.Failed || len(r.Tests) != 1 || len(r.Diagnostics) != 1 || r.Diagnostics[0].ID != test.Diagnostics[0].ID {
		t.Errorf("one test: %+v", r)
	}
	if left, err := filepath.Glob(p.root + "/*/__pycache__"); err != nil || len(left) != 0 {
		t.Errorf("compiled files are left behind, which could judge for a patched source: %v %v", left, err)
	}
	gone, _ := checks["test"].Narrow(check.Tests("tests/test_sick.py::test_gone"))
	if r := runOne(t, p, gone, check.RunOptions{}); r.Status != check.Broken || r.Code != 4 || !strings.Contains(r.Reason, "test_gone") {
		t.Errorf("a test that is not there: %+v", r)
	}
	none := checks["test"]
	if r := runOne(t, p, none, check.RunOptions{Args: []string{"-k", "nothing_of_this_name"}}); r.Status != check.Passed || r.Code != 5 || r.Reason == "" {
		t.Errorf("no tests: %+v", r)
	}
	if r := runOne(t, p, none, check.RunOptions{Args: []string{"--no-such-option"}}); r.Status != check.Broken || !strings.Contains(r.Reason, "no-such-option") {
		t.Errorf("wrong use: %+v", r)
	}
}

// A test that a class inherits, or that a function makes for it, is defined elsewhere: it is named, and run alone, where it belongs.
func TestRealPytestWithInheritedTests(t *testing.T) {
	testenv.NeedTool(t, "pytest")
	p := newPlace(t, `-- pytest.ini --
[pytest]
-- tests/__init__.py --
def make(n):
    def method(self):
        assert n % 2 == 0
    return method

class Shared:
    def test_all(self):
        assert self.size < 3
-- tests/test_a.py --
from . import Shared, make

class TestA(Shared):
    size = 3
    test_one = make(1)
    test_two = make(2)

class TestB(Shared):
    size = 2
`)
	checks, results := discovered(t, p, check.RunOptions{})
	r := results["test"]
	for id, want := range map[string]parse.Outcome{
		"tests/test_a.py::TestA::test_all": parse.Fail, "tests/test_a.py::TestA::test_one": parse.Fail,
		"tests/test_a.py::TestA::test_two": parse.Pass, "tests/test_a.py::TestB::test_all": parse.Pass,
	} {
		if r.Tests[id] != want {
			t.Errorf("%s: %v, want %v in %v", id, r.Tests[id], want, r.Tests)
		}
	}
	one, ok := checks["test"].Narrow(check.Tests("tests/test_a.py::TestA::test_one"))
	if r := runOne(t, p, one, check.RunOptions{}); !ok || len(r.Tests) != 1 || r.Tests["tests/test_a.py::TestA::test_one"] != parse.Fail {
		t.Errorf("alone (%q): %+v", one.Run, r)
	}
}

func TestRealPytestThatCannotCollect(t *testing.T) {
	testenv.NeedTool(t, "pytest")
	p := newPlace(t, "-- pytest.ini --\n[pytest]\n-- tests/test_a.py --\nimport nothing_like_this\ndef test_a(): pass\n-- tests/test_b.py --\ndef test_b(): pass\n")
	checks, results := discovered(t, p, check.RunOptions{})
	if r := results["test"]; r.Status != check.Failed || r.Code != 2 || files(r.Diagnostics) != "tests/test_a.py" {
		t.Errorf("%+v", r)
	}
	one, _ := checks["test"].Narrow(check.Tests("tests/test_a.py::test_a"))
	if r := runOne(t, p, one, check.RunOptions{}); r.Status != check.Failed || r.Code != 4 || files(r.Diagnostics) != "tests/test_a.py" {
		t.Errorf("one test of a file that cannot be collected: %+v", r)
	}
}

func TestRealUnittest(t *testing.T) {
	testenv.NeedTool(t, "python3")
	p := newPlace(t, `
-- tests/test_x.py --
import unittest
class X(unittest.TestCase):
    def test_bad(self):
        self.assertEqual(1, 2)
    def test_bad_too(self):
        self.assertEqual(1, 3)
    def test_fine(self):
        pass
`)
	checks, results := discovered(t, p, check.RunOptions{})
	r := results["test"]
	if r.Status != check.Failed || r.Tests["test_x.X.test_bad"] != parse.Fail || r.Tests["test_x.X.test_fine"] != parse.Pass {
		t.Errorf("%+v", r)
	}
	one, ok := checks["test"].Narrow(check.Tests("test_x.X.test_bad"))
	if r := runOne(t, p, one, check.RunOptions{}); !ok || r.Status != check.Failed || len(r.Tests) != 1 {
		t.Errorf("%+v", r)
	}
	target, ok, err := check.ParseTarget(p.root, "tests/test_x.py::X::test_fine")
	one, narrowed := checks["test"].Narrow(target)
	if r := runOne(t, p, one, check.RunOptions{}); !ok || err != nil || !narrowed || r.Status != check.Passed || len(r.Tests) != 1 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestRealHealthyRepository(t *testing.T) {
	testenv.NeedTool(t, "go")
	testenv.NeedTool(t, "gofmt")
	p := newPlace(t, "-- go.mod --\nmodule x\n\ngo 1.21\n-- a.go --\npackage x\n-- a_test.go --\npackage x\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n")
	config, err := check.Effective(context.Background(), p.root)
	if err != nil {
		t.Fatal(err)
	}
	rs, err := check.Run(t.Context(), p, config.Checks, check.RunOptions{})
	if err != nil || len(rs) != 3 {
		t.Fatalf("%v %v", rs, err)
	}
	for _, r := range rs {
		if r.Status != check.Passed || len(r.Diagnostics) != 0 || r.Tail != "" {
			t.Errorf("%+v", r)
		}
	}
}
