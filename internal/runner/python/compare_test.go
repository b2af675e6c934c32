package python_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/runner"
)

const sorted = `
-- search.py --
def position(x, seq):
    """Where x belongs in what is in order."""
    for i in range(len(seq)):
        if seq[i] > x:
            return i
    return len(seq)


def pairs(n):
    for i in range(n):
        yield i, i
-- test_search.py --
import pytest

from search import pairs, position


@pytest.mark.parametrize("x, seq, want", [(5, [1, 5, 9], 1), (2, [1, 5, 9], 1), (0, [1, 5], 0), (7, [1, 2, 3, 4], 4), (3, [], 0), (4, [4], 0)])
def test_position(x, seq, want):
    assert position(x, seq) == want


def test_pairs():
    assert list(pairs(2)) == [(0, 0), (1, 1)]
`

// Patches that do the same are told from those that part ways on inputs that no test has, but only on such as the tests' own are like.
func TestCompare(t *testing.T) {
	p := lay(t, sorted)
	s := p.suite(t)
	right := p.replace(t, "search.py", "seq[i] > x", "seq[i] >= x")
	alike := p.replace(t, "search.py", "seq[i] > x", "not seq[i] < x")
	// In a list that is in order and holds every number once, only the neighbour of x tells this one from the others.
	apart := p.replace(t, "search.py", "seq[i] > x", "seq[i] >= x and x < 9")
	class := p.replace(t, "search.py", "        yield i, i\n", "        yield i, i\n\n\nBASE = 1\n")
	for _, trial := range try(t, s, right, alike, apart) {
		if !trial.Plausible {
			t.Fatalf("%d: %s", trial.Index, trial.Note)
		}
	}
	c, err := s.(runner.Comparer).Compare(t.Context(), []edit.Patch{right, alike, apart, class}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Inputs) < 30 || len(c.Answers) != 4 {
		t.Fatalf("%d inputs: %v", len(c.Inputs), c.Inputs)
	}
	if !slices.Equal(c.Answers[0], c.Answers[1]) {
		t.Error("two patches that do the same are told apart")
	}
	if slices.Equal(c.Answers[0], c.Answers[2]) {
		t.Errorf("no input parts them: %d inputs %q, answers %v / %v", len(c.Inputs), c.Inputs, c.Answers[0], c.Answers[2])
	}
	if c.Answers[3] != nil {
		t.Errorf("a change outside of functions has answers: %v", c.Answers[3])
	}
	for k, in := range c.Inputs {
		if !strings.HasPrefix(in, "position(") {
			t.Errorf("%s is no call of what is changed", in)
		}
		if strings.Contains(in, "-") {
			t.Errorf("%s: no test gives a negative number", in)
		}
		if c.Answers[0][k] != c.Answers[2][k] && c.Answers[2][k].Text == "" {
			t.Errorf("%s has no answer", in)
		}
	}
}

// Calls that documentation shows are among the inputs, with whether the answer is what it says; what is no literal is left out.
func TestCompareWithExamples(t *testing.T) {
	p := lay(t, sorted)
	s := p.suite(t)
	right := p.replace(t, "search.py", "seq[i] > x", "seq[i] >= x")
	apart := p.replace(t, "search.py", "seq[i] > x", "seq[i] >= x and x < 9")
	for _, trial := range try(t, s, right, apart) {
		if !trial.Plausible {
			t.Fatalf("%d: %s", trial.Index, trial.Note)
		}
	}
	examples := []runner.Example{
		{Function: "position", Args: "9, [1, 9]", Want: "1 because it is there"}, {Function: "position", Args: "9, seq=[9, 10]", Want: "0"}, {Function: "position", Args: "__import__('os').getcwd(), []", Want: "0"},
		{Function: "position", Args: "1, [0)", Want: "0"}, {Function: "other", Args: "1", Want: "0"}, {Function: "position", Args: "1, [7]", Want: "len(seq)"}, {Function: "position", Args: "100, [7]", Want: "3"},
	}
	c, err := s.(runner.Comparer).Compare(t.Context(), []edit.Patch{right, apart}, examples)
	if err != nil {
		t.Fatal(err)
	}
	said := func(answers []runner.Answer, input string) runner.Said {
		if k := slices.Index(c.Inputs, input); k >= 0 {
			return answers[k].Said
		}
		t.Errorf("%s is not among the inputs: %q", input, c.Inputs)
		return runner.Unsaid
	}
	for _, x := range []struct {
		input        string
		right, apart runner.Said
	}{{"position(9, [1, 9])", runner.AsSaid, runner.Otherwise}, {"position(9, seq=[9, 10])", runner.AsSaid, runner.Otherwise}, {"position(100, [7])", runner.Otherwise, runner.Otherwise}} {
		if a, b := said(c.Answers[0], x.input), said(c.Answers[1], x.input); a != x.right || b != x.apart {
			t.Errorf("%s: %v, %v", x.input, a, b)
		}
	}
	known := 0
	for _, a := range c.Answers[0] {
		if a.Said != runner.Unsaid {
			known++
		}
	}
	if known != 3 {
		t.Errorf("%d examples were read", known)
	}
}

// A patch that changes what nobody can ask, or whose answers nobody can tell apart, is not taken for one that does the same as others.
func TestNotCompared(t *testing.T) {
	p := lay(t, `
-- sums.py --
def position(x, seq):
    for i in range(len(seq)):
        if seq[i] > x:
            return i
    return len(seq)


def total(numbers):
    return sum(numbers) - 1


def adder(by):
    return lambda x: x + by - 1


async def late(x):
    return x - 1
-- test_sums.py --
import asyncio

from sums import adder, late, position, total


def test_sums():
    assert total(n for n in [1, 2]) == 3
    assert adder(1)(2) == 3
    assert asyncio.run(late(1)) == 1


def test_position():
    for x, seq, want in [(5, [1, 5, 9], 1), (2, [1, 5, 9], 1), (0, [1, 5], 0), (7, [1, 2, 3, 4], 4), (3, [], 0), (4, [4], 0)]:
        assert position(x, seq) == want
`)
	s := p.suite(t)
	patch := func(old, now string) edit.Patch { return p.replace(t, "sums.py", old, now) }
	patches := []edit.Patch{
		patch("seq[i] > x", "seq[i] >= x"), patch("sum(numbers) - 1", "sum(numbers)"), patch("x + by - 1", "x + by"), patch("return x - 1", "return x"),
	}
	for range try(t, s, patches...) {
	}
	for i, want := range []bool{true, false, false, false} {
		c, err := s.(runner.Comparer).Compare(t.Context(), []edit.Patch{patches[0], patches[i]}, nil)
		if err != nil || (c.Answers[1] != nil) != want {
			t.Errorf("patch %d is told of: %t, %v", i, !want, err)
		}
	}
}
