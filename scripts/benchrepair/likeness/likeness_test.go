package likeness

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"fettle/internal/testenv"
	"fettle/scripts/benchrepair/rows"
)

// The same inputs come each time, the tests' own first, and none twice.
func TestInputs(t *testing.T) {
	row := rows.Row{Language: "python", Source: "solution.py", Files: map[string]string{
		"solution.py":      "def add(a, b):\n    return a - b\n",
		"test_solution.py": "from solution import add\n\ndef test_0():\n    assert add(1, [2, 'x']) == 3\n    assert add(4, 5) == 9\n    c = 1\n    assert add(c, 2) == 3\n",
	}}
	calls, err := callsOf(t.Context(), row)
	assert.NilError(t, err)
	made := vary(calls)
	assert.DeepEqual(t, made[:2], []string{"add(1, [2, 'x'])", "add(4, 5)"})
	assert.DeepEqual(t, made, vary(calls))
	assert.Equal(t, len(made), len(slices.Compact(slices.Sorted(slices.Values(made)))))
	assert.Assert(t, len(made) > 20)
	for _, m := range made {
		assert.Assert(t, !strings.Contains(m, "add(c"), "c is not written out: %s", m)
	}
}

// Every language's driver tells a program that does the same from one that does not.
func TestCompare(t *testing.T) {
	all, err := rows.All()
	assert.NilError(t, err)
	for _, c := range []struct{ id, tool, was, alike, other string }{
		{"python-small-103", "python3", "return -1", "return - 1 + 0", "return -2"},
		{"js-small-103", "node", "return -1", "return 0 - 1", "return -2"},
		{"go-small-103", "go", "return -1", "return 0 - 1", "return -2"},
		{"java-small-103", "javac", "return -1", "return 0 - 1", "return -2"},
	} {
		t.Run(c.tool, func(t *testing.T) {
			testenv.NeedTool(t, c.tool)
			row := all[slices.IndexFunc(all, func(r rows.Row) bool { return r.ID == c.id })]
			assert.Assert(t, strings.Contains(row.Reference, c.was))
			inputs, differs, err := compare(t.Context(), row, strings.ReplaceAll(row.Reference, c.was, c.alike))
			assert.NilError(t, err)
			assert.Equal(t, differs, "")
			assert.Assert(t, inputs >= Fewest, "%d inputs", inputs)
			_, differs, err = compare(t.Context(), row, strings.ReplaceAll(row.Reference, c.was, c.other))
			assert.NilError(t, err)
			assert.Assert(t, strings.Contains(differs, "-2"), differs)
		})
	}
}

func TestPlain(t *testing.T) {
	assert.Equal(t, plain("x = (a + b) ;\n\n# why\n"), plain("x=a+b\n"))
	assert.Assert(t, plain("if x:\n    y\n") != plain("if x:\ny\n"))
}
