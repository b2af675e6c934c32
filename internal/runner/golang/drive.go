package golang

import (
	"bytes"
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
		Stages  [2]driverStage
		Replay  *driverRun // what the failing tests do unchanged, if they may be run again and again in one process
	}
	driverRun struct {
		Pass, Fail []string
		End        string
		Fuel       int64
		Time       time.Duration
	}
	driverResult struct {
		ID   int
		Runs []driverRun
	}
)

// Fuel is given in multiples of what the original used, but never so little that noise could matter nor so much that a
// hanging candidate holds up the rest.
const (
	fuelFactor = 32
	minFuel    = 4 << 20
	maxFuel    = 1 << 31
)

// errUnfaithful says that the binary does not behave like the user's own test run. Its candidates are tried alone.
var errUnfaithful = errors.New("the built-together tests do not behave like the real ones")

// drive tries the members of a bundle, several at a time. Those that look good are tried again in the plain way, and only
// that counts.
func (b *bundle) drive(ctx context.Context, emit func(verdict.Trial)) error {
	plan, err := b.calibrate(ctx)
	if errors.Is(err, errUnfaithful) {
		for _, id := range b.order {
			b.alone = append(b.alone, b.members[id])
		}
		return nil
	}
	if err != nil {
		return err
	}
	workers := min(b.oracle.workers(), len(b.order))
	d := &driving{bundle: b, emit: emit, told: map[int]bool{}}
	g, gctx := errgroup.WithContext(ctx)
	for w := range workers {
		var ids []int
		for i := w; i < len(b.order); i += workers {
			ids = append(ids, b.order[i])
		}
		g.Go(func() error { return d.work(gctx, fmt.Sprintf("plan-%d.json", w), ids, plan) })
	}
	if err := g.Wait(); err != nil {
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

// calibrate runs the original in the binary: the targets must fail and the passing tests pass there, too. It tells how much
// fuel and time healthy tests need.
func (b *bundle) calibrate(ctx context.Context) (driverPlan, error) {
	base := &b.oracle.baseline
	o := b.oracle
	plan := driverPlan{Targets: base.targets, Args: o.Suite.Args, Stages: [2]driverStage{{Run: base.one, Time: o.limit(base.timeOne)}, {Run: base.two, Time: o.limit(base.timeTwo)}}}
	measured := plan
	if base.hangs {
		measured.Stages[0].Time = 5*base.timeTwo + time.Second // that it hangs is known; it need not be waited for
	}
	var got *driverResult
	err := b.runDriver(ctx, "plan.json", []int{-1}, measured, func(r driverResult) error {
		got = &r
		return nil
	})
	if err != nil {
		return plan, err
	}
	if got == nil || len(got.Runs) == 0 || base.two != "" && len(got.Runs) < 2 {
		return plan, errUnfaithful
	}
	one, two := toOutcome(got.Runs[0]), &outcome{}
	var fuel int64
	if len(got.Runs) > 1 {
		two = toOutcome(got.Runs[1])
		fuel = got.Runs[1].Fuel
		plan.Stages[1].Time = o.counted(got.Runs[1].Time)
	}
	for _, n := range base.passing {
		if !one.passed[n] && !two.passed[n] {
			return plan, errUnfaithful
		}
	}
	if base.heals(one) {
		return plan, errUnfaithful
	}
	if !one.stopped() {
		fuel = max(fuel, got.Runs[0].Fuel)
		plan.Stages[0].Time = o.counted(got.Runs[0].Time)
		if b.replayed {
			plan.Replay = &got.Runs[0]
		}
	}
	for i := range plan.Stages {
		plan.Stages[i].Fuel = min(max(fuel*fuelFactor, minFuel), maxFuel)
	}
	return plan, nil
}

// driving is one drive under way.
type driving struct {
	bundle *bundle
	emit   func(verdict.Trial)
	mu     sync.Mutex
	told   map[int]bool
}

func (d *driving) work(ctx context.Context, name string, ids []int, plan driverPlan) error {
	o := d.bundle.oracle
	began := time.Now()
	return d.bundle.runDriver(ctx, name, ids, plan, func(r driverResult) error {
		c := d.bundle.members[r.ID]
		t := verdict.Trial{Index: c.Index, Patch: c.Patch}
		one, two := toOutcome(r.Runs[0]), (*outcome)(nil)
		if len(r.Runs) > 1 {
			two = toOutcome(r.Runs[1])
		}
		o.judge(&t, one, two)
		if t.Plausible {
			var err error
			if t, err = o.plain(ctx, c); err != nil {
				return err
			}
		}
		t.Duration = time.Since(began)
		began = time.Now()
		d.mu.Lock()
		d.told[r.ID] = true
		d.mu.Unlock()
		d.emit(t)
		return nil
	})
}

func toOutcome(r driverRun) *outcome {
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
func (b *bundle) runDriver(ctx context.Context, file string, ids []int, plan driverPlan, each func(driverResult) error) error {
	plan.IDs = ids
	text, err := json.Marshal(plan)
	if err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	name := filepath.Join(b.dir, file)
	if err := os.WriteFile(name, text, 0o600); err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &resultReader{each: each, stop: cancel}
	s := &b.oracle.Suite
	r, err := s.Place.Run(ctx, proc.Cmd{
		Argv:   []string{b.binary},
		Dir:    s.abs(),
		Env:    s.environ("FETTLE_DRIVE=" + name),
		Stdout: out,
		Limits: proc.Limits{
			Time:   time.Duration(len(ids))*(plan.Stages[0].Time+plan.Stages[1].Time) + time.Minute,
			Memory: b.oracle.memory(),
			Output: 1 << 30,
		},
	})
	switch {
	case err != nil:
		return fmt.Errorf("run candidates: %w", err)
	case out.err != nil:
		return out.err
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

// resultReader finds the driver's lines among whatever else is printed.
type resultReader struct {
	each func(driverResult) error
	stop func()
	rest []byte
	err  error
}

var resultMark = []byte("\x16fettle:")

func (w *resultReader) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	for {
		i := bytes.IndexByte(w.rest, '\n')
		if i < 0 {
			return len(p), nil
		}
		line, ok := bytes.CutPrefix(w.rest[:i], resultMark)
		var r driverResult
		if ok && w.err == nil && json.Unmarshal(line, &r) == nil && len(r.Runs) > 0 {
			if w.err = w.each(r); w.err != nil {
				w.stop()
			}
		}
		w.rest = w.rest[i+1:]
	}
}
