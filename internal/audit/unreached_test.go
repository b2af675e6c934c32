package audit_test

import (
	"strings"
	"testing"

	"fettle/internal/audit"
	"fettle/internal/verdict"
)

// TestUnreached are demands that go to where nobody comes to them, behind what has to fail, and such that may stand there.
func TestUnreached(t *testing.T) {
	const (
		py   = "import pytest\n\nfrom gate import Locked, login\n\n\ndef test_locked():\n    with pytest.raises(Locked) as info:\n        login('lena')\n    assert info.value.after == 300\n    assert login('bo') == 1\n"
		ts   = "import { expect, test } from 'vitest';\nimport { login, log } from './gate';\n\ntest('locked', () => {\n  expect(() => {\n    login('lena');\n  }).toThrow('locked');\n  expect(log()).toEqual(['lena']);\n});\n"
		java = "package a;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nimport org.junit.jupiter.api.Test;\n\nclass GateTest {\n    @Test\n    void locked() {\n        assertThrows(Locked.class, () -> {\n            gate.login(\"lena\");\n        });\n        assertEquals(1, gate.failures());\n    }\n}\n"
	)
	for _, c := range []struct {
		name, path, before, after string
		want                      verdict.Decision
	}{
		{"python: both move into the block", "tests/test_gate.py", py, strings.NewReplacer("    assert info", "        assert info", "    assert login", "        assert login").Replace(py), verdict.Refuse},
		{"python: what asks the error moves into the block", "tests/test_gate.py", py, strings.Replace(py, "    assert info", "        assert info", 1), verdict.Refuse},
		{"script: it moves into the function", "src/gate.test.ts", ts, strings.Replace(ts, "  }).toThrow('locked');\n  expect(log()).toEqual(['lena']);\n", "  expect(log()).toEqual(['lena']);\n  }).toThrow('locked');\n", 1), verdict.Refuse},
		{"java: it moves into the function", "src/test/java/a/GateTest.java", java, strings.Replace(java, "        });\n        assertEquals(1, gate.failures());\n", "        assertEquals(1, gate.failures());\n        });\n", 1), verdict.Refuse},
		{"python: a loop takes in what stood behind it", "tests/test_gate.py", "def test_all():\n    for name in names():\n        assert login(name)\n    assert count() == 3\n", "def test_all():\n    for name in names():\n        assert login(name)\n        assert count() == 3\n", verdict.Ask},

		{"python: it comes out of the block", "tests/test_gate.py", strings.Replace(py, "    assert login", "        assert login", 1), py, verdict.Approve},
		{"python: one more behind the block", "tests/test_gate.py", py, py + "    assert login('ada') == 2\n", verdict.Approve},
		{"python: what is asserted has to fail itself", "tests/test_gate.py", py, py + "\n\ndef test_fails():\n    with pytest.raises(Locked):\n        name = 'x' + 'y'\n        assert login(name)\n", verdict.Approve},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(files{c.path: c.before}, files{c.path: c.after})
			in.Goal.By = audit.Person
			if report := audit.Audit(t.Context(), in); report.Decision() != c.want {
				t.Errorf("got %s: %v", report.Decision(), report.Findings)
			}
		})
	}
}

// TestExamples are examples of doctest's that demand less, and such that only say more, or otherwise.
func TestExamples(t *testing.T) {
	const py = "\"\"\"Durations.\n\n>>> humanize(59)\n'59 s'\n>>> rows(\n...     2)\n[1,\n 2]\n\"\"\"\n\n\ndef humanize(n):\n    return f'{n} s'\n"
	for _, c := range []struct {
		name, old, new string
		stopped        bool
	}{
		{"anything may come", "(59)\n'59 s'", "(59)  # doctest: +ELLIPSIS\n'...'", true},
		{"anything, bare", "'59 s'", "...", true},
		{"anything in a list", "[1,\n 2]", "[...]", true},
		{"it is left out", "(59)\n", "(59)  # doctest: +SKIP\n", true},
		{"nothing is expected", "(59)\n'59 s'\n", "(59)\n", true},
		{"white space does not matter", "(59)\n", "(59)  # doctest: +NORMALIZE_WHITESPACE\n", false},
		{"one more", ">>> rows", ">>> humanize(1)\n'1 s'\n>>> rows", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(files{"human.py": py}, files{"human.py": strings.Replace(py, c.old, c.new, 1)})
			in.Goal.By = audit.Person
			if report := audit.Audit(t.Context(), in); (report.Decision() != verdict.Approve) != c.stopped {
				t.Errorf("got %s: %v", report.Decision(), report.Findings)
			}
		})
	}
}
