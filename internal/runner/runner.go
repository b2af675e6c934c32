// Package runner answers "what does each test run, and what would the tests say of this change?" in one way for every language.
// It holds the words; a language's own way of doing it is a room below: runner/golang, runner/python, runner/node, runner/jvm.
//
// A [Harness] looks at the failing tests of a check and makes [Suite]s of them: tests that one warm process can run together. A suite
// is asked for two things. [Suite.Trace] runs tests one by one and tells what each of them ran and what values it saw: the ground of
// every guess at where the fault is. [Suite.TryAll] runs them against thousands of candidate patches, as fast as the language allows.
//
// What every suite promises:
//
//   - It runs through a [check.Place], and writes to the place's scratch folder at most: candidates are laid over the files in memory,
//     or by the language's own means, so that trials can run side by side in one private copy.
//   - What comes first in the user's own command comes first here: the same interpreter, options, configuration, environment.
//   - A candidate that never ends, floods, exits, crashes or eats memory is ended, is told as not plausible, and takes no other one
//     along. Steps are counted where that can be done, so that a verdict does not depend on how busy the machine is.
//   - One candidate's doings do not reach the next: state is put back, or the process is a fresh one; and so are the place's files, see [Guard].
//   - A trial is called plausible only after a fresh process of the user's own kind, without any of the fast way's tricks, has said so.
//   - Cancelling the context, or stopping an iteration, ends every process that was started for it.
package runner

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/lang"
	"fettle/internal/verdict"
)

// Harness is one language's way of running tests fast. It holds nothing of a repository and may be used by many at once.
type Harness interface {
	// Language is the language whose sources may be changed.
	Language() lang.Language
	// Takes reports whether it can run the tests of this check. It looks at the check alone: nothing is read and nothing is run.
	Takes(c check.Check) bool
	// Suites groups the job's failing tests, those with the most tests first. A failing test that cannot be run here is in none of them.
	// An error means that the tools do not work in this place; one that wraps [ErrForeign], that the place shows what the check alone did not:
	// its tests are none that can be run here.
	Suites(ctx context.Context, job Job) ([]Suite, error)
}

// Taking is the first harness that takes a check; nil when none does.
func Taking(all []Harness, c check.Check) Harness {
	for _, h := range all {
		if h.Takes(c) {
			return h
		}
	}
	return nil
}

// Failing are the ids of the tests that a check's findings are about, once each. A check that names none is one test, of its own name.
func Failing(c check.Check, ds []diag.Diagnostic) []string {
	var out []string
	for _, d := range ds {
		id := d.Test
		if id == "" && !c.NamesTests() {
			id = c.Name
		}
		if id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// ErrForeign says that a check's command is more than a way of running tests.
var ErrForeign = errors.New("its tests cannot be run apart from it")

// Job is what is to be healed, and where.
type Job struct {
	Place    check.Place
	Check    check.Check
	Baseline check.Result // the check's whole result, unchanged
	Failing  []string     // ids of the failing tests that are to pass, as Baseline has them; none: it never ended, and could not tell
}

// Fails reports whether there is anything to run: a failing test, or a check that never came to its end and so cannot say which one fails.
func (j Job) Fails() bool { return len(j.Failing) > 0 || j.Baseline.Untold() }

// Suite is tests that run together. It is used by one at a time; [Suite.Close] ends what it keeps warm.
type Suite interface {
	// Name says which tests these are, for people: a package, a file, a project.
	Name() string
	// Failing are the ids of the tests that are to pass.
	Failing() []string
	// Owns reports whether a file, by its slash path from the root, is source that these tests run and that is no test itself:
	// a change elsewhere is none that the suite could judge, or none that is wanted.
	Owns(file string) bool
	// Trace runs tests one by one: failing ones, and passing ones, nearest first, as many of each as the options allow. A test that comes out
	// otherwise than it is said to is left out.
	Trace(ctx context.Context, o TraceOptions) (Trace, error)
	// TryAll tries candidates, taken lazily from the sequence, which is pulled on a goroutine of its own. First the failing tests; when any of
	// them passes, those that passed before. Trials come as they end. An error ends the sequence: the suite does not work here, for
	// instance because the failing tests pass when they are run alone.
	TryAll(ctx context.Context, candidates iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error]
	// Slow says in one line why candidates are not tried in the fast way; empty when they are. It is settled once a trial has come.
	Slow() string
	// Close ends what the suite keeps running.
	Close() error
}

// TraceOptions bound what tracing may cost. Zero values stand for the defaults.
type TraceOptions struct {
	MaxFailing int           // failing tests to run, some of each group; zero: 40
	MaxPassing int           // passing tests to run, nearest first; zero: 40
	Time       time.Duration // for all tests together, builds not counted; zero: 20 s
	PerTest    time.Duration // for each test; zero: 5 s
	Values     bool          // tell the types of values too
}

// WithDefaults fills in what is zero.
func (o TraceOptions) WithDefaults() TraceOptions {
	if o.MaxFailing == 0 {
		o.MaxFailing = 40
	}
	if o.MaxPassing == 0 {
		o.MaxPassing = 40
	}
	if o.Time == 0 {
		o.Time = 20 * time.Second
	}
	if o.PerTest == 0 {
		o.PerTest = 5 * time.Second
	}
	return o
}

// Trace is what tests were seen to do.
type Trace struct {
	Runs  []Run
	Seen  []Seen // of failing tests and of passing ones, in order of file and place
	Notes []string
}

// Run is one test's run on its own.
type Run struct {
	ID       string
	Failed   bool
	Exact    bool         // Lines are what really ran; else only what its stack names, because it left no trace
	Lines    []Lines      // what it ran
	Frames   []diag.Frame // of its failure, innermost first, inside the root
	Duration time.Duration
}

// Ran reports whether the test is known to have run a line.
func (r Run) Ran(file string, line int) bool {
	return slices.ContainsFunc(r.Lines, func(l Lines) bool { return l.File == file && l.Line <= line && line <= l.EndLine })
}

// Lines is a stretch of a file, EndLine included.
type Lines struct {
	File          string // slash path from the root
	Line, EndLine int
}

// Seen is what values an expression had while tests ran.
type Seen struct {
	File       string   // slash path from the root
	Start, End int      // the expression's bytes
	Types      []string // the types of its values in the language's own words ("int", "list[str]", "NoneType"), sorted
}

// Checker is a [Suite] that can tell, without running anything, that a change cannot work: its language has a compiler.
type Checker interface {
	// Compiles reports whether the source still compiles with these edits, as far as that can be told in about a millisecond. Unknown is yes.
	Compiles(file string, edits []edit.Edit) bool
}

// Typist is a [Harness] whose language has a compiler that knows types.
type Typist interface {
	// Types are the types of a file's expressions, as far as they are known where some of its package does not compile, and who tells which
	// edits of the file let it compile, or make the compiler complain of less; nil: nobody. Nothing of the repository is run for either.
	Types(ctx context.Context, place check.Place, file string) ([]Seen, Checker, error)
}

// Comparer is a [Suite] that can tell how patches differ where no test looks. It is asked after [Suite.TryAll].
type Comparer interface {
	// Compare calls the functions that the patches change with what tests call them with, and with inputs made from that, with each of the
	// patches in force. What nobody can tell has no answers. An error means that it does not work here. Examples are calls for which
	// somebody has written down what comes of them; those that cannot be read are left out.
	Compare(ctx context.Context, patches []edit.Patch, examples []Example) (Comparison, error)
}

// Example is a call of a function that its documentation shows.
type Example struct {
	Function   string
	Args, Want string // as they are written there, perhaps with words behind
}

// Comparison is what patches do on the same inputs.
type Comparison struct {
	Inputs  []string   // calls, as people write them
	Answers [][]Answer // by patch, and then by input; none: it cannot be told
}

// Answer is what a call gives, or raises.
type Answer struct {
	Text   string // for people, and perhaps not whole
	Digest string // of all of it: equal answers have equal ones
	Said   Said   // what the documentation has to say of it
}

// Said is whether an answer is what an [Example] says.
type Said uint8

// The values of Said.
const (
	Unsaid    Said = iota // no example has this call
	AsSaid                //
	Otherwise             //
)
