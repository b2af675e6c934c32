package runner_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fettle/internal/runner"
)

// Two workers give a quarter of their time: half a second each second.
func TestInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		b := runner.NewBacklog(2, runner.Terms[int]{Part: 0.25, Batch: 4})
		turn := func(want ...int) func() {
			t.Helper()
			lot, ok := b.InTurn()
			if ok != (len(want) > 0) || !slices.Equal(lot.Candidates, want) {
				t.Fatalf("after %v it is the turn of %v, not of %v", time.Since(began), lot.Candidates, want)
			}
			return lot.End
		}
		turn() // nothing is there
		b.Put(1)

		first := turn(1)
		b.Put(2, 3, 4, 5, 6, 7, 8)
		turn() // nobody knows how long one takes
		time.Sleep(time.Second)
		first()
		turn() // it took a second, and half a second is due
		time.Sleep(3*time.Second - time.Nanosecond)
		turn()
		time.Sleep(time.Nanosecond)
		second := turn(2)
		turn()   // what is under way counts
		second() // in no time, so that one takes half a second
		turn(3, 4)()
		time.Sleep(10 * time.Second)
		turn(5, 6, 7, 8)()
		if b.Left() {
			t.Error("one more is left")
		}
	})
}

// What one will take counts before it has begun: what takes seconds may not stand in the way of candidates that take none, on however many workers.
func TestExpected(t *testing.T) {
	for name, c := range map[string]struct {
		age   time.Duration // of the search
		given int           // of three, when each worker asks before any has ended
	}{
		"at the beginning":           {age: 39 * time.Second},
		"when there is time for one": {age: 40 * time.Second, given: 1},
		"for two":                    {age: 80 * time.Second, given: 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := runner.NewBacklog(1, runner.Terms[time.Duration]{Part: 0.05, Batch: 1, Expects: func(c time.Duration) time.Duration { return c }})
				b.Put(2*time.Second, 2*time.Second, 2*time.Second)
				time.Sleep(c.age)
				given := 0
				for _, ok := b.InTurn(); ok; _, ok = b.InTurn() {
					given++
				}
				if given != c.given {
					t.Errorf("%d are tried, not %d", given, c.given)
				}
			})
		})
	}
}

// When nothing else is left to do, what was expected gives way to what it took.
func TestSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := runner.NewBacklog(1, runner.Terms[int]{Batch: 1, Expects: func(int) time.Duration { return time.Minute }})
		b.Put(1)
		lot, ok := b.Next()
		if !ok || lot.Dropped || b.Used() != time.Minute {
			t.Errorf("%+v, %v; %v are used", lot, ok, b.Used())
		}
		time.Sleep(3 * time.Second)
		lot.End()
		if b.Used() != 3*time.Second {
			t.Errorf("%v are used in the end", b.Used())
		}
	})
}

// Each takes a second, and nothing else is left to do.
func TestNext(t *testing.T) {
	for name, c := range map[string]struct {
		terms  runner.Terms[int]
		age    time.Duration // of the search
		passed bool
		tried  int // of six
	}{
		"all are waited for":         {terms: runner.Terms[int]{Batch: 1}, tried: 6},
		"by several":                 {terms: runner.Terms[int]{Batch: 4}, tried: 6},
		"the first ones":             {terms: runner.Terms[int]{Batch: 1, First: 2}, tried: 2},
		"the first ones, by several": {terms: runner.Terms[int]{Batch: 4, First: 5}, tried: 5},
		"for some time":              {terms: runner.Terms[int]{Batch: 1, Time: 3 * time.Second}, tried: 3},
		"and their part of it":       {terms: runner.Terms[int]{Batch: 1, First: 2, Part: 0.1}, age: 50 * time.Second, tried: 5},

		"one has passed, and all are waited for": {terms: runner.Terms[int]{Batch: 1, Passed: runner.Waited}, passed: true, tried: 6},
		"… and they get their part":              {terms: runner.Terms[int]{Batch: 1, Part: 0.1, Passed: runner.InShare}, age: 40 * time.Second, passed: true, tried: 4},
		"… which none is left of":                {terms: runner.Terms[int]{Batch: 1, First: 5, Passed: runner.InShare}, passed: true, tried: 1}, // nobody knew how long it would take
		"… and none is tried":                    {terms: runner.Terms[int]{Batch: 1, First: 5, Part: 1, Passed: runner.Dropped}, age: time.Hour, passed: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				all := runner.NewBacklogs(1, c.terms)
				all[0].Put(1, 2, 3, 4, 5, 6)
				time.Sleep(c.age)
				if c.passed {
					all.Pass()
				}
				var tried, dropped []int
				for lot, ok := all.Next(); ok; lot, ok = all.Next() {
					if lot.Dropped {
						dropped = append(dropped, lot.Candidates...)
					} else {
						tried = append(tried, lot.Candidates...)
						time.Sleep(time.Duration(len(lot.Candidates)) * time.Second)
					}
					lot.End()
				}
				if len(tried) != c.tried || !slices.Equal(slices.Concat(tried, dropped), []int{1, 2, 3, 4, 5, 6}) {
					t.Errorf("%v are tried, and %v are not; %d were to be tried", tried, dropped, c.tried)
				}
			})
		})
	}
}

// Those of the first come first, and once it has none, or it is not their turn, those of the second.
func TestBacklogs(t *testing.T) {
	never := func(int) time.Duration { return time.Hour }
	all := runner.NewBacklogs(1, runner.Terms[int]{Batch: 1, Expects: never}, runner.Terms[int]{Batch: 1})
	all[1].Put(2, 3)
	all[0].Put(1)
	var got []int
	for _, take := range []func() (runner.Lot[int], bool){all.InTurn, all.Next, all.Next, all.Next} {
		if lot, ok := take(); ok {
			got = append(got, lot.Candidates...)
		}
	}
	if !slices.Equal(got, []int{2, 1, 3}) {
		t.Errorf("got %v", got)
	}
}
