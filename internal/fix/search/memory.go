package search

import (
	"slices"
	"sync"
	"time"

	"fettle/internal/edit"
	"fettle/internal/runner"
)

// memory keeps the tests that none of the candidates of a search healed, where every one was tried: asked about one by one, they
// would have the same candidates tried again. It may be used by many at once; nil remembers nothing.
type memory struct {
	mu   sync.Mutex
	vain []searched
	late []searched // whose time was over before anything was found that heals all
}

// searched is what a search was about.
type searched struct {
	check, suite string
	tests        []string
	files        map[string]edit.Hash // that could be changed, as they were
	runs         []runner.Run         // of these tests
}

// mostVain bounds how many searches are remembered, the latest.
const mostVain = 100

// asks is what the hunt is about.
func (h *hunt) asks(trace runner.Trace) searched {
	s := searched{check: h.task.Check.Name, suite: h.suite.Name(), tests: h.suite.Failing(), files: map[string]edit.Hash{}}
	for path, f := range h.unit.files {
		s.files[path] = h.unit.sum(f)
	}
	for _, r := range trace.Runs {
		if r.Failed {
			s.runs = append(s.runs, r)
		}
	}
	return s
}

func (m *memory) add(s searched) {
	if m != nil {
		m.keep(&m.vain, s)
	}
}

// addLate notes a search whose time was over before anything was found that heals all.
func (m *memory) addLate(s searched) {
	if m != nil {
		m.keep(&m.late, s)
	}
}

func (m *memory) keep(in *[]searched, s searched) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if *in = append(*in, s); len(*in) > mostVain {
		*in = slices.Delete(*in, 0, 1)
	}
}

// knows reports whether a search would be a part of one that was in vain.
func (m *memory) knows(s searched) bool {
	if m == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(m.vain, s.partOf)
}

// partOf reports whether a search is for some of the tests of another one, in some of its files.
func (s searched) partOf(other searched) bool {
	for path, sum := range s.files {
		if other.files[path] != sum {
			return false
		}
	}
	return s.check == other.check && s.suite == other.suite && !slices.ContainsFunc(s.tests, func(id string) bool { return !slices.Contains(other.tests, id) })
}

// mostHalved bounds how often the time of a search is halved.
const mostHalved = 2

// time is what a search gets of its time: half of it for each one before it that used up its own on the same sources, as they are, and found nothing that heals all. What other
// tests of one fault ask for is not there either, most often.
func (m *memory) time(s searched, whole time.Duration) time.Duration {
	if m == nil {
		return whole
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	halved := 0
	for _, other := range m.late {
		if s.check == other.check && s.shares(other) && halved < mostHalved {
			halved++
			whole /= 2
		}
	}
	return whole
}

// touching are the failing tests that this search is not about, and that run a line too, as an earlier search on the same sources has seen.
func (m *memory) touching(s searched, file string, line int) (ids []string) {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, other := range slices.Concat(m.vain, m.late) {
		if other.check != s.check || other.files[file] != s.files[file] {
			continue
		}
		for _, r := range other.runs {
			if !slices.Contains(s.tests, r.ID) && r.Ran(file, line) {
				ids = append(ids, r.ID)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// shares reports whether two searches have a source in common that has not changed.
func (s searched) shares(other searched) bool {
	for path, sum := range s.files {
		if had, ok := other.files[path]; ok && had == sum {
			return true
		}
	}
	return false
}
