package runner

import (
	"cmp"
	"sync"
	"time"
)

// Share is a part of the workers' time: for what takes as long as hundreds of other things, while there are others. What is under way counts with
// what it will take, as far as that is known, so that all workers do not begin such things at once. Many may use it at once.
type Share struct {
	workers float64
	part    float64
	began   time.Time

	mu       sync.Mutex
	guessed  int           // under way, of which nobody said what they will take
	reserved time.Duration // for the others under way
	ended    int           // that were done
	spent    time.Duration // on these, by all workers
}

// UsualShare is the part of the workers' time that such things usually get while there are others.
const UsualShare = 0.25

// NewShare is this part of the time of so many workers, which begins now.
func NewShare(workers int, part float64) *Share {
	return &Share{workers: float64(workers), part: part, began: time.Now()}
}

// Turn begins the first of these things, as many as the share is enough for, and tells how many these are. Each is given by what it is expected to
// take; zero stands for what those before it took on the average. While none has ended, nobody knows that, and the first ones are waited for.
// Whoever began them calls end with how many were done.
func (s *Share) Turn(expected ...time.Duration) (n int, end func(done int)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n = s.room(expected)
	return n, s.begin(expected[:n])
}

// Take begins these things whatever the share.
func (s *Share) Take(expected ...time.Duration) (end func(done int)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begin(expected)
}

// Used is the time that was spent, and that what is under way is expected to take.
func (s *Share) Used() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used()
}

// room is for how many of these the share is enough. The lock is held.
func (s *Share) room(expected []time.Duration) int {
	left := time.Duration(s.part*s.workers*float64(time.Since(s.began))) - s.used()
	for n, e := range expected {
		if e == 0 && s.ended == 0 {
			if s.guessed > 0 {
				return n
			}
			continue
		}
		if left -= cmp.Or(e, s.average()); left < 0 {
			return n
		}
	}
	return len(expected)
}

// used is what Used gives. The lock is held.
func (s *Share) used() time.Duration {
	return s.spent + s.reserved + time.Duration(s.guessed)*s.average()
}

// average is what one took; zero while nobody knows. The lock is held.
func (s *Share) average() time.Duration {
	if s.ended == 0 {
		return 0
	}
	return max(1, s.spent/time.Duration(s.ended))
}

// begin counts these as under way. The lock is held.
func (s *Share) begin(expected []time.Duration) (end func(done int)) {
	guessed, reserved := 0, time.Duration(0)
	for _, e := range expected {
		if reserved += e; e == 0 {
			guessed++
		}
	}
	s.guessed += guessed
	s.reserved += reserved
	began := time.Now()
	return func(done int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.guessed -= guessed
		s.reserved -= reserved
		if done > 0 {
			s.ended += done
			s.spent += time.Since(began)
		}
	}
}
