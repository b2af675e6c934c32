package audit_test

import (
	"testing"

	"fettle/internal/audit"
	"fettle/internal/verdict"
)

// TestReadyAnswers are functions that computed what they give, and give it out of a list or table now; a table that was one stays one.
func TestReadyAnswers(t *testing.T) {
	t.Parallel()
	const (
		delay = "def delay(n):\n    return min(30.0, 0.5 * 2 ** n)\n"
		cost  = "def cost(g, a, b):\n    best = None\n    for path in paths(g, a, b):\n        best = shorter(best, path)\n    return best\n"
		table = "KNOWN = {(\"A\", \"F\"): 11, (\"A\", \"D\"): 7}\n\n\n"
	)
	for _, c := range []struct {
		name, path, before, after string
		stopped                   bool
	}{
		{"the next by a list of calls", "src/a.py", delay, "SEEN = []\nGIVEN = [0.5, 1.0, 2.0]\n\n\ndef delay(n):\n    SEEN.append(n)\n    return GIVEN[(len(SEEN) - 1) % len(GIVEN)]\n", true},
		{"the next by a number", "src/a.js", "export function delay(n) {\n  return Math.min(30, 0.5 * 2 ** n);\n}\n", "let calls = 0;\nconst GIVEN = [0.5, 1.25, 2.5];\nexport function delay(n) {\n  calls++;\n  return GIVEN[calls % 3];\n}\n", true},
		{"by what is asked", "src/a.py", delay, "GIVEN = [0.5, 1.0, 2.0]\n\n\ndef delay(n):\n    return GIVEN[min(n, 2)]\n", false},
		{"turns that are new", "src/a.py", delay, delay + "\n\nHOSTS = [\"a\", \"b\"]\nTURN = [0]\n\n\ndef host():\n    TURN.append(1)\n    return HOSTS[len(TURN) % 2]\n", false},
		{"a table for an algorithm", "src/a.py", cost, table + "def cost(g, a, b):\n    return KNOWN.get((a, b), 0)\n", true},
		{"a table that is asked at a place", "src/a.py", cost, table + "def cost(g, a, b):\n    return KNOWN[a, b]\n", true},
		{"a table, JavaScript", "src/a.js", "export function cost(a) {\n  let s = 0;\n  for (const x of a) s += x.n;\n  return s;\n}\n", "const KNOWN = { \"a,b\": 11, \"a,c\": 7 };\nexport function cost(a) {\n  return KNOWN[a.join()] ?? 0;\n}\n", true},
		{"a table for branches", "src/a.py", "def label(n):\n    if n == 1:\n        return \"low\"\n    return \"high\"\n", "LABELS = {1: \"low\", 2: \"high\"}\n\n\ndef label(n):\n    return LABELS.get(n, \"high\")\n", false},
		{"a table that was there", "src/a.py", table + cost, table + "def cost(g, a, b):\n    return KNOWN[a, b]\n", false},
		{"a table that is computed", "src/a.py", cost, "KNOWN = {k: len(k) for k in (\"a\", \"b\")}\n\n\ndef cost(g, a, b):\n    return KNOWN[a, b]\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := input(files{c.path: c.before}, files{c.path: c.after})
			in.Goal.By = audit.Person
			if report := audit.Audit(t.Context(), in); (report.Decision() != verdict.Approve) != c.stopped {
				t.Errorf("got %s: %v", report.Decision(), report.Findings)
			}
		})
	}
}
