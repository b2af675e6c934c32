package node

import (
	"sync"
	"time"
)

// What is done for candidates that run dry: a program that gave up at once may well take a thousand times as many steps when it is right.
// Most that run dry never end, though. So the steps that are given first are few; all those that run dry get more, in a share of the time or when
// nothing else is left to do; and those that run dry again get the most if they are among the first, which are the likeliest, or if there is
// time for them. Once something passes, the share of the time is all that they get, and those that have run dry twice get nothing: hardly any ever ends.
const (
	lateFactor = 40               // times as many steps at last
	lateTime   = 4                // times as much time, should they not come to their steps
	mostBusy   = 12 * time.Second // of all that get more, on all processors, once nothing else is left to do
	surely     = 8                // are given the most
)

// lateShares are the parts of the time that they get, by turn: a fifth and a twentieth.
var lateShares = [...]time.Duration{5, 20}

// late are candidates that have run dry, in the order in which they did.
type late struct {
	mu    sync.Mutex
	began time.Time
	most  time.Duration // that one may take at last
	sated bool          // something has passed
	turns [len(lateShares)]struct {
		queue backlog
		taken int
		busy  time.Duration // that they have taken, on all processors, and that those under way are expected to take
	}
}

// enough notes that something has passed.
func (l *late) enough() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sated = true
}

// put takes a candidate up, to be tried once more. It is false for one that had its chances.
func (l *late) put(it *item) bool {
	if it.late == len(l.turns) {
		return false
	}
	l.turns[it.late].queue.put(it)
	it.late++
	return true
}

// take is the next, and whether there is time for it; nil when there is none.
func (l *late) take() (it *item, may bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.turns {
		t := &l.turns[i]
		it := t.queue.take()
		if it == nil {
			continue
		}
		t.taken++
		may := l.due(i, it)
		switch {
		case l.sated:
			may = may && i == 0
		case i == 0:
			may = t.busy < mostBusy
		default:
			may = may || t.taken <= surely
		}
		if may {
			l.reserve(i, it)
		}
		return it, may
	}
	return nil, false
}

// next is the next, if their share of the time is enough for it.
func (l *late) next() *item {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.turns {
		t := &l.turns[i]
		if it := t.queue.first(); it != nil && l.due(i, it) && (i == 0 || !l.sated) {
			t.queue.take()
			t.taken++
			l.reserve(i, it)
			return it
		}
	}
	return nil
}

// due reports whether a turn's share of the time is enough for a candidate, too. The lock is held.
func (l *late) due(turn int, it *item) bool {
	return (l.turns[turn].busy+l.expected(turn, it))*lateShares[turn] <= time.Since(l.began)
}

// expected is what a candidate will take. One that has run dry twice takes seconds at last, which would be the first seconds of the search on
// every processor, if it were only counted afterwards. The lock is held.
func (l *late) expected(turn int, it *item) time.Duration {
	if turn == 0 {
		return 0 // nobody has measured it by itself, and it takes some milliseconds
	}
	return min(it.took*lateFactor, l.most)
}

// reserve counts what a candidate will take, until that is known. The lock is held.
func (l *late) reserve(turn int, it *item) {
	it.reserved = l.expected(turn, it)
	l.turns[turn].busy += it.reserved
}

// spent notes what one of them took.
func (l *late) spent(it *item, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turns[it.late-1].busy += d - it.reserved
	it.took, it.reserved = d, 0
}
