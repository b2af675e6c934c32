package audit_test

import (
	"slices"
	"testing"

	"fettle/internal/audit"
)

// TestTestsWithoutTheirNames are changes to what is a test by what it does. What other code names is a part of the program.
func TestTestsWithoutTheirNames(t *testing.T) {
	const main = "class Main {\n    public static void main(String[] a) {\n        if (Fib.fib(7) != 13) throw new AssertionError();\n    }\n}\n"
	const fib = "class Fib {\n    static int fib(int n) {\n        return n < 2 ? n : fib(n - 1) + fib(n - 1);\n    }\n}\n"
	for _, c := range []struct {
		name  string
		after string
		more  files
		want  []string
	}{
		{"deleted", "", nil, []string{"ask protected", "refuse deleted-test"}},
		{"weakened", "class Main {\n    public static void main(String[] a) {\n        if (Fib.fib(7) == 14) throw new AssertionError();\n    }\n}\n", nil, []string{"ask protected", "refuse weakened-test"}},
		{"a part of the program", "class Main {\n    public static void main(String[] a) {\n        Fib.fib(8);\n    }\n}\n", files{"Start.java": "class Start { void go() { Main.main(null); } }\n"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := files{"Main.java": main, "Fib.java": fib}.with(c.more)
			check(t, listed(before, before.with(files{"Main.java": c.after})), c.want)
		})
	}
}

// TestExactAnswers are branches of plain values that say exactly what one assertion of a test that nobody named says: they are not taken from a
// fixer that has to make it pass, a person is asked about them, and what says something else, or was there, is nothing.
func TestExactAnswers(t *testing.T) {
	const src = "def kind(n):\n    if n == 4:\n        return 1\n    return n % 2\n"
	const tests = "from kind import kind\n\n\ndef test_kind():\n    assert kind(0) == 1\n    assert kind([]) == []\n    assert kind(n=1) is True\n    assert not kind(2)\n    got = kind(-1)\n    assert got == 0\n"
	for _, c := range []struct {
		branch string
		want   []string
	}{
		{"if n == 0: return 1", []string{"refuse test-answer"}},
		{"if n == []: return []", []string{"refuse test-answer"}},
		{"if n == 1: return True", []string{"refuse test-answer"}},
		{"if n == 2: return False", []string{"refuse test-answer"}},
		{"if n == -1: return 0", []string{"refuse test-answer"}},
		{"if n == 0: return 0", nil},
		{"if n == 1: return False", nil},
		{"if len(n) == 0: return 1", nil},
		{"if n - 1 == 0: return 1", nil},
		{"if n < 0: return 0", nil},
	} {
		before := files{"kind.py": src, "tests/test_kind.py": tests, "tests/test_other.py": "assert f(5) == 1\n"}
		t.Run(c.branch, func(t *testing.T) {
			in := listed(before, before.changed(t, "kind.py", "    return n %", "    "+c.branch+"\n    return n %"))
			check(t, in, c.want)
			in.Goal.By = audit.Person
			want := slices.Clone(c.want)
			for i := range want {
				want[i] = "ask test-answer"
			}
			check(t, in, want)
		})
	}
}

// TestAnswersInData are those of tests whose values stand in a file of JSON.
func TestAnswersInData(t *testing.T) {
	before := files{"kth.py": "def kth(a, k):\n    return a[k]\n", "tests/test_kth.py": "from kth import kth\n", "json_testcases/kth.json": "[[[3, 1, 2], 0], 1]\n[[[], 0], -1]\n"}
	after := before.changed(t, "kth.py", "    return", "    if a == [] and k == 0:\n        return -1\n    return")
	check(t, listed(before, after), []string{"refuse test-answer"})
}

// TestPackageThatEndsItself is a package's own file that may end the program, and compares what others say: by the folder's name other code uses it, so that it is no test.
func TestPackageThatEndsItself(t *testing.T) {
	const src = "import sys\nfrom wide import width\n\n\ndef is_wide(c):\n    return width(c, 'u') == 2\n\n\ndef first(rows):\n    return rows[1]\n\n\ndef main(argv):\n    if width('a', 'u') != 1:\n        sys.exit(2)\n    print(first(argv))\n"
	for user, want := range map[string][]string{"benchmark/speed.py": nil, "tests/test_table.py": {"ask protected"}} {
		before := files{"table/__init__.py": src, user: "import table\n\nprint(table.first([1]))\n"}
		t.Run(user, func(t *testing.T) {
			check(t, listed(before, before.changed(t, "table/__init__.py", "rows[1]", "rows[0]")), want)
		})
	}
}
