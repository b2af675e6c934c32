package model

import (
	"sync"
	"time"
)

const (
	trips = 5                // failures in a row that open a breaker
	rests = 30 * time.Second // how long it stays open
)

// breaker keeps calls from a provider that does not answer. After a while it lets one through; what becomes of that decides about the others.
type breaker struct {
	clock Clock

	mu      sync.Mutex
	failed  int // in a row
	opened  time.Time
	probing bool
}

// allow says whether a call may be made now. If so, report is to be called once with what became of it.
func (b *breaker) allow() (report func(outcome), ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed < trips {
		return b.report, true
	}
	if b.probing || b.clock.Now().Sub(b.opened) < rests {
		return nil, false
	}
	b.probing = true
	return b.reportProbe, true
}

// outcome is what a call says of its provider's health.
type outcome int

const (
	healthy outcome = iota
	sick
	unknown // it was not asked, or nobody waited for the answer
)

// reportProbe ends the probe, which no other call does: others may have begun before it, and end while it is under way.
func (b *breaker) reportProbe(o outcome) {
	b.report(o)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.probing = false
}

func (b *breaker) report(o outcome) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch o {
	case healthy:
		b.failed = 0
	case sick:
		b.failed++
		if b.failed >= trips {
			b.opened = b.clock.Now()
		}
	case unknown:
	}
}
