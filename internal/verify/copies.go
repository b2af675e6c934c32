package verify

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
)

// copies are the private copies of a laboratory that nobody uses at the moment: opening and closing one takes as long as a
// small check, so a few of each kind are kept for the next who asks, and copies are closed while other work goes on.
type copies struct {
	mu      sync.Mutex
	idle    map[bool][]Copy // by whether they are online
	closing sync.WaitGroup
}

// maxIdle is how many copies of a kind are kept.
const maxIdle = 4

// take takes out an idle copy of a kind; nil when there is none.
func (cs *copies) take(online bool) Copy {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	n := len(cs.idle[online])
	if n == 0 {
		return nil
	}
	c := cs.idle[online][n-1]
	cs.idle[online] = cs.idle[online][:n-1]
	return c
}

// keep keeps a copy that is not needed now, unless there are enough.
func (cs *copies) keep(online bool, c Copy) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if len(cs.idle[online]) >= maxIdle {
		return false
	}
	if cs.idle == nil {
		cs.idle = map[bool][]Copy{}
	}
	cs.idle[online] = append(cs.idle[online], c)
	return true
}

// Borrow hands out a copy of the tree as it is now, until release is called: an online one for the user's own checks, or one
// for candidates.
func (l *Lab) Borrow(ctx context.Context, online bool) (c Copy, release func(), err error) {
	if c = l.copies.take(online); c != nil {
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
	return c, func() {
		if !l.copies.keep(online, c) {
			l.close(c)
		}
	}, nil
}

// close closes a copy while other work goes on.
func (l *Lab) close(c Copy) {
	l.copies.closing.Go(func() {
		if err := c.Close(); err != nil {
			slog.Debug("a private copy could not be closed", "err", err)
		}
	})
}

// Settle gives up the copies that are kept, and whatever still runs in them. Whoever is about to wait for a person calls it.
func (l *Lab) Settle() {
	for _, online := range []bool{true, false} {
		for c := l.copies.take(online); c != nil; c = l.copies.take(online) {
			l.close(c)
		}
	}
}

// Close gives up every copy and waits until they are gone. The laboratory can be used again afterwards.
func (l *Lab) Close() {
	l.Settle()
	l.copies.closing.Wait()
}
