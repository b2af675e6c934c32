package golang

import (
	"context"

	"fettle/internal/verdict"
)

// mostInsisted is how many candidates that look wrong beside others are built by themselves, as they may have met tests that fail by chance.
const mostInsisted = 8

// byChance reports whether a candidate that heals everything and breaks something may have met tests that fail by chance.
func (o *Oracle) byChance(t *verdict.Trial) bool {
	return len(t.Broken) > 0 && len(t.Healed) == len(o.baseline.targets)
}

// insist runs a candidate's tests again, as long as there are some that it has broken each time. One that passes with it once is not broken by it.
func (o *Oracle) insist(ctx context.Context, binary string, t *verdict.Trial) (err error) {
	if !o.byChance(t) {
		return nil
	}
	t.Broken, err = o.doubts.Insist(t.Broken, func() (broken []string, ok bool, err error) {
		one, two, believed, err := o.runAll(ctx, binary, func(*outcome) bool { return true })
		if err != nil {
			return nil, false, err
		}
		next := verdict.Trial{}
		o.judge(&next, one, two, believed)
		return next.Broken, !one.stopped() && (two == nil || !two.stopped()) && len(next.Healed) == len(t.Healed), nil
	})
	if err == nil && len(t.Broken) == 0 {
		t.Plausible, t.Note = true, ""
	}
	return err
}
