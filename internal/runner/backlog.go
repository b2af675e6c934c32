package runner

import (
	"sync"
	"time"
)

// Terms say when the candidates of a [Backlog] are tried. Once nothing else is left to do, they are waited for, within bounds; beyond these, they
// get no more than their part of the time.
type Terms[C any] struct {
	Part    float64                 // of the workers' time, while there are others
	Batch   int                     // how many are taken out at a time
	First   int                     // how many are waited for, which are the likeliest; zero: all
	Time    time.Duration           // how long they are waited for, on all workers together; zero: for as long as they take
	Passed  Patience                // … once a candidate has passed
	Expects func(c C) time.Duration // what one will take; nil: as long as those before it on the average
}

// Patience is how far candidates are waited for.
type Patience uint8

// The values of Patience.
const (
	Waited  Patience = iota // as before
	InShare                 // they get their part of the time, and no more
	Dropped                 // they are not tried any more
)

// Backlog holds candidates each of which takes as long as hundreds of others: those that cannot be tried in the fast way, or run far longer than the
// baseline. They get a share of the time while there are others, and are tried on their [Terms] afterwards. Many may use it at once.
type Backlog[C any] struct {
	*Share
	terms Terms[C]

	mu      sync.Mutex
	passed  bool
	waiting []C
	taken   int // out of it
}

// NewBacklog is an empty one, for so many workers, whose time begins now.
func NewBacklog[C any](workers int, terms Terms[C]) *Backlog[C] {
	return &Backlog[C]{Share: NewShare(workers, terms.Part), terms: terms}
}

// Lot is candidates that were taken out of a [Backlog].
type Lot[C any] struct {
	Candidates []C
	Dropped    bool   // they are not to be tried any more
	End        func() // to be called when they have been tried, or were not
}

// Put adds candidates, to be tried after those that are there.
func (b *Backlog[C]) Put(c ...C) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = append(b.waiting, c...)
}

// Left reports whether any is left.
func (b *Backlog[C]) Left() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.waiting) > 0
}

// Pass notes that a candidate has passed.
func (b *Backlog[C]) Pass() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.passed = true
}

// InTurn takes out those that are to be tried although there are others; not ok when there are none.
func (b *Backlog[C]) InTurn() (lot Lot[C], ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inTurn()
}

// Next takes out the next ones now that there are no others; not ok when none is left.
func (b *Backlog[C]) Next() (lot Lot[C], ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) == 0 {
		return lot, false
	}
	if n := b.waitedFor(); n > 0 {
		return b.take(n, b.Take(b.expected(n)...)), true
	}
	if lot, ok := b.inTurn(); ok {
		return lot, true
	}
	lot = b.take(1, func(int) {})
	lot.Dropped = true
	return lot, true
}

// waitedFor is how many of the next ones are waited for. The lock is held.
func (b *Backlog[C]) waitedFor() int {
	t := &b.terms
	switch {
	case b.passed && t.Passed != Waited, t.Time > 0 && b.Used() >= t.Time:
		return 0
	case t.First > 0:
		return max(0, min(b.batch(), t.First-b.taken))
	}
	return b.batch()
}

// inTurn is InTurn. The lock is held.
func (b *Backlog[C]) inTurn() (lot Lot[C], ok bool) {
	if b.passed && b.terms.Passed == Dropped {
		return lot, false
	}
	n, end := b.Turn(b.expected(b.batch())...)
	return b.take(n, end), n > 0
}

// batch is how many there are to be taken out at a time. The lock is held.
func (b *Backlog[C]) batch() int { return min(b.terms.Batch, len(b.waiting)) }

// expected is what each of the next ones will take. The lock is held.
func (b *Backlog[C]) expected(n int) []time.Duration {
	out := make([]time.Duration, n)
	if b.terms.Expects != nil {
		for i, c := range b.waiting[:n] {
			out[i] = b.terms.Expects(c)
		}
	}
	return out
}

// take takes so many out. The lock is held.
func (b *Backlog[C]) take(n int, end func(done int)) Lot[C] {
	lot := Lot[C]{Candidates: b.waiting[:n:n], End: func() { end(n) }}
	b.waiting = b.waiting[n:]
	b.taken += n
	return lot
}

// Backlogs are several of them, in the order in which it is their turn.
type Backlogs[C any] []*Backlog[C]

// NewBacklogs makes one for each of these terms.
func NewBacklogs[C any](workers int, terms ...Terms[C]) Backlogs[C] {
	all := make(Backlogs[C], len(terms))
	for i, t := range terms {
		all[i] = NewBacklog(workers, t)
	}
	return all
}

// Pass notes that a candidate has passed.
func (all Backlogs[C]) Pass() {
	for _, b := range all {
		b.Pass()
	}
}

// InTurn is [Backlog.InTurn] of the first one that has any.
func (all Backlogs[C]) InTurn() (Lot[C], bool) { return all.first((*Backlog[C]).InTurn) }

// Next is [Backlog.Next] of the first one that has any.
func (all Backlogs[C]) Next() (Lot[C], bool) { return all.first((*Backlog[C]).Next) }

func (all Backlogs[C]) first(take func(*Backlog[C]) (Lot[C], bool)) (lot Lot[C], ok bool) {
	for _, b := range all {
		if lot, ok = take(b); ok {
			break
		}
	}
	return lot, ok
}
