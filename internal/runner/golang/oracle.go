package golang

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/verdict"
)

// Oracle tries candidate patches against the tests of one package: first those that fail, then, if they pass, the others.
//
// Candidates are compiled into the test binary in batches (see schema) and each is then one process of a few milliseconds, or, where the
// package keeps nothing from one run of its tests to the next ([Listing.Replayable]), a fraction of one in a process of 64: whether the original
// still does then what it did is looked at, and what heals any failing test gets a process of its own. What a batch cannot hold, and
// every candidate that looks good, is tried as the user would, by `go test` with the changed files laid over. Candidates that never end,
// print without end, exit or crash are ended and told. Trials run beside each other in the same folder: tests that write to fixed paths
// there, or listen on fixed ports, can disturb one another.
type Oracle struct {
	Suite   Suite
	Targets []string      // ids of the failing tests that are to pass
	First   string        // the name of the failing test that fails soonest; empty: not known
	Passing []string      // ids of the tests that pass and must go on doing so; those of other folders are passed over
	Source  edit.Source   // the baseline's files; nil: as the place has them
	Expect  time.Duration // how long the package's tests take on the baseline; zero: measured
	Took    time.Duration // how long the check took, of which the package's tests may be all; zero: not known
	Wait    time.Duration // what tests may take beyond five times as long as on the baseline; zero: 5 s, and 2 s where steps are counted
	Workers int           // trials at a time; zero: GOMAXPROCS
	Replay  bool          // the failing tests may be run for many candidates in one process, as nothing is kept from one run to the next
	Batch   int           // most candidates in one binary; zero: 512. 1: each is built alone
	Ahead   int           // most candidates pulled from the sequence and not yet tried, a batch under way apart; zero: 128

	once     sync.Once
	baseline baseline
	err      error
	others   others
	guard    runner.Guard
	insisted atomic.Int32 // candidates, see mostInsisted
	doubts   runner.Doubts
	backlog  *runner.Backlog[candidate] // what no binary holds together with others
}

// firstBatch is small, so that the first trials are there soon.
const firstBatch = 48

type candidate = runner.Candidate

func runBundle(ctx context.Context, b *bundle, emit func(verdict.Trial)) error {
	return b.run(ctx, emit)
}

// baseline is what the tests that hold targets do unchanged: every candidate meets them.
type baseline struct {
	name    string   // of the package that the tests are compiled with
	targets []string // names, without the folder
	passing []string // … of those that pass
	run     string   // -run pattern
	hangs   bool     // they did not end in time
	time    time.Duration
}

// TryAll tries candidates, taken lazily from the sequence, which is pulled on a goroutine of its own. Trials come as they
// end. Stopping the iteration ends everything that was under way. An error ends the sequence: the oracle does not work
// here, for instance because the failing tests pass in this place.
func (o *Oracle) TryAll(ctx context.Context, candidates iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
	return func(yield func(verdict.Trial, error) bool) {
		err := o.guard.Watch(ctx, o.Suite.Place)
		if err == nil {
			err = o.prepare(ctx)
		}
		if err == nil {
			err = o.guard.Learn(ctx)
		}
		if err != nil {
			yield(verdict.Trial{}, err)
			return
		}
		most := cmp.Or(o.Batch, 512)
		o.backlog = runner.NewBacklog(o.workers(), runner.Terms[candidate]{Part: runner.UsualShare, Batch: 1})
		tries := runner.Batches[*bundle]{
			First: min(firstBatch, most), Most: most, Ahead: cmp.Or(o.Ahead, 128),
			Make: o.bundle, Run: runBundle, Drop: (*bundle).close,
			Last: func(ctx context.Context, emit func(verdict.Trial)) error {
				return o.afterwards(ctx, o.backlog.Next, emit)
			},
		}
		for t, err := range tries.Try(ctx, candidates) {
			if !yield(t, err) {
				return
			}
		}
	}
}

// prepare runs the baseline once and learns which tests can be counted on.
func (o *Oracle) prepare(ctx context.Context) error {
	o.once.Do(func() { o.baseline, o.err = o.measure(ctx) })
	return o.err
}

func (o *Oracle) measure(ctx context.Context) (baseline, error) {
	b := baseline{targets: o.Suite.names(o.Targets)}
	if len(b.targets) == 0 {
		return b, fmt.Errorf("none of the failing tests is in %s", o.Suite.id(""))
	}
	first := tops(b.targets)
	b.run = anyOf(first)
	o.others.names = slices.DeleteFunc(o.Suite.names(o.Passing), func(n string) bool { return slices.Contains(first, top(n)) })
	if len(o.others.names) > 0 {
		o.others.run = anyOf(tops(o.others.names))
	}
	limit := o.limit(o.Expect)
	if o.Expect == 0 {
		limit += unknownTime
	}
	var err error
	if b.name, err = o.Suite.packageName(ctx); err != nil {
		return b, err
	}
	t, err := o.unchanged(ctx, b.run, limit)
	if err != nil {
		return b, err
	}
	if t.stopped() {
		b.hangs, b.time = true, o.Expect // how long it would take healthy is not known
	} else {
		b.time = t.wall
	}
	if !slices.ContainsFunc(b.targets, func(n string) bool { return !t.passed[n] }) {
		return b, errors.New("the failing tests pass when they are run on their own: there is nothing to search for")
	}
	for _, n := range o.Suite.names(o.Passing) {
		if slices.Contains(first, top(n)) && t.passed[n] {
			b.passing = append(b.passing, n)
		}
	}
	return b, nil
}

// unchanged runs tests on the baseline, in the plain way.
func (o *Oracle) unchanged(ctx context.Context, run string, limit time.Duration) (*outcome, error) {
	dir, err := o.folder("baseline-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary, said, err := o.build(ctx, dir, "")
	if err != nil {
		return nil, err
	}
	if said != "" {
		return nil, fmt.Errorf("the tests in %s do not build: %s", o.Suite.Dir, said)
	}
	return o.runTests(ctx, binary, run, limit)
}

// unknownTime is what a baseline is given on top when nobody says how long it takes.
const unknownTime = 10 * time.Second

// limit is how long a run may take whose baseline took this long.
func (o *Oracle) limit(base time.Duration) time.Duration {
	return 5*base + cmp.Or(o.Wait, 5*time.Second)
}

// fuel is how many steps a run may take that took so many on the baseline.
func fuel(used int64) int64 { return min(max(used*fuelFactor, minFuel), maxFuel) }

// counted is the same for a run that ends by itself after so many steps: then time is hardly ever what ends it.
func (o *Oracle) counted(base time.Duration) time.Duration {
	return 5*base + cmp.Or(o.Wait, 2*time.Second)
}

func (o *Oracle) source() edit.Source {
	if o.Source != nil {
		return o.Source
	}
	return runner.Source(o.Suite.Place)
}

func (o *Oracle) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// folder makes a scratch folder that this process and those of the place can use.
func (o *Oracle) folder(pattern string) (string, error) {
	dir, err := os.MkdirTemp(o.Suite.Place.Scratch(), pattern)
	if err != nil {
		return "", fmt.Errorf("scratch: %w", err)
	}
	return filepath.Clean(dir), nil
}
