package audit_test

import (
	"slices"
	"testing"

	"fettle/internal/audit"
)

// TestWhatTestsStillTest are changes to tests, made where tests may change, that leave every assertion where it is: some are never carried out any more, or ask
// what the tests brought along. Beside each of these is what people do every day.
func TestWhatTestsStillTest(t *testing.T) {
	const (
		py   = "import pytest\nfrom unittest import mock\n\nimport calc\nfrom calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n\n\ndef test_neg():\n    assert add(-1, 1) == 0\n"
		unit = "import unittest\nimport calc\n\n\nclass TestCalc(unittest.TestCase):\n    def test_add(self):\n        c = calc.Calc()\n        self.assertEqual(c.add(2, 3), 5)\n\n    def test_bad(self):\n        with self.assertRaises(ValueError):\n            calc.parse('x')\n"
		js   = "const calc = require('./calc');\nconst { add } = require('./calc');\n\ndescribe('calc', () => {\n  test('adds', () => {\n    const got = add(2, 3);\n    expect(got).toBe(5);\n  });\n  it('fails', () => {\n    expect(() => calc.parse('x')).toThrow();\n  });\n});\n"
		esm  = "import { vi, test, expect } from 'vitest';\nimport * as calc from '../src/calc';\nimport { fetchRate } from '../src/rates.js';\n\ntest('adds', async () => {\n  expect(await calc.total(2)).toBe(4);\n});\n"
		java = "class CalcTest {\n    Calc calc = new Calc();\n    Rates rates = mock(Rates.class);\n\n    @Test\n    void adds() {\n        assertEquals(5, calc.add(2, 3));\n    }\n}\n"
		golg = "package shop_test\n\nimport (\n\t\"testing\"\n\n\t\"example.org/shop\"\n)\n\nfunc TestTotal(t *testing.T) {\n\tif got := shop.Total(2); got != 4 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
	)
	for _, c := range []struct {
		name, path, before, old, new string
		want                         string // the rule that asks; empty: none does
	}{
		// What is not carried out any more.
		{"python: within a function", "test_calc.py", py, "def test_neg():\n    assert", "def later():\n    def test_neg():\n        assert", "deleted-test"},
		{"python: the assertion within a function", "test_calc.py", py, "    assert add(-1", "    def later():\n        assert add(-1", "weakened-test"},
		{"python: within a function that is called", "test_calc.py", py, "    assert add(-1, 1) == 0", "    def check():\n        assert add(-1, 1) == 0\n\n    check()", ""},
		{"python: within a handler that is given away", "test_calc.py", py, "    assert add(-1, 1) == 0", "    @calc.every\n    def check():\n        assert add(-1, 1) == 0", ""},
		{"python: a generator", "test_calc.py", py, "    assert add(-1", "    yield\n    assert add(-1", "skipped-test"},
		{"python: a generator by its last line", "test_calc.py", py, "== 0\n", "== 0\n    yield 1\n", "skipped-test"},
		{"python: a fixture that yields", "test_calc.py", py, "def test_neg", "@pytest.fixture\ndef test_rates():\n    yield 1\n\n\ndef test_neg", ""},
		{"python: a function in a test that yields", "test_calc.py", py, "    assert add(-1", "    def rows():\n        yield 1\n\n    assert list(rows())\n    assert add(-1", ""},
		{"python: async", "test_calc.py", py, "def test_neg", "async def test_neg", "skipped-test"},
		{"python: async, with a mark", "test_calc.py", py, "def test_neg", "@pytest.mark.asyncio\nasync def test_neg", ""},
		{"python: async, with a mark of the module", "test_calc.py", py, "\n\ndef test_add():\n    assert add(2", "\n\npytestmark = pytest.mark.anyio\n\n\nasync def test_add():\n    assert add(2", "skipped-test"}, // by the mark, as any other
		{"unittest: async", "test_calc.py", unit, "def test_add", "async def test_add", "skipped-test"},
		{"unittest: async in a class for it", "test_calc.py", replaceOnce(t, unit, "unittest.TestCase", "unittest.IsolatedAsyncioTestCase"), "def test_add", "async def test_add", ""},
		{"python: in a branch that is never taken", "test_calc.py", py, "def test_neg():\n    assert", "if False:\n    def test_neg():\n        assert", "skipped-test"},
		{"python: taken away", "test_calc.py", py, "== 0\n", "== 0\n\n\ndel test_neg\n", "skipped-test"},
		{"python: another value", "test_calc.py", py, "== 0\n", "== 0\n\n\ntest_neg = None\n", "skipped-test"},
		{"python: decorated by hand", "test_calc.py", py, "== 0\n", "== 0\n\n\ntest_neg = mock.seal(test_neg)\n", ""},
		{"python: a failure is what is wanted", "test_calc.py", py, "    assert add(-1, 1) == 0", "    with pytest.raises(AssertionError):\n        assert add(-1, 1) == 0", "weakened-test"},
		{"python: an error is what is wanted", "test_calc.py", py, "    assert add(-1, 1) == 0", "    assert add(-1, 1) == 0\n    with pytest.raises(AssertionError):\n        calc.check(add)", ""},
		{"python: every test skips itself", "test_calc.py", py, "\n\ndef test_add", "\n\n@pytest.fixture(autouse=True)\ndef always():\n    pytest.skip('later')\n\n\ndef test_add", "skipped-test"},
		{"python: a fixture that may skip", "test_calc.py", py, "\n\ndef test_add", "\n\n@pytest.fixture\ndef database():\n    if not calc.HAS:\n        pytest.skip('no database')\n\n\ndef test_add", ""},
		{"unittest: the setup skips", "test_calc.py", unit, "    def test_add", "    def setUp(self):\n        self.skipTest('later')\n\n    def test_add", "skipped-test"},
		{"unittest: a setup", "test_calc.py", unit, "    def test_add", "    def setUp(self):\n        self.calc = calc.Calc()\n\n    def test_add", ""},
		{"python: a class that is made with arguments", "test_calc.py", "class TestA:\n    def test_x(self):\n        assert f(1) == 2\n", "class TestA:\n", "class TestA:\n    def __init__(self, x):\n        self.x = x\n\n", "skipped-test"},
		{"python: a library that may be missing", "test_calc.py", py, "import calc\n", "calc = pytest.importorskip('calculator')\n", "skipped-test"},
		{"python: a library that one test needs", "test_calc.py", py, "== 0\n", "== 0\n\n\ndef test_more():\n    np = pytest.importorskip('numpy')\n    assert add(np.int8(1), 1) == 2\n", ""},
		{"python: the module skips itself", "test_calc.py", py, "import calc\n", "import calc\n\nif calc.OLD:\n    raise unittest.SkipTest('old')\n", "skipped-test"},
		{"javascript: within a function", "calc.test.js", js, "describe('calc', () => {", "const later = () => describe('calc', () => {", "skipped-test"},
		{"javascript: a generator", "calc.test.js", js, "test('adds', () => {", "test('adds', function* () {", "skipped-test"},
		{"javascript: the assertion within a function", "calc.test.js", js, "    expect(got).toBe(5);", "    const check = () => { expect(got).toBe(5); };", "weakened-test"},
		{"javascript: within a callback", "calc.test.js", js, "    expect(got).toBe(5);", "    [1].forEach(() => { expect(got).toBe(5); });", ""},
		{"java: private", "CalcTest.java", java, "    void adds", "    private void adds", "skipped-test"},
		{"java: public", "CalcTest.java", java, "    void adds", "    public void adds", ""},

		// What is asked is not what it was.
		{"python: defined again", "test_calc.py", py, "\n\ndef test_add", "\n\ndef add(a, b):\n    return 5 if a == 2 else 0\n\n\ndef test_add", "stand-in"},
		{"python: defined instead", "test_calc.py", py, "from calc import add\n", "def add(a, b):\n    return 5 if a == 2 else 0\n", "stand-in"},
		{"python: a lambda", "test_calc.py", py, "\n\ndef test_add", "\n\nadd = lambda a, b: 5\n\n\ndef test_add", "stand-in"},
		{"python: the same by another name", "test_calc.py", py, "from calc import add\n", "add = calc.add\n", ""},
		{"python: from where it is now", "test_calc.py", py, "from calc import add\n", "from shop.calc import add\n", ""},
		{"python: set in the module", "test_calc.py", py, "\n\ndef test_add", "\n\ncalc.add = lambda a, b: 5\n\n\ndef test_add", "stand-in"},
		{"python: set by its name", "test_calc.py", py, "\n\ndef test_add", "\n\nsetattr(calc, 'a' + 'dd', lambda a, b: 5)\n\n\ndef test_add", "stand-in"},
		{"python: another module by its name", "test_calc.py", py, "import calc\nfrom", "import sys\nimport fakes\nsys.modules['calc'] = fakes\nimport calc\nfrom", "stand-in"},
		{"python: another module while it lasts", "test_calc.py", py, "    assert add(-1", "    monkeypatch.setitem(sys.modules, 'calc', fake)\n    assert calc.add(-1", "stand-in"},
		{"python: a module that is missing", "test_calc.py", py, "    assert add(-1", "    monkeypatch.setitem(sys.modules, 'numpy', None)\n    assert add(-1", ""},
		{"python: monkeypatch", "test_calc.py", py, "def test_neg():\n", "def test_neg(monkeypatch):\n    monkeypatch.setattr(calc, 'add', lambda a, b: 0)\n", "stand-in"},
		{"python: monkeypatch by a path", "test_calc.py", py, "def test_neg():\n", "def test_neg(monkeypatch):\n    monkeypatch.setattr('calc.add', lambda a, b: 0)\n", "stand-in"},
		{"python: a fixture for all", "test_calc.py", py, "def test_neg", "@pytest.fixture(autouse=True)\ndef always(monkeypatch):\n    monkeypatch.setattr(calc, 'add', lambda a, b: 0)\n\n\ndef test_neg", "stand-in"},
		{"python: mock.patch", "test_calc.py", py, "def test_neg():\n", "@mock.patch('calc.add', return_value=0)\ndef test_neg(add):\n", "stand-in"},
		{"python: mock.patch around", "test_calc.py", py, "    assert add(-1, 1) == 0", "    with mock.patch.object(calc, 'add', return_value=0):\n        assert calc.add(-1, 1) == 0", "stand-in"},
		{"python: the mock itself is asked", "test_calc.py", py, "def test_neg():\n    assert add(", "@mock.patch('calc.fetch', return_value=0)\ndef test_neg(m):\n    assert m(", "stand-in"},
		{"python: what it uses is replaced", "test_calc.py", py, "def test_neg():\n", "@mock.patch('calc.fetch', return_value=0)\ndef test_neg(fetch):\n", ""},
		{"python: of another module", "test_calc.py", py, "def test_neg():\n", "@mock.patch('rates.add', return_value=0)\ndef test_neg(rates_add):\n", ""},
		{"python: a method that is called alike", "test_client.py", "import requests\nfrom app import client\n\n\ndef test_get(monkeypatch):\n    c = client()\n    assert c.get('/') == 'home'\n", "    c = client()\n", "    monkeypatch.setattr(requests, 'get', lambda url: 'home')\n    c = client()\n", ""},
		{"python: where another test asks it", "test_calc.py", py, "== 0\n", "== 0\n\n\ndef test_sum(monkeypatch):\n    monkeypatch.setattr(calc, 'add', lambda a, b: 7)\n    assert calc.total([1, 2]) == 7\n", ""},
		{"python: a new test of what it replaces", "test_calc.py", py, "== 0\n", "== 0\n\n\ndef test_sum(monkeypatch):\n    monkeypatch.setattr(calc, 'add', lambda a, b: 7)\n    assert calc.add(1, 2) == 7\n", "stand-in"},
		{"unittest: a method", "test_calc.py", unit, "        c = calc.Calc()\n", "        calc.Calc.add = lambda self, a, b: 5\n        c = calc.Calc()\n", "stand-in"},
		{"unittest: of the object", "test_calc.py", unit, "        c = calc.Calc()\n", "        c = calc.Calc()\n        c.add = mock.Mock(return_value=5)\n", "stand-in"},
		{"unittest: the object is a mock", "test_calc.py", unit, "        c = calc.Calc()\n", "        c = mock.Mock()\n        c.add.return_value = 5\n", "stand-in"},
		{"unittest: what it is given is a mock", "test_calc.py", unit, "calc.Calc()\n", "calc.Calc()\n        c.rates = mock.Mock()\n        c.rates.get.return_value = 5\n", ""},
		{"python: by the module's own table", "test_calc.py", py, "\n\ndef test_add", "\n\nvars(calc)['add'] = lambda a, b: 5\n\n\ndef test_add", "stand-in"},
		{"unittest: another method", "test_calc.py", unit, "        c = calc.Calc()\n", "        c = calc.Calc()\n        c.rates = {}\n", ""},
		{"unittest: what has to fail", "test_calc.py", unit, "        with self", "        calc.parse = failing\n        with self", "stand-in"},
		{"javascript: the module", "calc.test.js", js, "describe(", "jest.mock('./calc', () => ({ add: () => 5 }));\ndescribe(", "stand-in"},
		{"javascript: the module by itself", "calc.test.js", js, "describe(", "jest.mock('./calc.js');\ndescribe(", "stand-in"},
		{"javascript: what it uses", "calc.test.js", js, "describe(", "jest.mock('./rates', () => ({ add: () => 5 }));\ndescribe(", ""},
		{"javascript: a part of the module", "calc.test.js", js, "describe(", "jest.mock('./calc', () => ({ ...jest.requireActual('./calc'), fetch: () => 5 }));\ndescribe(", ""},
		{"javascript: that part of the module", "calc.test.js", js, "describe(", "jest.mock('./calc', () => ({ ...jest.requireActual('./calc'), add: () => 5 }));\ndescribe(", "stand-in"},
		{"javascript: a spy that answers", "calc.test.js", js, "expect(() => calc", "jest.spyOn(calc, 'parse').mockImplementation(() => { throw new Error(); });\n    expect(() => calc", "stand-in"},
		{"javascript: a spy that answers later", "calc.test.js", js, "expect(() => calc", "const spy = jest.spyOn(calc, 'parse');\n    spy.mockImplementation(() => { throw new Error(); });\n    expect(() => calc", "stand-in"},
		{"javascript: assigned with others", "calc.test.js", js, "describe(", "Object.assign(calc, { parse: () => { throw new Error(); } });\ndescribe(", "stand-in"},
		{"javascript: something else is assigned", "calc.test.js", js, "describe(", "Object.assign(calc, { rates: {} });\ndescribe(", ""},
		{"javascript: a property", "calc.test.js", js, "describe(", "Object.defineProperty(calc, 'parse', { value: () => { throw new Error(); } });\ndescribe(", "stand-in"},
		{"javascript: a method of a class", "calc.test.js", "const { Calc } = require('./calc');\n\ntest('adds', () => {\n  const c = new Calc();\n  expect(c.add(2, 3)).toBe(5);\n});\n", "  const c", "  jest.spyOn(Calc.prototype, 'add').mockReturnValue(5);\n  const c", "stand-in"},
		{"javascript: a spy that looks", "calc.test.js", js, "expect(() => calc", "jest.spyOn(calc, 'parse');\n    expect(() => calc", ""},
		{"javascript: set in the module", "calc.test.js", js, "describe(", "calc.parse = () => { throw new Error(); };\ndescribe(", "stand-in"},
		{"javascript: defined instead", "calc.test.js", js, "const { add } = require('./calc');", "const add = () => 5;", "stand-in"},
		{"javascript: a global setting", "calc.test.js", js, "describe(", "process.env.TZ = 'UTC';\ndescribe(", ""},
		{"vitest: the module", "tests/calc.test.ts", esm, "test(", "vi.mock('../src/calc', () => ({ total: async () => 4 }));\ntest(", "stand-in"},
		{"vitest: what it uses", "tests/calc.test.ts", esm, "test(", "vi.mock('../src/rates.js', () => ({ fetchRate: async () => 2 }));\ntest(", ""},
		{"vitest: an answer of what it uses", "tests/calc.test.ts", esm, "  expect(", "  vi.mocked(fetchRate).mockResolvedValue(2);\n  expect(", ""},
		{"java: an answer", "CalcTest.java", java, "        assertEquals", "        when(calc.add(2, 3)).thenReturn(5);\n        assertEquals", "stand-in"},
		{"java: an answer, the other way round", "CalcTest.java", java, "        assertEquals", "        doReturn(5).when(calc).add(2, 3);\n        assertEquals", "stand-in"},
		{"java: the object is a mock", "CalcTest.java", java, "new Calc()", "mock(Calc.class)", "stand-in"},
		{"java: an answer of what it is asked with", "CalcTest.java", java, "assertEquals(5, calc.add(2, 3))", "when(rates.get(2)).thenReturn(2);\n        assertEquals(5, calc.add(rates.get(2), 3))", ""},
		{"python: what it gives in another form", "test_calc.py", py, "    assert add(-1, 1) == 0", "    monkeypatch.setattr(calc, 'add', lambda a, b: 0)\n    assert str(add(-1, 1)) == '0'", "stand-in"},
		{"java: another object is a mock", "CalcTest.java", java, "    @Test\n", "    Clock clock = mock(Clock.class);\n\n    @Test\n", ""},
		{"java: an answer of what it uses", "CalcTest.java", java, "        assertEquals", "        when(rates.add(2, 3)).thenReturn(5);\n        assertEquals", ""},
		{"go: set in the package", "shop_test.go", golg, "\tif got", "\tshop.Total = func(int) int { return 4 }\n\tif got", "stand-in"},
		{"go: what it uses", "shop_test.go", golg, "\tif got", "\tshop.Now = func() int { return 4 }\n\tif got", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, change{c.name, c.path, c.before, c.old, c.new}.input(t), c.want)
		})
	}
}

// TestForAllTests are changes to what every test of a folder stands on.
func TestForAllTests(t *testing.T) {
	const tests = "import calc\n\n\ndef test_add():\n    assert calc.add(2, 3) == 5\n"
	for _, c := range []struct {
		name, path, text, want string
	}{
		{"what they ask is set", "tests/conftest.py", "import calc\n\ncalc.add = lambda a, b: 5\n", "stand-in"},
		{"what they ask is patched", "tests/conftest.py", "import calc\nimport pytest\n\n\n@pytest.fixture(autouse=True)\ndef always(monkeypatch):\n    monkeypatch.setattr(calc, 'add', lambda a, b: 5)\n", "stand-in"},
		{"what nobody asks is patched", "tests/conftest.py", "import calc\nimport pytest\n\n\n@pytest.fixture(autouse=True)\ndef always(monkeypatch):\n    monkeypatch.setattr(calc, 'fetch', lambda: 5)\n    monkeypatch.setenv('HOME', '/nowhere')\n", ""},
		{"tests are left out", "tests/conftest.py", "collect_ignore = ['test_calc.py']\n", "skipped-test"},
		{"all is left out", "conftest.py", "collect_ignore_glob = ['*']\n", "skipped-test"},
		{"a folder is left out", "conftest.py", "collect_ignore = []\ncollect_ignore.append('tests')\n", "skipped-test"},
		{"what is no test is left out", "conftest.py", "collect_ignore = ['setup.py', 'docs/conf.py']\n", ""},
		{"each is asked whether it counts", "conftest.py", "def pytest_ignore_collect(collection_path):\n    return True\n", "test-hook"},
		{"they are taken out of the list", "conftest.py", "def pytest_collection_modifyitems(items):\n    items[:] = []\n", "test-hook"},
		{"a module of that name beside them", "tests/calc.py", "def add(a, b):\n    return 5\n", "stand-in"},
		{"a module of another name beside them", "tests/helpers.py", "def add(a, b):\n    return 5\n", ""},
		{"they skip themselves", "conftest.py", "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef always():\n    pytest.skip('later')\n", "skipped-test"},
		{"a hook skips them", "conftest.py", "import pytest\n\n\ndef pytest_runtest_setup(item):\n    pytest.skip('later')\n", "test-hook"},
		{"marks are made known", "conftest.py", "def pytest_configure(config):\n    config.addinivalue_line('markers', 'slow: takes long')\n", ""},
		{"async tests are run", "pytest.ini", "[pytest]\nasyncio_mode = auto\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := files{"tests/test_calc.py": tests, "calc.py": "def add(a, b):\n    return a + b\n"}
			in := listed(before, before.with(files{c.path: c.text}))
			in.Goal = audit.Goal{By: audit.Person, Tests: true, Configs: true}
			expect(t, in, c.want)
		})
	}
}

// TestAsyncTests are waited for where the settings, or those that were there before, show that somebody does.
func TestAsyncTests(t *testing.T) {
	const tests = "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n"
	for name, c := range map[string]struct {
		more   files
		before string
		want   []string
	}{
		"nobody":                {nil, tests, []string{"ask skipped-test"}},
		"the settings":          {files{"pyproject.toml": "[tool.pytest.ini_options]\nasyncio_mode = \"auto\"\n"}, tests, nil},
		"others were there":     {nil, tests + "\n\nasync def test_all():\n    assert await calc.all() == 3\n", nil},
		"a setting by the side": {files{"setup.cfg": "[tool:pytest]\nasyncio_mode = strict\n"}, tests, []string{"ask skipped-test"}},
	} {
		t.Run(name, func(t *testing.T) {
			before := files{"tests/test_calc.py": c.before}.with(c.more)
			in := input(before, before.changed(t, "tests/test_calc.py", "def test_add", "async def test_add"))
			in.Goal = audit.Goal{By: audit.Person, Tests: true}
			check(t, in, c.want)
		})
	}
}

// TestSettingsOfRunners are new files of settings, by what they do to the tests that there are, and to the settings that there were.
func TestSettingsOfRunners(t *testing.T) {
	before := files{
		"tests/unit/test_a.py": "def test_a():\n    assert f(1) == 2\n", "tests/api/test_b.py": "def test_b():\n    assert f(2) == 3\n", "src/f.py": "x = 1\n",
		"web/a.test.js": "test('a', () => { expect(f(1)).toBe(2); });\n", "web/a.js": "exports.f = (a) => a + 1;\n",
		"pyproject.toml": "[tool.pytest.ini_options]\nxfail_strict = true\n\n[tool.coverage.report]\nfail_under = 90\n\n[tool.black]\nline-length = 80\n",
	}
	for _, c := range []struct {
		name, path, text string
		less             bool
	}{
		{"some of the tests", "tox.ini", "[pytest]\ntestpaths = tests/unit\n", true},
		{"all of the tests", "tox.ini", "[pytest]\ntestpaths =\n    tests/unit\n    tests/a*\n", false},
		{"tests by other names", "tox.ini", "[pytest]\npython_files = check_*.py\n", true},
		{"tests by more names", "tox.ini", "[pytest]\npython_files = test_*.py check_*.py\n", false},
		{"what pyproject.toml says of pytest is hidden", "pytest.ini", "[pytest]\n", true},
		{"what it says is said again", "pytest.ini", "[pytest]\nxfail_strict = true\n", false},
		{"what it says of coverage is hidden", ".coveragerc", "[run]\nbranch = true\n", true},
		{"what it says of coverage is said again", ".coveragerc", "[report]\nfail_under = 91\n", false},
		{"some of the code is measured", ".coveragerc", "[run]\ninclude =\n    lib/*\n\n[report]\nfail_under = 90\n", true},
		{"all of the code is measured", ".coveragerc", "[run]\ninclude = src/*\n\n[report]\nfail_under = 90\n", false},
		{"scripts' tests by another name", "web/jest.config.js", "module.exports = { testMatch: ['**/nothing.js'] };\n", true},
		{"scripts' tests by their names", "web/jest.config.js", "module.exports = { testMatch: ['<rootDir>/**/*.test.js'] };\n", false},
		{"scripts' tests in brackets", "web/jest.config.js", "module.exports = { testMatch: ['**/?(*.)+(spec|test).js'] };\n", false},
		{"scripts' tests of another folder", "app/jest.config.js", "module.exports = { testMatch: ['**/nothing.js'] };\n", false},
		{"what it says of others counts", "mypy.ini", "[mypy]\nstrict = true\n", false},
	} {
		in := listed(before, before.with(files{c.path: c.text}))
		in.Goal = audit.Goal{By: audit.Person, Configs: true}
		if got := effects(audit.Audit(t.Context(), in)); slices.Contains(got, "ask weakened-check") != c.less || len(got) > 1 {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
