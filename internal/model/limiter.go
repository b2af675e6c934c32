package model

import (
	"context"
	"strconv"
	"time"

	"golang.org/x/sync/semaphore"
)

// limiter lets calls to one provider through, in the order in which they come: no more at a time than may run, no more in a minute than the account allows, and none while the
// provider has asked to wait.
type limiter struct {
	clock            Clock
	board            *board
	parallel         int
	slots            *semaphore.Weighted // of this process
	turn             *semaphore.Weighted // whoever holds it is next
	requests, tokens int                 // a minute; zero: as many as come
}

const (
	defaultParallel = 8
	looksAgain      = 20 * time.Millisecond // whether another process has made room
)

func newLimiter(s Service, b *board) *limiter {
	n := s.Parallel
	if n == 0 {
		n = defaultParallel
	}
	return &limiter{clock: b.clock, board: b, parallel: n, slots: semaphore.NewWeighted(int64(n)), turn: semaphore.NewWeighted(1), requests: s.RequestsPerMinute, tokens: s.TokensPerMinute}
}

// enter waits for leave to call. When it has returned without an error, leave is called once.
func (l *limiter) enter(ctx context.Context, tokens int) (leave func(), err error) {
	if err := l.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer l.turn.Release(1)
	leave, err = l.slot(ctx)
	if err != nil {
		return nil, err
	}
	for {
		wait := l.wait(tokens)
		if wait <= 0 {
			return leave, nil
		}
		if err := l.clock.Sleep(ctx, wait); err != nil {
			leave()
			return nil, err
		}
	}
}

// slot waits until less calls run than may, here and in other processes.
func (l *limiter) slot(ctx context.Context) (leave func(), err error) {
	if err := l.slots.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	for {
		for i := range l.parallel {
			if release, ok := l.board.try(strconv.Itoa(i)); ok {
				return func() {
					release()
					l.slots.Release(1)
				}, nil
			}
		}
		if err := l.clock.Sleep(ctx, looksAgain); err != nil {
			l.slots.Release(1)
			return nil, err
		}
	}
}

// wait is how long the next call has to; zero: it is written down as made.
func (l *limiter) wait(tokens int) (d time.Duration) {
	l.board.with(func(now time.Time, t *tally) {
		if d = t.Paused.Sub(now); d > 0 {
			return
		}
		d = 0
		if l.requests == 0 && l.tokens == 0 {
			return
		}
		calls, sum := 0, tokens
		for _, p := range t.Past {
			calls, sum = calls+p.Calls, sum+p.Tokens
		}
		// A call that alone is more than a minute's tokens goes when nothing else has gone: the provider may have the last word.
		if calls > 0 && (l.requests > 0 && calls >= l.requests || l.tokens > 0 && sum > l.tokens) {
			d = time.Minute - now.Sub(t.Past[0].Last)
			return
		}
		t.pass(now, tokens)
	})
	return d
}

// pause keeps all calls back for a time that the provider has asked for.
func (l *limiter) pause(d time.Duration) {
	l.board.with(func(now time.Time, t *tally) {
		if until := now.Add(d); until.After(t.Paused) {
			t.Paused = until
		}
	})
}
