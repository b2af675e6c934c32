package verdict

import (
	"time"

	"fettle/internal/edit"
)

// Trial is what a fast oracle saw of one candidate patch: the failing tests of the task first, then the passing tests
// nearest to them; of findings that are no tests, whether the check still has them, and others. It is a reason to look closer, never yet a verdict: only full verification is.
type Trial struct {
	Index     int           // the candidate's place in the sequence handed in, from 0
	Patch     edit.Patch    //
	Built     bool          // it compiled, or its language does not compile
	Healed    []string      // ids of the task's failing tests that pass with it, or of its findings that are gone
	Broken    []string      // ids of tests that passed before and fail with it, or of findings that are new
	Passing   int           // tests that pass and could not run before
	Shown     []string      // ids of tests that fail and could not run before, and of errors that go on to keep tests from running
	Plausible bool          // every targeted test passes and nothing that was tried broke
	Note      string        // one line: why it is not plausible
	Used      time.Duration // of a plausible one: the processor time that fettle and all it started had taken ([fettle/internal/proc.Used]) when it had passed and was up for its fresh process; zero: nobody looked
	Duration  time.Duration // of a plausible one, nearly all of it is the fresh process that it was tried in once more
}
