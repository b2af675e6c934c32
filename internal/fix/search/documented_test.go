package search

import (
	"slices"
	"testing"

	"fettle/internal/code"
	"fettle/internal/runner"
	"fettle/internal/syntax"
)

// The calls that documentation shows are found in the ways in which people write them.
func TestDocumentedExamples(t *testing.T) {
	for _, c := range []struct {
		path, src, fn string
		want          []runner.Example
	}{
		{"a.py", `
def other():
    """f(9) == 9"""


def f(x, y=1):
    """What f does.

    >>> f([1, 2], y="a)")
    [3]
    >>> f(0)
    f(2, 3) => 5, f is not called here
    f(4) # => "x".
    f(1, 2) == 1 + 2 == 3
    g(f(7)) is something else
    """
    return x  # f(8) == 8
`, "f", []runner.Example{
			{Function: "f", Args: `[1, 2], y="a)"`, Want: "[3]"}, {Function: "f", Args: "0", Want: "f(2, 3) => 5, f is not called here"}, {Function: "f", Args: "2, 3", Want: "5, f is not called here"},
			{Function: "f", Args: "4", Want: `"x"`}, {Function: "f", Args: "1, 2", Want: "3"},
		}},
		{"a.js", `
const before = f(1) // => 2
/* Adds.
 * f(2, 8) ➞ [2, 4]
 */
const f = (a, b) => {
  return a
}
`, "f", []runner.Example{{Function: "f", Args: "2, 8", Want: "[2, 4]"}}},
		{"a.go", "package a\n\n// F adds.\n//\n//\tF(1, 2) = 3\nfunc F(a, b int) int { return a }\n", "F", []runner.Example{{Function: "F", Args: "1, 2", Want: "3"}}},
		{"A.java", "class A {\n  /**\n   * f(1) -> \"x\"\n   */\n  static int f(int a) {\n    return a;\n  }\n}\n", "f", []runner.Example{{Function: "f", Args: "1", Want: `"x"`}}},
	} {
		f, err := code.Read(t.Context(), syntax.LangOf(c.path), c.path, []byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		for n := range f.Root.Walk() {
			if n.Role == code.Function && named(n) == c.fn {
				if got := examples(n); !slices.Equal(got, c.want) {
					t.Errorf("%s:\n%q\nwant\n%q", c.path, got, c.want)
				}
			}
		}
	}
}
