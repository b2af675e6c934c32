package python_test

import (
	"strings"
	"testing"

	"fettle/internal/edit"
)

// A candidate may do what it likes with the copy's own files: no other candidate is worse off for it, and there is always another server.
func TestCandidatesThatRemoveFiles(t *testing.T) {
	p := lay(t, `
-- clean.py --
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))


def stale(names, wanted):
    return [n for n in names if n in wanted]


def note(text):
    with open(os.path.join(HERE, "notes.txt"), "w") as f:
        f.write(text)
    return text
-- data/names.txt --
a b
-- notes.txt --
-- test_clean.py --
import os

import clean


def names():
    with open(os.path.join(clean.HERE, "data", "names.txt")) as f:
        return f.read().split()


def test_stale():
    assert clean.stale(names(), ["a"]) == ["b"]


def test_note():
    assert clean.note("noted") == "noted"
`)
	s := p.suite(t)
	const was = "[n for n in names if n in wanted]"
	var candidates []edit.Patch
	for _, is := range []string{
		`os.remove(os.path.join(HERE, "test_clean.py"))`,
		`subprocess.call(["rm", "-r", os.path.join(HERE, "test_clean.py"), os.path.join(HERE, "data")])`,
		`__import__("shutil").rmtree(os.path.join(HERE, "data"))`,
		`open(os.path.join(HERE, "data", "names.txt"), "w").close()`,
		`os.kill(os.getppid(), 9)`,
	} {
		candidates = append(candidates, p.replace(t, "clean.py", was, is))
	}
	for i, trial := range try(t, s, candidates...) {
		if trial.Plausible || i != 1 && i != 4 && !strings.Contains(trial.Note, "removes or changes files") {
			t.Errorf("candidate %d: %+v", i, trial)
		}
	}
	if right := try(t, s, candidates[4], p.replace(t, "clean.py", was, "[n for n in names if n not in wanted]")); !right[1].Plausible {
		t.Errorf("the right one: %+v", right[1])
	}
}
