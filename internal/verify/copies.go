package verify

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
)

// copies are the private copies of a laboratory that nobody uses at the moment: opening and closing one takes as long as a
// small check, so one of each kind is kept for the next who asks, and copies are closed while other work goes on.
type copies struct {
	mu      sync.Mutex
	idle    map[bool]Copy // by whether it is online
	closing sync.WaitGroup
}

// take takes out the idle copy of a kind, and puts c, if there is one, in its place.
func (cs *copies) take(online bool, c Copy) Copy {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	idle := cs.idle[online]
	if cs.idle == nil {
		cs.idle = map[bool]Copy{}
	}
	cs.idle[online] = c
	return idle
}

// Borrow hands out a copy of the tree as it is now, until release is called: an online one for the user's own checks, or one
// for candidates.
func (l *Lab) Borrow(ctx context.Context, online bool) (c Copy, release func(), err error) {
	if c = l.copies.take(online, nil); c != nil {
		if err := c.Reset(ctx); err != nil { // one that cannot be taken back to the baseline is not used again
			slog.Debug("a private copy could not be reset", "err", err)
			l.close(c)
			c = nil
		}
	}
	if c == nil {
		if c, err = l.Open(ctx, online); err != nil {
			return nil, nil, fmt.Errorf("open a private copy: %w", err)
		}
	}
	// It is kept as it was left: many are never asked for again.
	return c, func() { l.close(l.copies.take(online, c)) }, nil
}

// close closes a copy, if there is one, while other work goes on.
func (l *Lab) close(c Copy) {
	if c == nil {
		return
	}
	l.copies.closing.Go(func() {
		if err := c.Close(); err != nil {
			slog.Debug("a private copy could not be closed", "err", err)
		}
	})
}

// Settle gives up the copies that are kept, and whatever still runs in them. Whoever is about to wait for a person calls it.
func (l *Lab) Settle() {
	for _, online := range []bool{true, false} {
		l.close(l.copies.take(online, nil))
	}
}

// Close gives up every copy and waits until they are gone. The laboratory can be used again afterwards.
func (l *Lab) Close() {
	l.Settle()
	l.copies.closing.Wait()
}
