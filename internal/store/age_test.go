package store_test

import (
	"slices"
	"testing"
	"time"

	"fettle/internal/store"

	"pgregory.net/rapid"
)

func TestOlder(t *testing.T) {
	const day = 24 * time.Hour
	ago := func(days ...int) []time.Time {
		var out []time.Time
		for _, d := range days {
			out = append(out, time.Now().Add(-time.Duration(d)*day))
		}
		return out
	}
	const epoch = 20500 // 1970
	for name, c := range map[string]struct {
		rows []time.Time
		want int
	}{
		"nothing":                              {nil, 0},
		"in order":                             {ago(90, 60, 31, 29, 1), 3},
		"all old":                              {ago(90, 60), 2},
		"at one moment":                        {ago(60, 60, 60), 3},
		"the newest from the future":           {ago(90, 60, -3000), 2},
		"all from the future":                  {ago(-3000, -3000), 0},
		"from the future, long ago":            {ago(90, -3000, 60, 1), 3},
		"from the future, then now":            {ago(90, -3000, 1), 1},
		"the newest from 1970":                 {ago(90, 60, epoch), 2},
		"all from 1970":                        {ago(epoch, epoch), 0},
		"from 1970, long ago":                  {ago(epoch, 60, 1), 2},
		"set back by two months, a moment ago": {ago(2, 1, 60, 59), 0},
		"set back, and long since right":       {ago(90, 95, 94, 60, 1), 4},
	} {
		if got := store.Older(c.rows, time.Now().Add(-30*day)); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// Whatever clocks said: what really is younger than the limit is never taken for old while one younger row, or none, tells the truth
// before it; and with a clock that was always right the answer is exact.
func TestOlderNeverTakesTheYoung(t *testing.T) {
	const limit = 30 * 24 * time.Hour
	rapid.Check(t, func(r *rapid.T) {
		now := time.Now()
		ages := rapid.SliceOfN(rapid.Int64Range(0, 100*24), 0, 12).Draw(r, "hours ago")
		slices.Sort(ages)
		slices.Reverse(ages)
		var said []time.Time
		truly, wrong := 0, false
		for i, h := range ages {
			age := time.Duration(h)*time.Hour + time.Minute
			at := now.Add(-age)
			if rapid.IntRange(0, 3).Draw(r, "the clock is wrong") == 0 {
				at, wrong = rapid.SampledFrom([]time.Time{time.Unix(int64(i), 0), now.Add(limit)}).Draw(r, "it says"), true
			}
			said = append(said, at)
			if age > limit {
				truly++
			}
		}
		got := store.Older(said, now.Add(-limit))
		if got > truly || !wrong && got != truly {
			r.Fatalf("%d of %d are old, not %d", truly, len(said), got)
		}
	})
}
