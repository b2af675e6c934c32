// Package python answers "how does Python run its tests, fast?": it is [runner.Harness] for tests that pytest runs.
//
// The user's own pytest command is started with one more plug-in (the Python package in serve/), which lets pytest collect the tests as it
// always does and then serves: it traces tests, and it tries candidates in children that it forks. Only functions that a candidate
// changes are compiled, and their code is put in the place of what runs; steps are counted, so that what never ends is found out without a clock.
// Whatever looks good is run once more in a fresh process by the user's command, with nothing exchanged but the text of the changed files.
//
// Nothing is written but to the place's scratch folder.
package python

import (
	"context"
	"errors"
	"fmt"

	"fettle/internal/check"
	"fettle/internal/lang"
	"fettle/internal/runner"
)

// Harness runs the tests of checks whose command runs pytest, and those of unittest's where pytest is installed.
type Harness struct{}

var _ runner.Harness = Harness{}

// Language implements [runner.Harness].
func (Harness) Language() lang.Language { return lang.Python }

// Takes implements [runner.Harness].
func (Harness) Takes(c check.Check) bool {
	_, ok := take(c)
	return ok
}

// mostPassing is how many passing tests are looked at, nearest first: more would cost more to collect and to run than they tell.
const mostPassing = 300

// Suites implements [runner.Harness]: all tests of a check are one suite, for one process collects them.
func (h Harness) Suites(ctx context.Context, job runner.Job) ([]runner.Suite, error) {
	command, ok := take(job.Check)
	if !ok {
		return nil, fmt.Errorf("check %s does not run its tests in a way that can be taken apart", job.Check.Name)
	}
	if !job.Fails() {
		return nil, nil
	}
	s := &suite{place: job.Place, check: job.Check, command: command, failing: job.Failing, said: job.Baseline.Diagnostics}
	s.passing = nearest(job.Baseline.Tests, job.Failing, mostPassing)
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	if len(job.Failing) == 0 {
		if err := s.survey(ctx); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	switch {
	case len(s.failing) == 0 && len(job.Failing) > 0:
		return nil, errors.Join(fmt.Errorf("%w: pytest collects no test called %s", runner.ErrForeign, job.Failing[0]), s.Close())
	case len(s.failing) == 0:
		return nil, s.Close()
	}
	return []runner.Suite{s}, nil
}
