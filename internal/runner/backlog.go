package runner

import (
	"sync"
	"time"
)

// Backlog holds candidates each of which takes as long as hundreds of others: those that cannot be tried in the fast way, or run far longer than the
// baseline. They get a part of the time while there are others, and all of it afterwards. Many may use it at once.
type Backlog[C any] struct {
	workers float64
	share   float64
	began   time.Time

	mu      sync.Mutex
	waiting []C
	taken   int           // out of it
	spent   time.Duration // by all workers
}

// BacklogShare is the part of the workers' time that such candidates usually get while there are others.
const BacklogShare = 0.25

// NewBacklog is an empty one, for so many workers, whose time begins now, and the part of it that these candidates get.
func NewBacklog[C any](workers int, share float64) *Backlog[C] {
	return &Backlog[C]{workers: float64(workers), share: share, began: time.Now()}
}

// Put adds candidates, to be tried after those that are there.
func (b *Backlog[C]) Put(c ...C) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = append(b.waiting, c...)
}

// Turn reports whether it is the turn of such candidates, although there are others.
func (b *Backlog[C]) Turn() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return float64(b.spent) <= b.share*float64(time.Since(b.began))*b.workers
}

// Left reports whether any is left.
func (b *Backlog[C]) Left() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.waiting) > 0
}

// Taken is how many were taken out.
func (b *Backlog[C]) Taken() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.taken
}

// Take takes the next one out, if there is any.
func (b *Backlog[C]) Take() (c C, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) == 0 {
		return c, false
	}
	c = b.waiting[0]
	b.waiting = b.waiting[1:]
	b.taken++
	return c, true
}

// Took counts the time that a worker spent on one.
func (b *Backlog[C]) Took(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent += d
}
