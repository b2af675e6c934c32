package search

import (
	"fmt"
	"slices"
	"sync"
)

// slips are the ideas that failed at some place: a search goes on without them, and says so.
type slips struct {
	mu  sync.Mutex
	all []string
}

// ask has a template propose what it has for the site. One that panics is left out there.
func (s *site) ask(t *template, try func(change)) {
	s.carefully(t, func() { t.propose(s, try) })
}

// carefully does what an idea needs at a site. If that panics it goes on without the idea there, and keeps in mind that it did.
func (s *site) carefully(t *template, do func()) {
	defer func() {
		if r := recover(); r != nil {
			s.unit.slips.add(fmt.Sprintf("the idea %s failed at %s:%d and was left out there, which is a fault of fettle: %v", t.name, s.File.Path, s.Line(), r))
		}
	}()
	do()
}

func (s *slips) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.all, text) {
		s.all = append(s.all, text)
	}
}

// tell tells the first of them.
func (s *slips) tell(note func(string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if note != nil && len(s.all) > 0 {
		note(s.all[0])
	}
}
