package golang

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fettle/internal/verdict"
)

// others are the suite's other tests, those that hold no target. They are run for candidates that heal something, and nobody waits for them
// before the first of those: a suite may take minutes.
type others struct {
	run   string      // -run pattern; empty: there are none
	names []string    // of those that the check saw pass
	slow  atomic.Bool // they are known to take longer than a build: candidates meet them in one of their own

	plain struct { // unchanged, as the user would run them
		settled
		pass []string
		time time.Duration
	}
	bundled struct { // unchanged, in a binary that holds candidates
		settled
		pass  []string
		stage driverStage
	}
	parts struct { // where they are slow: what candidates that heal but a part have healed without breaking any
		mu    sync.Mutex
		heals map[string]bool
		tried int
	}
}

// settled is what is found out once, and once more where that was cut short.
type settled struct {
	mu   sync.Mutex
	done bool
	err  error
}

func (s *settled) find(ctx context.Context, out func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done {
		return s.err
	}
	err := out()
	if err != nil && ctx.Err() != nil {
		return err
	}
	s.done, s.err = true, err
	return err
}

// Bounds of the other tests.
const (
	bundledTime = time.Second      // in a binary that holds candidates: a build for one of them takes hardly longer
	plainTime   = 10 * time.Minute // unchanged: they end by themselves, as they did in the check
	mostParts   = 8                // candidates that heal but a part and meet other tests that are slow
)

// rest says which of the other tests pass on the baseline when they are run without the failing ones, which is found out once, when first a
// candidate fails in one.
func (o *Oracle) rest(ctx context.Context) (*others, error) {
	r := &o.others
	return r, r.plain.find(ctx, func() error {
		out, err := o.unchanged(ctx, r.run, plainTime)
		if err == nil {
			r.plain.time, r.plain.pass = out.wall, out.those(r.names)
		}
		return err
	})
}

// those are the tests among these that passed.
func (o *outcome) those(names []string) (passed []string) {
	for _, n := range names {
		if o.passed[n] {
			passed = append(passed, n)
		}
	}
	return passed
}

// rest says which of the other tests can be believed in a binary that holds candidates, and within which bounds they run there. An oracle's
// bundles are all alike in that.
func (b *bundle) rest(ctx context.Context) (*others, error) {
	r := &b.oracle.others
	of := &r.bundled
	return r, of.find(ctx, func() error {
		of.stage = driverStage{Run: r.run, Time: bundledTime}
		got, err := b.single(ctx, original, of.stage)
		if err != nil {
			return err
		}
		if got == nil {
			r.slow.Store(true)
			return nil
		}
		out := got.outcome()
		r.slow.Store(out.stopped())
		of.pass = out.those(r.names)
		of.stage.Time, of.stage.Fuel = b.oracle.counted(got.Time), fuel(got.Fuel)
		return nil
	})
}

// newPart reports whether a candidate that heals but a part heals what no other one has healed before it, and, where it is to meet the other
// tests now, counts it.
func (r *others) newPart(one *outcome, targets []string, now bool) bool {
	r.parts.mu.Lock()
	defer r.parts.mu.Unlock()
	if r.parts.tried >= mostParts || !slices.ContainsFunc(targets, func(n string) bool { return one.passed[n] && !r.parts.heals[n] }) {
		return false
	}
	if now {
		r.parts.tried++
	}
	return true
}

// keepPart notes what was healed without breaking anything.
func (r *others) keepPart(one *outcome, targets []string) {
	r.parts.mu.Lock()
	defer r.parts.mu.Unlock()
	if r.parts.heals == nil {
		r.parts.heals = map[string]bool{}
	}
	for _, n := range one.those(targets) {
		r.parts.heals[n] = true
	}
}

// confirm tries a candidate that heals something on the other tests, and in the plain way if it looks good; or puts it off.
func (d *driving) confirm(ctx context.Context, id int, one *outcome) (t verdict.Trial, put bool, err error) {
	b, c := d.bundle, d.bundle.members[id]
	o := b.oracle
	t = verdict.Trial{Index: c.Index, Patch: c.Patch}
	var two *outcome
	if o.others.run != "" {
		r, err := b.rest(ctx)
		if err != nil {
			return t, false, err
		}
		if !r.slow.Load() {
			got, err := b.single(ctx, id, r.bundled.stage)
			if err != nil {
				return t, false, err
			}
			if got != nil {
				two = got.outcome()
			}
		}
	}
	o.judge(&t, one, two, o.others.bundled.pass)
	switch {
	case t.Plausible, two == nil && o.others.run != "" && len(t.Broken) == 0 && o.baseline.heals(one):
		t, err = o.plain(ctx, c)
	case o.byChance(&t) && o.insisted.Add(1) <= mostInsisted:
		alone, err := o.plain(ctx, c)
		if err != nil || alone.Built { // else what was seen of it beside others says more
			t = alone
		}
		return t, false, err
	case two == nil && o.others.run != "" && len(t.Broken) == 0:
		d.mu.Lock()
		d.parts = append(d.parts, part{id, one})
		d.mu.Unlock()
		return t, true, nil
	}
	return t, false, err
}
