package python_test

import (
	"slices"
	"testing"

	"fettle/internal/check"
	"fettle/internal/runner"
)

// A test that ends the whole process keeps the check from telling anything: the tests are run one by one, and what such a test ran is seen.
func TestTestsThatEndTheProcess(t *testing.T) {
	p := lay(t, `
-- m.py --
def clamp(n, lo, hi):
    if n < lo:
        return lo
    if n > hi:
        return lo
    return n
-- test_m.py --
import os

from m import clamp


def test_low():
    assert clamp(0, 2, 5) == 2


def test_exit():
    if clamp(9, 2, 5) != 5:
        os._exit(0)
`)
	job := p.job(t)
	if r := job.Baseline; r.Status != check.Failed || !r.Untold() || len(job.Failing) > 0 {
		t.Fatalf("the check: %+v", r)
	}
	s := p.suite(t)
	if !slices.Equal(s.Failing(), []string{"test_m.py::test_exit"}) {
		t.Fatalf("failing: %q", s.Failing())
	}
	trace, err := s.Trace(t.Context(), runner.TraceOptions{Values: true})
	if err != nil || len(trace.Runs) != 2 || !trace.Runs[0].Exact || !slices.Contains(trace.Runs[0].Lines, runner.Lines{File: "m.py", Line: 4, EndLine: 5}) {
		t.Errorf("%+v, %v", trace.Runs, err)
	}
	got := try(t, s, p.replace(t, "m.py", "n > hi:\n        return lo", "n > hi:\n        return n"), p.replace(t, "m.py", "n > hi:\n        return lo", "n > hi:\n        return hi"))
	if got[0].Plausible || got[0].Note != "it ended the process, with exit code 0" || !got[1].Plausible {
		t.Errorf("%+v", got)
	}
}
