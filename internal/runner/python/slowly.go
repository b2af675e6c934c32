package python

import (
	"sync"
	"time"
)

// slowly holds candidates for which modules have to be imported again, and those that run far longer than the baseline, which may be what it takes
// where that fails early. Each takes as long as hundreds of others, so they get a part of the time while there are others, and all of it afterwards.
type slowly struct {
	mu      sync.Mutex
	waiting []candidate
	began   time.Time
	spent   time.Duration // by all workers
}

// slowShare is the part of the workers' time that such candidates get while there are others.
const slowShare = 0.25

func newSlowly() *slowly { return &slowly{began: time.Now()} }

func (s *slowly) put(c candidate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, c)
}

// turn reports whether it is the turn of one of them.
func (s *slowly) turn() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting) > 0 && float64(s.spent) <= slowShare*float64(time.Since(s.began))*float64(workers())
}

func (s *slowly) left() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting) > 0
}

func (s *slowly) take() (candidate, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		return candidate{}, false
	}
	c := s.waiting[0]
	s.waiting = s.waiting[1:]
	return c, true
}

func (s *slowly) took(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spent += d
}
