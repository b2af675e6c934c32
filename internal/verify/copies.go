package verify

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
)

// copies are the private copies of a laboratory that nobody uses at the moment: opening and closing one takes as long as a
// small check, so one candidate's copy is kept for the next, and copies are closed while other work goes on.
type copies struct {
	mu      sync.Mutex
	idle    Copy
	closing sync.WaitGroup
}

// Borrow hands out a candidate's copy at the baseline, until release is called.
func (l *Lab) Borrow(ctx context.Context) (c Copy, release func(), err error) {
	l.copies.mu.Lock()
	c, l.copies.idle = l.copies.idle, nil
	l.copies.mu.Unlock()
	if c != nil {
		if err := c.Reset(ctx); err != nil { // one that cannot be taken back to the baseline is not used again
			slog.Debug("a private copy could not be reset", "err", err)
			l.close(c)
			c = nil
		}
	}
	if c == nil {
		if c, err = l.Open(ctx, false); err != nil {
			return nil, nil, fmt.Errorf("open a private copy: %w", err)
		}
	}
	return c, func() { l.giveBack(c) }, nil
}

// giveBack keeps a copy for the next one who asks, as it was left: many are never asked for again.
func (l *Lab) giveBack(c Copy) {
	l.copies.mu.Lock()
	if l.copies.idle == nil {
		l.copies.idle, c = c, nil
	}
	l.copies.mu.Unlock()
	if c != nil {
		l.close(c)
	}
}

// close closes a copy while other work goes on.
func (l *Lab) close(c Copy) {
	l.copies.closing.Go(func() {
		if err := c.Close(); err != nil {
			slog.Debug("a private copy could not be closed", "err", err)
		}
	})
}

// Settle gives up the copy that is kept. Whoever is about to change the user's tree calls it: copies show the tree as it was
// when they were opened.
func (l *Lab) Settle() {
	l.copies.mu.Lock()
	c := l.copies.idle
	l.copies.idle = nil
	l.copies.mu.Unlock()
	if c != nil {
		l.close(c)
	}
}

// Close gives up every copy and waits until they are gone. The laboratory can be used again afterwards.
func (l *Lab) Close() {
	l.Settle()
	l.copies.closing.Wait()
}
