package runner

import (
	"sync"
	"time"
)

// Share is a part of the workers' time: for what takes as long as hundreds of other things, while there are others. What is begun counts with what it
// will take, as far as that is known, so that all workers do not begin such things at once. Many may use it at once.
type Share struct {
	workers float64
	part    float64
	began   time.Time

	mu    sync.Mutex
	under int           // way
	ended int           // that were done
	spent time.Duration // on these, by all workers
}

// UsualShare is the part of the workers' time that such things usually get while there are others.
const UsualShare = 0.25

// NewShare is this part of the time of so many workers, which begins now.
func NewShare(workers int, part float64) *Share {
	return &Share{workers: float64(workers), part: part, began: time.Now()}
}

// Turn begins as many things, up to most, as the share is enough for, were each to take what those before took on the average. While none has ended,
// nobody knows that, and the first ones are waited for. Whoever began them calls end with how many were done.
func (s *Share) Turn(most int) (n int, end func(done int)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n = s.room(most)
	return n, s.begin(n)
}

// Due reports whether the share is enough for one.
func (s *Share) Due() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.room(1) > 0
}

// Take begins so many things whatever the share.
func (s *Share) Take(n int) (end func(done int)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begin(n)
}

// room is for how many, up to most, the share is enough. The lock is held.
func (s *Share) room(most int) int {
	switch {
	case s.ended > 0:
		return max(0, min(most, int((s.due()-s.spent)/s.each())-s.under))
	case s.under > 0:
		return 0
	}
	return most
}

// due is the time that the share has come to. The lock is held.
func (s *Share) due() time.Duration {
	return time.Duration(s.part * float64(time.Since(s.began)) * s.workers)
}

// each is what one takes. The lock is held.
func (s *Share) each() time.Duration { return max(1, s.spent/time.Duration(s.ended)) }

// begin counts so many as under way. The lock is held.
func (s *Share) begin(n int) (end func(done int)) {
	s.under += n
	began := time.Now()
	return func(done int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.under -= n
		if done > 0 {
			s.ended += done
			s.spent += time.Since(began)
		}
	}
}
