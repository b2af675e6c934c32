package python_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fettle/internal/check"
	"fettle/internal/runner"
	"fettle/internal/runner/python"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTakes(t *testing.T) {
	for _, c := range []struct {
		run    string
		parser string
		want   bool
	}{
		{"pytest", "pytest", true},
		{"python -m pytest -q", "pytest", true},
		{".venv/bin/python -m pytest -q --junit-xml={report}", "pytest-junit", true},
		{"uv run pytest", "pytest", true},
		{"uv run --frozen python -m pytest", "pytest", true},
		{"poetry run pytest tests", "pytest", true},
		{"/usr/bin/python3 -m pytest -q -x test_solution.py", "pytest", true},
		{"env A=b pytest", "pytest", true},
		{"pytest", "junit", false},
		{"make test", "pytest", false},
		{"python -m tox -- pytest", "pytest", false},
		{"python -m coverage run -m pytest", "pytest", false},
		{"sh -c pytest", "pytest", false},
		{"pytest --collect-only", "pytest", false},
		{"echo pytest", "pytest", false},
	} {
		got := python.Harness{}.Takes(check.Check{Run: strings.Fields(c.run), Parser: c.parser})
		if got != c.want {
			t.Errorf("%s (%s): %v", c.run, c.parser, got)
		}
	}
}

// shop has sources in src, fixtures, parameters, a class, and tests of unittest.
const shop = `
-- pyproject.toml --
[tool.pytest.ini_options]
pythonpath = ["src"]
testpaths = ["tests"]
-- src/shop/__init__.py --
-- src/shop/prices.py --
"""Prices, in Größe und Zahl."""
LIMIT = 3


def total(prices):
    """All of it."""
    result = 0
    for p in prices:
        result -= p
    return result


def names(prices):
    return [n for n in prices if n]


class Cart:
    def __init__(self, things=()):
        self.things = list(things)

    def count(self):
        return len(self.things) + 1

    def first(self):
        "Ünïcode"; n = 0; return self.things[n + 1]


def cheap(price):
    return price < LIMIT
-- tests/conftest.py --
import pytest

from shop.prices import Cart


@pytest.fixture
def cart():
    return Cart(["a", "b"])
-- tests/test_prices.py --
import unittest

import pytest

from shop import prices


@pytest.mark.parametrize("given, want", [([1, 2], 3), ([], 0), ([5], 5)], ids=["two prices", "none [at] all", "ünï/code::x"])
def test_total(given, want):
    assert prices.total(given) == want


def test_names():
    assert prices.names(["a", ""]) == ["a"]


class TestCart:
    def test_count(self, cart):
        assert cart.count() == 2

    def test_things(self, cart):
        assert cart.things == ["a", "b"]


class OldStyle(unittest.TestCase):
    def setUp(self):
        self.cart = prices.Cart(["x", "y"])

    def test_first(self):
        self.assertEqual(self.cart.first(), "x")

    def test_things(self):
        self.assertEqual(len(self.cart.things), 2)


def test_cheap():
    assert prices.cheap(3)
    assert not prices.cheap(4)
`

func TestSuite(t *testing.T) {
	p := lay(t, shop)
	s := p.suite(t)
	want := []string{
		"tests/test_prices.py::OldStyle::test_first", "tests/test_prices.py::TestCart::test_count", "tests/test_prices.py::test_cheap",
		`tests/test_prices.py::test_total[\xfcn\xef/code::x]`, "tests/test_prices.py::test_total[two prices]",
	}
	if got := s.Failing(); !slices.Equal(got, want) {
		t.Errorf("failing: %q", got)
	}
	for file, want := range map[string]bool{
		"src/shop/prices.py": true, "tests/test_prices.py": false, "tests/conftest.py": false, "pyproject.toml": false, "setup.py": true,
		"node_modules/x.py": false, "venv/lib/python3.11/site-packages/x.py": false, "../x.py": false, "tests/help.py": false,
	} {
		if s.Owns(file) != want {
			t.Errorf("%s: owns is %v", file, !want)
		}
	}
}

func TestTrace(t *testing.T) {
	p := lay(t, shop)
	tr, err := p.suite(t).Trace(context.Background(), runner.TraceOptions{Values: true})
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]runner.Run{}
	for _, r := range tr.Runs {
		runs[r.ID] = r
	}
	total := runs["tests/test_prices.py::test_total[two prices]"]
	const file = "src/shop/prices.py"
	has := func(r runner.Run, line int) bool {
		return slices.ContainsFunc(r.Lines, func(l runner.Lines) bool { return l.File == file && l.Line <= line && line <= l.EndLine })
	}
	if !total.Failed || !total.Exact || !has(total, 2) || !has(total, 9) || has(total, 14) {
		t.Errorf("total: %+v", total)
	}
	if n := len(total.Frames); n != 1 || total.Frames[0].File != "tests/test_prices.py" || total.Frames[0].Func != "test_total" {
		t.Errorf("frames: %+v", total.Frames)
	}
	if names := runs["tests/test_prices.py::test_names"]; names.Failed || !has(names, 14) || has(names, 9) {
		t.Errorf("names: %+v", names)
	}
	if len(runs) != 9 {
		t.Errorf("%d runs", len(runs))
	}
	src, err := p.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]string{}
	for _, x := range tr.Seen {
		types[string(src[x.Start:x.End])] = strings.Join(x.Types, "|")
	}
	for expr, want := range map[string]string{
		"result": "int", "n for n in prices": "", "[n for n in prices if n]": "list[str]", "len(self.things)": "int", "self.things": "list[str]", "self": "Cart", "price < LIMIT": "bool",
		"self.things[n + 1]": "str",
	} {
		if got := types[expr]; !sameTypes(got, want) {
			t.Errorf("%s: %q", expr, got)
		}
	}
}

// What the import of a file did every test has run: the calls that stand outside of functions, and what the functions do that were called meanwhile.
func TestTraceOfImports(t *testing.T) {
	p := lay(t, `
-- names.py --
"""Plural names."""
PLURALS = {}


def memo(f):
    known = {}

    def inner(name):
        return known.setdefault(name, f(name))
    return inner


def irregular(one, many):
    """Not by the rules."""
    if one:
        PLURALS[one] = many + "s"


def forget(name):
    PLURALS.pop(name)


@memo
def plural(name):
    return PLURALS[name]


irregular("man", "men")
-- test_names.py --
import names


def test_plural():
    assert names.plural("man") == "men"


def test_forget():
    names.forget("man")
`)
	tr, err := p.suite(t).Trace(t.Context(), runner.TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	lines := func(spans ...[2]int) (out []runner.Lines) {
		for _, s := range spans {
			out = append(out, runner.Lines{File: "names.py", Line: s[0], EndLine: s[1]})
		}
		return out
	}
	want := []runner.Run{
		{ID: "test_names.py::test_forget", Exact: true, Lines: lines([2]int{2, 2}, [2]int{6, 6}, [2]int{10, 10}, [2]int{15, 16}, [2]int{20, 20}, [2]int{23, 23}, [2]int{28, 28})},
		{ID: "test_names.py::test_plural", Failed: true, Exact: true, Lines: lines([2]int{2, 2}, [2]int{6, 6}, [2]int{9, 10}, [2]int{15, 16}, [2]int{23, 23}, [2]int{25, 25}, [2]int{28, 28})},
	}
	slices.SortFunc(tr.Runs, func(a, b runner.Run) int { return strings.Compare(a.ID, b.ID) })
	if !slices.EqualFunc(tr.Runs, want, func(a, b runner.Run) bool {
		return a.ID == b.ID && a.Failed == b.Failed && a.Exact == b.Exact && slices.Equal(a.Lines, b.Lines)
	}) {
		t.Errorf("%+v", tr.Runs)
	}
}

// What a source takes by name from others was made as these were imported, and there it may be wrong.
func TestTraceOfWhatIsBorrowed(t *testing.T) {
	p := lay(t, `
-- shop/__init__.py --
-- shop/rates.py --
def rate(name, percent):
    RATES[name] = 1 + percent / 10


RATES = {}
LIMIT = 50
OTHER = 60
rate("food", 7)
-- shop/kinds.py --
OTHER = 1


class Kind:
    FOOD = "food"


def unused():
    return 1
-- shop/words.py --
SMALL, LARGE = "small", "large"
WIDE = "wide"
-- shop/tools.py --
NOT = 1
print("tools")


def half(n):
    return n / 2
-- shop/prices.py --
import shop.words
from . import kinds as k
from .rates import LIMIT, RATES
from .tools import half


def gross(net):
    return half(net) * RATES[k.Kind.FOOD]


def small(net):
    return shop.words.SMALL if net < LIMIT else None
-- test_prices.py --
from shop.prices import gross


def test_gross():
    assert gross(200) == 107
`)
	tr, err := p.suite(t).Trace(t.Context(), runner.TraceOptions{})
	if err != nil || len(tr.Runs) != 1 {
		t.Fatalf("%+v: %v", tr, err)
	}
	var got []string
	for _, l := range tr.Runs[0].Lines {
		got = append(got, fmt.Sprintf("%s %d-%d", l.File, l.Line, l.EndLine))
	}
	want := []string{"shop/kinds.py 5-5", "shop/prices.py 8-8", "shop/rates.py 2-2", "shop/rates.py 5-6", "shop/rates.py 8-8", "shop/tools.py 1-2", "shop/tools.py 6-6", "shop/words.py 1-1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// Tests that pass and take longer than a traced one may are no news of what fails: what they run until then counts as run by what passes.
func TestTraceOfWhatTakesLong(t *testing.T) {
	p := lay(t, `
-- shop.py --
def total(prices):
    return sum(prices) + 1


def count(prices):
    return len(prices)
-- test_shop.py --
import signal
import time

from shop import count, total


def test_total():
    assert total([1]) == 1


def test_waits():
    assert count([1]) == 1
    time.sleep(3)


def test_hears_nothing():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    time.sleep(3)
`)
	tr, err := p.suite(t).Trace(t.Context(), runner.TraceOptions{PerTest: 500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	want := []runner.Run{
		{ID: "test_shop.py::test_total", Failed: true, Lines: []runner.Lines{{File: "shop.py", Line: 2, EndLine: 2}}},
		{ID: "test_shop.py::test_waits", Lines: []runner.Lines{{File: "shop.py", Line: 6, EndLine: 6}}},
	}
	if !slices.EqualFunc(tr.Runs, want, func(a, b runner.Run) bool {
		return a.ID == b.ID && a.Failed == b.Failed && slices.Equal(a.Lines, b.Lines)
	}) {
		t.Errorf("%+v", tr.Runs)
	}
	if notes := []string{"test_shop.py::test_hears_nothing takes so long that nobody knows what it runs"}; !slices.Equal(tr.Notes, notes) {
		t.Errorf("notes: %q", tr.Notes)
	}
}

func sameTypes(a, b string) bool {
	x, y := strings.Split(a, "|"), strings.Split(b, "|")
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

func TestTryAll(t *testing.T) {
	p := lay(t, shop)
	s := p.suite(t)
	const file = "src/shop/prices.py"
	total := p.replace(t, file, "result -= p", "result += p")
	whole := join(total, p.replace(t, file, "len(self.things) + 1", "len(self.things)"), p.replace(t, file, "n + 1", "n"), p.replace(t, file, "price < LIMIT", "price <= LIMIT"))
	trials := try(t, s,
		total,
		p.replace(t, file, "result -= p", "result -=-p"),
		p.replace(t, file, "result -= p", "result += += p"),
		p.replace(t, file, "    for p in prices:", "    while True:\n        pass\n    for p in prices:"),
		whole,
		p.replace(t, file, "LIMIT = 3", "LIMIT = 4"),
		p.replace(t, file, "LIMIT = 3", "LIMIT = 3 "),
	)
	for i, want := range []struct {
		built, plausible bool
		healed, broken   int
		note             string
	}{
		{true, false, 2, 0, "still fails"},
		{true, false, 2, 0, "still fails"},
		{false, false, 0, 0, "does not compile"},
		{true, false, 0, 0, "longer than before"},
		{true, true, 5, 0, ""},
		{true, false, 1, 0, "still fails"},
		{true, false, 0, 0, "changes nothing"},
	} {
		got := trials[i]
		if got.Built != want.built || got.Plausible != want.plausible || len(got.Healed) != want.healed || len(got.Broken) != want.broken || !strings.Contains(got.Note, want.note) {
			t.Errorf("candidate %d: %+v", i, got)
		}
	}
}
