package model

import (
	"cmp"
	"time"
)

const (
	trips = 5                // failures in a row that open a breaker
	rests = 30 * time.Second // how long it stays open
)

// breaker keeps calls from a provider that does not answer. After a while it lets one through; what becomes of that decides about the others.
type breaker struct{ board *board }

// allow says whether a call may be made now. If so, report is to be called once with what became of it.
func (b breaker) allow() (report func(health), ok bool) {
	switch open, rested := b.state(); {
	case !open:
		return b.report, true
	case !rested:
		return nil, false
	}
	release, ok := b.board.try("probe")
	if !ok {
		return nil, false
	}
	if open, rested := b.state(); open && !rested { // another's probe has failed just now
		release()
		return nil, false
	}
	return func(h health) {
		b.report(h)
		release()
	}, true
}

// state says whether the breaker is open, and whether it has been so for long enough.
func (b breaker) state() (open, rested bool) {
	b.board.with(func(now time.Time, t *tally) {
		open, rested = t.Failed >= trips, now.Sub(t.Since) >= rests
	})
	return open, rested
}

// outcome is what a call says of its provider's health.
type outcome int

const (
	healthy outcome = iota
	sick
	unknown // it was not asked, or nobody waited for the answer
)

// health is what a call says of it, and in which words, if it is sick.
type health struct {
	outcome
	why string
}

func (b breaker) report(h health) {
	if h.outcome == unknown {
		return
	}
	b.board.with(func(now time.Time, t *tally) {
		if h.outcome == healthy {
			t.Failed, t.Since, t.Why = 0, time.Time{}, ""
		} else {
			t.Failed, t.Since, t.Why = t.Failed+1, now, h.why
		}
	})
}

// why is what the last failure came to.
func (b breaker) why() (why string) {
	b.board.with(func(_ time.Time, t *tally) { why = t.Why })
	return cmp.Or(why, "nobody has said why")
}
