package audit_test

import (
	"strings"
	"testing"

	"fettle/internal/audit"
	"fettle/internal/verdict"
)

// retelling is a change of a file of tests: what it was, and what it is.
type retelling struct {
	name, path, before, after string
	stopped                   bool // a person is asked at least
}

// try judges it as a person's change, and as those of fixers, which may not make it in any case.
func (r retelling) try(t *testing.T) {
	t.Run(r.name, func(t *testing.T) {
		in := input(files{r.path: r.before}, files{r.path: r.after})
		in.Goal.By = audit.Person
		report := audit.Audit(t.Context(), in)
		if stopped := report.Decision() != verdict.Approve; stopped != r.stopped {
			t.Errorf("got %s: %v", report.Decision(), report.Findings)
		}
		for _, by := range []audit.Maker{audit.Healer, audit.Tidier} {
			if in.Goal.By = by; audit.Audit(t.Context(), in).Decision() == verdict.Approve {
				t.Errorf("fixer %d may make it", by)
			}
		}
	})
}

// in puts a body into a file of tests.
func (r retelling) in(head, foot string) retelling {
	r.before, r.after = head+r.before+foot, head+r.after+foot
	return r
}

// TestRetoldPython are tests of Python's in another form: the same, stronger, and such that demand less.
func TestRetoldPython(t *testing.T) {
	const (
		head  = "import unittest\n\nimport pytest\n\nfrom units import convert\n\n\n"
		two   = "def test_km():\n    assert convert(1.5, 'km') == 1500\n\n\ndef test_m():\n    assert convert(2, 'm') == 2\n"
		rows  = "@pytest.mark.parametrize(('value', 'unit', 'want'), [(1.5, 'km', 1500), (2, 'm', 2)])\ndef test_convert(value, unit, want):\n    assert convert(value, unit) == want\n"
		class = "class UnitTests(unittest.TestCase):\n    def setUp(self):\n        self.unit = 'km'\n\n    def test_km(self):\n        self.assertEqual(convert(1, self.unit), 1000)\n        self.assertTrue(convert(2, 'm'))\n        with self.assertRaises(Exception):\n            convert(1, 'x')\n"
		loop  = "def test_all():\n    for value, want in [(1, 1000), (2, 2000)]:\n        assert convert(value, 'km') == want\n"
		slow  = "@pytest.mark.xfail(reason='#1')\n" + "def test_km():\n    assert convert(1.5, 'km') == 1500\n"
		box   = "def test_box():\n    box = convert(1, 'km')\n    box.add(2)\n    assert box.sum() == 3\n"
	)
	for _, r := range []retelling{
		{"two become one of rows", "", two, rows, false},
		{"rows in another order, and one more", "", two, strings.Replace(rows, "[(1.5", "[(3, 'm', 3), (1.5", 1), false},
		{"names in one text, rows with names of their own", "", two, "@pytest.mark.parametrize('value,unit,want', [pytest.param(1.5, 'km', 1500, id='km'), [2, 'm', 2]], ids=str)\ndef test_convert(value, unit, want):\n    got = convert(value, unit)\n    assert got == want, got\n", false},
		{"rows from a table", "", two, "ROWS = [\n    (1.5, 'km', 1500),  # a comment\n    (2, 'm', 2),\n]\n\n\n@pytest.mark.parametrize('value,unit,want', ROWS)\ndef test_convert(value, unit, want):\n    assert convert(value, unit) == want\n", false},
		{"rows become two tests", "", rows, two, false},
		{"two become a loop", "", two, "def test_convert():\n    for value, unit, want in [(1.5, 'km', 1500), (2, 'm', 2)]:\n        assert convert(value, unit) == want\n", false},
		{"a loop becomes rows", "", loop, "@pytest.mark.parametrize('value, want', [(1, 1000), (2, 2000)])\ndef test_all(value, want):\n    assert convert(value, 'km') == want\n", false},
		{"a helper that asserts the same", "", two, "def check(value, unit, want):\n    got = convert(value, unit)\n    assert got == want\n\n\ndef test_km():\n    check(1.5, 'km', 1500)\n\n\ndef test_m():\n    check(2, 'm', 2)\n", false},
		{"assertEqual becomes assert", "", class, strings.NewReplacer("self.assertEqual(convert(1, self.unit), 1000)", "assert convert(1, self.unit) == 1000", "self.assertTrue(convert(2, 'm'))", "assert convert(2, 'm')", "self.assertRaises", "pytest.raises").Replace(class), false},
		{"a class of unittest's becomes a function", "", "class UnitTests(unittest.TestCase):\n    def test_km(self):\n        self.assertEqual(convert(1, 'km'), 1000)\n", "def test_km():\n    assert convert(1, 'km') == 1000\n", false},
		{"stronger", "", class, strings.NewReplacer("self.assertTrue(convert(2, 'm'))", "self.assertEqual(convert(2, 'm'), 2)", "assertRaises(Exception)", "assertRaisesRegex(ValueError, 'no unit')").Replace(class), false},
		{"an expected failure is none any more", "", slow, strings.TrimPrefix(slow, "@pytest.mark.xfail(reason='#1')\n"), false},
		{"a skip goes", "", "def test_km():\n    pytest.skip('later')\n    assert convert(1, 'km') == 1000\n", "def test_km():\n    assert convert(1, 'km') == 1000\n", false},
		{"a skip of a file goes", "", "pytestmark = pytest.mark.skip(reason='later')\n\n\n" + two, two, false},
		{"a setup that skips goes", "", strings.Replace(class, "    def setUp", "    def setUpClass(cls):\n        raise_later = 1\n\n    def setUp", 1), class, true},
		{"a case that is skipped runs", "", strings.Replace(rows, "(2, 'm', 2)", "pytest.param(2, 'm', 2, marks=pytest.mark.skip)", 1), rows, false},
		{"rows in parts of a test", "", two, "class TestUnits(unittest.TestCase):\n    def test_convert(self):\n        for value, unit, want in ((1.5, 'km', 1500), (2, 'm', 2)):\n            with self.subTest(value=value):\n                self.assertEqual(convert(value, unit), want)\n", false},
		{"an error by a block", "", "class TestUnits(unittest.TestCase):\n    def test_x(self):\n        self.assertRaises(ValueError, convert, 1, 'x')\n", "def test_x():\n    with pytest.raises(ValueError, match='no unit'):\n        convert(1, 'x')\n", false},
		{"a value that is asked twice", "", "def test_km():\n    assert convert(1, 'km') == 1000\n", "def test_km():\n    got = convert(1, 'km')\n    assert got == 1000\n    assert got.unit == 'm'\n", false},
		{"a new test with a mock of what is used", "", two, two + "\n\ndef test_slow(monkeypatch):\n    naps = []\n    monkeypatch.setattr('units.time.sleep', naps.append)\n    convert(1, 'h')\n    assert naps == [1]\n", false},

		{"a case is lost", "", two, strings.Replace(rows, ", (2, 'm', 2)", "", 1), true},
		{"an expectation is bent", "", two, strings.Replace(rows, "'m', 2)", "'m', 3)", 1), true},
		{"a text is bent in its blanks", "", "def test_a():\n    assert convert('a b') == 'a b'\n\n\ndef test_b():\n    assert convert('c') == 'c'\n", "@pytest.mark.parametrize('a,b', [('a b', 'ab'), ('c', 'c')])\ndef test_all(a, b):\n    assert convert(a) == b\n", true},
		{"an input is bent", "", two, strings.Replace(rows, "1.5, 'km'", "1500, 'm'", 1), true},
		{"rows that demand less", "", two, strings.Replace(rows, "== want", "is not None", 1), true},
		{"rows that expect what is asked", "", two, strings.Replace(rows, "== want", "== convert(value, unit)", 1), true},
		{"rows of a test that is skipped", "", two, "@pytest.mark.skip\n" + rows, true},
		{"rows of which one is skipped", "", two, strings.Replace(rows, "(2, 'm', 2)", "pytest.param(2, 'm', 2, marks=pytest.mark.xfail)", 1), true},
		{"rows of a test that nobody runs", "", two, strings.Replace(rows, "def test_convert", "def convert_all", 1), true},
		{"rows in a class that nobody runs", "", two, "class Units:\n    @pytest.mark.parametrize('value,unit,want', [(1.5, 'km', 1500), (2, 'm', 2)])\n    def test_convert(self, value, unit, want):\n        assert convert(value, unit) == want\n", true},
		{"rows of a test whose name is taken", "", two, rows + "\n\ndef test_convert():\n    assert convert(1, 'm') == 1\n", true},
		{"rows that end at once", "", two, strings.Replace(rows, "    assert", "    return\n    assert", 1), true},
		{"rows below a condition", "", two, strings.Replace(rows, "    assert", "    if unit != 'm':\n        assert", 1), true},
		{"rows whose failure is caught", "", two, strings.Replace(rows, "    assert convert(value, unit) == want", "    try:\n        assert convert(value, unit) == want\n    except AssertionError:\n        pass", 1), true},
		{"rows of something else of that name", "", two, "def convert(value, unit):\n    return {1.5: 1500}.get(value, 2)\n\n\n" + rows, true},
		{"rows of what is imported from elsewhere", "", "from units import convert\n\n\n" + two, "from fakes import convert\n\n\n" + rows, true},
		{"a helper that does nothing", "", two, "def check(value, unit, want):\n    convert(value, unit)\n\n\ndef test_km():\n    check(1.5, 'km', 1500)\n\n\ndef test_m():\n    check(2, 'm', 2)\n", true},
		{"a helper that was there demands less", "", "def check(value, want):\n    assert convert(value, 'm') == want\n\n\ndef test_m():\n    check(2, 2)\n", "def check(value, want):\n    assert convert(value, 'm')\n\n\ndef test_m():\n    check(2, 2)\n", true},
		{"a truth becomes its contrary", "", "def test_m():\n    assert convert(2, 'm')\n", "def test_m():\n    assert convert(2, 'm') == 0\n    assert True\n", true},
		{"any other becomes that one", "", "def test_m():\n    x = convert(2, 'm')\n    y = 1\n    assert x != 3\n", "def test_m():\n    x = convert(2, 'm')\n    assert x == 3\n", true},
		{"an error becomes a failed assertion", "", class, strings.Replace(class, "assertRaises(Exception)", "assertRaises(AssertionError)", 1), true},
		{"an error of any kind", "", strings.Replace(class, "assertRaises(Exception)", "assertRaises(ValueError)", 1), strings.Replace(class, "convert(1, 'x')", "convert(1, 'y')", 1), true},
		{"what is made is another thing", "", box, strings.Replace(box, "    box.add(2)\n", "    box.add(3)\n", 1), true},
		{"a step is left out", "", box, strings.Replace(box, "    box.add(2)\n", "", 1), true},
		{"a step more", "", box, strings.Replace(box, "    assert", "    box.clear()\n    assert", 1), true},
		{"a fixture takes another's place", "", "def test_a(db):\n    assert convert(db)\n", "@pytest.fixture\ndef db():\n    return 1\n\n\ndef test_a(db):\n    assert convert(db)\n", true},
		{"a setup changes", "", class, strings.Replace(class, "self.unit = 'km'", "self.unit = 'm'", 1), true},
		{"a mark is lost", "", "@pytest.mark.asyncio\nasync def test_a():\n    assert await convert(1) == 1\n", "async def test_a():\n    assert await convert(1) == 1\n", true},
		{"a helper below a mark that swallows", "", two, "@suppress(AssertionError)\ndef check(value, unit, want):\n    assert convert(value, unit) == want\n\n\ndef test_km():\n    check(1.5, 'km', 1500)\n\n\ndef test_m():\n    check(2, 'm', 2)\n", true},
		{"a helper that is another one afterwards", "", two, "def check(value, unit, want):\n    assert convert(value, unit) == want\n\n\ncheck = print\n\n\ndef test_km():\n    check(1.5, 'km', 1500)\n\n\ndef test_m():\n    check(2, 'm', 2)\n", true},
		{"a helper whose end comes first", "", two, "def check(value, unit, want):\n    if unit:\n        return\n    assert convert(value, unit) == want\n\n\ndef test_km():\n    check(1.5, 'km', 1500)\n\n\ndef test_m():\n    check(2, 'm', 2)\n", true},
		{"rows with a fixture that skips", "", two, "@pytest.fixture\ndef slow():\n    pytest.skip('slow')\n\n\n" + strings.Replace(rows, "want):", "want, slow):", 1), true},
		{"everything from elsewhere", "", "from units import *\n\n\n" + two, "from units import *\nfrom fakes import *\n\n\n" + two, true},
		{"rows that only count when the file is started", "", two, "if __name__ == '__main__':\n    @pytest.mark.parametrize('value,unit,want', [(1.5, 'km', 1500), (2, 'm', 2)])\n    def test_convert(value, unit, want):\n        assert convert(value, unit) == want\n", true},
		{"truth becomes what is equal to all", "", "from unittest.mock import ANY\n\n\ndef test_m():\n    assert convert(2, 'm')\n", "from unittest.mock import ANY\n\n\ndef test_m():\n    assert convert(2, 'm') == ANY\n", true},
		{"a mark goes with one that skipped", "", "pytestmark = [pytest.mark.skip, pytest.mark.usefixtures('db')]\n\n\n" + two, two, true},
		{"a counter that is asked", "", "def test_n():\n    n = 0\n    for x in convert():\n        n += x\n    assert n == 3\n", "def test_n():\n    n = 0\n    for x in convert():\n        n += 1\n    assert n == 3\n", true},
		{"a list that is filled", "", "def test_n():\n    got = []\n    convert(got.append)\n    assert got == [1]\n", "def test_n():\n    got = []\n    convert(got.append)\n    assert got == []\n", true},
		{"a new test that asserts nothing", "", two, two + "\n\ndef test_new():\n    assert True\n", true},
		{"a new test that mocks what it asks", "", two, two + "\n\ndef test_new(monkeypatch):\n    monkeypatch.setattr('units.convert', lambda *a: 3)\n    assert convert(1, 'm') == 3\n", true},
		{"a new test that changes a module for others", "", two, two + "\n\ndef test_new():\n    units.RATE = 2\n    assert convert(1, 'm') == 3\n", true},
	} {
		r.path = "tests/test_units.py"
		r.in(head, "").try(t)
	}
}

// TestRetoldGo are the same in Go.
func TestRetoldGo(t *testing.T) {
	const (
		head = "package wrap\n\nimport (\n\t\"os\"\n\t\"testing\"\n\n\t\"github.com/stretchr/testify/require\"\n)\n\n"
		two  = "func TestShort(t *testing.T) {\n\tif got := Wrap(\"abc\", 10); got != \"abc\" {\n\t\tt.Errorf(\"got %q\", got)\n\t}\n}\n\nfunc TestLong(t *testing.T) {\n\tif got := Wrap(\"a b\", 2); got != \"a\\nb\" {\n\t\tt.Errorf(\"got %q\", got)\n\t}\n}\n"
		rows = "func TestWrap(t *testing.T) {\n\tfor _, tt := range []struct {\n\t\tname, in string\n\t\twidth    int\n\t\twant     string\n\t}{\n\t\t{\"short\", \"abc\", 10, \"abc\"},\n\t\t{name: \"long\", in: \"a b\", width: 2, want: \"a\\nb\"},\n\t} {\n\t\tt.Run(tt.name, func(t *testing.T) {\n\t\t\tif got := Wrap(tt.in, tt.width); got != tt.want {\n\t\t\t\tt.Errorf(\"got %q, want %q\", got, tt.want)\n\t\t\t}\n\t\t})\n\t}\n}\n"
		logs = "func TestHas(t *testing.T) {\n\ttr := New()\n\ttr.Insert(\"a\")\n\tif tr.Has(\"b\") {\n\t\tt.Log(\"no\")\n\t}\n}\n"
		read = "func TestRead(t *testing.T) {\n\tf := Open(\"a\")\n\tgot, err := f.Read()\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif got != \"x\" {\n\t\tt.Fatalf(\"got %q\", got)\n\t}\n}\n"
		temp = "func TestCopy(t *testing.T) {\n\tdir, err := os.MkdirTemp(\"\", \"x\")\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tdefer os.RemoveAll(dir)\n\tif err := Copy(dir); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n"
		plat = "func TestOS(t *testing.T) {\n\tif os.PathSeparator == '/' {\n\t\tif got := Wrap(\"a\", 1); got != \"a\" {\n\t\t\tt.Fatal(got)\n\t\t}\n\t}\n}\n"
	)
	for _, r := range []retelling{
		{"two become a table", "", two, rows, false},
		{"a table with names of rows", "", two, strings.NewReplacer("[]struct {\n\t\tname, in string", "map[string]struct {\n\t\tin string", "{\"short\", \"abc\"", "\"short\": {\"abc\"", "{name: \"long\", in", "\"long\": {in", "_, tt", "name, tt", "t.Run(tt.name", "t.Run(name").Replace(rows), false},
		{"a table with a variable for each round", "", two, strings.Replace(rows, "\t\tt.Run(", "\t\ttt := tt\n\t\tt.Run(", 1), false},
		{"a table by its places", "", two, strings.NewReplacer("_, tt := range []struct", "i, tt := range []struct", "t.Run(tt.name", "t.Run(fmt.Sprint(i)").Replace(rows), false},
		{"a table of pointers", "", two, strings.NewReplacer("[]struct {\n\t\tname, in string\n\t\twidth    int\n\t\twant     string\n\t}{", "cases {").Replace(rows) + "\ntype wrapCase struct {\n\tname, in string\n\twidth    int\n\twant     string\n}\n\nvar cases = []wrapCase{\n\t{\"short\", \"abc\", 10, \"abc\"},\n\t{\"long\", \"a b\", 2, \"a\\nb\"},\n}\n", true},
		{"a table that has a name", "", two, "type wrapCase struct {\n\tin    string\n\twidth int\n\twant  string\n}\n\nvar cases = []wrapCase{\n\t{\"abc\", 10, \"abc\"},\n\t{\"a b\", 2, \"a\\nb\"},\n}\n\nfunc TestWrap(t *testing.T) {\n\tfor _, c := range cases {\n\t\trequire.Equal(t, c.want, Wrap(c.in, c.width))\n\t}\n}\n", false},
		{"rows that want an error, and others", "", "func TestA(t *testing.T) {\n\t_, err := Parse(\"a\")\n\tif err == nil {\n\t\tt.Fatal(\"no error\")\n\t}\n}\n\nfunc TestB(t *testing.T) {\n\tgot, err := Parse(\"1\")\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif got != 1 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n", "func TestParse(t *testing.T) {\n\tfor _, tt := range []struct {\n\t\tin      string\n\t\twant    int\n\t\twantErr bool\n\t}{\n\t\t{in: \"a\", wantErr: true},\n\t\t{in: \"1\", want: 1, wantErr: false},\n\t} {\n\t\tgot, err := Parse(tt.in)\n\t\tif tt.wantErr {\n\t\t\tif err == nil {\n\t\t\t\tt.Fatal(\"no error\")\n\t\t\t}\n\t\t\tcontinue\n\t\t}\n\t\tif err != nil {\n\t\t\tt.Fatal(err)\n\t\t}\n\t\tif got != tt.want {\n\t\t\tt.Errorf(\"got %d\", got)\n\t\t}\n\t}\n}\n", false},
		{"logs become errors", "", logs, strings.Replace(logs, "t.Log(", "t.Error(", 1), false},
		{"a skip goes", "", strings.Replace(two, "\tif got := Wrap(\"abc\"", "\tt.Skip(\"later\")\n\tif got := Wrap(\"abc\"", 1), two, false},
		{"a skip on some machines goes", "", strings.Replace(two, "\tif got := Wrap(\"abc\"", "\tif testing.Short() {\n\t\tt.Skip(\"later\")\n\t}\n\tif got := Wrap(\"abc\"", 1), two, false},
		{"by a library", "", read, strings.NewReplacer("\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif got != \"x\" {\n\t\tt.Fatalf(\"got %q\", got)\n\t}\n", "\trequire.NoError(t, err)\n\trequire.Equal(t, \"x\", got)\n").Replace(read), false},
		{"a folder of the test's", "", temp, "func TestCopy(t *testing.T) {\n\tdir := t.TempDir()\n\tif err := Copy(dir); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n", false},
		{"side by side", "", two, strings.Replace(two, "\tif got := Wrap(\"abc\"", "\tt.Parallel()\n\tif got := Wrap(\"abc\"", 1), false},
		{"a helper", "", two, "func check(t *testing.T, in string, width int, want string) {\n\tt.Helper()\n\tif got := Wrap(in, width); got != want {\n\t\tt.Errorf(\"got %q\", got)\n\t}\n}\n\nfunc TestShort(t *testing.T) {\n\tcheck(t, \"abc\", 10, \"abc\")\n}\n\nfunc TestLong(t *testing.T) {\n\tcheck(t, \"a b\", 2, \"a\\nb\")\n}\n", false},

		{"part of a table", "", two, strings.Replace(strings.Replace(rows, "\tfor _, tt := range []struct", "\ttests := []struct", 1), "\t} {\n\t\tt.Run", "\t}\n\tfor _, tt := range tests[:1] {\n\t\tt.Run", 1), true},
		{"a table, and a main that leaves", "", two, rows + "\nfunc init() {\n\tos.Exit(0)\n}\n", true},
		{"a row is lost", "", two, strings.Replace(rows, "\t\t{\"short\", \"abc\", 10, \"abc\"},\n", "", 1), true},
		{"an expectation is bent", "", two, strings.Replace(rows, "10, \"abc\"}", "10, \"ab\"}", 1), true},
		{"a field is not asked", "", two, strings.Replace(rows, "Wrap(tt.in, tt.width)", "Wrap(tt.in, 10)", 1), true},
		{"errors become logs", "", two, strings.Replace(rows, "t.Errorf(", "t.Logf(", 1), true},
		{"a table that is left", "", two, strings.Replace(rows, "\t\t\tif got", "\t\t\tif tt.width == 2 {\n\t\t\t\treturn\n\t\t\t}\n\t\t\tif got", 1), true},
		{"a table that is skipped", "", two, strings.Replace(rows, "\t\t\tif got", "\t\t\tt.Skip()\n\t\t\tif got", 1), true},
		{"a table of a function that is no test", "", two, strings.Replace(rows, "TestWrap", "wrapAll", 1), true},
		{"a table that asks another function", "", two, strings.Replace(rows, "Wrap(tt.in, tt.width)", "wrapped(tt.in, tt.width)", 1) + "\nfunc wrapped(a string, b int) string { return a }\n", true},
		{"what stands below a condition", "", plat, strings.Replace(plat, "got != \"a\"", "got != \"b\"", 1), true},
		{"a condition is another", "", plat, strings.Replace(plat, "== '/'", "!= '/'", 1), true},
		{"an error is asked no more", "", read, strings.Replace(read, "\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n", "\t_ = err\n", 1), true},
		{"a folder, and no check", "", temp, "func TestCopy(t *testing.T) {\n\tdir := t.TempDir()\n\t_ = Copy(dir)\n}\n", true},
		{"a main for tests that ends well", "", two, two + "\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n", true},
	} {
		r.path = "wrap/wrap_test.go"
		r.in(head, "").try(t)
	}
}

// TestRetoldScripts are the same in JavaScript and TypeScript.
func TestRetoldScripts(t *testing.T) {
	const (
		head = "import { expect, test, vi } from 'vitest';\nimport { wrap } from './wrap';\n\n"
		two  = "test('short', () => {\n  expect(wrap('abc', 10)).toBe('abc');\n});\n\ntest('long', () => {\n  const got = wrap('a b', 2);\n  expect(got).toBe('a\\nb');\n});\n"
		rows = "test.each([\n  ['abc', 10, 'abc'],\n  ['a b', 2, 'a\\nb'],\n])('wraps %s', (text, width, want) => {\n  expect(wrap(text, width)).toBe(want);\n});\n"
		page = "test('list', async ({ page }) => {\n  await page.goto('/');\n  expect(page.getByRole('option')).toHaveCount(3);\n});\n"
	)
	for _, r := range []retelling{
		{"two become one of rows", "", two, rows, false},
		{"rows with names", "", two, "describe('wrap', () => {\n  it.each([\n    { text: 'abc', width: 10, want: 'abc' },\n    { text: 'a b', width: 2, want: 'a\\nb' },\n  ])('wraps $text', ({ text, width, want }) => {\n    expect(wrap(text, width)).toBe(want);\n  });\n});\n", false},
		{"tests in a loop", "", two, "for (const [text, width, want] of [['abc', 10, 'abc'], ['a b', 2, 'a\\nb']]) {\n  test(text, () => {\n    expect(wrap(text, width)).toBe(want);\n  });\n}\n", true}, // what a file does by itself is not followed
		{"expectations are waited for", "", page, strings.Replace(page, "  expect", "  await expect", 1), false},
		{"only goes", "", strings.Replace(two, "test('short'", "test.only('short'", 1), two, false},
		{"a skip goes", "", strings.Replace(two, "test('short'", "test.skip('short'", 1), two, false},
		{"in a suite", "", two, "describe('wrap', () => {\n" + two + "});\n", false},
		{"a helper", "", two, "function check(text, width, want) {\n  expect(wrap(text, width)).toBe(want);\n}\n\ntest('short', () => check('abc', 10, 'abc'));\ntest('long', () => {\n  check('a b', 2, 'a\\nb');\n});\n", false},
		{"functions become arrows, it becomes test", "", "it('a', function () {\n  expect(wrap('a')).toBe('a');\n});\n", "test('a', () => {\n  const got = wrap('a');\n  expect(got).toBe('a');\n});\n", false},
		{"a test that was one of others", "", "xit('a', () => {\n  expect(wrap('a')).toBe('a');\n});\n", "it('a', () => {\n  expect(wrap('a')).toBe('a');\n});\n", false},
		{"stronger", "", "test('a', () => {\n  expect(wrap('a')).toBeTruthy();\n  expect(() => wrap()).toThrow();\n});\n", "test('a', () => {\n  expect(wrap('a')).toEqual('a');\n  expect(() => wrap()).toThrow(/no text/);\n});\n", false},

		{"a suite that ends at once", "", two, "describe('wrap', () => {\n  return;\n" + two + "});\n", true},
		{"a suite that is skipped", "", two, "describe.skip('wrap', () => {\n" + two + "});\n", true},
		{"a helper that nobody waits for", "", strings.Replace(two, "expect(wrap('abc', 10))", "expect(await wrap('abc', 10))", 1), "async function check(text, width, want) {\n  expect(await wrap(text, width)).toBe(want);\n}\n\n" + strings.Replace(two, "expect(wrap('abc', 10)).toBe('abc')", "check('abc', 10, 'abc')", 1), true},
		{"a variable that a function sets", "", "test('a', () => {\n  let called = false;\n  wrap(() => { called = true; });\n  expect(called).toBe(true);\n});\n", "test('a', () => {\n  let called = false;\n  wrap(() => { called = true; });\n  called = true;\n  expect(called).toBe(true);\n});\n", true},
		{"a row is lost", "", two, strings.Replace(rows, "  ['abc', 10, 'abc'],\n", "", 1), true},
		{"an expectation is bent", "", two, strings.Replace(rows, "2, 'a\\nb'", "2, 'a b'", 1), true},
		{"rows that are skipped", "", two, strings.Replace(rows, "test.each", "test.skip.each", 1), true},
		{"rows of which only these run", "", two, strings.Replace(rows, "test.each", "test.only.each", 1), true},
		{"rows that demand less", "", two, strings.Replace(rows, "toBe(want)", "not.toBe(want)", 1), true},
		{"rows that nobody waits for", "", two, strings.Replace(rows, "  expect(wrap(text, width)).toBe(want);", "  setTimeout(() => expect(wrap(text, width)).toBe(want));", 1), true},
		{"expectations are waited for no more", "", strings.Replace(page, "  expect", "  await expect", 1), page, true},
		{"a module is mocked for those that were there", "", two, "vi.mock('./fold');\n" + two, true},
		{"a setup for those that were there", "", two, "beforeEach(() => vi.resetAllMocks());\n" + two, true},
		{"what is asked is another thing", "", two, "const wrap = (a) => a;\n" + rows, true},
	} {
		r.path = "src/wrap.test.ts"
		r.in(head, "").try(t)
	}
}

// TestRetoldJava are the same in Java.
func TestRetoldJava(t *testing.T) {
	const (
		four = "import static org.junit.Assert.assertEquals;\n\nimport org.junit.Before;\nimport org.junit.Test;\n\npublic class ParserTest {\n    private Parser parser;\n\n    @Before\n    public void setUp() {\n        parser = new Parser(\"body\");\n    }\n\n    @Test\n    public void parses() {\n        assertEquals(\"a\", parser.parse(\"a\"));\n    }\n\n    @Test(expected = ParseException.class)\n    public void rejects() {\n        parser.parse(\"b\");\n    }\n}\n"
		five = "import static org.junit.jupiter.api.Assertions.assertEquals;\nimport static org.junit.jupiter.api.Assertions.assertThrows;\n\nimport org.junit.jupiter.api.BeforeEach;\nimport org.junit.jupiter.api.Test;\n\nclass ParserTest {\n    private Parser parser;\n\n    @BeforeEach\n    void setUp() {\n        parser = new Parser(\"body\");\n    }\n\n    @Test\n    void parses() {\n        assertEquals(\"a\", parser.parse(\"a\"));\n    }\n\n    @Test\n    void rejects() {\n        assertThrows(ParseException.class, () -> parser.parse(\"b\"));\n    }\n}\n"
		two  = "class UnitTest {\n    @Test\n    void one() {\n        assertEquals(1000, Units.convert(1, \"km\"));\n    }\n\n    @Test\n    void two() {\n        assertEquals(2, Units.convert(2, \"m\"));\n    }\n}\n"
		rows = "class UnitTest {\n    @ParameterizedTest\n    @CsvSource({\"1, km, 1000\", \"2, m, 2\"})\n    void converts(int value, String unit, int want) {\n        assertEquals(want, Units.convert(value, unit));\n    }\n}\n"
	)
	for _, r := range []retelling{
		{"from 4 to 5", "", four, five, false},
		{"by a library", "", five, strings.NewReplacer("assertEquals(\"a\", parser.parse(\"a\"))", "assertThat(parser.parse(\"a\")).isEqualTo(\"a\")", "import static org.junit.jupiter.api.Assertions.assertEquals", "import static org.assertj.core.api.Assertions.assertThat").Replace(five), false},
		{"two become one of rows", "", two, rows, false},
		{"with words for a failure, and a suite within", "", two, "class UnitTest {\n    @Nested\n    class Metres {\n        @Test\n        @DisplayName(\"one\")\n        void one() {\n            var got = Units.convert(1, \"km\");\n            assertEquals(1000, got);\n        }\n\n        @Test\n        void two() {\n            assertEquals(2, Units.convert(2, \"m\"));\n        }\n    }\n}\n", true}, // a mark that is new is a person's to see
		{"a precise error, and what it says", "", strings.Replace(five, "ParseException", "Exception", 1), strings.Replace(five, "assertThrows(ParseException.class, () -> parser.parse(\"b\"));", "var e = assertThrows(ParseException.class, () -> parser.parse(\"b\"));\n        assertEquals(3, e.line());", 1), false},
		{"a test that was off runs", "", strings.Replace(five, "    @Test\n    void parses", "    @Disabled(\"later\")\n    @Test\n    void parses", 1), five, false},

		{"from 4 to 5, and any error", "", four, strings.Replace(five, "ParseException", "Exception", 1), true},
		{"from 4 to 5, and no error", "", four, strings.Replace(five, "assertThrows(ParseException.class, () -> parser.parse(\"b\"));", "parser.parse(\"b\");", 1), true},
		{"from 4 to 5, and off", "", four, strings.Replace(five, "    @Test\n    void parses", "    @Disabled\n    @Test\n    void parses", 1), true},
		{"from 4 to 5, and another setup", "", four, strings.Replace(five, "\"body\"", "\"title\"", 1), true},
		{"from 4 to 5, and no setup", "", four, strings.Replace(five, "    @BeforeEach\n", "", 1), true},
		{"from 4 to 5, and bent", "", four, strings.Replace(five, "assertEquals(\"a\"", "assertEquals(\"b\"", 1), true},
		{"assertions of its own", "", four, strings.Replace(five, "org.junit.jupiter.api.Assertions.assertEquals", "org.lumen.Lenient.assertEquals", 1), true},
		{"a row is lost", "", two, strings.Replace(rows, ", \"2, m, 2\"", "", 1), true},
		{"in a class beside that of the file", "", two, strings.Replace(two, "    @Test\n    void two", "}\n\nclass Others {\n    @Test\n    void two", 1), true},
		{"a row is bent", "", two, strings.Replace(rows, "m, 2", "m, 3", 1), true},
		{"rows that nobody runs", "", two, strings.Replace(rows, "    @ParameterizedTest\n", "", 1), true},
		{"in a class that nobody makes", "", two, strings.Replace(two, "class UnitTest", "abstract class UnitTest", 1), true},
	} {
		r.path = "src/test/java/org/lumen/UnitTest.java"
		r.in("package org.lumen;\n\n", "").try(t)
	}
}

// TestRetoldLines are the same in languages that are read line by line.
func TestRetoldLines(t *testing.T) {
	const (
		rust = "use grid::Grid;\n\n#[test]\nfn first() {\n    let g = Grid::new(3);\n    assert!(g.at(1) == 12);\n}\n"
		more = "\n#[test]\n#[should_panic(expected = \"out of bounds\")]\nfn panics() {\n    let g = Grid::new(3);\n    g.at(4);\n}\n"
		bats = "setup() {\n  DIR=\"$BATS_TEST_TMPDIR\"\n}\n\n@test \"fails\" {\n  run ./a.sh\n  [ \"$status\" -ne 0 ]\n}\n"
		next = "\n@test \"works\" {\n  run ./a.sh b\n  [ \"$status\" -eq 0 ]\n  [ \"$output\" = \"b\" ]\n}\n"
		php  = "<?php\nclass CartTest extends TestCase\n{\n    public function testTotal(): void\n    {\n        $this->assertEquals(5, (new Cart())->total());\n    }\n}\n"
	)
	for _, r := range []retelling{
		{"rust: by another assertion", "tests/a.rs", rust, strings.Replace(rust, "assert!(g.at(1) == 12)", "assert_eq!(g.at(1), 12)", 1), false},
		{"rust: a new test that has to panic", "tests/a.rs", rust, rust + more, false},
		{"rust: a test runs again", "tests/a.rs", strings.Replace(rust, "#[test]\n", "#[test]\n#[ignore]\n", 1), rust, false},
		{"rust: one assertion more", "tests/a.rs", rust, strings.Replace(rust, "    assert!", "    assert_eq!(g.len(), 3);\n    assert!", 1), false},
		{"shell: a new test, and one that is stronger", "test/a.bats", bats, strings.Replace(bats, "-ne 0 ]", "-eq 1 ]\n  [[ \"$output\" == *\"missing\"* ]]", 1) + next, false},
		{"shell: a new file", "test/b.bats", "", bats + next, false},
		{"php: the same kind, too", "tests/CartTest.php", php, strings.Replace(php, "assertEquals", "assertSame", 1), false},

		{"rust: a test that was there has to panic", "tests/a.rs", rust, strings.Replace(rust, "#[test]\n", "#[test]\n#[should_panic(expected = \"out of bounds\")]\n", 1), true},
		{"rust: a new test that has to panic by anything", "tests/a.rs", rust, rust + strings.Replace(more, "(expected = \"out of bounds\")", "", 1), true},
		{"rust: bent by another assertion", "tests/a.rs", rust, strings.Replace(rust, "assert!(g.at(1) == 12)", "assert_eq!(g.at(1), 13)", 1), true},
		{"rust: a new test that is ignored", "tests/a.rs", rust, rust + strings.Replace(more, "#[should_panic(expected = \"out of bounds\")]", "#[ignore]", 1), true},
		{"rust: a new test that asserts nothing", "tests/a.rs", rust, rust + strings.Replace(more, "#[should_panic(expected = \"out of bounds\")]\n", "", 1), true},
		{"rust: another input", "tests/a.rs", rust, strings.Replace(rust, "new(3)", "new(4)", 1), true},
		{"php: another class by that name", "tests/CartTest.php", php, strings.Replace(php, "<?php\n", "<?php\nuse Fakes\\Cart;\n", 1), true},
		{"rust: braces that move", "tests/a.rs", strings.Replace(rust, "    assert!", "    if g.big() {\n        g.cut();\n    }\n    assert!", 1), strings.Replace(rust, "    assert!(g.at(1) == 12);", "    if g.big() {\n        g.cut();\n    assert!(g.at(1) == 12);\n    }", 1), true},
		{"shell: the contrary", "test/a.bats", bats, strings.Replace(bats, "-ne 0", "-eq 0", 1), true},
		{"shell: a new test that asserts nothing", "test/a.bats", bats, bats + "\n@test \"works\" {\n  run ./a.sh b\n}\n", true},
		{"shell: a new test that is skipped", "test/a.bats", bats, bats + strings.Replace(next, "  run", "  skip\n  run", 1), true},
		{"shell: a setup that ends", "test/a.bats", bats, strings.Replace(bats, "setup() {\n", "setup() {\n  exit 0\n", 1), true},
		{"shell: an assertion that cannot fail", "test/a.bats", bats, strings.Replace(bats, "-ne 0 ]", "-ne 0 ] || true", 1), true},
		{"shell: a new file that puts another program in the place", "test/b.bats", "", "@test \"works\" {\n  PATH=\"$PWD/fake:$PATH\"\n  run a.sh\n  [ \"$status\" -eq 0 ]\n}\n", true},
	} {
		r.try(t)
	}
}

// TestHooksOfTests are what is carried out around tests: what only kept them from running may go, and a new main has to hand on how they ended.
func TestHooksOfTests(t *testing.T) {
	const (
		conf  = "import os\n\nimport pytest\n\n\n@pytest.fixture\ndef url():\n    return os.environ['URL']\n"
		main  = "package cache\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) {\n\tos.Setenv(\"CACHE\", \"x\")\n\tcode := m.Run()\n\tif leaks() {\n\t\tcode = 1\n\t}\n\tos.Exit(code)\n}\n"
		ts    = "import { expect, test, vi } from 'vitest';\nimport { send } from './gateway';\nimport { register } from './register';\n\nvi.mock('./gateway', () => ({ send: vi.fn() }));\n\ntest('sends', async () => {\n  await register('a');\n  expect(send).toHaveBeenCalledWith('a');\n});\n"
		types = "import { expectTypeOf, test } from 'vitest';\nimport { pick } from './pick';\n\nconst user = { id: 1 };\n\ntest('unknown keys', () => {\n  // @ts-expect-error 'email' is not a key of user\n  pick(user, ['email']);\n});\n"
		java  = "package a;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nimport static org.mockito.Mockito.mock;\nimport static org.mockito.Mockito.when;\n\nimport org.junit.jupiter.api.Test;\n\nclass ServiceTest {\n    private final Store store = mock(Store.class);\n    private final Service service = new Service(store);\n\n    @Test\n    void finds() {\n        when(store.all()).thenReturn(List.of(1));\n        assertEquals(1, service.first());\n    }\n}\n"
		nap   = "import pytest\n\nfrom net import Backoff\n\n\n@pytest.fixture\ndef slept(monkeypatch):\n    naps = []\n    monkeypatch.setattr('net.time.sleep', naps.append)\n    return naps\n\n\ndef test_waits(slept):\n    Backoff(1).wait()\n    assert slept == [1]\n"
	)
	hook := func(body string) string {
		return conf + "\n\ndef pytest_collection_modifyitems(config, items):\n" + body
	}
	for _, r := range []retelling{
		{"a hook that marked tests as skipped goes", "tests/conftest.py", hook("    for item in items:\n        if 'cluster' in item.nodeid:\n            item.add_marker(pytest.mark.skip(reason='broken'))\n"), conf, false},
		{"one that left tests out", "tests/conftest.py", hook("    items[:] = [i for i in items if 'slow' not in i.keywords]\n"), conf, false},
		{"a setup that skipped", "tests/conftest.py", conf + "\n\ndef pytest_runtest_setup(item):\n    if 'slow' in item.keywords:\n        pytest.skip('slow')\n", conf, false},
		{"files are left out no more", "tests/conftest.py", conf + "\n\ncollect_ignore = ['test_old.py']\n", conf, false},
		{"a new file with a main that hands on", "cache/main_test.go", "", main, false},
		{"a new file with a main by a library", "cache/main_test.go", "", "package cache\n\nimport (\n\t\"testing\"\n\n\t\"go.uber.org/goleak\"\n)\n\nfunc TestMain(m *testing.M) {\n\tgoleak.VerifyTestMain(m)\n}\n", false},
		{"a new file with a mock of what is used", "src/register.test.ts", "", ts, false},
		{"a new file of tests of types", "test/pick.test-d.ts", "", types, false},
		{"a new file of Java with a mock of what is used", "src/test/java/a/ServiceTest.java", "", java, false},
		{"a new file with a fixture", "tests/test_net.py", "", nap, false},

		{"a hook that did something else goes", "tests/conftest.py", hook("    for item in items:\n        item.add_marker(pytest.mark.timeout(5))\n"), conf, true},
		{"a hook that skipped, and did something else", "tests/conftest.py", hook("    os.environ['URL'] = 'x'\n    for item in items:\n        item.add_marker(pytest.mark.skip)\n"), conf, true},
		{"a hook that put tests in order", "tests/conftest.py", hook("    items.sort(key=str)\n"), conf, true},
		{"a fixture for all goes", "tests/conftest.py", conf + "\n\n@pytest.fixture(autouse=True)\ndef clean(db):\n    db.clear()\n", conf, true},
		{"a fixture goes that others use", "tests/conftest.py", conf, "import os\n\nimport pytest\n", true},
		{"a hook comes that skips", "tests/conftest.py", conf, hook("    for item in items:\n        item.add_marker(pytest.mark.skip)\n"), true},
		{"a fixture comes for others", "tests/conftest.py", conf, conf + "\n\n@pytest.fixture\ndef db():\n    return 1\n", true},
		{"a main that ends well", "cache/main_test.go", "", strings.Replace(main, "os.Exit(code)", "os.Exit(0)", 1), true},
		{"a main that drops how tests ended", "cache/main_test.go", "", strings.Replace(main, "code := m.Run()", "code := 0\n\tm.Run()", 1), true},
		{"a main that makes it good", "cache/main_test.go", "", strings.Replace(main, "code = 1", "code = 0", 1), true},
		{"a main that runs tests now and then", "cache/main_test.go", "", strings.Replace(main, "\tcode := m.Run()", "\tif os.Getenv(\"CI\") != \"\" {\n\t\treturn\n\t}\n\tcode := m.Run()", 1), true},
		{"a main that runs none", "cache/main_test.go", "", strings.Replace(main, "code := m.Run()", "code := 1", 1), true},
		{"a main that chooses", "cache/main_test.go", "", strings.Replace(main, "os.Setenv(\"CACHE\", \"x\")", "flag.Set(\"test.run\", \"A\")", 1), true},
		{"a new file with a mock of what is asked", "src/register.test.ts", "", strings.NewReplacer("'./gateway', () => ({ send", "'./register', () => ({ register", "expect(send).toHaveBeenCalledWith('a')", "expect(await register('a')).toBe(1)").Replace(ts), true},
		{"a new file that asks how it calls itself", "src/register.test.ts", "", strings.Replace(ts, "await register('a');", "await send('a');", 1), true},
		{"a new file of Java with a mock of what is asked", "src/test/java/a/ServiceTest.java", "", strings.Replace(java, "new Service(store)", "mock(Service.class)", 1), true},
		{"a new file of Java that verifies itself", "src/test/java/a/ServiceTest.java", "", strings.Replace(java, "assertEquals(1, service.first());", "store.all();\n        verify(store).all();", 1), true},
		{"a type is wrong in a test that was there", "src/pick.test.ts", strings.Replace(types, "  // @ts-expect-error 'email' is not a key of user\n", "", 1), types, true},
		{"a type is wrong, and nobody says why", "test/pick.test-d.ts", "", strings.Replace(types, " 'email' is not a key of user", "", 1), true},
		{"a new file whose tests are skipped", "tests/test_net.py", "", strings.Replace(nap, "def test_waits", "@pytest.mark.skip\ndef test_waits", 1), true},
		{"a new file that asserts nothing", "tests/test_net.py", "", strings.Replace(nap, "    Backoff(1).wait()\n    assert slept == [1]", "    assert True", 1), true},
		{"a new file with a hook", "tests/test_net.py", "", nap + "\n\ndef pytest_runtest_makereport(item, call):\n    return None\n", true},
	} {
		r.try(t)
	}
}
