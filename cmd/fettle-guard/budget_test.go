package main

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestBudget is what is refused for being late, and when.
func TestBudget(t *testing.T) {
	const mega = 1 << 20
	working := func(share float64) func() time.Duration { // so much of each second
		began := time.Now()
		return func() time.Duration { return time.Duration(share * float64(time.Since(began))) }
	}
	for _, c := range []struct {
		name  string
		event int // bytes; less than none: it never ends
		share float64
		grace time.Duration
		why   string
		after time.Duration
	}{
		{name: "it works", share: 1, why: "judging this took more than 50ms of processor time: ask for less in one call, or in several calls", after: 50 * time.Millisecond},
		{name: "a long event may take longer", event: 3*mega + 1, share: 1, why: "judging this took more than 200ms of processor time: ask for less in one call, or in several calls", after: 200 * time.Millisecond},
		{name: "it waits for something", share: 0.001, why: "judging this took more than 1s: try once more, the machine may be busy", after: time.Second},
		{name: "it waits for somebody who was promised more", share: 0.001, grace: 20 * time.Second, why: "judging this took more than 21s: try once more, the machine may be busy", after: 21 * time.Second},
		{name: "no end of the event", event: -1, share: 0.001, why: "the event did not end within 8s", after: 8 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &meter{in: strings.NewReader(strings.Repeat("x", max(c.event, 0)))}
				m.grace.Store(int64(c.grace))
				if c.event >= 0 {
					if _, err := io.Copy(io.Discard, m); err != nil {
						t.Fatal(err)
					}
				}
				began := time.Now()
				if why := watch(m, working(c.share)); why != c.why {
					t.Errorf("%q", why)
				}
				if took := time.Since(began); took < c.after || took > c.after+20*time.Millisecond {
					t.Errorf("after %v", took)
				}
			})
		})
	}
}
