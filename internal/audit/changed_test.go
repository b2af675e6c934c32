package audit_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/audit"
	"fettle/internal/edit"
)

// TestMakers holds what changes of tests mean, by who made them: a fixer that has to make tests pass, one that mends what another check says, a person.
func TestMakers(t *testing.T) {
	const (
		py   = "import pytest\nimport platform\nfrom calc import add\n\nCASES = [(1, 2, 3), (2, 2, 4)]\n\n\ndef test_add():\n    assert add(2, 3) == 5\n\n\n@pytest.mark.parametrize('a, b, c', CASES)\ndef test_cases(a, b, c):\n    assert add(a, b) == c\n"
		js   = "const { add } = require('./calc');\ntest('adds', () => {\n  const got = add(2, 3);\n  expect(got).toBe(5);\n});\n"
		gost = "package a\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif add(2, 3) != 5 {\n\t\tt.Error()\n\t}\n}\n"
		java = "class CalcTest {\n    @Test\n    void adds() {\n        assertEquals(5, Calc.add(2, 3));\n    }\n}\n"
		main = "public class Main {\n    public static void main(String[] args) {\n        if (Calc.add(2, 3) != 5) throw new AssertionError();\n    }\n}\n"
		fib  = "def fact(n):\n    return n * fact(n - 1)\n"
	)
	cases := []struct {
		name, path, before, old, new string
		healer, tidier, person       []string
		beside                       files
	}{
		{"python: expects something else", "test_calc.py", py, "== 5", "== 6", []string{"ask protected", "refuse changed-test"}, []string{"ask protected"}, []string{"ask protected"}, nil},
		{"python: asks something else", "test_calc.py", py, "add(2, 3)", "add(3, 2)", []string{"ask protected", "refuse changed-test"}, []string{"ask protected"}, []string{"ask protected"}, nil},
		{"python: a table says something else", "test_calc.py", py, "(2, 2, 4)", "(2, 2, 5)", []string{"ask protected", "refuse changed-test"}, []string{"ask protected"}, []string{"ask protected"}, nil},
		{"python: an import", "test_calc.py", py, "import pytest\n", "import os\nimport pytest\n", []string{"ask protected"}, []string{"ask protected"}, []string{"note protected"}, nil},
		{"python: one more row", "test_calc.py", py, "(2, 2, 4)]", "(2, 2, 4), (0, 0, 0)]", []string{"ask protected"}, []string{"ask protected"}, []string{"note protected"}, nil},
		{"python: renamed", "test_calc.py", py, "def test_add", "def test_plus", []string{"ask protected", "refuse deleted-test"}, []string{"ask deleted-test", "ask protected"}, []string{"note deleted-test", "note protected"}, nil},
		{"python: on some machines", "test_calc.py", py, "def test_add", "@pytest.mark.skipif(platform.system() == 'Darwin', reason='x')\ndef test_add", []string{"ask protected", "refuse skipped-test"}, []string{"ask protected", "ask skipped-test"}, []string{"ask protected", "ask skipped-test"}, nil},
		{"python: deleted", "test_calc.py", py, "def test_add():\n    assert add(2, 3) == 5\n", "", []string{"ask protected", "refuse deleted-test"}, []string{"ask protected", "refuse deleted-test"}, []string{"ask protected", "refuse deleted-test"}, nil},
		{"javascript: asks something else", "calc.test.js", js, "add(2, 3)", "add(1, 4)", []string{"ask protected", "refuse changed-test"}, []string{"ask protected"}, []string{"ask protected"}, nil},
		{"go: expects something else", "calc_test.go", gost, "!= 5", "!= 6", []string{"ask protected", "refuse changed-test"}, []string{"ask protected"}, []string{"ask protected"}, nil},
		{"java: expects something else", "CalcTest.java", java, "(5,", "(6,", []string{"ask protected", "refuse changed-test"}, []string{"ask protected"}, []string{"ask protected"}, nil},
		{"java: a program that is a test", "Main.java", main, "!= 5", "!= 6", []string{"ask protected", "refuse changed-test"}, []string{"ask protected"}, []string{"ask protected"}, nil},
		{"data of tests", "tests/data/sums.json", "[[1, 2], 3]\n", "3", "4", []string{"ask protected", "refuse changed-test"}, []string{"ask protected"}, []string{"ask protected"}, nil},
		{"python: danger in a test", "test_calc.py", py, "    assert add(2, 3) == 5\n", "    assert add(2, 3) == 5\n    assert add(pickle.loads(saved), 3) == 5\n", []string{"ask protected", "refuse danger", "refuse undefined-name"}, []string{"ask protected", "refuse danger", "refuse undefined-name"}, []string{"ask danger", "note protected", "refuse undefined-name"}, nil},
		{"a word about tests", "tests/README.md", "How to run.\n", "run", "go", []string{"ask protected"}, []string{"ask protected"}, []string{"ask protected"}, nil},
		{"python: where a recursion ends", "fact.py", fib, "    return", "    if n == 0:\n        return 1\n    return", []string{"ask test-answer"}, []string{"ask test-answer"}, []string{"ask test-answer"}, files{"test_fact.py": "from fact import fact\n\n\ndef test_fact():\n    assert fact(0) == 1\n"}},
		{"python: an answer for all that is asked", "fact.py", fib, "    return", "    if [n] == [0]:\n        return 1\n    return", []string{"refuse test-answer"}, []string{"ask test-answer"}, []string{"ask test-answer"}, files{"test_fact.py": "from fact import fact\n\n\ndef test_fact():\n    assert fact(0) == 1\n"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before := files{c.path: c.before}.with(c.beside)
			in := input(before, before.changed(t, c.path, c.old, c.new))
			in.Files = func() []string { return []string{"fact.py", "test_fact.py"} }
			for by, want := range [][]string{c.healer, c.tidier, c.person} {
				in.Goal.By = audit.Maker(by)
				check(t, in, want)
			}
		})
	}
}

// TestAskedOnce holds that what one rule has found out another one does not find out again: it reads no file more often.
func TestAskedOnce(t *testing.T) {
	reads := func(goal audit.Goal) int {
		before := files{"tests/test_a.py": pyTests}
		in := input(before, before.changed(t, "tests/test_a.py", "def test_neg", "async def test_neg"))
		source, n := in.Source, 0
		in.Source = func(path string) (edit.File, error) {
			if path == "pytest.ini" {
				n++
			}
			return source(path)
		}
		in.Goal = goal
		audit.Audit(t.Context(), in)
		return n
	}
	if without, with := reads(audit.Goal{Tests: true}), reads(audit.Goal{}); without == 0 || with != without {
		t.Errorf("settings are read %d times, and %d times where one more rule asks for what they decide", without, with)
	}
}

// TestSaidOnce holds that what another rule says better is not said once more.
func TestSaidOnce(t *testing.T) {
	r := audit.Audit(t.Context(), input(files{"test_a.py": pyTests}, files{"test_a.py": strings.Replace(pyTests, "assert add(-1, 1) == 0", "assert True", 1)}))
	if slices.Contains(effects(r), "refuse changed-test") || !slices.Contains(effects(r), "refuse weakened-test") {
		t.Errorf("got %v", r.Findings)
	}
}
