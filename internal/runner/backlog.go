package runner

import "sync"

// Backlog holds candidates each of which takes as long as hundreds of others: those that cannot be tried in the fast way, or run far longer than the
// baseline. They get a share of the time while there are others, and all of it afterwards. Many may use it at once.
type Backlog[C any] struct {
	*Share

	mu      sync.Mutex
	waiting []C
	taken   int // out of it
}

// NewBacklog is an empty one, for so many workers, whose time begins now, and the part of it that these candidates get.
func NewBacklog[C any](workers int, part float64) *Backlog[C] {
	return &Backlog[C]{Share: NewShare(workers, part)}
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

// Taken is how many were taken out.
func (b *Backlog[C]) Taken() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.taken
}

// InTurn takes up to so many out, as many as their share of the time is enough for although there are others. Once they have been tried, end is called.
func (b *Backlog[C]) InTurn(most int) (some []C, end func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, done := b.Turn(min(most, len(b.waiting)))
	return b.take(n), func() { done(n) }
}

// Next takes up to so many out, whatever their share. Once they have been tried, end is called.
func (b *Backlog[C]) Next(most int) (some []C, end func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := min(most, len(b.waiting))
	done := b.Take(n)
	return b.take(n), func() { done(n) }
}

// Drop takes the next one out, which is not to be tried any more.
func (b *Backlog[C]) Drop() (c C, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) == 0 {
		return c, false
	}
	return b.take(1)[0], true
}

// take takes so many out. The lock is held.
func (b *Backlog[C]) take(n int) []C {
	some := b.waiting[:n:n]
	b.waiting = b.waiting[n:]
	b.taken += n
	return some
}
