package python_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/runner"
)

// script is a program that its test starts as one.
const script = `
-- tool.py --
import sys


def main():
    print(int(sys.argv[1]) + 2)


if __name__ == "__main__":
    main()
-- helpers/sitecustomize.py --
import builtins
builtins.customized = True
-- test_tool.py --
import subprocess
import sys


def test_tool():
    out = subprocess.run([sys.executable, "-c", "assert customized; import tool; tool.main()", "1"], capture_output=True, text=True, check=True).stdout
    assert out == "2\n"


def test_fine():
    assert customized
`

func TestTestsThatStartPythons(t *testing.T) {
	p := lay(t, script)
	p.check.Env = map[string]string{"PYTHONPATH": filepath.Join(p.Root(), "helpers")}
	s := p.suite(t)
	trials := try(t, s, p.replace(t, "tool.py", "+ 2", "+ 1"), p.replace(t, "tool.py", "+ 2", "+ 3"), p.replace(t, "tool.py", "+ 2", "+ + )"))
	if !trials[0].Plausible || trials[1].Plausible || trials[2].Plausible {
		t.Errorf("%+v", trials)
	}
	if !strings.Contains(s.Slow(), "starts processes of Python") {
		t.Errorf("slow: %q", s.Slow())
	}
}

// Where other tests fail, too, those meet candidates in warm processes, and what starts Pythons has the last word.
func TestSomeTestsStartPythons(t *testing.T) {
	p := lay(t, strings.Replace(script, "-- test_tool.py --", `-- test_main.py --
import sys

import tool


def test_main(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["tool", "2"])
    tool.main()
    assert capsys.readouterr().out == "3\n"
-- test_tool.py --`, 1))
	p.check.Env = map[string]string{"PYTHONPATH": filepath.Join(p.Root(), "helpers")}
	s := p.suite(t)
	trials := try(t, s, p.replace(t, "tool.py", "+ 2", "+ 1"), p.replace(t, "tool.py", "+ 2", "+ 3"), p.replace(t, "tool.py", "int(sys.argv[1]) + 2", "3"))
	if s.Slow() != "" {
		t.Errorf("slow: %s", s.Slow())
	}
	if !trials[0].Plausible || len(trials[0].Healed) != 2 {
		t.Errorf("the right one: %+v", trials[0])
	}
	if trials[1].Plausible || len(trials[1].Healed) > 0 {
		t.Errorf("one that heals nothing: %+v", trials[1])
	}
	if trials[2].Plausible || !slices.Equal(trials[2].Healed, []string{"test_main.py::test_main"}) {
		t.Errorf("one that heals the warm one alone: %+v", trials[2])
	}
}

// Where pytest cannot serve, fresh processes do. A Python without fork stands for whatever may be the reason.
func TestSlow(t *testing.T) {
	p := lay(t, hard+"-- helpers/sitecustomize.py --\nimport os\ndel os.fork\n")
	p.check.Env = map[string]string{"PYTHONPATH": filepath.Join(p.Root(), "helpers")}
	s := p.suite(t)
	if s.Slow() == "" {
		t.Error("it serves without fork")
	}
	tr, err := s.Trace(context.Background(), runner.TraceOptions{})
	if err != nil || len(tr.Runs) != 5 || tr.Runs[0].Exact || len(tr.Runs[0].Frames) == 0 {
		t.Errorf("%+v, %v", tr, err)
	}
	got := try(t, s, p.replace(t, "app/core.py", "by=2", "by=3"))[0]
	if !slices.Equal(got.Healed, []string{"test_core.py::test_logged"}) || len(got.Broken) > 0 || got.Plausible {
		t.Errorf("%+v", got)
	}
}

// Where many files are wanted, all that the user's own command would collect is collected, and no more of it is run than is wanted.
func TestManyFiles(t *testing.T) {
	var archive strings.Builder
	archive.WriteString("-- x.py --\ndef f(n):\n    return n - 1\n-- test_x.py --\nimport x\n\n\ndef test_f():\n    assert x.f(1) == 2\n")
	for i := range 80 {
		fmt.Fprintf(&archive, "-- test_%d.py --\nimport x\n\n\ndef test_whole():\n    assert x.f(%d) != 0.5\n", i, i+2)
	}
	p := lay(t, archive.String())
	got := try(t, p.suite(t), p.replace(t, "x.py", "n - 1", "n + 1"), p.replace(t, "x.py", "n - 1", "2 if n == 1 else 0.5"))
	if !got[0].Plausible || len(got[0].Healed) != 1 {
		t.Errorf("right: %+v", got[0])
	}
	if got[1].Plausible || len(got[1].Broken) == 0 {
		t.Errorf("it breaks the others: %+v", got[1])
	}
}
