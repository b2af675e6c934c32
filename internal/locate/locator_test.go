package locate_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/lang"
	"fettle/internal/locate"
	"fettle/internal/runner"
	"fettle/internal/verdict"
)

// tracer is a harness and its one suite, whose failing test runs two lines of a.py and one of b.py.
type tracer struct {
	foreign bool
	closed  int
}

func (*tracer) Language() lang.Language  { return lang.Python }
func (*tracer) Takes(c check.Check) bool { return c.Name == "test" }
func (*tracer) Name() string             { return "all" }
func (*tracer) Failing() []string        { return []string{"t"} }
func (*tracer) Owns(file string) bool    { return file != "test_a.py" }
func (*tracer) Slow() string             { return "" }
func (s *tracer) Close() error           { s.closed++; return nil }
func (s *tracer) Suites(context.Context, runner.Job) ([]runner.Suite, error) {
	if s.foreign {
		return nil, fmt.Errorf("a script: %w", runner.ErrForeign)
	}
	return []runner.Suite{s}, nil
}

func (*tracer) Trace(context.Context, runner.TraceOptions) (runner.Trace, error) {
	ran := []runner.Lines{{File: "a.py", Line: 3, EndLine: 4}, {File: "b.py", Line: 7, EndLine: 7}, {File: "test_a.py", Line: 1, EndLine: 9}}
	return runner.Trace{Runs: []runner.Run{{ID: "t", Failed: true, Exact: true, Lines: ran}}}, nil
}

func (*tracer) TryAll(context.Context, iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
	return nil
}

func TestSuspects(t *testing.T) {
	job := runner.Job{Check: check.Check{Name: "test"}, Failing: []string{"t"}, Baseline: check.Result{Diagnostics: []diag.Diagnostic{
		{Test: "t", Frames: []diag.Frame{{File: "a.py", Line: 3}, {File: "test_a.py", Line: 2}}},
		{Test: "elsewhere", Frames: []diag.Frame{{File: "a.py", Line: 4}}},
	}}}
	asked := 0
	recent := func(_ context.Context, file string) ([]locate.Recent, error) {
		asked++
		if file != "b.py" {
			return nil, nil
		}
		return []locate.Recent{{Span: span("b.py", 7, 7), Why: "not committed yet"}, {Span: span("b.py", 1, 1), Why: "not committed yet"}}, nil
	}
	broken := errors.New("no git")
	for _, c := range []struct {
		name      string
		history   locate.History
		foreign   bool
		mayChange func(string) bool
		job       runner.Job
		want      string
		err       error
	}{
		{name: "the stack leads", job: job, want: "a.py:3 a.py:4 b.py:7"},
		{name: "and then what is new", job: job, history: recent, want: "a.py:3 b.py:7 a.py:4"},
		{name: "where it may be mended", job: job, mayChange: func(f string) bool { return f == "b.py" }, want: "b.py:7"},
		{name: "nothing fails", job: runner.Job{Check: job.Check}},
		{name: "the check never ended", job: runner.Job{Check: job.Check, Baseline: check.Result{Status: check.TimedOut}}, want: "a.py:3 a.py:4 b.py:7"},
		{name: "nobody can run it", job: runner.Job{Check: check.Check{Name: "lint"}, Failing: job.Failing}},
		{name: "the tests are none", job: job, foreign: true},
		{name: "no history", job: job, history: func(context.Context, string) ([]locate.Recent, error) { return nil, broken }, err: broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			suite := &tracer{foreign: c.foreign}
			l := locate.Locator{Harnesses: []runner.Harness{suite}, History: c.history}
			found, err := l.Suspects(t.Context(), c.job, c.mayChange)
			var lines []string
			for _, x := range found {
				for n := x.Line; n <= x.EndLine; n++ {
					lines = append(lines, fmt.Sprintf("%s:%d", x.File, n))
				}
			}
			got := strings.Join(lines, " ")
			if got != c.want || !errors.Is(err, c.err) {
				t.Errorf("got %q, %v, want %q, %v", got, err, c.want, c.err)
			}
			if (c.want != "" || c.err != nil) != (suite.closed == 1) {
				t.Errorf("closed %d times", suite.closed)
			}
		})
	}
	if asked != 2 {
		t.Errorf("the history was asked %d times for two files", asked)
	}
}
