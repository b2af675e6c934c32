package golang

import (
	"context"
	"slices"
	"time"

	"fettle/internal/verdict"
)

// againShare is the part of a bundle's time that candidates get that have run dry and get more.
const againShare = 4

// part is a candidate that heals but a part, while the other tests are slow.
type part struct {
	id  int
	one *outcome
}

// again has candidates that take long tried once more, in the time that is given for it. Those whose turn does not come stay what they are.
func (d *driving) again(ctx context.Context, plan driverPlan, limit time.Duration, workers int) error {
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := d.refuel(inner, plan, workers); err != nil && inner.Err() == nil {
		return err
	}
	if err := d.mend(inner); err != nil && inner.Err() == nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
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

// refuel gives more fuel to those that have run dry: tests that fail early on the baseline say little about what they take healed.
func (d *driving) refuel(ctx context.Context, plan driverPlan, workers int) error {
	plan.Stage.Fuel, plan.Replay, d.more = d.more, nil, 0
	return d.all(ctx, plan, d.dry, workers)
}

// mend has those that heal but a part meet the other tests, first those that heal most.
func (d *driving) mend(ctx context.Context) error {
	o := d.bundle.oracle
	slices.SortStableFunc(d.parts, func(a, b part) int {
		return len(b.one.those(o.baseline.targets)) - len(a.one.those(o.baseline.targets))
	})
	for _, p := range d.parts {
		if !o.others.newPart(p.one, o.baseline.targets, false) {
			continue
		}
		began := time.Now()
		t, err := o.plain(ctx, d.bundle.members[p.id])
		if err != nil {
			return err
		}
		t.Duration = time.Since(began)
		d.say(p.id, t)
	}
	return nil
}
