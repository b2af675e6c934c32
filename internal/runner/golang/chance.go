package golang

import (
	"context"
	"slices"

	"fettle/internal/verdict"
)

// How often the tests that a candidate breaks are asked again, with the very same candidate: of one candidate, and of all together. A test that
// fails by chance once in three times would else turn down the right one as often, and does so once in 27 times then. mostInsisted are the candidates
// that are built for it.
const (
	mostAgain    = 2
	mostAgainAll = 16
	mostInsisted = 8
)

// byChance reports whether a candidate that heals everything and breaks something may have met tests that fail by chance.
func (o *Oracle) byChance(t *verdict.Trial) bool {
	return len(t.Broken) > 0 && len(t.Healed) == len(o.baseline.targets)
}

// insist runs a candidate's tests again, as long as there are some that it has broken each time. One that passes with it once is not broken by it.
func (o *Oracle) insist(ctx context.Context, binary string, t *verdict.Trial) error {
	for again := 0; again < mostAgain && o.byChance(t) && o.again.Add(1) <= mostAgainAll; again++ {
		one, err := o.runTests(ctx, binary, o.baseline.run, o.limit(o.baseline.time))
		if err != nil {
			return err
		}
		var two *outcome
		believed := o.others.names
		if o.others.run != "" {
			if two, believed, err = o.tryOthers(ctx, binary); err != nil {
				return err
			}
		}
		next := verdict.Trial{}
		o.judge(&next, one, two, believed)
		next.Broken = slices.DeleteFunc(next.Broken, func(id string) bool { return !slices.Contains(t.Broken, id) })
		if one.stopped() || two != nil && two.stopped() || len(next.Healed) < len(t.Healed) {
			return nil // it was asked once, and that stands
		}
		if t.Broken = next.Broken; len(t.Broken) == 0 {
			t.Plausible, t.Note = true, ""
		}
	}
	return nil
}
