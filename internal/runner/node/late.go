package node

import (
	"sync"
	"time"
)

// What is done for candidates that run dry: a program that gave up at once may well take a thousand times as many steps when it is right.
// Most that run dry never end, though, so they get more steps only in what time is left over, or a share of it, and not many do.
const (
	lateFactor = 16 // times as many steps
	lateTime   = 4  // times as much time, should they not come to their steps
	lateShare  = 5  // a fifth of the time
	mostLate   = 64
	mostBusy   = 12 * time.Second // of all of them, on all processors, once nothing else is left to do
)

// late are candidates that have run dry, in the order in which they did.
type late struct {
	queue backlog

	mu    sync.Mutex
	took  int           // so many in all
	busy  time.Duration // that they have taken, on all processors
	began time.Time     // of the first
}

// put takes a candidate up, to be tried once more. It is false for one that had its chance, and when there are too many.
func (l *late) put(it *item) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if it.late || l.took == mostLate {
		return false
	}
	if l.took++; l.took == 1 {
		l.began = time.Now()
	}
	it.late = true
	l.queue.put(it)
	return true
}

// take is the next, and whether there is time for it; nil when there is none.
func (l *late) take() (it *item, may bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.queue.take(), l.busy < mostBusy
}

// due is the next, if their share of the time is not used up.
func (l *late) due() *item {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy*lateShare > time.Since(l.began) {
		return nil
	}
	return l.queue.take()
}

// spent notes what one of them took.
func (l *late) spent(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.busy += d
}
