package python_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/runner/python"
)

// hard has state of many kinds that a candidate can spoil, and functions whose changes have to reach further than their own code.
const hard = `
-- app/__init__.py --
-- app/core.py --
import functools
import random

STATE = {"seen": []}
TABLE = [1, 2, 3]


class Registry:
    known = []


def double(n):
    return n + n + 1


def spoilt():
    return len(STATE["seen"]) + len(Registry.known) + len(TABLE)


@functools.lru_cache(maxsize=None)
def cached(n):
    return n + 2


def log(f):
    @functools.wraps(f)
    def wrapper(*args):
        return f(*args)
    return wrapper


@log
def logged(n, by=2):
    return n * by


def evens(upto):
    for n in range(upto):
        if n % 2 == 1:
            yield n


def squares():
    return [n * n for n in range(4)]


SQUARES = squares()


def dice():
    return random.randint(1, 10 ** 6)


def late():
    from app import lazy
    return lazy.VALUE
-- app/lazy.py --
VALUE = 1
-- test_core.py --
import datetime

from app import core


def test_double():
    assert core.double(2) == 4


def test_spoilt():
    assert core.spoilt() == 3


def test_cached():
    assert core.cached(1) == 2


def test_logged():
    assert core.logged(3) == 9


def test_evens():
    assert list(core.evens(5)) == [0, 2, 4]


def test_squares():
    assert core.SQUARES == [0, 1, 8, 27]


def test_dice():
    assert core.dice() != core.dice()
    assert datetime.datetime.now() is not None


def test_late():
    assert core.late() == 1
`

func TestCandidatesDoNotDisturbOneAnother(t *testing.T) {
	p := lay(t, hard)
	s := p.suite(t)
	const file = "app/core.py"
	body := func(is string) edit.Patch { return p.replace(t, file, "return n + n + 1", is) }
	right := body("return n + n")
	for _, c := range []struct{ name, is, note string }{
		{"a list", "TABLE.append(n)\n    STATE['seen'].append(n)\n    Registry.known.append(n)\n    return 2 * n", ""},
		{"a name", "global TABLE\n    TABLE = []\n    return 3 * n - 2", ""},
		{"a class", "Registry.known = [n]\n    return 4 * n - 4", ""},
		{"builtins", "import builtins\n    builtins.len = None\n    return 5 * n", "still fails"},
		{"the folder", "import os\n    os.chdir('/')\n    os.environ.clear()\n    return 6 * n", "still fails"},
		{"a thread", "import threading\n    threading.Thread(target=threading.Event().wait, daemon=True).start()\n    return 7 * n", "still fails"},
		{"an exit", "import os\n    os._exit(0)", "ended the process"},
		{"a polite exit", "raise SystemExit(0)", "still fails"},
		{"an interrupt", "raise KeyboardInterrupt", "still fails"},
		{"a crash", "import os\n    os.abort()", "crashed: SIGABRT"},
		{"forks without end", "import os\n    while n: os.fork()", ""},
		{"a fork", "import os\n    os.fork()\n    return 8 * n", "still fails"},
		{"memory", "return [0] * 10 ** 11", "still fails"},
		{"memory that is held on to", "import sys\n    sys.hoard = hoard = []\n    while True: hoard.append([0] * 10 ** 3 if len(hoard) > 188 else [0] * 10 ** 6)", ""},
		{"a loop", "while True: n += 1", "longer than before"},
		{"a loop that catches all", "while True:\n        try:\n            while True: n += 1\n        except: pass", "longer than before"},
		{"a recursion", "return double(n) + 1", "still fails"},
		{"a branching recursion", "return n if n > 900 else double(n + 1) + double(n + 2)", "longer than before"},
		{"a loop in C", "return sum(range(10 ** 15))", "did not end in time"},
		{"a flood", "print('x' * 10 ** 7)\n    return 9 * n", "still fails"},
		{"an end of all", "import os, signal\n    os.kill(os.getppid(), signal.SIGKILL)\n    return 11 * n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			trials := try(t, s, body(c.is), right)
			first, second := trials[0], trials[1]
			if first.Plausible || !strings.Contains(first.Note, c.note) {
				t.Errorf("the candidate: %+v", first)
			}
			if !slices.Equal(second.Healed, []string{"test_core.py::test_double"}) || len(second.Broken) > 0 {
				t.Errorf("the one after it: %+v", second)
			}
		})
	}
}

func TestWhatReachesFurther(t *testing.T) {
	p := lay(t, hard)
	s := p.suite(t)
	const file = "app/core.py"
	for _, c := range []struct{ name, was, is, healed string }{
		{"behind a cache", "return n + 2", "return n + 1", "test_cached"},
		{"a default", "by=2", "by=3", "test_logged"},
		{"a decorated function", "return n * by", "return n * 3", "test_logged"},
		{"a wrapper in use", "return f(*args)", "return f(*args, 3)", "test_logged"},
		{"a generator", "n % 2 == 1", "n % 2 == 0", "test_evens"},
		{"a new function inside", "        if n % 2 == 1:\n            yield n\n", "        def odd(x):\n            return x % 2\n        if not odd(n):\n            yield n\n", "test_evens"},
		{"called by an import", "n * n for", "n * n * n for", "test_squares"},
		{"a statement of the module", "SQUARES = squares()", "SQUARES = [n ** 3 for n in range(4)]", "test_squares"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := try(t, s, p.replace(t, file, c.was, c.is))[0]
			if !slices.Equal(got.Healed, []string{"test_core.py::" + c.healed}) || len(got.Broken) > 0 {
				t.Errorf("%+v", got)
			}
		})
	}
	broken := try(t, s, p.replace(t, file, "if n % 2 == 1", "STATE['seen'] = [1]\n        if n % 2 == 0"))[0]
	if len(broken.Healed) != 1 || len(broken.Broken) != 1 {
		t.Errorf("a candidate that breaks another test: %+v", broken)
	}
	alias := try(t, s, p.replace(t, file, "n % 2 == 1", "n % 2 == 0"), p.replace(t, file, "n % 2 == 1", "n % 2  ==  0"))
	if !slices.Equal(alias[0].Healed, alias[1].Healed) || alias[0].Note != alias[1].Note || alias[1].Index != 1 {
		t.Errorf("two that do the same: %+v", alias)
	}
}

func TestWholeRepair(t *testing.T) {
	p := lay(t, hard)
	s := p.suite(t)
	const file = "app/core.py"
	whole := join(p.replace(t, file, "return n + n + 1", "return n + n"), p.replace(t, file, "return n + 2", "return n + 1"), p.replace(t, file, "by=2", "by=3"),
		p.replace(t, file, "n % 2 == 1", "n % 2 == 0"), p.replace(t, file, "n * n for", "n ** 3 for"))
	got := try(t, s, whole)[0]
	if !got.Plausible || len(got.Healed) != 5 {
		t.Errorf("%+v", got)
	}
	entries, err := os.ReadDir(p.Root())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); name != "app" && name != "test_core.py" && name != ".pytest_cache" { // the check itself leaves that
			t.Errorf("%s was made", name)
		}
	}
	if _, err := os.Stat(filepath.Join(p.Root(), "app", "__pycache__")); err == nil {
		t.Error("compiled files were left")
	}
}

func TestOthersAreRefused(t *testing.T) {
	p := lay(t, hard)
	s := p.suite(t)
	stale := p.replace(t, "app/core.py", "by=2", "by=3")
	stale[0].Base = edit.Sum([]byte("another text"))
	trials := try(t, s, stale, p.replace(t, "test_core.py", "== 9", "== 6"))
	for i, want := range []string{"has changed since", "no source that these tests run"} {
		if trials[i].Built || trials[i].Plausible || !strings.Contains(trials[i].Note, want) {
			t.Errorf("candidate %d: %+v", i, trials[i])
		}
	}
}

func TestStop(t *testing.T) {
	p := lay(t, hard)
	s := p.suite(t)
	endless := func(yield func(edit.Patch) bool) {
		for yield(p.replace(t, "app/core.py", "return n + n + 1", "import time; time.sleep(1000)")) {
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	for _, err := range s.TryAll(ctx, endless) {
		if err == nil {
			cancel()
			continue
		}
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	cancel()
	if got := try(t, s, p.replace(t, "app/core.py", "n % 2 == 1", "n % 2 == 0")); len(got[0].Healed) != 1 {
		t.Errorf("after a cancelled run: %+v", got)
	}
}

func TestTestsThatPassAlone(t *testing.T) {
	p := lay(t, "-- x.py --\ndef f():\n    return 1\n-- test_x.py --\nimport x\n\n\ndef test_f():\n    assert x.f() == 1\n")
	job := p.job(t)
	job.Failing = []string{"test_x.py::test_f"}
	suites, err := python.Harness{}.Suites(context.Background(), job)
	if err != nil || len(suites) != 1 {
		t.Fatal(suites, err)
	}
	defer suites[0].Close()
	for _, err := range suites[0].TryAll(context.Background(), sequence(nil)) {
		if err == nil || !strings.Contains(err.Error(), "test_x.py::test_f passes when it is run alone") {
			t.Errorf("got %v", err)
		}
	}
	tr, err := suites[0].Trace(context.Background(), runner.TraceOptions{})
	if err != nil || len(tr.Runs) > 0 || len(tr.Notes) != 1 {
		t.Errorf("%+v, %v", tr, err)
	}
}

// A test that stumbles over what those before it leave behind is run behind them.
func TestTestsThatFailInCompany(t *testing.T) {
	p := lay(t, `
-- bag.py --
def put(x, bag=[]):
    bag.append(x)
    return bag
-- test_bag.py --
import bag


def test_one():
    assert bag.put(1) == [1]


def test_other():
    assert bag.put(2, [1]) == [1, 2]


def test_two():
    assert bag.put(2) == [2]
`)
	s := p.suite(t)
	if got := s.Failing(); !slices.Equal(got, []string{"test_bag.py::test_two"}) {
		t.Fatalf("%q fail", got)
	}
	tr, err := s.Trace(context.Background(), runner.TraceOptions{})
	if err != nil || len(tr.Runs) != 3 || !tr.Runs[0].Failed || len(tr.Runs[0].Lines) == 0 || len(tr.Notes) > 0 {
		t.Errorf("%+v, %v", tr, err)
	}
	got := try(t, s,
		p.replace(t, "bag.py", "bag=[]):\n", "bag=None):\n    bag = [] if bag is None else bag\n"),
		p.replace(t, "bag.py", "    bag.append", "    bag and bag.pop(); bag.append"),
		p.replace(t, "bag.py", "return bag", "return bag[:]"),
	)
	if !got[0].Plausible || got[1].Plausible || len(got[1].Broken) == 0 || got[2].Plausible || len(got[2].Healed) > 0 {
		t.Errorf("%+v", got)
	}
}

func TestNothingToCollect(t *testing.T) {
	p := lay(t, "-- x.py --\n-- test_x.py --\nimport missing\n")
	job := p.job(t)
	job.Failing = []string{"test_x.py::test_f"}
	if suites, err := (python.Harness{}).Suites(context.Background(), job); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("%v, %v", suites, err)
	}
}

// A test that passes where the project runs it, and fails behind those that were mended, turns nothing down; one that a candidate breaks does.
func TestMoodyTests(t *testing.T) {
	p := lay(t, `
-- x.py --
import os


def f(n):
    v = [1, 2, 3][n + 1]
    os.environ["SEEN"] = "1"
    return v


def g():
    return 1
-- test_a.py --
import os
import x


def test_first():
    assert x.g() == 1
    assert "SEEN" not in os.environ
-- test_b.py --
import x


def test_f():
    assert x.f(2) == 3


def test_g():
    assert x.g() == 1
`)
	right, wrong := p.replace(t, "x.py", "n + 1", "n"), p.replace(t, "x.py", "return 1", "return 2")
	got := try(t, p.suite(t), join(right, wrong), right, p.replace(t, "x.py", "n + 1", "-1"))
	if got[0].Plausible || !strings.Contains(got[0].Note, "passed before and fails with it") || !got[1].Plausible || !got[2].Plausible {
		t.Errorf("%+v", got)
	}
}

// A test that fails every second time, or every third, turns no right candidate down, whenever its turn to fail comes; one that a candidate breaks still does.
func TestTestsThatFailByChance(t *testing.T) {
	for _, c := range []struct{ every, from int }{{2, 1}, {2, 2}, {3, 1}, {3, 2}, {3, 3}} {
		t.Run(fmt.Sprintf("every %d, from %d", c.every, c.from), func(t *testing.T) {
			t.Parallel()
			p := lay(t, fmt.Sprintf(`
-- x.py --
def f(n):
    return [1, 2, 3][n + 1]


def g():
    return 1
-- test_x.py --
import os
import pathlib
import x

COUNT = pathlib.Path(%q)


def test_f():
    assert x.f(2) == 3


def test_g():
    assert x.g() == 1


def test_now_and_then():
    with COUNT.open("a") as f:
        f.write(".")
    assert (os.stat(COUNT).st_size + %d) %% %d != 0
`, filepath.Join(t.TempDir(), "count"), c.from, c.every))
			s := p.suite(t)
			right := p.replace(t, "x.py", "n + 1", "n")
			got := try(t, s, right, join(right, p.replace(t, "x.py", "return 1", "return 2")))
			if !got[0].Plausible {
				t.Errorf("the right one: %+v", got[0])
			}
			if got[1].Plausible || !slices.ContainsFunc(got[1].Broken, func(id string) bool { return strings.HasSuffix(id, "test_g") }) {
				t.Errorf("the wrong one: %+v", got[1])
			}
		})
	}
}

// A project may do without pytest's cache, and take every warning and unknown setting for an error.
func TestWithoutPytestsCache(t *testing.T) {
	const sources = "-- x.py --\ndef f():\n    return 1\n-- test_x.py --\nimport x\n\n\ndef test_f():\n    assert x.f() == 2\n-- pytest.ini --\n[pytest]\nfilterwarnings = error\n"
	for name, p := range map[string]project{
		"command":  lay(t, sources+"addopts = --strict-config\n", "-p", "no:cacheprovider"),
		"settings": lay(t, sources+"addopts = --strict-config -p no:cacheprovider\n"),
	} {
		t.Run(name, func(t *testing.T) {
			if got := try(t, p.suite(t), p.replace(t, "x.py", "return 1", "return 2"))[0]; !got.Plausible {
				t.Errorf("%+v", got)
			}
		})
	}
}

// A test that fails at once says little of how long it takes when it passes: what runs far longer is put off, and then gets its time.
func TestWhatTakesLonger(t *testing.T) {
	p := lay(t, `
-- x.py --
def f(n):
    total = 0
    for i in range(n * 1000):
        total += i // (0 * i)
    return total


def g():
    return 1
-- test_x.py --
import x


def test_f():
    assert x.f(500) == 500000 * 499999 // 2


def test_g():
    assert x.g() == 1
`)
	s := p.suite(t)
	endless := p.replace(t, "x.py", "for i in range(n * 1000):", "while True:")
	right := p.replace(t, "x.py", "i // (0 * i)", "i")
	other := p.replace(t, "x.py", "i // (0 * i)", "i + 1")
	trials := try(t, s, endless, other, right, p.replace(t, "x.py", "return 1", "return 2"))
	if !slices.Equal(trials[2].Healed, []string{"test_x.py::test_f"}) || !trials[2].Plausible {
		t.Errorf("the right one: %+v", trials[2])
	}
	if trials[1].Plausible || !strings.Contains(trials[1].Note, "still fails") {
		t.Errorf("one that takes as long and is wrong: %+v", trials[1])
	}
	if trials[0].Plausible {
		t.Errorf("one without end: %+v", trials[0])
	}
}

// Most of what runs dry never ends. It is not given so much time that the others would not have theirs, and whoever needs little more has it.
func TestManyWithoutEnd(t *testing.T) {
	p := lay(t, `
-- x.py --
def f(n):
    total = 0
    for i in range(n):
        total += i // (0 * i)
    return total
-- test_x.py --
import x


def test_f():
    assert x.f(60000) == 60000 * 59999 // 2
`)
	const endless = 40
	var all []edit.Patch
	for i := range endless {
		all = append(all, p.replace(t, "x.py", "for i in range(n):", fmt.Sprintf("while n > -%d:", i+1)))
	}
	right := p.replace(t, "x.py", "i // (0 * i)", "i")
	trials := try(t, p.suite(t), append(all, right)...)
	if !trials[endless].Plausible {
		t.Errorf("the right one: %+v", trials[endless])
	}
	for _, trial := range trials[:endless] {
		if trial.Plausible || !trial.Built || !strings.Contains(trial.Note, "runs far longer than before") && !strings.Contains(trial.Note, "still fails") {
			t.Errorf("one without end: %+v", trial)
		}
	}
}

// What heals one test and goes on and on in another, which never ended before either, heals a part, and nobody waits for it once something passes.
func TestHealsAndNeverEnds(t *testing.T) {
	p := lay(t, `
-- x.py --
def count(n):
    total = 1
    while n != 0:
        n -= 2
        total += 1
    return total
-- test_x.py --
import x


def test_none():
    assert x.count(0) == 0


def test_odd():
    assert x.count(3) == 3
`)
	none, odd := "test_x.py::test_none", "test_x.py::test_odd"
	suites, err := python.Harness{}.Suites(t.Context(), runner.Job{
		Place: p, Check: p.check, Failing: []string{none, odd},
		Baseline: check.Result{Tests: map[string]parse.Outcome{none: parse.Fail, odd: parse.Fail}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer suites[0].Close()
	part := p.replace(t, "x.py", "total = 1\n", "total = 0\n")
	right := join(part, p.replace(t, "x.py", "n -= 2", "n -= 1"))
	trials := try(t, suites[0], part, right)
	if !trials[1].Plausible {
		t.Errorf("the right one: %+v", trials[1])
	}
	if got := trials[0]; got.Plausible || !slices.Equal(got.Healed, []string{none}) || len(got.Broken) > 0 || !strings.Contains(got.Note, "runs far longer than before") || got.Duration > 20*time.Second {
		t.Errorf("one that heals a part: %+v", got)
	}
}
