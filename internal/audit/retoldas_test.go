package audit_test

import (
	"strings"
	"testing"
)

// TestRetoldByLibraries are tests that say the same by another library or runner, or by what the language has for it now, and such that say less.
func TestRetoldByLibraries(t *testing.T) {
	const (
		goHead = "package queue\n\nimport (\n\t\"errors\"\n\t\"os\"\n\t\"testing\"\n)\n\n"
		lease  = "func TestLease(t *testing.T) {\n\tq := New()\n\tl, err := q.Acquire(1)\n\tif err != nil {\n\t\tt.Fatalf(\"acquire: %v\", err)\n\t}\n\tif l.ID != \"a\" {\n\t\tt.Fatal(l.ID)\n\t}\n\tif _, err := q.Acquire(2); !errors.Is(err, ErrEmpty) {\n\t\tt.Fatal(err)\n\t}\n\tif n := q.Len(); n != 1 {\n\t\tt.Error(n)\n\t}\n\tif l.Done() {\n\t\tt.Error(\"done\")\n\t}\n}\n"
		sure   = "func TestLease(t *testing.T) {\n\tq := New()\n\tl, err := q.Acquire(1)\n\trequire.NoError(t, err)\n\trequire.Equal(t, \"a\", l.ID)\n\t_, err = q.Acquire(2)\n\trequire.ErrorIs(t, err, ErrEmpty)\n\tassert.Equal(t, 1, q.Len(), \"back\")\n\tassert.Equal(t, false, l.Done())\n}\n"
		env    = "func TestEnv(t *testing.T) {\n\told, had := os.LookupEnv(\"PORT\")\n\tos.Setenv(\"PORT\", \"94\")\n\tdefer func() {\n\t\tif had {\n\t\t\tos.Setenv(\"PORT\", old)\n\t\t} else {\n\t\t\tos.Unsetenv(\"PORT\")\n\t\t}\n\t}()\n\tif Load().Port != 94 {\n\t\tt.Fail()\n\t}\n}\n"
		setenv = "func TestEnv(t *testing.T) {\n\tt.Setenv(\"PORT\", \"94\")\n\tif got, want := Load().Port, 94; got != want {\n\t\tt.Errorf(\"port %d, want %d\", got, want)\n\t}\n}\n"
		javaUp = "package a;\n\nimport static org.junit.Assert.assertEquals;\n\nimport org.junit.Before;\nimport org.junit.Test;\n\npublic class IbanTest {\n    private Parser parser;\n\n    @Before\n    public void setUp() {\n        parser = new Parser(\"DE\");\n    }\n\n    @Test\n    public void parses() {\n        assertEquals(\"DE\", parser.parse(\"DE89\").country());\n        assertEquals(false, parser.valid(\"x\"));\n    }\n\n    @Test(expected = BadIban.class)\n    public void rejects() {\n        Object in = parser.read(\"DE88\");\n        parser.take(in);\n    }\n\n    @Test(timeout = 1000)\n    public void isQuick() {\n        assertEquals(7, parser.count());\n    }\n}\n"
		java   = "package a;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nimport static org.junit.jupiter.api.Assertions.assertFalse;\nimport static org.junit.jupiter.api.Assertions.assertThrows;\n\nimport org.junit.jupiter.api.Test;\nimport org.junit.jupiter.api.Timeout;\n\nclass IbanTest {\n    private final Parser parser = new Parser(\"DE\");\n\n    @Test\n    void parses() {\n        assertEquals(\"DE\", parser.parse(\"DE89\").country());\n        assertFalse(parser.valid(\"x\"));\n    }\n\n    @Test\n    void rejects() {\n        Object in = parser.read(\"DE88\");\n        assertThrows(BadIban.class, () -> parser.take(in));\n    }\n\n    @Test\n    @Timeout(1)\n    void isQuick() {\n        assertEquals(7, parser.count());\n    }\n}\n"
		jest   = "import { retry } from './retry';\n\njest.useFakeTimers();\n\ndescribe('retry', () => {\n  afterEach(() => {\n    jest.clearAllMocks();\n  });\n\n  it('goes on', async () => {\n    const fn = jest.fn().mockRejectedValueOnce(new Error('down')).mockResolvedValue(7);\n    expect(await retry(fn)).toBe(7);\n    expect(fn).toHaveBeenCalledTimes(2);\n  });\n});\n"
	)
	vitest := "import { afterEach, describe, expect, it, vi } from 'vitest';\n" + strings.ReplaceAll(jest, "jest.", "vi.")
	testify := strings.Replace(goHead, "\t\"testing\"\n", "\t\"testing\"\n\n\t\"github.com/stretchr/testify/assert\"\n\t\"github.com/stretchr/testify/require\"\n", 1)
	for _, r := range []retelling{
		{"go: checks by hand become testify's", "queue_test.go", goHead + lease, testify + sure, false},
		{"go: testify's become checks by hand", "queue_test.go", testify + sure, goHead + lease, false},
		{"go: the environment is put back by the test", "env_test.go", goHead + env, goHead + setenv, false},
		{"go: it was taken out again", "env_test.go", goHead + strings.Replace(env, "\told, had := os.LookupEnv(\"PORT\")\n\tos.Setenv(\"PORT\", \"94\")\n\tdefer func() {\n\t\tif had {\n\t\t\tos.Setenv(\"PORT\", old)\n\t\t} else {\n\t\t\tos.Unsetenv(\"PORT\")\n\t\t}\n\t}()\n", "\tos.Setenv(\"PORT\", \"94\")\n\tdefer os.Unsetenv(\"PORT\")\n", 1), goHead + setenv, false},
		{"java: to JUnit 5, with a field for the setup", "src/test/java/a/IbanTest.java", javaUp, java, false},
		{"script: to Vitest", "src/retry.test.ts", jest, vitest, false},
		{"script: to Jest", "src/retry.test.ts", vitest, jest, false},

		{"go: any error will do", "queue_test.go", goHead + lease, testify + strings.Replace(sure, "ErrorIs(t, err, ErrEmpty)", "Error(t, err)", 1), true},
		{"go: another error", "queue_test.go", goHead + lease, testify + strings.Replace(sure, "ErrEmpty", "ErrLost", 1), true},
		{"go: another error is asked", "queue_test.go", goHead + lease, testify + strings.Replace(sure, "_, err = q", "_, _ = q", 1), true},
		{"go: the contrary", "queue_test.go", goHead + lease, testify + strings.Replace(sure, "Equal(t, false", "Equal(t, true", 1), true},
		{"go: an error is let by", "queue_test.go", goHead + lease, testify + strings.Replace(sure, "\trequire.NoError(t, err)\n", "", 1), true},
		{"go: another value is set", "env_test.go", goHead + env, goHead + strings.Replace(setenv, "\"94\"", "\"95\"", 1), true},
		{"go: another variable", "env_test.go", goHead + env, goHead + strings.Replace(setenv, "\"PORT\"", "\"HOST\"", 1), true},
		{"go: what was wanted is what comes", "env_test.go", goHead + env, goHead + strings.Replace(setenv, "Load().Port, 94;", "Load().Port, Load().Port;", 1), true},
		{"java: the field is another object", "src/test/java/a/IbanTest.java", javaUp, strings.Replace(java, "Parser(\"DE\")", "Parser(\"AT\")", 1), true},
		{"java: more may fail", "src/test/java/a/IbanTest.java", strings.Replace(javaUp, "\n        Object in = parser.read(\"DE88\");\n        parser.take(in);", "\n        parser.take(1);", 1), strings.Replace(java, "\n        Object in = parser.read(\"DE88\");\n        assertThrows(BadIban.class, () -> parser.take(in));", "\n        assertThrows(BadIban.class, () -> { parser.open(); parser.take(1); });", 1), true},
		{"java: more time", "src/test/java/a/IbanTest.java", javaUp, strings.Replace(java, "@Timeout(1)", "@Timeout(60)", 1), true},
		{"java: no end", "src/test/java/a/IbanTest.java", javaUp, strings.Replace(java, "    @Timeout(1)\n", "", 1), true},
		{"java: the contrary", "src/test/java/a/IbanTest.java", javaUp, strings.NewReplacer("assertFalse(", "assertTrue(", "Assertions.assertFalse", "Assertions.assertTrue").Replace(java), true},
		{"script: expect is somebody else's", "src/retry.test.ts", jest, strings.Replace(vitest, "'vitest'", "'./fakes/vitest'", 1), true},
		{"script: fewer calls", "src/retry.test.ts", jest, strings.Replace(vitest, "CalledTimes(2)", "Called()", 1), true},
	} {
		r.try(t)
	}
}

// TestRetoldParts are tests that became several, or rows of one, and such of which something is lost on the way.
func TestRetoldParts(t *testing.T) {
	const (
		goHead = "package semver\n\nimport \"testing\"\n\n"
		long   = "func TestCompare(t *testing.T) {\n\tif got := Compare(\"1.0\", \"1.0\"); got != 0 {\n\t\tt.Errorf(\"equal: %d\", got)\n\t}\n\tif got := Compare(\"1.0\", \"1.1\"); got != -1 {\n\t\tt.Errorf(\"less: %d\", got)\n\t}\n}\n"
		table  = "func TestCompare(t *testing.T) {\n\tt.Parallel()\n\tfor name, tc := range map[string]struct {\n\t\ta, b string\n\t\twant int\n\t}{\n\t\t\"equal\": {\"1.0\", \"1.0\", 0},\n\t\t\"less\":  {\"1.0\", \"1.1\", -1},\n\t\t\"more\":  {\"2.0\", \"1.1\", 1},\n\t} {\n\t\tt.Run(name, func(t *testing.T) {\n\t\t\tif got := Compare(tc.a, tc.b); got != tc.want {\n\t\t\t\tt.Errorf(\"got %d, want %d\", got, tc.want)\n\t\t\t}\n\t\t\tif got := Compare(tc.b, tc.a); got != -tc.want {\n\t\t\t\tt.Errorf(\"turned: %d\", got)\n\t\t\t}\n\t\t})\n\t}\n}\n"
		pyLong = "from shop import Cart\n\n\ndef test_cart():\n    cart = Cart('EUR')\n    assert cart.total == 0\n    cart.add('tea', 450)\n    assert cart.total == 450\n    assert cart.lines == ['tea']\n    cart.clear()\n    assert cart.lines == []\n"
		pyTwo  = "from shop import Cart\n\n\ndef test_cart():\n    cart = Cart('EUR')\n    assert cart.total == 0\n\n\ndef test_add():\n    cart = Cart('EUR')\n    cart.add('tea', 450)\n    assert cart.total == 450\n    assert cart.lines == ['tea']\n\n\ndef test_clear():\n    cart = Cart('EUR')\n    cart.add('tea', 450)\n    cart.clear()\n    assert cart.lines == []\n"
		stack  = "from shop import Stack\n\n\ndef test_stack():\n    stack = Stack([1, 2])\n    assert stack.pop() == 2\n    assert stack.pop() == 1\n"
	)
	for _, r := range []retelling{
		{"go: checks become rows of a table", "semver_test.go", goHead + long, goHead + table, false},
		{"python: one becomes three", "tests/test_cart.py", pyLong, pyTwo, false},

		{"go: a row is lost", "semver_test.go", goHead + long, goHead + strings.Replace(table, "\t\t\"less\":  {\"1.0\", \"1.1\", -1},\n", "", 1), true},
		{"go: a row is bent", "semver_test.go", goHead + long, goHead + strings.Replace(table, "\"1.1\", -1}", "\"1.1\", 0}", 1), true},
		{"go: rows that demand less", "semver_test.go", goHead + long, goHead + strings.Replace(table, "tc.b); got != tc.want", "tc.b); got > 1", 1), true},
		{"python: a part is lost", "tests/test_cart.py", pyLong, before(pyTwo, "\n\ndef test_clear"), true},
		{"python: a part is not done", "tests/test_cart.py", pyLong, strings.Replace(pyTwo, "    cart.add('tea', 450)\n    cart.clear()\n", "    cart.clear()\n", 1), true},
		{"python: a part is skipped", "tests/test_cart.py", pyLong, strings.Replace(pyTwo, "def test_clear", "@pytest.mark.skip\ndef test_clear", 1), true},
		{"python: a part is not run", "tests/test_cart.py", pyLong, strings.Replace(pyTwo, "def test_clear", "def clear", 1), true},
		{"python: what one demand does is lost for the next", "tests/test_stack.py", stack, "from shop import Stack\n\n\ndef test_stack():\n    stack = Stack([1, 2])\n    assert stack.pop() == 2\n\n\ndef test_next():\n    stack = Stack([1, 2])\n    assert stack.pop() == 1\n", true},
	} {
		r.try(t)
	}
}

// before is what stands ahead of a text.
func before(all, text string) string {
	head, _, _ := strings.Cut(all, text)
	return head
}

// from is a text from another one on.
func from(all, text string) string { return strings.TrimPrefix(all, before(all, text)) }

// TestRetoldSetups are tests whose objects are made otherwise: by a setup, a field or a fixture.
func TestRetoldSetups(t *testing.T) {
	const (
		class    = "import unittest\n\nfrom brew import Quantity, BadUnit\n\n\nclass QuantityTest(unittest.TestCase):\n    def setUp(self):\n        self.mash = Quantity(18.5, 'l')\n\n    def test_gallons(self):\n        self.assertAlmostEqual(self.mash.to('gal').value, 4.8872, places=4)\n\n    def test_same(self):\n        self.assertIs(self.mash.to('l'), self.mash)\n\n    def test_bad(self):\n        with self.assertRaisesRegex(BadUnit, 'l -> kg'):\n            self.mash.to('kg')\n\n    def test_order(self):\n        self.assertLess(Quantity(1, 'l'), Quantity(1, 'gal'))\n\n\nif __name__ == '__main__':\n    unittest.main()\n"
		fixtures = "import pytest\n\nfrom brew import Quantity, BadUnit\n\n\n@pytest.fixture\ndef mash():\n    return Quantity(18.5, 'l')\n\n\ndef test_gallons(mash):\n    assert mash.to('gal').value == pytest.approx(4.8872, abs=5e-5)\n\n\ndef test_same(mash):\n    assert mash.to('l') is mash\n\n\ndef test_bad(mash):\n    with pytest.raises(BadUnit, match='l -> kg'):\n        mash.to('kg')\n\n\ndef test_order():\n    assert Quantity(1, 'l') < Quantity(1, 'gal')\n"
		box      = "\n\n@pytest.fixture\ndef box(mash):\n    return [mash]\n\n\ndef test_box(box):\n    assert box[0].value == 18.5\n"
		more     = "\n\nclass MoreTest(QuantityTest):\n    def test_value(self):\n        self.assertEqual(self.mash.value, 18.5)\n"
	)
	for _, r := range []retelling{
		{"a setup becomes a fixture", "", class, fixtures, false},
		{"a fixture becomes a setup", "", fixtures, class, false},
		{"closer", "", class, strings.Replace(fixtures, "5e-5", "1e-5", 1), false},

		{"farther", "", class, strings.Replace(fixtures, "5e-5", "5e-4", 1), true},
		{"another object", "", class, strings.Replace(fixtures, "Quantity(18.5", "Quantity(18", 1), true},
		{"an object by a mock", "", class, strings.Replace(fixtures, "return Quantity(18.5, 'l')", "return MagicMock()", 1), true},
		{"a fixture that skips", "", class, strings.Replace(fixtures, "    return", "    pytest.skip()\n    return", 1), true},
		{"one object for all", "", class, strings.Replace(fixtures, "@pytest.fixture\n", "@pytest.fixture(scope='module')\n", 1), true},
		{"what another fixture is made of", "", fixtures + box, strings.Replace(fixtures, "18.5", "18", 1) + box, true},
		{"what a class that extends it uses", "", class + more, strings.Replace(class, "18.5", "18", 1) + more, true},
		{"nobody makes it", "", class, strings.Replace(fixtures, "test_same(mash)", "test_same(other)", 1), true},
		{"an error of any text", "", class, strings.Replace(fixtures, ", match='l -> kg'", "", 1), true},
		{"a setup that did more", "", strings.Replace(class, "        self.mash = ", "        register('l')\n        self.mash = ", 1), fixtures, true},
		{"a setup that others use", "", strings.Replace(class, "    def test_same", "    def tearDown(self):\n        self.mash.close()\n\n    def test_same", 1), fixtures, true},
	} {
		r.path = "tests/test_brew.py"
		r.try(t)
	}
}
