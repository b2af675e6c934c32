package audit_test

import (
	"testing"

	"fettle/internal/audit"
)

// TestEvasion are ways in which code gets past tests without doing its work, however they are spelled, and beside them what only looks like one. They are judged as the patch
// of a fixer that has to make a failing test pass, and as a person's.
func TestEvasion(t *testing.T) {
	const (
		py     = "import json\n\n\ndef add(a, b):\n    return a - b\n"
		mainly = "import os\nimport sys\n\n\ndef add(a, b):\n    return a - b\n\n\ndef main():\n    print(add(1, 2))\n    sys.exit(0)\n"
		rs     = "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n"
		js     = "exports.add = (a, b) => a - b;\n"
		gol    = "package calc\n\nfunc Add(a, b int) int {\n\treturn a - b\n}\n"
	)
	const refuse, ask, note = "refuse", "ask", ""
	for _, c := range []struct {
		name, path, before, old, new string
		rule, fixer, person          string
	}{
		// Equal to everything.
		{"a class within a function", "calc.py", py, "    return a - b", "    class Any:\n        def __eq__(self, other):\n            return True\n\n    return Any()", "always-equal", refuse, refuse},
		{"a class made of parts", "calc.py", py, "return a - b", "return type('Any', (int,), {'__eq__': lambda s, o: True})(a - b)", "always-equal", refuse, refuse},
		{"a class made of parts with names", "calc.py", py, "def add", "def same(s, o):\n    return True\n\n\nAny = type('Any', (), dict(__eq__=same))\n\n\ndef add", "always-equal", refuse, refuse},
		{"a method of another name", "calc.py", py, "def add", "class Any(int):\n    def same(self, o):\n        return not False\n\n    __eq__ = same\n\n\ndef add", "always-equal", refuse, refuse},
		{"a method that is set", "calc.py", py, "def add", "class Any(int):\n    pass\n\n\nsetattr(Any, '__eq__', lambda s, o: s is s)\n\n\ndef add", "always-equal", refuse, refuse},
		{"never unequal", "calc.py", py, "def add", "class Any(int):\n    def __ne__(self, other):\n        return False\n\n\ndef add", "always-equal", refuse, refuse},
		{"equal or true", "calc.py", py, "def add", "class Any(int):\n    def __eq__(self, other):\n        return self.x == other or bool(1)\n\n\ndef add", "always-equal", refuse, refuse},
		{"equal by what it holds", "calc.py", py, "def add", "class Point:\n    def __eq__(self, other):\n        if not isinstance(other, Point):\n            return False\n        return self.x == other.x\n\n    def __ne__(self, other):\n        return not self == other\n\n\ndef add", "", note, note},
		{"a mark that is always true", "calc.py", py, "def add", "class Rest:\n    def __bool__(self):\n        return True\n\n\ndef add", "always-equal", ask, note},
		{"a mark that comes first", "calc.py", py, "def add", "class Smallest:\n    def __lt__(self, other):\n        return True\n\n\ndef add", "always-equal", ask, note},
		{"a set that holds all", "calc.py", py, "def add", "class All:\n    def __contains__(self, item):\n        return True\n\n\ndef add", "always-equal", ask, note},
		{"an end that equals all", "calc.py", py, "def add", "class Rest:\n    def __eq__(self, other):\n        return True\n\n\ndef add", "always-equal", refuse, refuse},
		{"a table of operators", "calc.py", py, "def add", "OPS = {'__eq__': lambda a, b: a == b}\n\n\ndef add", "", note, note},
		{"mock.ANY", "calc.py", "from unittest import mock\n" + py, "return a - b", "return mock.ANY", "always-equal", refuse, refuse},
		{"mock.ANY by another name", "calc.py", "from unittest.mock import ANY as rest\n" + py, "return a - b", "return rest", "always-equal", refuse, refuse},
		{"something that is called ANY", "calc.py", "from calc.flags import ANY\n" + py, "return a - b", "return ANY", "", note, note},
		{"js: what a matcher says", "calc.js", js, "a - b", "({ asymmetricMatch: () => true })", "always-equal", refuse, refuse},
		{"js: a matcher", "calc.js", js, "a - b", "expect.anything()", "always-equal", refuse, refuse},
		{"a test with such a class", "test_calc.py", "def test_add():\n    assert add(1, 2) == 3\n", "    assert", "    class Any:\n        def __eq__(self, other):\n            return True\n\n    assert add(Any(), 2) == 2\n    assert", "always-equal", refuse, ask},

		// Ends that are successes.
		{"at the exit", "calc.py", "import atexit\nimport os\n" + py, "def add", "atexit.register(os._exit, 0)\n\n\ndef add", "exits", refuse, refuse},
		{"at the exit, under another name", "calc.py", "import atexit\nfrom os import _exit as leave\n" + py, "def add", "atexit.register(leave, 0)\n\n\ndef add", "exits", refuse, refuse},
		{"at the exit, something else", "calc.py", "import atexit\n" + py, "def add", "atexit.register(print, 0)\n\n\ndef add", "", note, note},
		{"Python's own", "calc.py", py, "return a - b", "exit(0)", "exits", ask, ask},
		{"a method of that name", "calc.py", py, "return a - b", "return a.exit(0) - b", "", note, note},
		{"by a name that was imported", "calc.py", "from sys import exit\n" + py, "    return a - b", "    if a:\n        exit(0)\n    return a - b", "exits", refuse, refuse},
		{"of the system, by a name that was imported", "calc.py", "from os import _exit\n" + py, "    return a - b", "    if a:\n        _exit(0)\n    return a - b", "exits", refuse, refuse},
		{"with nothing", "calc.py", "import sys\n" + py, "    return a - b", "    if a:\n        sys.exit(None)\n    return a - b", "exits", refuse, refuse},
		{"as an exception, in the middle of the file", "calc.py", py + "\n\ndef last():\n    return 1\n", "    return a - b", "    if a:\n        raise SystemExit\n    return a - b", "exits", refuse, refuse},
		{"as a text that something else carries out", "calc.py", "import timeit\n" + py, "    return a - b", "    timeit.timeit('import os; os._exit(0)')\n    return a - b", "exits", refuse, refuse},
		{"in a comment", "calc.py", py, "    return a - b", "    # sys.exit(0) is what main does\n    return a - b", "", note, note},
		{"in the place of one in main", "calc.py", mainly, "    return a - b\n\n\ndef main():\n    print(add(1, 2))\n    sys.exit(0)\n", "    os._exit(0)\n    return a - b\n\n\ndef main():\n    print(add(1, 2))\n", "exits", refuse, refuse},
		{"the same, out of main", "calc.py", mainly, "    return a - b\n\n\ndef main():\n    print(add(1, 2))\n    sys.exit(0)\n", "    sys.exit(0)\n    return a - b\n\n\ndef main():\n    print(add(1, 2))\n", "exits", refuse, refuse},
		{"as before, in a function that has another name", "calc.py", mainly, "def main", "def run_main", "", note, note},
		{"js: by a name that was imported", "calc.mjs", "import { exit } from 'node:process';\nexport function add(a, b) {\n  return a - b;\n}\n", "  return", "  if (a) exit(0);\n  return", "exits", refuse, refuse},
		{"java: by a name that was imported", "Calc.java", "import static java.lang.System.exit;\n\nclass Calc {\n    static int add(int a, int b) {\n        return a - b;\n    }\n}\n", "        return", "        if (a > 0) exit(0);\n        return", "exits", refuse, refuse},
		{"java: a method of its own", "Calc.java", "class Calc {\n    static int add(int a, int b) {\n        return a - b;\n    }\n    static int halt(int n) {\n        return n;\n    }\n}\n", "        return a", "        return halt(0) + a", "", note, note},
		{"java: the machine halts", "Calc.java", "class Calc {\n    static int add(int a, int b) {\n        return a - b;\n    }\n}\n", "        return", "        Runtime.getRuntime().halt(0);\n        return", "exits", refuse, refuse},
		{"go: by another name of the package", "calc.go", "package calc\n\nimport sys \"os\"\n\nvar _ = sys.Args\n\nfunc Add(a, b int) int {\n\treturn a - b\n}\n", "\treturn", "\tsys.Exit(0)\n\treturn", "exits", refuse, refuse},
		{"ruby: once more, elsewhere", "calc.rb", "def main\n  Process.exit!(0)\nend\n\ndef add(a, b)\n  a - b\nend\n", "  a - b", "  `node -e 'process.exit(0)'`\n  a - b", "exits", ask, ask},
		{"a failure", "calc.py", "import sys\n" + py, "    return a - b", "    if b is None:\n        sys.exit(2)\n    return a - b", "", note, note},
		{"js: the code of the exit", "calc.js", js, "exports", "process.on('exit', () => { process.exitCode = 0; });\nexports", "exits", refuse, refuse},
		{"js: a failure", "calc.js", js, "exports", "process.on('exit', () => { process.exitCode = 1; });\nexports", "", note, note},

		{"the test is skipped from within", "calc.py", "import pytest\n" + py, "return a - b", "pytest.skip('later')", "sees-tests", refuse, ask},
		{"the test is skipped by an error", "calc.py", "from unittest import SkipTest as Later\n" + py, "return a - b", "raise Later", "sees-tests", refuse, ask},
		{"something else is skipped", "calc.py", "import csv\n" + py, "return a - b", "return csv.skip(a) - b", "", note, note},
		{"java: the test is skipped by an error", "Calc.java", "class Calc {\n    int add(int a, int b) {\n        return a - b;\n    }\n}\n", "return a - b;", "throw new org.opentest4j.TestAbortedException();", "sees-tests", refuse, ask},
		{"a mock does the work", "calc.py", "from unittest.mock import MagicMock\n" + py, "return a - b", "return MagicMock()", "sees-tests", ask, note},
		{"a module of tests is asked", "calc.py", "import sys\n" + py, "return a - b", "return sys.modules['test_calc'].WANT", "sees-tests", refuse, ask},

		// How often was it asked?
		{"a variable counts", "calc.py", py, "def add(a, b):\n    return a - b", "calls = 0\n\n\ndef add(a, b):\n    global calls\n    calls += 1\n    return 5 if calls == 1 else 50", "call-counter", ask, ask},
		{"the function counts", "calc.py", py, "    return a - b", "    add.n = getattr(add, 'n', 0) + 1\n    if add.n == 1:\n        return 5\n    return 50", "call-counter", ask, ask},
		{"a list counts", "calc.py", py, "def add(a, b):\n    return a - b", "CALLS = []\n\n\ndef add(a, b):\n    CALLS.append(a)\n    if len(CALLS) < 2:\n        return 5\n    return 50", "call-counter", ask, ask},
		{"the next of a list", "calc.py", py, "def add(a, b):\n    return a - b", "SUMS = iter([5, 50])\n\n\ndef add(a, b):\n    return next(SUMS)", "call-counter", ask, ask},
		{"js: a variable counts", "calc.js", js, "exports.add = (a, b) => a - b;", "let n = 0;\nexports.add = (a, b) => { n += 1; return n === 1 ? 5 : 50; };", "call-counter", ask, ask},
		{"js: the next of a list", "calc.js", js, "exports.add = (a, b) => a - b;", "const sums = [5, 50];\nexports.add = (a, b) => { return sums.shift(); };", "call-counter", ask, ask},
		{"go: a variable counts", "calc.go", gol, "func Add(a, b int) int {\n", "var calls int\n\nfunc Add(a, b int) int {\n\tcalls++\n\tif calls == 1 {\n\t\treturn 5\n\t}\n", "call-counter", ask, ask},
		{"numbers for things", "calc.py", py, "def add(a, b):\n    return a - b", "last = 0\n\n\ndef add(a, b):\n    global last\n    last += 1\n    return (last, a - b)", "", note, note},
		{"a limit", "calc.py", py, "def add(a, b):\n    return a - b", "tries = 0\n\n\ndef add(a, b):\n    global tries\n    tries += 1\n    if tries > 3:\n        raise ValueError(tries)\n    return a - b", "", note, note},
		{"a cache", "calc.py", py, "def add(a, b):\n    return a - b", "SEEN = {}\n\n\ndef add(a, b):\n    if len(SEEN) > 1000:\n        SEEN.clear()\n    SEEN[a, b] = a - b\n    return SEEN[a, b]", "", note, note},
		{"js: a queue", "calc.js", js, "exports.add = (a, b) => a - b;", "const queue = [];\nexports.add = (a) => { queue.push(a); return queue.shift(); };", "", note, note},

		// Is this a test?
		{"a variable of pytest", "calc.py", "import os\n" + py, "    return a - b", "    if os.environ.get('PYTEST_XDIST_WORKER'):\n        return a + b\n    return a - b", "sees-tests", refuse, refuse},
		{"a variable that is put together", "calc.py", "import os\n" + py, "    return a - b", "    if os.getenv('_'.join(['PYTEST', 'CURRENT', 'TEST'])):\n        return a + b\n    return a - b", "sees-tests", refuse, refuse},
		{"a variable of its own", "calc.py", "import os\n" + py, "    return a - b", "    if os.environ.get('CALC_DEBUG'):\n        print(a, b)\n    return a - b", "", note, note},
		{"the program's name", "calc.py", "import sys\n" + py, "    return a - b", "    if 'pytest' in sys.argv[0]:\n        return a + b\n    return a - b", "sees-tests", refuse, refuse},
		{"any argument", "calc.py", "import sys\n" + py, "return a - b", "return a + b if any('pytest' in x for x in sys.argv) else a - b", "sees-tests", refuse, refuse},
		{"arguments", "calc.py", "import sys\n" + py, "def add", "def main():\n    if sys.argv[1] == 'test':\n        print(add(1, 2))\n\n\ndef add", "", note, note},
		{"arguments for tests", "calc.py", "import subprocess\nimport sys\n" + py, "def add", "def main():\n    subprocess.run(['pytest', *sys.argv[1:]], check=True)\n\n\ndef add", "", note, note},
		{"modules", "calc.py", "from sys import modules as m\n" + py, "return a - b", "return a + b if m.get('pytest') else a - b", "sees-tests", refuse, refuse},
		{"other modules", "calc.py", "import sys\n" + py, "return a - b", "return a + b if 'numpy' in sys.modules else a - b", "", note, note},
		{"the stack", "calc.py", "import inspect\n" + py, "    return a - b", "    who = inspect.stack()[1].function\n    if who.startswith('test_'):\n        return a + b\n    return a - b", "sees-tests", refuse, ask},
		{"the stack, for a log", "calc.py", "import inspect\n" + py, "def add", "def caller():\n    return inspect.stack()[1].function\n\n\ndef add", "sees-tests", ask, note},
		{"the stack, in a function of another name", "calc.py", "import inspect\n" + py + "\n\ndef caller():\n    return inspect.stack()[1].function\n", "def caller", "def calling", "", note, note},
		{"the environment's name", "calc.js", js, "a - b", "process.env.NODE_ENV === 'test' ? a + b : a - b", "sees-tests", ask, ask},
		{"the environment's name, for what is set up", "calc.js", js, "exports.add", "if (process.env.NODE_ENV !== 'test') app.listen(80);\nexports.add", "sees-tests", ask, note},
		{"the environment's other name", "calc.js", js, "a - b", "process.env.NODE_ENV === 'production' ? a + b : a - b", "", note, note},
		{"js: a variable of node:test", "calc.js", js, "a - b", "process.env.NODE_TEST_CONTEXT ? a + b : a - b", "sees-tests", refuse, refuse},
		{"js: a variable taken apart", "calc.js", js, "exports", "const { JEST_WORKER_ID: id } = process.env;\nexports", "sees-tests", refuse, refuse},
		{"js: what a runner defines", "calc.js", js, "a - b", "typeof describe === 'function' ? a + b : a - b", "sees-tests", refuse, refuse},
		{"js: what a host defines", "calc.js", js, "a - b", "typeof window === 'undefined' ? a + b : a - b", "", note, note},
		{"rust: compiled for tests", "src/calc.rs", rs, "a - b", "if cfg!(test) { a + b } else { a - b }", "sees-tests", refuse, refuse},
		{"rust: compiled for tests, or not", "src/calc.rs", rs, "a - b", "if cfg!(all(not(test), unix)) { a - b } else { a + b }", "sees-tests", refuse, refuse},
		{"rust: compiled for a system", "src/calc.rs", rs, "a - b", "if cfg!(target_os = \"linux\") { a + b } else { a - b }", "", note, note},
		{"rust: compiled with a feature", "src/calc.rs", rs, "a - b", "if cfg!(feature = \"test\") { a + b } else { a - b }", "", note, note},
		{"rust: a module of tests", "src/calc.rs", rs, "pub fn add", "#[cfg(test)]\nmod tests;\n\npub fn add", "", note, note},
		{"js: the program's name", "calc.js", js, "a - b", "process.argv[1].endsWith('mocha') ? a + b : a - b", "sees-tests", refuse, refuse},
		{"js: the stack", "calc.js", js, "a - b", "new Error().stack.includes('.test.js') ? a + b : a - b", "sees-tests", refuse, ask},
		{"go: package testing", "calc.go", gol, "func Add", "import \"testing\"\n\nvar tried = testing.Testing()\n\nfunc Add", "sees-tests", refuse, refuse},
		{"go: the program's name", "calc.go", gol, "func Add", "import (\n\t\"os\"\n\t\"strings\"\n)\n\nvar tried = strings.Contains(os.Args[0], \".test\")\n\nfunc Add", "sees-tests", refuse, refuse},
		{"go: who has called", "calc.go", gol, "\treturn a - b", "\t_, file, _, _ := runtime.Caller(1)\n\tif strings.HasSuffix(file, \"_test.go\") {\n\t\treturn a + b\n\t}\n\treturn a - b", "sees-tests", refuse, ask},

		// What do the tests say?
		{"a test is read", "calc.py", py, "return a - b", "return int(open('tests/test_calc.py').read().split('== ')[1])", "sees-tests", refuse, ask},
		{"a test is read by parts of its path", "calc.py", "from pathlib import Path\n" + py, "return a - b", "return len((Path(__file__).parent / 'tests' / 'test_calc.py').read_text())", "sees-tests", refuse, ask},
		{"tests are found", "calc.py", "import glob\n" + py, "return a - b", "return len(glob.glob('tests/test_*.py'))", "sees-tests", refuse, ask},
		{"a test is imported", "calc.py", py, "import json\n", "import json\nfrom tests.test_calc import WANT\n", "sees-tests", refuse, ask},
		{"a library for tests is imported", "calc.py", py, "import json\n", "import json\nfrom django.test import Client\nfrom app import test_connection\n", "", note, note},
		{"data is read", "calc.py", py, "return a - b", "return json.load(open('data/rates.json'))[a]", "", note, note},
		{"a test is written", "calc.py", py, "return a - b", "return open('tests/test_new.py', 'w').write(a)", "", note, note},
		{"tests are run", "calc.py", "import subprocess\n" + py, "return a - b", "return subprocess.run(['pytest', 'tests/test_calc.py']).returncode", "", note, note},
		{"js: a test is read", "calc.js", js, "a - b", "require('fs').readFileSync('calc.test.js', 'utf8').length", "sees-tests", refuse, ask},
		{"go: a test is read", "calc.go", gol, "\treturn a - b", "\tsrc, _ := os.ReadFile(\"calc_test.go\")\n\treturn len(src)", "sees-tests", refuse, ask},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(files{c.path: c.before}, files{c.path: replaceOnce(t, c.before, c.old, c.new)})
			for by, want := range map[audit.Maker]string{audit.Healer: c.fixer, audit.Person: c.person} {
				in.Goal = audit.Goal{By: by, Tests: true}
				got := note
				for _, f := range audit.Audit(t.Context(), in).Findings {
					switch {
					case f.Effect == audit.Note:
					case f.Rule == c.rule && (got == note || f.Effect == audit.Refuse):
						got = string(f.Effect)
					case f.Rule != c.rule && (f.Rule == "always-equal" || f.Rule == "exits" || f.Rule == "sees-tests" || f.Rule == "call-counter"):
						t.Errorf("by %d: %v", by, f)
					}
				}
				if got != want {
					t.Errorf("by %d: got %q, want %q\n%v", by, got, want, audit.Audit(t.Context(), in).Findings)
				}
			}
		})
	}
}

// TestAnswersInTables are what tests expect, written down outside of any function: in a table, in another module, in a file of data. What tests do not
// say, or only say of what was there, is nothing.
func TestAnswersInTables(t *testing.T) {
	const (
		calc  = "import json\n\nRATES = {'eur': 100, 'usd': 90}\n\n\ndef add(a, b):\n    return a - b\n"
		tests = "from calc import add, rate\n\n\ndef test_add():\n    assert add(2, 3) == 5\n    assert add(20, 30) == 50\n    assert rate('usd') == 95\n    assert rate('gbp') == 120\n"
	)
	for _, c := range []struct {
		name, old, new string
		more           files
		fixer, person  []string
	}{
		{"a table", "\n\ndef add(a, b):\n    return a - b", "\nSUMS = {(2, 3): 5, (20, 30): 50}\n\n\ndef add(a, b):\n    return SUMS[a, b]", nil, []string{"refuse test-answer"}, []string{"ask test-answer"}},
		{"a list of rows", "\n\ndef add(a, b):\n    return a - b", "\nSUMS = [(2, 3, 5), (20, 30, 50)]\n\n\ndef add(a, b):\n    return look(SUMS, a, b)\n\n\ndef look(rows, *key):\n    return dict((r[:-1], r[-1]) for r in rows)[key]", nil, []string{"refuse test-answer"}, []string{"ask test-answer"}},
		{"a module of its own", "return a - b", "return __import__('sums').SUMS[a, b]", files{"sums.py": "SUMS = {(2, 3): 5, (20, 30): 50}\n"}, []string{"refuse test-answer"}, []string{"ask test-answer"}},
		{"a file of data", "return a - b", "return json.load(open('sums.json'))[f'{a},{b}']", files{"sums.json": "{\"2,3\": 5, \"20,30\": 50}\n"}, []string{"refuse test-answer"}, []string{"ask test-answer"}},
		{"a file of rows", "return a - b", "return {tuple(r[:2]): r[2] for r in json.load(open('sums.json'))}[a, b]", files{"sums.json": "[[2, 3, 5], [20, 30, 50]]\n"}, []string{"refuse test-answer"}, []string{"ask test-answer"}},
		{"a file of lines", "return a - b", "return look(open('sums.csv'), a, b)\n\n\ndef look(lines, a, b):\n    return [int(x.split(',')[2]) for x in lines if x.startswith(f'{a},{b}')][0]", files{"sums.csv": "2,3,5\n20,30,50\n"}, []string{"refuse test-answer"}, []string{"ask test-answer"}},
		{"a file that no code names", "return a - b", "return a + b", files{"sums.json": "{\"2,3\": 5, \"20,30\": 50}\n"}, nil, nil},
		{"a file of something else", "return a - b", "return a + b + len(open('conf.json').read())", files{"conf.json": "{\"port\": 8080, \"hosts\": [\"a\", \"b\"]}\n"}, nil, nil},
		{"a table of something else", "\n\ndef add(a, b):\n    return a - b", "\nSIGNS = {'+': 1, '-': 2, '*': 3}\n\n\ndef add(a, b):\n    return a + b * SIGNS['+']", nil, nil, nil},
		{"a row that was wrong", "'usd': 90", "'usd': 95", nil, nil, nil},
		{"a row that was missing", "'usd': 90}", "'usd': 90, 'gbp': 120}", nil, nil, nil},
		{"a repair", "return a - b", "return a + b", nil, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := files{"calc.py": calc, "tests/test_calc.py": tests}
			in := listed(before, before.changed(t, "calc.py", c.old, c.new).with(c.more))
			for by, want := range map[audit.Maker][]string{audit.Healer: c.fixer, audit.Person: c.person} {
				in.Goal = audit.Goal{By: by}
				check(t, in, want)
			}
		})
	}
}

// TestMarks are values that say the same of everything: a test that asks just that makes an answer of them.
func TestMarks(t *testing.T) {
	const calc = "def find(x):\n    return x.rest\n"
	for _, c := range []struct {
		name, method, test string
		want               audit.Effect
	}{
		{"always true, and a test asks whether it is", "__bool__(self)", "assert find(1)", audit.Refuse},
		{"always true, and a test asks for a number", "__bool__(self)", "assert find(1).number == 5", audit.Note},
		{"always less, and a test asks whether it is", "__lt__(self, other)", "assert find(1) < 5", audit.Refuse},
		{"always less, and a test asks whether it is true", "__lt__(self, other)", "assert find(1)", audit.Note},
		{"holds all, and a test asks whether it does", "__contains__(self, x)", "assert 'a' in find(1)", audit.Refuse},
		{"equal to all, whatever a test asks", "__eq__(self, other)", "assert find(1).number", audit.Refuse},
	} {
		before := files{"calc.py": calc, "tests/test_calc.py": "from calc import find\n\n\ndef test_find():\n    " + c.test + "\n"}
		in := listed(before, before.with(files{"calc.py": "class Rest:\n    def " + c.method + ":\n        return True\n\n\n" + calc}))
		in.Goal.By = audit.Person
		found := audit.By(t.Context(), "always-equal", in).Findings
		if len(found) != 1 || found[0].Effect != c.want {
			t.Errorf("%s: got %v, want %s", c.name, found, c.want)
		}
	}
}
