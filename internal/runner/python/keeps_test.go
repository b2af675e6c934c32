package python_test

import (
	"testing"

	"fettle/internal/check"
	"fettle/internal/runner/python"
	"fettle/internal/runner/runnertest"
	"fettle/internal/testenv"
)

func TestKeeps(t *testing.T) {
	testenv.NeedTool(t, "pytest")
	runnertest.Keeps(t, python.Harness{}, runnertest.Kept{
		Files: `
-- clean.py --
import os
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))


def write(name):
    with open(os.path.join(HERE, name), "w") as f:
        f.write("broken(")


def clean(names):
    shutil.rmtree(os.path.join(HERE, "nothing"), ignore_errors=True)
    return [n for n in names if n != "b"]
-- data/names.txt --
a b
-- tests/test_clean.py --
import os

import clean


def test_clean():
    with open(os.path.join(clean.HERE, "data", "names.txt")) as f:
        assert clean.clean(f.read().split()) == ["b"]
`,
		Check: check.Check{Name: "test", Lang: "python", Run: []string{"python3", "-m", "pytest", "-q", "-o", "junit_family=xunit1", "--junit-xml={report}"}, Parser: "pytest-junit"},
		File:  "clean.py",
		Does:  `shutil.rmtree(os.path.join(HERE, "nothing"), ignore_errors=True)`,
		Wrong: []string{`shutil.rmtree(os.path.join(HERE, "data"))`, `write("data/names.txt")`, `write("clean.py")`, `shutil.rmtree(os.path.join(HERE, "tests"))`},
		Fault: `n != "b"`, Rights: []string{`n == "b"`, `n > "a"`, `not n < "b"`, `"b" == n`},
	})
}
