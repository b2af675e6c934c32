package python_test

import (
	"testing"

	"fettle/internal/edit"
	"fettle/internal/runner/python"
	"fettle/internal/runner/runnertest"
)

func TestStops(t *testing.T) {
	p := lay(t, `
-- sums.py --
def total(xs):
    n = 0
    for x in xs[1:]:
        n += x
    return n
-- test_sums.py --
import sums


def test_total():
    assert sums.total([1, 2, 3]) == 6


def test_nothing():
    assert sums.total([]) == 0
`)
	runnertest.Stops(t, python.Harness{}, p.job(t), []edit.Patch{
		p.replace(t, "sums.py", "xs[1:]", "xs[2:]"),
		p.replace(t, "sums.py", "n += x", "n += x\n        xs.append(x)"), // without end
		p.replace(t, "sums.py", "xs[1:]", "xs"),
		p.replace(t, "sums.py", "return n", "import os; os.kill(os.getppid(), 9)"),
		p.replace(t, "sums.py", "xs[1:]", "list(xs)"),
		p.replace(t, "sums.py", "return n", "return n + 1"),
	})
}
