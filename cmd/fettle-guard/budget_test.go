package main

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fettle/internal/guard/hook"
)

// TestBudget is what is refused for being late, and when.
func TestBudget(t *testing.T) {
	const mebi = 1 << 20
	working := func(share float64) func() time.Duration { // so much of each second
		began := time.Now()
		return func() time.Duration { return time.Duration(share * float64(time.Since(began))) }
	}
	for _, c := range []struct {
		what  string
		name  string // of the event, as far as it is known
		code  int
		event int // bytes; less than none: it never ends
		share float64
		grace time.Duration
		why   string
		after time.Duration
	}{
		{what: "it works", name: "PreToolUse", code: 2, share: 1, why: "judging this took more than 50ms of processor time: ask for less in one call, or in several calls", after: 50 * time.Millisecond},
		{what: "a long event may take longer", name: "PreToolUse", code: 2, event: 3*mebi + 1, share: 1, why: "judging this took more than 200ms of processor time: ask for less in one call, or in several calls", after: 200 * time.Millisecond},
		{what: "it waits for something", name: "PreToolUse", code: 2, share: 0.001, why: "judging this took more than 1s: try once more, the machine may be busy", after: time.Second},
		{what: "nothing is known yet", code: 2, share: 1, why: "judging this took more than 50ms of processor time: ask for less in one call, or in several calls", after: 50 * time.Millisecond},
		{what: "the end of a turn", name: "Stop", code: 1, share: 1, why: "judging this took more than 50ms of processor time: ask for less in one call, or in several calls", after: 50 * time.Millisecond},
		{what: "it waits for somebody who was promised more", name: "PreToolUse", code: 2, share: 0.001, grace: 20 * time.Second, why: "judging this took more than 21s: try once more, the machine may be busy", after: 21 * time.Second},
		{what: "no end of the event", code: 2, event: -1, share: 0.001, why: "the event did not end within 8s", after: 8 * time.Second},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := t.TempDir()
			looked := 0
			synctest.Test(t, func(t *testing.T) {
				m := &meter{in: strings.NewReader(strings.Repeat("x", max(c.event, 0)))}
				m.grace.Store(int64(c.grace))
				if c.event >= 0 {
					if _, err := io.Copy(io.Discard, m); err != nil {
						t.Fatal(err)
					}
				}
				began := time.Now()
				var said strings.Builder
				ended, share := -1, working(c.share)
				h := hook.Hook{Dir: dir}
				limit(m, func() time.Duration { looked++; return share() }, func(why error) int { return h.Refuse(&hook.Event{Name: c.name}, why, &said) }, func(code int) { ended = code })
				if !strings.Contains(said.String(), "refuses what it cannot judge: "+c.why+".") {
					t.Errorf("%q", said.String())
				}
				if ended != c.code {
					t.Errorf("exit code %d, want %d", ended, c.code)
				}
				if took := time.Since(began); took < c.after || took > c.after+20*time.Millisecond {
					t.Errorf("after %v", took)
				}
				if looked > 100 {
					t.Errorf("it looked %d times, which is work itself", looked)
				}
			})
		})
	}
}
