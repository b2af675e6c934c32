package search_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"fettle/internal/fix"
	"fettle/internal/fix/fixtest"
)

// large is a source of many functions alike, one of which is wrong, and its tests.
type large struct {
	language, source    string
	head, function      string // of the source; $ is the function's number
	tail                string
	tests               string // file
	before, test, after string // of the tests; $ is a function's number, and # what it is to give
}

var larges = []large{
	{
		language: "python", source: "rates.py",
		function: `def rate_$(values, limit):
    total = 0
    for value in values:
        if value > limit:
            total += value - limit
        elif value < -limit:
            total -= value + limit
        else:
            total += value * $
    return total


`,
		tests: "test_rates.py", before: "import rates\n\n\n",
		test: "def test_$():\n    assert rates.rate_$([5, -7, 1, 9], 3) == #\n\n\n",
	},
	{
		language: "go", source: "rates.go", head: "package rates\n\n",
		function: `func rate$(values []int, limit int) int {
	total := 0
	for _, value := range values {
		if value > limit {
			total += value - limit
		} else if value < -limit {
			total -= value + limit
		} else {
			total += value * $
		}
	}
	return total
}

`,
		tests: "rates_test.go", before: "package rates\n\nimport \"testing\"\n\n",
		test: "func TestRate$(t *testing.T) {\n\tif got := rate$([]int{5, -7, 1, 9}, 3); got != # {\n\t\tt.Errorf(\"got %d, want %d\", got, #)\n\t}\n}\n\n",
	},
	{
		language: "javascript", source: "rates.js",
		function: `exports.rate$ = (values, limit) => {
  let total = 0;
  for (const value of values) {
    if (value > limit) {
      total += value - limit;
    } else if (value < -limit) {
      total -= value + limit;
    } else {
      total += value * $;
    }
  }
  return total;
};

`,
		tests: "rates.test.js", before: "const test = require('node:test');\nconst assert = require('node:assert');\nconst rates = require('./rates.js');\n",
		test: "test('rate $', () => assert.strictEqual(rates.rate$([5, -7, 1, 9], 3), #));\n",
	},
	{
		language: "java", source: "Rates.java", head: "class Rates {\n",
		function: `    static int rate$(int[] values, int limit) {
        int total = 0;
        for (int value : values) {
            if (value > limit) {
                total += value - limit;
            } else if (value < -limit) {
                total -= value + limit;
            } else {
                total += value * $;
            }
        }
        return total;
    }

`, tail: "}\n",
		tests: "Main.java", before: "public class Main {\n    static void same(int got, int want) {\n        if (got != want) throw new AssertionError(\"got \" + got + \", want \" + want);\n    }\n    public static void main(String[] args) {\n",
		test: "        same(Rates.rate$(new int[] {5, -7, 1, 9}, 3), #);\n", after: "    }\n}\n",
	},
}

// place lays the project out with so many functions. The one before the last is wrong; it is tested, and every twentieth.
func (l large) place(t *testing.T, functions int) (p *fixtest.Place, right string) {
	t.Helper()
	var source, tests strings.Builder
	source.WriteString(l.head)
	tests.WriteString(l.before)
	for n := 1; n <= functions; n++ {
		number := strconv.Itoa(n)
		source.WriteString(strings.ReplaceAll(l.function, "$", number))
		if n%20 == 1 || n == functions-1 {
			tests.WriteString(strings.NewReplacer("$", number, "#", strconv.Itoa(12+n)).Replace(l.test))
		}
	}
	source.WriteString(l.tail)
	tests.WriteString(l.after)
	right = source.String()
	at := strings.LastIndex(right[:strings.LastIndex(right, "value - limit")], "value - limit")
	wrong := right[:at] + strings.Replace(right[at:], "value - limit", "value + limit", 1)
	files := map[string]string{l.source: wrong, l.tests: tests.String()}
	if l.language == "go" {
		files["go.mod"] = "module example.com/rates\n\ngo 1.21\n"
	}
	return fixtest.New(t, files), right
}

// In a file of more than 5,000 lines the fault is found as in one of a hundred, and it does not take much longer until the first candidate has been tried.
func TestLargeFiles(t *testing.T) {
	const fewLines, manyLines, mostBefore = 100, 5000, 500 // candidates: a program is one test, which runs all of it
	for _, l := range larges {
		t.Run(l.language, func(t *testing.T) {
			each := strings.Count(l.function, "\n")
			mend := func(lines int) fix.Effort {
				p, right := l.place(t, lines/each+1)
				found := propose(t, task(t, p, l.language))
				if len(found) == 0 {
					t.Fatalf("%d lines: nothing was found", lines)
				}
				if got := patched(t, p, found[0].Patch, l.source); got != right {
					t.Errorf("%d lines: %s\n%s", lines, found[0].Explanation, difference(t, p, found[0].Patch))
				}
				return *found[0].Effort
			}
			small, big := mend(fewLines), mend(manyLines)
			t.Logf("the first tried after %v and %v, the first that passed after %v (candidate %d) and %v (%d)", small.Ready, big.Ready, small.Until, small.First, big.Until, big.First)
			if big.Ready > 10*small.Ready+10*time.Second {
				t.Errorf("the first is tried after %v, in a file of %d lines after %v", big.Ready, fewLines, small.Ready)
			}
			if big.First > mostBefore {
				t.Errorf("candidate %d is right, in a file of %d lines candidate %d", big.First, fewLines, small.First)
			}
		})
	}
}
