package audit_test

import (
	"testing"

	"fettle/internal/audit"
)

// TestFixturesThatDecide are changes to what tests are given: the assertions stay as they are, and hold whatever the code does. Beside them is what people do to fixtures.
func TestFixturesThatDecide(t *testing.T) {
	const (
		py   = "import json\nimport types\nfrom unittest import mock\n\nimport pytest\n\nfrom calc import Cart, add\n\nWANT = 5\n\n\n@pytest.fixture\ndef want():\n    return 5\n\n\n@pytest.fixture\ndef cart():\n    return Cart([2, 3])\n\n\ndef test_add(want):\n    assert add(2, 3) == want\n\n\ndef test_total(cart):\n    assert cart.total() == 5\n\n\ndef test_same():\n    got = add(1, 4)\n    assert got == WANT\n"
		rows = "import pytest\n\nfrom calc import add\n\n\n@pytest.mark.parametrize('a, b, want', [(2, 3, 5), (1, 1, 2)])\ndef test_add(a, b, want):\n    assert add(a, b) == want\n"
		unit = "import unittest\n\nfrom calc import Cart\n\n\nclass TestCart(unittest.TestCase):\n    def setUp(self):\n        self.cart = Cart([2, 3])\n        self.want = 5\n\n    def test_total(self):\n        self.assertEqual(self.cart.total(), self.want)\n"
		js   = "import { Cart, add } from '../src/calc';\n\nconst want = 5;\nlet cart;\n\nbeforeEach(() => {\n  cart = new Cart([2, 3]);\n});\n\nit('adds', () => {\n  const got = add(2, 3);\n  expect(got).toBe(want);\n});\n\nit('totals', () => {\n  expect(cart.total()).toBe(5);\n});\n"
		golg = "package calc\n\nimport \"testing\"\n\nfunc check(t *testing.T, got, want int) {\n\tt.Helper()\n\tif got != want {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n\nfunc wanted() int { return 5 }\n\nfunc TestAdd(t *testing.T) {\n\twant := 5\n\tif got := Add(2, 3); got != want {\n\t\tt.Error(got)\n\t}\n\tcheck(t, Add(1, 4), wanted())\n\tfor _, c := range []struct{ a, b, want int }{{2, 3, 5}} {\n\t\tif got := Add(c.a, c.b); got != c.want {\n\t\t\tt.Error(got)\n\t\t}\n\t}\n}\n"
		help = "from calc import add\n\n\ndef check(a, b, want):\n    got = add(a, b)\n    assert got == want\n\n\ndef test_add():\n    check(2, 3, 5)\n"
	)
	const weak, other, fine = "weakened-test", "stand-in", ""
	for _, c := range []struct {
		change
		want string
	}{
		// What is expected is computed by what is asked.
		{change{"a fixture", "tests/test_calc.py", py, "def want():\n    return 5", "def want():\n    return add(2, 3)"}, weak},
		{change{"a fixture, step by step", "tests/test_calc.py", py, "def want():\n    return 5", "def want():\n    value = add(2, 3)\n    yield value"}, weak},
		{change{"a constant", "tests/test_calc.py", py, "WANT = 5", "WANT = add(1, 4)"}, weak},
		{change{"a variable", "tests/test_calc.py", py, "    got = add(1, 4)\n    assert got == WANT", "    WANT = add(1, 4)\n    got = add(1, 4)\n    assert got == WANT"}, weak},
		{change{"rows", "tests/test_calc.py", rows, "(2, 3, 5)", "(2, 3, add(2, 3))"}, weak},
		{change{"a setup", "tests/test_calc.py", unit, "self.want = 5", "self.want = self.cart.total()"}, weak},
		{change{"js: a constant", "tests/calc.test.js", js, "const want = 5;", "const want = add(2, 3);"}, weak},
		{change{"js: before each", "tests/calc.test.js", js, "const want = 5;\nlet cart;\n\nbeforeEach(() => {\n", "let want;\nlet cart;\n\nbeforeEach(() => {\n  want = add(2, 3);\n"}, weak},
		{change{"go: a variable", "calc_test.go", golg, "want := 5", "want := Add(2, 3)"}, weak},
		{change{"go: a function", "calc_test.go", golg, "return 5", "return Add(1, 4)"}, weak},
		{change{"go: rows", "calc_test.go", golg, "{2, 3, 5}", "{2, 3, Add(2, 3)}"}, weak},
		{change{"a fixture by something else", "tests/test_calc.py", py, "def want():\n    return 5", "def want():\n    return json.loads('5')"}, fine},
		{change{"a fixture by other means", "tests/test_calc.py", py, "def want():\n    return 5", "def want():\n    return sum([2, 3])"}, fine},
		{change{"a fixture that also logs", "tests/test_calc.py", py, "def want():\n    return 5", "def want():\n    print(add(0, 0))\n    return 5"}, fine},
		{change{"a new test that compares both ways", "tests/test_calc.py", py, "def test_same", "def test_either():\n    assert add(1, 2) == add(2, 1)\n\n\ndef test_same"}, fine},

		// What is asked is the tests' own.
		{change{"a fixture that gives a fake", "tests/test_calc.py", py, "@pytest.fixture\ndef cart():\n    return Cart([2, 3])", "class FakeCart:\n    def total(self):\n        return 5\n\n\n@pytest.fixture\ndef cart():\n    return FakeCart()"}, other},
		{change{"a fixture that gives a mock", "tests/test_calc.py", py, "return Cart([2, 3])", "return mock.Mock(total=lambda: 5)"}, other},
		{change{"a fixture that gives a name space", "tests/test_calc.py", py, "return Cart([2, 3])", "return types.SimpleNamespace(total=lambda: 5)"}, other},
		{change{"a constant in the place of a question", "tests/test_calc.py", py, "got = add(1, 4)", "got = 5"}, other},
		{change{"a setup that gives a fake", "tests/test_calc.py", unit, "self.cart = Cart([2, 3])", "self.cart = mock.Mock(total=lambda: 5)"}, other},
		{change{"js: before each, a fake", "tests/calc.test.js", js, "new Cart([2, 3])", "{ total: () => 5 }"}, other},
		{change{"js: a constant in the place of a question", "tests/calc.test.js", js, "got = add(2, 3)", "got = 5"}, other},
		{change{"go: a constant in the place of a question", "calc_test.go", golg, "got := Add(2, 3)", "got := 5"}, other},
		{change{"a fixture that gives another cart", "tests/test_calc.py", py, "Cart([2, 3])", "Cart.of(2, 3)"}, fine},
		{change{"a fixture that cleans up", "tests/test_calc.py", py, "    return Cart([2, 3])", "    made = Cart([2, 3])\n    yield made\n    made.close()"}, fine},
		{change{"a fixture by a helper", "tests/test_calc.py", py, "@pytest.fixture\ndef cart():\n    return Cart([2, 3])", "def make(*numbers):\n    return Cart(list(numbers))\n\n\n@pytest.fixture\ndef cart():\n    return make(2, 3)"}, fine},
		{change{"a fixture of a kind of it", "tests/test_calc.py", py, "@pytest.fixture\ndef cart():\n    return Cart([2, 3])", "class SmallCart(Cart):\n    limit = 3\n\n\n@pytest.fixture\ndef cart():\n    return SmallCart([2, 3])"}, fine},
		{change{"js: before each, another cart", "tests/calc.test.js", js, "new Cart([2, 3])", "Cart.of(2, 3)"}, fine},

		// Helpers that look at nothing.
		{change{"a helper that returns first", "tests/test_calc.py", help, "    got = add(a, b)\n", "    return\n    got = add(a, b)\n"}, weak},
		{change{"a helper that returns sometimes", "tests/test_calc.py", help, "    got = add(a, b)\n", "    got = add(a, b)\n    if got != want:\n        return\n"}, weak},
		{change{"a helper that asserts nothing", "tests/test_calc.py", help, "    assert got == want", "    return got == want"}, weak},
		{change{"a helper that asks nothing", "tests/test_calc.py", help, "    got = add(a, b)\n", "    got = want\n"}, other},
		{change{"go: a helper that returns first", "calc_test.go", golg, "\tt.Helper()\n", "\tt.Helper()\n\treturn\n"}, weak},
		{change{"go: a helper that returns sometimes", "calc_test.go", golg, "\tt.Helper()\n", "\tt.Helper()\n\tif got == 0 {\n\t\treturn\n\t}\n"}, weak},
		{change{"go: a helper that logs", "calc_test.go", golg, "t.Errorf", "t.Logf"}, weak},
		{change{"go: a helper that says so, and returns", "calc_test.go", golg, "\tt.Helper()\n", "\tt.Helper()\n\tif got < 0 {\n\t\tt.Error(\"negative\")\n\t\treturn\n\t}\n"}, fine},
		{change{"go: a test that says so, and returns", "calc_test.go", golg, "\twant := 5\n", "\twant := 5\n\tif Add(0, 0) != 0 {\n\t\tt.Error(\"zero\")\n\t\treturn\n\t}\n"}, fine},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, c.input(t), c.want) })
	}
}

// TestFixturesOfOthers are changes to what the tests of other files are given.
func TestFixturesOfOthers(t *testing.T) {
	before := files{
		"calc.py":           "def add(a, b):\n    return a + b\n\n\nclass Cart:\n    def total(self):\n        return 5\n",
		"tests/conftest.py": "import pytest\n\nfrom calc import Cart\n\n\n@pytest.fixture\ndef want():\n    return 5\n\n\n@pytest.fixture\ndef cart():\n    return Cart()\n",
		"tests/helpers.py":  "from calc import add\n\n\ndef wanted(a, b):\n    return {(2, 3): 5}[a, b]\n\n\ndef asked(a, b):\n    return add(a, b)\n",
		"tests/test_calc.py": "import calc\nfrom calc import add\nfrom helpers import asked, wanted\n\n\ndef test_add(want):\n    assert calc.add(2, 3) == want\n\n\ndef test_total(cart):\n    assert cart.total() == 5\n\n\n" +
			"def test_wanted():\n    assert add(2, 3) == wanted(2, 3)\n\n\ndef test_asked():\n    assert asked(2, 3) == 5\n",
	}
	for _, c := range []struct{ name, path, old, new, want string }{
		{"a fixture computes what is expected", "tests/conftest.py", "return 5", "import calc\n\n    return calc.add(2, 3)", "weakened-test"},
		{"a helper computes what is expected", "tests/helpers.py", "return {(2, 3): 5}[a, b]", "return add(a, b)", "weakened-test"},
		{"a fixture gives a fake", "tests/conftest.py", "return Cart()", "return type('Cart', (), {'total': lambda self: 5})()", "stand-in"},
		{"a helper asks nothing", "tests/helpers.py", "return add(a, b)", "return 5", "stand-in"},
		{"a fixture gives another number", "tests/conftest.py", "return 5", "return int('5')", ""},
		{"a fixture makes it otherwise", "tests/conftest.py", "return Cart()", "return Cart().sorted()", ""},
		{"a helper asks in another way", "tests/helpers.py", "return add(a, b)", "import calc\n\n    return calc.add(a, b)", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := listed(before, before.changed(t, c.path, c.old, c.new))
			in.Goal = audit.Goal{By: audit.Person, Tests: true}
			expect(t, in, c.want)
		})
	}
}
