package python_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/runner"
	"fettle/internal/runner/python"
)

// Whoever has only unittest is served, too: pytest collects the tests under the names that unittest has for them.
func TestUnittest(t *testing.T) {
	const archive = `
-- stack.py --
class Stack:
    def __init__(self, limit):
        self.items, self.limit = [], limit

    def push(self, item):
        if len(self.items) > self.limit:
            raise OverflowError("full")
        self.items.append(item)
-- tests/__init__.py --
-- tests/helper.py --
LIMIT = 3
-- tests/test_stack.py --
import unittest
from stack import Stack


class TestStack(unittest.TestCase):
    def setUp(self):
        self.stack = Stack(3)

    def test_push(self):
        self.stack.push(1)
        self.assertEqual(self.stack.items, [1])

    def test_limit(self):
        for i in range(3):
            with self.subTest(i=i):
                self.stack.push(i)
        with self.assertRaises(OverflowError):
            self.stack.push(9)
`
	for name, c := range map[string]struct {
		run     []string
		env     map[string]string
		failing string
	}{
		"from the root":   {[]string{"python3", "-m", "unittest", "discover", "-v"}, nil, "tests.test_stack.TestStack.test_limit"},
		"from the folder": {[]string{"python3", "-m", "unittest", "discover", "-v", "-b", "-s", "tests", "--pattern=test_*.py"}, map[string]string{"PYTHONPATH": "."}, "test_stack.TestStack.test_limit"},
	} {
		t.Run(name, func(t *testing.T) {
			p := lay(t, archive)
			p.check = check.Check{Name: "test", Lang: "python", Parser: "unittest", Run: c.run, Env: c.env}
			s := p.suite(t)
			if !slices.Equal(s.Failing(), []string{c.failing}) {
				t.Fatalf("failing: %q", s.Failing())
			}
			trace, err := s.Trace(t.Context(), runner.TraceOptions{})
			if err != nil || len(trace.Runs) != 2 || !trace.Runs[0].Failed || trace.Runs[1].Failed || len(trace.Runs[0].Lines) == 0 {
				t.Errorf("%+v, %v", trace.Runs, err)
			}
			got := try(t, s, p.replace(t, "stack.py", "> self.limit", "!= self.limit"), p.replace(t, "stack.py", "> self.limit", ">= self.limit"))
			if got[0].Plausible || !got[1].Plausible {
				t.Errorf("%+v", got)
			}
		})
	}
}

// A test that pytest cannot select by the name that a check has for it cannot be healed, and that is said.
func TestNameThatPytestDoesNotKnow(t *testing.T) {
	p := lay(t, "-- test_calc.py --\ndef test_square():\n    assert 3 + 3 == 9\n")
	_, err := python.Harness{}.Suites(t.Context(), runner.Job{Place: p, Check: p.check, Failing: []string{"test_calc.py::test_square (n=3)"}})
	if !errors.Is(err, runner.ErrForeign) || !strings.Contains(err.Error(), "test_square (n=3)") {
		t.Error(err)
	}
}

// Without pytest the tests stay as they are, and it is said what is missing.
func TestUnittestWithoutPytest(t *testing.T) {
	p := lay(t, "-- pytest.py --\nraise ModuleNotFoundError('No module named pytest')\n")
	p.check = check.Check{Name: "test", Parser: "unittest", Run: []string{"python3", "-m", "unittest"}}
	_, err := python.Harness{}.Suites(t.Context(), runner.Job{Place: p, Check: p.check, Failing: []string{"test_x.T.test_y"}})
	if !errors.Is(err, runner.ErrForeign) {
		t.Error(err)
	}
	for _, run := range [][]string{{"python3", "-m", "unittest", "tests.test_x"}, {"python3", "-m", "unittest", "discover", "-s"}, {"python3", "unittest"}, {"python3", "-m", "unittest", "-k", "x"}} {
		if (python.Harness{}).Takes(check.Check{Parser: "unittest", Run: run}) {
			t.Errorf("takes %q", run)
		}
	}
}
