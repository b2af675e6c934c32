package node

import (
	"slices"
	"testing"
	"time"
)

// What takes seconds may not stand in the way of candidates that take none, on however many processors.
func TestLateReserves(t *testing.T) {
	const once = 50 * time.Millisecond // took those that ran dry twice
	for name, c := range map[string]struct {
		age   time.Duration // of the search
		most  time.Duration
		given int // of three, when each processor asks before any has ended
	}{
		"at the beginning":           {age: time.Second, most: time.Minute},
		"when there is time for one": {age: 20 * lateFactor * once, most: time.Minute, given: 1},
		"for two":                    {age: 40 * lateFactor * once, most: time.Minute, given: 2},
		"when the most is little":    {age: 40 * time.Second, most: time.Second, given: 2},
	} {
		t.Run(name, func(t *testing.T) {
			l := late{began: time.Now().Add(-c.age), most: c.most}
			for range 3 {
				it := &item{late: 1, took: once}
				if !l.put(it) {
					t.Fatal("it had its chances")
				}
			}
			given := 0
			for l.next() != nil {
				given++
			}
			if given != c.given {
				t.Errorf("%d are tried, not %d", given, c.given)
			}
		})
	}
}

// When nothing else is left to do, nobody waits for them, and what was reserved is settled.
func TestLateWithNothingElse(t *testing.T) {
	l := late{began: time.Now(), most: time.Minute}
	it := &item{late: 1, took: time.Second}
	l.put(it)
	got, may := l.take()
	if got != it || !may {
		t.Fatalf("%v, %v", got, may)
	}
	if busy := l.turns[1].busy; busy != lateFactor*time.Second {
		t.Errorf("%v are reserved", busy)
	}
	l.spent(it, 3*time.Second)
	if busy := l.turns[1].busy; busy != 3*time.Second {
		t.Errorf("%v are counted in the end", busy)
	}
}

// Once something passes, nobody waits for those that have run dry twice, and those that have once get no more than their share.
func TestLateAfterOnePasses(t *testing.T) {
	l := late{began: time.Now().Add(-time.Hour), most: time.Minute}
	for n := range 4 {
		l.put(&item{late: n % 2, took: time.Second})
	}
	l.enough()
	var may []bool
	for it := l.next(); it != nil; it = l.next() {
		may = append(may, it.late == 1)
	}
	if !slices.Equal(may, []bool{true, true}) {
		t.Errorf("in their turn are %v", may)
	}
	l.put(&item{})
	l.turns[0].busy = time.Hour
	for range 3 {
		if it, may := l.take(); it == nil || may {
			t.Errorf("%v is tried", it)
		}
	}
	if it, _ := l.take(); it != nil {
		t.Error("there is one more")
	}
}
