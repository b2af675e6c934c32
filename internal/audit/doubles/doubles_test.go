package doubles_test

import (
	"slices"
	"testing"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/doubles"
	"fettle/internal/audit/parts"
	danger "fettle/internal/policy/code"
)

// TestIn tells whether a file of tests puts something in the place of what its last test asks.
func TestIn(t *testing.T) {
	const py, js = "import calc\nfrom unittest.mock import Mock, patch\n\n\n", "const calc = require('./calc');\n\n"
	for _, c := range []struct {
		name, file, src string
		asked           bool
	}{
		{"nothing", "test_a.py", py + "def test_add():\n    assert calc.add(2, 3) == 5\n", false},
		{"a function is set", "test_a.py", py + "calc.add = lambda a, b: 5\n\n\ndef test_add():\n    assert calc.add(2, 3) == 5\n", true},
		{"a function is patched", "test_a.py", py + "@patch('calc.add', return_value=5)\ndef test_add(add):\n    assert calc.add(2, 3) == 5\n", true},
		{"another one is patched", "test_a.py", py + "@patch('calc.log')\ndef test_add(log):\n    assert calc.add(2, 3) == 5\n", false},
		{"a module is mocked", "a.test.js", "jest.mock('./calc');\n" + js + "test('adds', () => { expect(calc.add(2, 3)).toBe(5); });\n", true},
		{"a spy answers", "a.test.js", js + "jest.spyOn(calc, 'add').mockReturnValue(5);\ntest('adds', () => { expect(calc.add(2, 3)).toBe(5); });\n", true},
		{"a spy listens", "a.test.js", js + "jest.spyOn(calc, 'add');\ntest('adds', () => { expect(calc.add(2, 3)).toBe(5); });\n", false},
	} {
		f := parts.Read(c.file, []byte(c.src))
		names := danger.NamesOf(t.Context(), f)
		tests := assertions.Tests(f)
		asks := assertions.Subjects(tests[len(tests)-1].Node, names)
		if got := slices.ContainsFunc(doubles.In(f, names), func(d doubles.Double) bool { return slices.ContainsFunc(asks, d.Of) }); got != c.asked {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
