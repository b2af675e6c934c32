package accounts_test

import (
	"testing"

	"fettle/internal/audit/accounts"
	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
)

func version(t *testing.T, file, src string) accounts.Version {
	t.Helper()
	f := parts.Read(file, []byte(src))
	if parts.Broken(f) {
		t.Fatalf("cannot be read: %s", src)
	}
	return accounts.Version{Program: f, Tests: assertions.Tests(f)}
}

// TestCompare holds files of tests against others that do the same, or less, in another form.
func TestCompare(t *testing.T) {
	const (
		py   = "from calc import add\n\n\ndef test_add():\n    got = add(2, 3)\n    assert got == 5\n\n\ndef test_none():\n    assert add(0, 0) == 0\n"
		head = "import pytest\n\nfrom calc import add\n\n\n"
		js   = "const { add } = require('./calc');\n\ntest('adds', () => {\n  expect(add(2, 3)).toBe(5);\n});\n"
	)
	for _, c := range []struct {
		name, file, was, is string
		all, around         bool
	}{
		{"nothing", "test_calc.py", py, py, true, true},
		{"rows of a table", "test_calc.py", py, head + "@pytest.mark.parametrize('a, b, want', [(2, 3, 5), (0, 0, 0)])\ndef test_add(a, b, want):\n    assert add(a, b) == want\n", true, true},
		{"a row is lost", "test_calc.py", py, head + "@pytest.mark.parametrize('a, b, want', [(2, 3, 5)])\ndef test_add(a, b, want):\n    assert add(a, b) == want\n", false, true},
		{"another value is expected", "test_calc.py", py, py[:len(py)-2] + "1\n", false, true},
		{"the name means something else", "test_calc.py", py, "from sums import add\n" + py[len("from calc import add\n"):], false, false},
		{"one more test", "test_calc.py", py, py + "\n\ndef test_more():\n    assert add(1, 1) == 2\n", true, true},
		{"a helper", "calc.test.js", js, "const { add } = require('./calc');\n\nfunction check(a, b, want) {\n  expect(add(a, b)).toBe(want);\n}\n\ntest('adds', () => {\n  check(2, 3, 5);\n});\n", true, true},
	} {
		got := accounts.Compare(version(t, c.file, c.was), version(t, c.file, c.is), func(*code.Node) string { return "" })
		if got.All != c.all || got.Around != c.around || got.Stands("") != c.all {
			t.Errorf("%s: all %v, around %v", c.name, got.All, got.Around)
		}
	}
}

// TestCompareAsksWhoRuns tells a test that nobody carries out from one that stands.
func TestCompareAsksWhoRuns(t *testing.T) {
	v := version(t, "test_calc.py", "def test_add():\n    assert add(2, 3) == 5\n")
	if got := accounts.Compare(v, v, func(*code.Node) string { return "nobody runs it" }); got.All || got.Stands("test_add") {
		t.Error("a test that nobody runs stands")
	}
}

// TestBrings tells files that only bring tests.
func TestBrings(t *testing.T) {
	for src, want := range map[string][2]bool{
		"import calc\n\n\ndef test_a():\n    assert calc.add(1, 1) == 2\n":                                         {true, true},
		"def helper():\n    return 1\n":                                                                            {false, true},
		"import sys\n\nsys.modules['calc'] = None\n\n\ndef test_a():\n    assert calc.add(1, 1) == 2\n":            {false, false},
		"def pytest_collection_modifyitems(items):\n    items.clear()\n\n\ndef test_a():\n    assert add() == 2\n": {false, false},
	} {
		some, ok := accounts.Brings(parts.Read("test_a.py", []byte(src)).Root)
		if some != want[0] || ok != want[1] {
			t.Errorf("Brings(%q) = %v, %v", src, some, ok)
		}
	}
}
