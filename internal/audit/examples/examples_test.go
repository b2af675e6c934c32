package examples_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/audit/examples"
)

// TestIsProof tells tests by what they do, and programs that only look a little like tests.
func TestIsProof(t *testing.T) {
	for _, c := range []struct {
		name, path, src string
		want            bool
	}{
		{"by its name", "test_a.py", "x = 1\n", true},
		{"java: a list of what must hold", "Main.java", "class Main {\n    public static void main(String[] a) {\n        Solution s = new Solution();\n        if (Arrays.asList(s.f(1) == 2, s.g(2)).contains(false)) {\n            throw new AssertionError();\n        }\n    }\n}\n", true},
		{"java: an exit that is no success", "Check.java", "class Check {\n    public static void main(String[] a) {\n        if (Fib.fib(7) != 13) System.exit(1);\n    }\n}\n", true},
		{"java: a program", "App.java", "class App {\n    public static void main(String[] a) {\n        if (a.length == 0) System.exit(1);\n        new Server(8080).start();\n    }\n}\n", false},
		{"python: a script", "check.py", "from fib import fib\nassert fib(7) == 13\n", true},
		{"python: a program that tries itself", "fib.py", "def fib(n):\n    return n\n\n\nif __name__ == '__main__':\n    assert fib(7) == 13\n", false},
		{"python: a program that checks what it is given", "load.py", "def load(x):\n    assert isinstance(x, str)\n    if x.get('a', 1) == 1:\n        raise ValueError(x)\n", false},
		{"javascript: a script", "check.js", "const { fib } = require('./fib');\nif (fib(7) !== 13) process.exit(1);\n", true},
		{"javascript: an expectation", "check.js", "const { expect } = require('chai');\nconst { fib } = require('./fib');\nexpect(fib(7)).to.eql(13);\n", true},
		{"javascript: lists that are compared", "tags.js", "const { tags } = require('./tags');\nif (_.isEqual(tags(7), ['a'])) console.log(expected);\n", false},
		{"javascript: a program", "cli.js", "const n = Number(process.argv[2]);\nif (process.argv.indexOf('-h') === -1) process.exit(1);\n", false},
	} {
		if got := examples.IsProof(c.path, []byte(c.src)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestPairs tells what tests and their data ask, and what they expect.
func TestPairs(t *testing.T) {
	for _, c := range []struct{ name, file, src, want string }{
		{"a comparison", "test_a.py", "def test_a():\n    assert add(2, 3) == 5\n", "2 3=5"},
		{"by a variable", "test_a.py", "def test_a():\n    got = add(2, 3)\n    assert got == 5\n", "2 3=5"},
		{"a matcher", "a.test.js", "test('a', () => { expect(add('x', -1)).toBe(null); });\n", `"x" -1=null`},
		{"true or false", "test_a.py", "def test_a():\n    assert not odd(2)\n    self.assertTrue(odd(3))\n", "2=false 3=true"},
		{"nothing in it", "test_a.py", "def test_a():\n    assert f([]) == []\n", "[]=[]"},
		{"a row", "test_a.py", "rows = [(2, 3, 5)]\n", "2 3=5 2=5 3=5"},
		{"a row that says what it wants", "test_a.py", "rows = [{'want': 5, 'a': 2}]\n", "2=5 2=5"},
		{"data", "a.json", "[[[2, 3], 5], [[], 0], 1]", "2 3=5 []=0"},
		{"what varies", "test_a.py", "def test_a():\n    assert add(x, 3) == y\n", ""},
	} {
		var all []string
		for _, p := range examples.Pairs(c.file, []byte(c.src)) {
			all = append(all, strings.Join(p.Asked, " ")+"="+strings.Join(p.Given, " "))
		}
		slices.Sort(all)
		want := strings.Join(all, " ")
		if want != c.want {
			t.Errorf("%s: %q, want %q", c.name, want, c.want)
		}
	}
}

// TestRows tells which values a test holds together.
func TestRows(t *testing.T) {
	rows := examples.Rows("test_a.py", []byte("def test_a():\n    assert add(2, 3) == 5\n"))
	if !slices.ContainsFunc(rows, func(row map[string]bool) bool { return row["2"] && row["3"] && row["5"] }) {
		t.Errorf("%v", rows)
	}
	if rows := examples.Rows("a.csv", []byte("2,3,5\n7,8,15\n")); len(rows) != 2 || rows[0]["7"] || !rows[1]["15"] {
		t.Errorf("%v", rows)
	}
}

// TestLiterals tells what is one value in many spellings, and how much each says.
func TestLiterals(t *testing.T) {
	for text, want := range map[string]string{"'a'": `"a"`, "1_000L": "1000", "0.50": "0.5", "None": "null", "True": "true", "f\"x\"": `"x"`} {
		if got := examples.Normal(text); got != want {
			t.Errorf("Normal(%s) = %s", text, got)
		}
	}
	for weight, values := range map[int][]string{0: {"0", "1", "true", `""`}, 1: {"2"}, 2: {"7"}, 6: {"13", `"abc"`}, 4: {"2", `"abc"`}} {
		if got := examples.Weight(values); got != weight {
			t.Errorf("Weight(%v) = %d", values, got)
		}
	}
	for text, want := range map[string]bool{`"a1b2"`: true, `"utf-8"`: false, `"name"`: false, "1234": true, "1000": false, "12": false} {
		if got := examples.IsDatum(text); got != want {
			t.Errorf("IsDatum(%s) = %v", text, got)
		}
	}
}
