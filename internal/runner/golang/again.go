package golang

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"fettle/internal/runner"
	"fettle/internal/verdict"
)

// part is a candidate that heals but a part, while the other tests are slow.
type part struct {
	id  int
	one *outcome
}

// again has candidates that take long tried once more, for as long as it is the turn of such. Those whose turn does not come stay what they are.
func (d *driving) again(ctx context.Context) error {
	slices.SortStableFunc(d.parts, func(a, b part) int { return d.heals(b) - d.heals(a) })
	next := make(chan func(context.Context) error, len(d.dry)+len(d.parts))
	for _, id := range d.dry {
		next <- func(ctx context.Context) error { return d.refuel(ctx, id) }
	}
	for _, p := range d.parts {
		next <- func(ctx context.Context) error { return d.mend(ctx, p) }
	}
	close(next)
	o := d.bundle.oracle
	err := o.patiently(ctx, func() (func(context.Context) error, bool) {
		n, end := o.backlog.Turn(0)
		if n == 0 {
			return nil, false
		}
		try, ok := <-next
		if !ok {
			end(0)
			return nil, false
		}
		return func(ctx context.Context) error {
			defer end(1)
			return try(ctx)
		}, true
	})
	if err != nil {
		return err
	}
	for _, id := range d.dry {
		if !d.told[id] {
			d.tell(id, &outcome{built: true, end: "fuel"}, 0)
		}
	}
	for _, p := range d.parts {
		if c := d.bundle.members[p.id]; !d.told[p.id] {
			d.say(p.id, verdict.Trial{Index: c.Index, Patch: c.Patch, Built: true, Note: untried})
		}
	}
	return nil
}

// heals is how much a part is.
func (d *driving) heals(p part) int { return len(p.one.those(d.bundle.oracle.baseline.targets)) }

// refuel gives as many steps as there can be to one that has run dry, and time: tests that fail early on the baseline say little about what they
// take healed.
func (d *driving) refuel(ctx context.Context, id int) error {
	o := d.bundle.oracle
	began := time.Now()
	got, err := d.bundle.single(ctx, id, driverStage{Run: o.baseline.run, Fuel: maxFuel, Time: o.limit(o.baseline.time)})
	if err != nil || got == nil {
		return err
	}
	if one := got.outcome(); o.baseline.healsSome(one) {
		return d.later(ctx, id, one)
	}
	d.tell(id, got.outcome(), time.Since(began))
	return nil
}

// mend has one that heals but a part meet the other tests.
func (d *driving) mend(ctx context.Context, p part) error {
	o := d.bundle.oracle
	if !o.others.newPart(p.one, o.baseline.targets, false) {
		return nil
	}
	t, err := o.plain(ctx, d.bundle.members[p.id])
	if err != nil {
		return err
	}
	d.say(p.id, t)
	return nil
}

// afterwards tries those that were put off, for as long as take gives any of them out.
func (o *Oracle) afterwards(ctx context.Context, take func() (runner.Lot[candidate], bool), emit func(verdict.Trial)) error {
	return o.patiently(ctx, func() (func(context.Context) error, bool) {
		lot, ok := take()
		return func(ctx context.Context) error {
			defer lot.End()
			t, err := o.plain(ctx, lot.Candidates[0])
			if err == nil {
				emit(t)
			}
			return err
		}, ok
	})
}

// patiently has all workers do what takes long, until there is no more to take.
func (o *Oracle) patiently(ctx context.Context, take func() (try func(context.Context) error, ok bool)) error {
	g, gctx := errgroup.WithContext(ctx)
	for range o.workers() {
		g.Go(func() error {
			for gctx.Err() == nil {
				try, ok := take()
				if !ok {
					return nil
				}
				if err := try(gctx); err != nil {
					return err
				}
			}
			return context.Cause(gctx)
		})
	}
	return g.Wait()
}
