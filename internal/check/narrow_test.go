package check_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestNarrow(t *testing.T) {
	type at = check.Target
	tests := check.Tests
	for _, c := range []struct {
		run, parser, dir string
		targets          []check.Target
		want             string // words joined by a blank; empty: cannot be narrowed
	}{
		// go test
		{"go test -json ./...", "gotest", "", []at{tests("pkg:TestY")}, "go test -json -run ^TestY$ ./pkg"},
		{"go test -json ./...", "gotest", "", []at{tests(".:TestY/a.b", "sub/p:TestZ")}, `go test -json -run ^TestY$/^a\.b$|^TestZ$ . ./sub/p`},
		{"go test -json ./...", "gotest", "", []at{{Path: "pkg"}}, "go test -json ./pkg/..."},
		{"go test -json ./...", "gotest", "", []at{{Path: "."}}, "go test -json ./..."},
		{"go test -json ./...", "gotest", "", []at{{Path: "pkg"}, tests("other:TestY")}, "go test -json ./other ./pkg/..."},
		{"go test -tags integration -count 2 -race ./... -args -x", "gotest", "", []at{tests("pkg:TestY")}, "go test -tags integration -count 2 -race -run ^TestY$ ./pkg -args -x"},
		{"go test ./... -v", "gotest", "", []at{tests("pkg:TestY")}, "go test -run ^TestY$ ./pkg -v"},
		{"go test ./a/...", "gotest", "", []at{tests("a/b:TestY")}, "go test -run ^TestY$ ./a/b"},
		{"go test ./a/...", "gotest", "", []at{tests("b:TestY")}, ""},
		{"go test ./a", "gotest", "", []at{{Path: "a"}}, ""},
		{"go test", "gotest", "", []at{tests(".:TestY")}, "go test -run ^TestY$ ."},
		{"go test ./...", "gotest", "sub", []at{tests("sub/p:TestY")}, "go test -run ^TestY$ ./p"},
		{"go test ./...", "gotest", "sub", []at{tests("sub:TestY")}, "go test -run ^TestY$ ."},
		{"go test ./...", "gotest", "sub", []at{tests("subway:TestY")}, ""},
		{"go test -run TestX ./...", "gotest", "", []at{tests("pkg:TestY")}, ""},
		{"go test -mystery x ./...", "gotest", "", []at{tests("pkg:TestY")}, ""},
		{"go test example.com/x/...", "gotest", "", []at{tests("pkg:TestY")}, ""},
		{"make test", "gotest", "", []at{tests("pkg:TestY")}, ""},
		{"go vet ./...", "gobuild", "", []at{{Path: "pkg"}}, "go vet ./pkg/..."},
		// pytest
		{"python3 -m pytest -q", "pytest", "", []at{tests("tests/x.py::C::test_y[a b]")}, "python3 -m pytest -q tests/x.py::C::test_y[a b]"},
		{"pytest -q --junit-xml={report} -o junit_family=xunit1", "pytest-junit", "", []at{tests("x.py::b", "x.py::a", "x.py::b")}, "pytest -q --junit-xml={report} -o junit_family=xunit1 x.py::a x.py::b"},
		{"pytest -n4 -k fast tests", "pytest", "", []at{{Path: "tests/x.py"}}, "pytest -n4 -k fast tests/x.py"},
		{"pytest tests -x", "pytest", "", []at{{Path: "other/x.py"}}, ""},
		{"pytest --mystery tests", "pytest", "", []at{{Path: "tests/x.py"}}, ""},
		{"uv run --frozen pytest", "pytest", "", []at{{Path: "tests"}}, "uv run --frozen pytest tests"},
		{"pytest", "pytest", "py", []at{tests("py/x.py::a")}, "pytest x.py::a"},
		{"pytest", "pytest", "py", []at{tests("x.py::a")}, ""},
		{"pytest", "pytest", "", []at{{Path: "tests/test_x.py", IDs: []string{"tests.test_x.C.test_y"}}}, "pytest tests/test_x.py::C::test_y"},
		{"pytest", "pytest", "", []at{tests("tests.test_x.C.test_y")}, ""},
		{"pytest --lf", "pytest", "", []at{{Path: "tests"}}, ""},
		{"tox", "pytest", "", []at{{Path: "tests"}}, ""},
		// unittest
		{"python3 -m unittest discover -v", "unittest", "", []at{tests("tests.test_x.C.test_y")}, "python3 -m unittest -v tests.test_x.C.test_y"},
		{"python3 -m unittest discover -v", "unittest", "", []at{tests("tests/test_x.py::C::test_y")}, "python3 -m unittest -v tests.test_x.C.test_y"},
		{"python3 -m unittest discover -v -s tests", "unittest", "", []at{tests("test_x.C.test_y")}, "python3 -m unittest discover -v -s tests -k *test_x.C.test_y"},
		{"python3 -m unittest discover -v -s tests", "unittest", "", []at{{Path: "tests/test_x.py"}}, "python3 -m unittest discover -v -s tests -k test_x.*"},
		{"python3 -m unittest", "unittest", "", []at{{Path: "tests/test_x.py"}}, "python3 -m unittest tests.test_x"},
		{"python3 -m unittest", "unittest", "", []at{{Path: "tests"}}, "python3 -m unittest discover -k tests.*"},
		{"python3 -m unittest tests.test_x", "unittest", "", []at{{Path: "tests"}}, ""},
		// others
		{"ruff check .", "ruff", "", []at{{Path: "a.py"}}, ""},
		{"go test ./...", "gotest", "", nil, ""},
	} {
		k := check.Check{Name: "test", Run: strings.Fields(c.run), Parser: c.parser, Dir: c.dir}
		got, ok := k.Narrow(c.targets...)
		if have := strings.Join(got.Run, " "); ok != (c.want != "") || ok && have != c.want {
			t.Errorf("%s (in %q) narrowed to %v:\n got %q %v\nwant %q", c.run, c.dir, c.targets, have, ok, c.want)
		}
	}
}

func TestNarrowToVeryManyTests(t *testing.T) {
	var ids, goIDs []string
	for i := range 5000 {
		ids = append(ids, fmt.Sprintf("tests/test_%d.py::test_%d", i%3, i))
		goIDs = append(goIDs, fmt.Sprintf("pkg:Test%d", i))
	}
	got, ok := check.Check{Run: []string{"pytest"}, Parser: "pytest"}.Narrow(check.Tests(ids...))
	if d := cmp.Diff([]string{"pytest", "tests/test_0.py", "tests/test_1.py", "tests/test_2.py"}, got.Run); !ok || d != "" {
		t.Errorf("files do not stand for their tests: %v %s", ok, d)
	}
	got, ok = check.Check{Run: []string{"go", "test", "./..."}, Parser: "gotest"}.Narrow(check.Tests(goIDs...))
	if d := cmp.Diff([]string{"go", "test", "./pkg"}, got.Run); !ok || d != "" {
		t.Errorf("the package does not stand for its tests: %v %s", ok, d)
	}
}

// Narrowing changes the selection and nothing else: every other field, and every word of the argv that selects nothing.
func TestNarrowOnlySelects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		flags := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"-race", "-v", "-short", "-count=3", "-timeout=9s", "-cover"}), rapid.ID[string]).Draw(t, "flags")
		c := check.Check{
			Name: "test.x", Lang: "go", Parser: "gotest", Run: append(append([]string{"go", "test"}, flags...), "./..."),
			Env: map[string]string{"A": "b"}, Fix: [][]string{{"x"}}, Before: [][]string{{"y"}}, Alone: true, Files: []string{"**"}, Timeout: 7,
		}
		was := slices.Clone(c.Run)
		ids := rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,3}(/[a-z]{1,3})?:Test[A-Z][a-z]{0,3}(/[^/:\x00\n]{1,5}){0,2}`), 1, 5).Draw(t, "ids")
		got, ok := c.Narrow(check.Tests(ids...))
		if !ok {
			t.Fatalf("cannot narrow to %q", ids)
		}
		if !slices.Equal(c.Run, was) {
			t.Fatalf("the check itself changed: %q", c.Run)
		}
		for _, f := range flags {
			if !slices.Contains(got.Run, f) {
				t.Fatalf("%s is lost: %q", f, got.Run)
			}
		}
		expr := got.Run[slices.Index(got.Run, "-run")+1]
		for _, id := range ids {
			dir, name, _ := strings.Cut(id, ":")
			if !slices.Contains(got.Run, "./"+dir) {
				t.Fatalf("%s is not among the packages of %q", dir, got.Run)
			}
			if !selects(expr, name) {
				t.Fatalf("-run %s does not select %s", expr, name)
			}
			if selects(expr, name+"x") && !slices.ContainsFunc(ids, func(o string) bool {
				_, n, _ := strings.Cut(o, ":")
				return strings.HasPrefix(name+"x/", n+"/")
			}) {
				t.Fatalf("-run %s selects %sx too", expr, name)
			}
		}
		got.Run = c.Run
		if d := cmp.Diff(c, got); d != "" {
			t.Fatal(d)
		}
	})
}

// selects does what the testing package does with an expression that has no brackets around bars and slashes.
func selects(expr, name string) bool {
	levels := strings.Split(name, "/")
	var alternatives [][]string
	part, alternative := "", []string{}
	for i := 0; i < len(expr); i++ {
		switch expr[i] {
		case '\\':
			part += expr[i : i+2]
			i++
		case '/':
			alternative, part = append(alternative, part), ""
		case '|':
			alternatives, alternative, part = append(alternatives, append(alternative, part)), nil, ""
		default:
			part += expr[i : i+1]
		}
	}
	alternatives = append(alternatives, append(alternative, part))
	return slices.ContainsFunc(alternatives, func(a []string) bool {
		if len(a) > len(levels) {
			return false
		}
		for i, p := range a {
			if !regexp.MustCompile(p).MatchString(levels[i]) {
				return false
			}
		}
		return true
	})
}
