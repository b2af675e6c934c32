package golang

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/proc"
	"fettle/internal/runner"
)

// Bounds of a survey.
const (
	mostSurveyed = 200
	surveyTime   = 30 * time.Second // for all tests of a package
	surveyEach   = 2 * time.Second  // for each of them
	surveyLong   = 10 * time.Second // and once more: it may be slow, or never end
	listTime     = 5 * time.Second  // to name them
)

// crashed reports whether one of the failing tests took the others along, so that nobody knows how those come out.
func crashed(job runner.Job, failing []string) bool {
	return says(job, failing, func(message string) bool {
		return strings.HasPrefix(message, "panic") || strings.HasPrefix(message, "fatal error") || strings.Contains(message, timedOut)
	})
}

// hung reports whether the check's time was up in one of the failing tests.
func hung(job runner.Job, failing []string) bool {
	return job.Baseline.Status == check.TimedOut || says(job, failing, func(message string) bool { return strings.Contains(message, timedOut) })
}

const timedOut = "timed out" // as package testing has it

func says(job runner.Job, failing []string, what func(message string) bool) bool {
	return slices.ContainsFunc(job.Baseline.Diagnostics, func(d diag.Diagnostic) bool { return slices.Contains(failing, d.Test) && what(d.Message) })
}

// holding are the ids of the failing tests that hold others which fail: where one of these has ended the process, nobody has seen those behind it.
func (s *packageSuite) holding(job runner.Job) (out []string) {
	for _, name := range tops(s.suite.names(s.failing)) {
		if id := s.suite.id(name); job.Baseline.Tests[id] == parse.Fail && !slices.Contains(s.failing, id) {
			out = append(out, id)
		}
	}
	return out
}

// survey runs each test of the package that the baseline knows nothing of by itself. Those that fail are to be healed, too: a patch that
// only takes the crash away would let them be seen.
func (s *packageSuite) survey(ctx context.Context, job runner.Job) error {
	o := &Oracle{Suite: s.suite}
	dir, err := o.folder("survey-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary, said, err := o.build(ctx, dir, "")
	if err != nil || said != "" {
		return err // what does not build is somebody else's to tell
	}
	names, err := s.suite.tests(ctx, binary)
	if err != nil {
		return err
	}
	until := time.Now().Add(surveyTime)
	for _, name := range names[:min(len(names), mostSurveyed)] {
		id := s.suite.id(name)
		if _, known := job.Baseline.Tests[id]; known || slices.Contains(s.failing, id) {
			continue
		}
		if time.Now().After(until) {
			break
		}
		out, err := o.runTests(ctx, binary, anyOf([]string{name}), surveyEach)
		if err == nil && out.end == "time" {
			out, err = o.runTests(ctx, binary, anyOf([]string{name}), surveyLong)
		}
		if err != nil {
			return err
		}
		switch {
		case out.passed[name]:
			s.passing = append(s.passing, id)
		case out.stopped() || out.failed[name] || out.end == "failed":
			s.failing = append(s.failing, id)
		}
	}
	return nil
}

// tests are the names of the package's tests.
func (s *Suite) tests(ctx context.Context, binary string) ([]string, error) {
	r, err := s.Place.Run(ctx, proc.Cmd{Argv: append([]string{binary, "-test.list=^Test"}, s.Args...), Dir: s.abs(), Env: s.environ(), Limits: proc.Limits{Time: listTime, Output: 16 << 20}})
	switch {
	case err != nil:
		return nil, err
	case r.Ended == proc.Cancelled:
		return nil, context.Cause(ctx)
	case !r.OK():
		return nil, failed("list the tests", r)
	}
	var out []string
	for line := range strings.Lines(r.Stdout.String()) {
		if name := strings.TrimSpace(line); strings.HasPrefix(name, "Test") {
			out = append(out, name)
		}
	}
	return out, nil
}
