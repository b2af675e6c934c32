package golang

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"fettle/internal/proc"
	"fettle/internal/runner"
	"fettle/internal/verdict"
)

// The driver's plan and what it prints; the same types stand in overlay/driver.go.txt.
type (
	driverStage struct {
		Run  string
		Fuel int64
		Time time.Duration
	}
	driverPlan struct {
		IDs     []int
		Targets []string
		Args    []string
		Stage   driverStage
		First   driverStage // if any: the failing test that is met by itself before all of them
		Replay  *driverRun  // what the tests do unchanged, if they may be run again and again in one process
	}
	driverRun struct {
		Pass, Fail []string
		End        string
		Fuel       int64
		Time       time.Duration
	}
	driverResult struct {
		ID    int
		First bool // it did not come further than the first failing test
		Run   driverRun
	}
)

// Fuel is given in multiples of what the original used, but never so little that noise could matter nor so much that a
// hanging candidate holds up the rest.
const (
	fuelFactor = 32
	minFuel    = 4 << 20
	maxFuel    = 1 << 31
	perSecond  = 20_000_000 // steps that tests may take in a second
)

// errUnfaithful says that the binary does not behave like the user's own test run. Its candidates are tried alone.
var errUnfaithful = errors.New("the built-together tests do not behave like the real ones")

// drive tries the members of a bundle, several at a time. Those that look good are tried again in the plain way, and only
// that counts.
func (b *bundle) drive(ctx context.Context, emit func(verdict.Trial)) error {
	plan, err := b.calibrate(ctx)
	if errors.Is(err, errUnfaithful) {
		b.unfaithful = true
		for _, id := range b.order {
			b.alone = append(b.alone, b.members[id])
		}
		return nil
	}
	if err != nil {
		return err
	}
	workers := min(b.oracle.workers(), len(b.order))
	d := &driving{bundle: b, emit: emit, slots: make(chan struct{}, workers), told: map[int]bool{}}
	d.patient = b.oracle.Expect.Seconds()*perSecond > float64(plan.Stage.Fuel)
	if err := d.all(ctx, plan, b.order, workers); err != nil {
		return err
	}
	if err := d.again(ctx); err != nil {
		return err
	}
	// A candidate whose driver died before its turn is tried alone.
	for _, id := range b.order {
		if !d.told[id] {
			b.alone = append(b.alone, b.members[id])
		}
	}
	return nil
}

// original is the number of the baseline in a binary that holds candidates, when its steps are to be counted.
const original = -1

// calibrate runs the original in the binary: the targets must fail and the tests beside them pass there, too. It tells how much fuel and time
// healthy tests need.
func (b *bundle) calibrate(ctx context.Context) (driverPlan, error) {
	base := &b.oracle.baseline
	o := b.oracle
	plan := driverPlan{Targets: base.targets, Args: o.Suite.Args, Stage: driverStage{Run: base.run, Time: o.limit(base.time), Fuel: fuel(0)}}
	measured := plan.Stage
	measured.Fuel = 0
	if base.hangs {
		measured.Time = min(measured.Time, base.time+time.Second) // that it hangs is known; it need not be waited for
	}
	got, err := b.single(ctx, original, measured)
	if err != nil {
		return plan, err
	}
	if got == nil {
		return plan, errUnfaithful
	}
	out := got.outcome()
	if base.heals(out) || slices.ContainsFunc(base.passing, func(n string) bool { return !out.passed[n] }) {
		return plan, errUnfaithful
	}
	if !out.stopped() {
		plan.Stage.Fuel, plan.Stage.Time = fuel(got.Fuel), o.counted(got.Time)
		if b.replayed {
			plan.Replay = got
		} else if plan.First, err = b.firstStage(ctx, plan.Stage, got.Time); err != nil {
			return plan, err
		}
	}
	return plan, nil
}

// Where one failing test fails by itself in a small part of the time that all of them take, candidates meet it first: most fail there. What heals a part
// of the others is not known then.
const (
	firstFactor = 6
	worthFirst  = 60 * time.Millisecond
)

// firstStage is that of the failing test which candidates meet first, if it fails so in the binary, too; else none.
func (b *bundle) firstStage(ctx context.Context, all driverStage, took time.Duration) (driverStage, error) {
	first := b.oracle.First
	if first == "" || took < worthFirst || len(b.oracle.baseline.targets) < 2 {
		return driverStage{}, nil
	}
	stage := driverStage{Run: exactly(first), Fuel: all.Fuel, Time: all.Time}
	got, err := b.single(ctx, original, stage)
	if err != nil || got == nil || got.End != "failed" || got.Time*firstFactor > took {
		return driverStage{}, err
	}
	return stage, nil
}

// single runs a stage's tests for one of the binary's candidates, or the original; nil: the driver has died over it.
func (b *bundle) single(ctx context.Context, id int, stage driverStage) (*driverRun, error) {
	var got *driverRun
	err := b.oracle.guard.Sure(ctx, func() error {
		got = nil
		return b.runDriver(ctx, driverPlan{IDs: []int{id}, Args: b.oracle.Suite.Args, Stage: stage}, func(r driverResult) error {
			got = &r.Run
			return nil
		})
	})
	return got, err
}

// driving is one drive under way.
type driving struct {
	bundle  *bundle
	emit    func(verdict.Trial)
	slots   chan struct{} // for as many candidates that heal something as there are workers
	patient bool          // the tests may well take more steps than candidates get: those that run dry may get more
	mu      sync.Mutex
	told    map[int]bool
	dry     []int // those that have run dry, and may get more
	parts   []part
}

// all tries candidates, side by side. Those that heal something are confirmed beside the others, which do not wait for that.
func (d *driving) all(ctx context.Context, plan driverPlan, ids []int, workers int) error {
	g, gctx := errgroup.WithContext(ctx)
	for w := range min(workers, len(ids)) {
		mine := plan
		for i := w; i < len(ids); i += workers {
			mine.IDs = append(mine.IDs, ids[i])
		}
		g.Go(func() error { return d.work(gctx, g, mine) })
	}
	return g.Wait()
}

// tell gives the verdict on a candidate that heals nothing.
func (d *driving) tell(id int, one *outcome, took time.Duration) {
	c := d.bundle.members[id]
	t := verdict.Trial{Index: c.Index, Patch: c.Patch, Duration: took}
	d.bundle.oracle.judge(&t, one, nil, nil)
	d.say(id, t)
}

func (d *driving) work(ctx context.Context, g *errgroup.Group, plan driverPlan) error {
	o := d.bundle.oracle
	return runner.Guarded[int, driven]{Guard: &o.guard, Run: func(ctx context.Context, ids []int, each func(int, driven) error) error {
		some := plan
		some.IDs = ids
		began := time.Now()
		return d.bundle.runDriver(ctx, some, func(r driverResult) error {
			err := each(r.ID, driven{r.Run.outcome(), r.First, time.Since(began)})
			began = time.Now()
			return err
		})
	}, Tell: func(id int, r driven, changes bool) error {
		switch {
		case o.baseline.healsSome(r.one):
			g.Go(func() error { return d.later(ctx, id, r.one) })
		case r.first && !changes:
			d.say(id, d.stopped(id, r))
		case r.one.end == "fuel" && d.patient:
			d.mu.Lock()
			d.dry = append(d.dry, id)
			d.mu.Unlock()
		case changes:
			d.say(id, verdict.Trial{Index: d.bundle.members[id].Index, Patch: d.bundle.members[id].Patch, Built: true, Duration: r.took, Note: runner.NoteFiles})
		default:
			d.tell(id, r.one, r.took)
		}
		return nil
	}}.Try(ctx, plan.IDs)
}

// driven is what a driver has seen of a candidate.
type driven struct {
	one   *outcome
	first bool // of the first failing test alone
	took  time.Duration
}

// stopped is the verdict on a candidate that has come no further than the first failing test.
func (d *driving) stopped(id int, r driven) verdict.Trial {
	c, o := d.bundle.members[id], d.bundle.oracle
	t := verdict.Trial{Index: c.Index, Patch: c.Patch, Built: true, Duration: r.took, Note: runner.StillFails(o.First)}
	if r.one.stopped() {
		t.Note = endings[r.one.end]
	}
	return t
}

// say hands a verdict on.
func (d *driving) say(id int, t verdict.Trial) {
	d.mu.Lock()
	d.told[id] = true
	d.mu.Unlock()
	d.emit(t)
}

// later confirms what heals something, when there is a slot for it.
func (d *driving) later(ctx context.Context, id int, one *outcome) error {
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	began := time.Now()
	t, put, err := d.confirm(ctx, id, one)
	if err != nil || put {
		return err
	}
	t.Duration = time.Since(began)
	d.say(id, t)
	return nil
}

func (r *driverRun) outcome() *outcome {
	o := &outcome{passed: map[string]bool{}, failed: map[string]bool{}, built: true, end: r.End, wall: r.Time}
	for _, n := range r.Pass {
		o.passed[n] = true
	}
	for _, n := range r.Fail {
		o.failed[n] = true
	}
	return o
}

// runDriver runs the binary as a driver over some candidates and hands on each result as it comes.
func (b *bundle) runDriver(ctx context.Context, plan driverPlan, each func(driverResult) error) error {
	text, err := json.Marshal(plan)
	if err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	name := filepath.Join(b.dir, fmt.Sprintf("plan-%d.json", b.plans.Add(1)))
	if err := os.WriteFile(name, text, 0o600); err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var failure error
	out := &runner.MarkedLines{Each: func(said []byte) {
		var result driverResult
		if failure != nil || json.Unmarshal(said, &result) != nil {
			return
		}
		if failure = each(result); failure != nil {
			cancel()
		}
	}}
	s := &b.oracle.Suite
	r, err := s.Place.Run(ctx, proc.Cmd{
		Argv:   []string{b.binary},
		Dir:    s.abs(),
		Env:    s.environ("FETTLE_DRIVE=" + name),
		Stdout: out,
		Limits: proc.Limits{
			Time:   time.Duration(len(plan.IDs))*plan.Stage.Time + time.Minute,
			Memory: b.oracle.memory(),
			Output: 1 << 30,
		},
	})
	switch {
	case err != nil:
		return fmt.Errorf("run candidates: %w", err)
	case failure != nil:
		return failure
	case r.Ended == proc.Cancelled:
		return context.Cause(ctx)
	}
	return nil
}

// memory is how much address space a candidate may use: one that makes a slice of a wild length must not take the machine
// along. The sanitizers reserve terabytes and get no limit.
func (o *Oracle) memory() int64 {
	if slices.ContainsFunc(o.Suite.Flags, func(f string) bool { return f == "-race" || f == "-msan" || f == "-asan" }) {
		return 0
	}
	return 8 << 30
}
