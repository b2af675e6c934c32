package runner_test

import (
	"testing"
	"testing/synctest"
	"time"

	"fettle/internal/runner"
)

// Two workers give a quarter of their time: half a second each second.
func TestBacklog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		b := runner.NewBacklog[int](2, 0.25)
		turn := func(most, want int) func() {
			t.Helper()
			some, end := b.InTurn(most)
			if len(some) != want {
				t.Fatalf("after %v it is the turn of %v, not of %d", time.Since(began), some, want)
			}
			return end
		}
		turn(1, 0)() // nothing is there
		b.Put(1, 2, 3, 4, 5, 6, 7, 8)

		first := turn(1, 1)
		turn(1, 0)() // nobody knows how long one takes
		time.Sleep(time.Second)
		first()
		turn(1, 0)() // it took a second, and half a second is due
		time.Sleep(3*time.Second - time.Nanosecond)
		turn(1, 0)()
		time.Sleep(time.Nanosecond)
		second := turn(4, 1)
		turn(1, 0)() // what is under way counts
		second()     // in no time, so that one takes half a second
		turn(4, 2)()
		time.Sleep(10 * time.Second)
		turn(9, 4)()
		if b.Taken() != 8 || b.Left() {
			t.Errorf("%d were taken out", b.Taken())
		}
	})
}

func TestBacklogAfterwards(t *testing.T) {
	b := runner.NewBacklog[int](1, 0)
	b.Put(1, 2, 3)
	if some, end := b.Next(2); len(some) != 2 || some[0] != 1 || some[1] != 2 {
		t.Errorf("got %v", some)
	} else {
		end()
	}
	if b.Due() {
		t.Error("it is the turn of those that have no share")
	}
	if c, ok := b.Drop(); c != 3 || !ok {
		t.Errorf("dropped %d", c)
	}
	if c, ok := b.Drop(); ok {
		t.Errorf("dropped %d of none", c)
	}
}
