package node

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"fettle/internal/runner"
)

// leave takes note of a failing test of which the warm process does not tell what it runs, and why.
func (t *tracing) leave(id, why string) {
	t.left = append(t.left, id)
	if t.why == "" {
		t.why = firstLine(why)
	}
}

// apart has the failing tests that are left run by the user's own command, all at once, and takes what these processes run. Where that tells
// nothing, it is the sources to which the tests' imports lead, all of their lines alike.
func (t *tracing) apart(ctx context.Context) error {
	if len(t.left) == 0 {
		return nil
	}
	var o outcome
	var lines []runner.Lines
	if !t.hung { // a run that never ends tells nothing, and takes long
		var err error
		if o, lines, err = t.record(ctx, t.left); err != nil {
			return err
		}
	}
	_, narrow := t.suite.narrow(t.left)
	seen, all := "what they run was seen in a run of the project's own command", lines
	if len(lines) == 0 {
		seen, all = "what they import is all that is known of what they run", t.whole(t.suite.imported())
	}
	t.trace.Notes = append(t.trace.Notes, fmt.Sprintf("the tests of %s do not run in one process with others (%s): %s", t.suite.Name(), t.why, seen))
	for _, id := range t.left {
		if !o.failed[id] && o.passed[id] {
			continue // alone it passes: it has nothing to tell
		}
		run := t.told(id)
		run.Exact = len(lines) > 0 && narrow && len(t.left) == 1
		run.Lines = append(run.Lines, all...)
		run.Duration = o.took
		t.trace.Runs = append(t.trace.Runs, run)
	}
	return nil
}

// beside has passing tests run in the same way, so that there is something to hold what the failing ones run against: as one, since nobody knows which of
// them ran what.
func (t *tracing) beside(ctx context.Context) error {
	if len(t.left) == 0 || t.hung || t.spent > t.opts.Time {
		return nil
	}
	all := t.suite.nearest(t.suite.files[0])
	if all = all[:min(len(all), t.opts.MaxPassing)]; len(all) == 0 || slices.ContainsFunc(t.trace.Runs, func(r runner.Run) bool { return slices.Contains(all, r.ID) }) {
		return nil
	}
	if _, narrow := t.suite.narrow(all); !narrow {
		return nil
	}
	o, lines, err := t.record(ctx, all)
	if err != nil || len(lines) == 0 || len(o.failed) > 0 || len(o.passed) == 0 {
		return err
	}
	t.trace.Runs = append(t.trace.Runs, runner.Run{ID: t.suite.Name(), Lines: lines, Exact: true, Duration: o.took})
	return nil
}

// record runs tests by the user's own command, and tells what of the suite's sources ran.
func (t *tracing) record(ctx context.Context, ids []string) (outcome, []runner.Lines, error) {
	began := time.Now()
	defer func() { t.spent += time.Since(began) }()
	o, lines, err := t.suite.recorded(ctx, ids)
	if err != nil {
		return o, nil, fmt.Errorf("see what the tests of %s run: %w", t.suite.Name(), err)
	}
	var out []runner.Lines
	for _, file := range slices.Sorted(maps.Keys(lines)) {
		out = append(out, stretches(file, lines[file])...)
	}
	return o, out, nil
}

// whole are all lines of files.
func (t *tracing) whole(files []string) (out []runner.Lines) {
	for _, file := range files {
		if text, err := t.suite.job.Place.ReadFile(file); err == nil {
			out = append(out, runner.Lines{File: file, Line: 1, EndLine: strings.Count(string(text), "\n") + 1})
		}
	}
	return out
}
