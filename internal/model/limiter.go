package model

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// limiter lets calls to one provider through, in the order in which they come: no more at a time than may run, no more in a minute than the account allows, and none while the
// provider has asked to wait.
type limiter struct {
	clock            Clock
	slots            *semaphore.Weighted
	turn             *semaphore.Weighted // whoever holds it is next
	requests, tokens int                 // a minute; zero: as many as come

	mu     sync.Mutex
	paused time.Time // until then the provider wants no calls
	past   []passed  // of the last minute
}

type passed struct {
	at     time.Time
	tokens int
}

const defaultParallel = 8

func newLimiter(s Service, clock Clock) *limiter {
	n := s.Parallel
	if n == 0 {
		n = defaultParallel
	}
	return &limiter{clock: clock, slots: semaphore.NewWeighted(int64(n)), turn: semaphore.NewWeighted(1), requests: s.RequestsPerMinute, tokens: s.TokensPerMinute}
}

// enter waits for leave to call. When it has returned without an error, leave is called once.
func (l *limiter) enter(ctx context.Context, tokens int) error {
	if err := l.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer l.turn.Release(1)
	if err := l.slots.Acquire(ctx, 1); err != nil {
		return err
	}
	for {
		wait := l.wait(tokens)
		if wait <= 0 {
			return nil
		}
		if err := l.clock.Sleep(ctx, wait); err != nil {
			l.slots.Release(1)
			return err
		}
	}
}

func (l *limiter) leave() { l.slots.Release(1) }

// wait is how long the next call has to; zero: it is written down as made.
func (l *limiter) wait(tokens int) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.Now()
	if d := l.paused.Sub(now); d > 0 {
		return d
	}
	if l.requests == 0 && l.tokens == 0 {
		return 0
	}
	for len(l.past) > 0 && now.Sub(l.past[0].at) >= time.Minute {
		l.past = l.past[1:]
	}
	sum := tokens
	for _, p := range l.past {
		sum += p.tokens
	}
	// A call that alone is more than a minute's tokens goes when nothing else has gone: the provider may have the last word.
	if len(l.past) > 0 && (l.requests > 0 && len(l.past) >= l.requests || l.tokens > 0 && sum > l.tokens) {
		return time.Minute - now.Sub(l.past[0].at)
	}
	l.past = append(l.past, passed{now, tokens})
	return 0
}

// pause keeps all calls back for a time that the provider has asked for.
func (l *limiter) pause(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until := l.clock.Now().Add(d); until.After(l.paused) {
		l.paused = until
	}
}
