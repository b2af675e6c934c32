package python

import (
	"context"
	"sync"

	"fettle/internal/verdict"
)

// moods is what is known of passing tests that fail with candidates which heal all that is to be healed. Often the candidate is to blame. But a test may
// also fail because it runs behind others than usually, or in a process in which much has run before, and then it would turn down the right
// one: a fresh process says which it is.
type moods struct {
	mu    sync.Mutex
	of    map[string]*mood
	asked int
}

type mood struct {
	asked   int    // how often a fresh process was asked
	asking  bool   // … and has not answered yet
	moody   bool   // it does not fail there
	waiting []held // for the answer
}

// held is a candidate with the verdict that it has unless the test is moody.
type held struct {
	candidate candidate
	trial     verdict.Trial
}

// How often it is asked in fresh processes, up to three each time: of one test, since the first candidate that it fails with may well be to blame, and of all.
const (
	mostAsked    = 2
	mostAskedAll = 8
)

// breaks gives its verdict to a candidate that heals everything and breaks a test, as soon as it is known whether the test is to be believed.
func (w *worker) breaks(ctx context.Context, c candidate, t verdict.Trial) {
	id := t.Broken[0]
	switch w.moods.see(id, held{c, t}) {
	case isMoody:
		w.putOff(slowly, c)
	case isBelieved:
		w.found(ctx, c, t)
	case isUnknown:
		w.asking.Add(1)
		if !w.later(ctx, func() {
			defer w.asking.Done()
			plausible := w.freshTrial(ctx, c, verdict.Trial{})
			for _, h := range w.moods.settle(id, plausible) {
				if plausible {
					w.putOff(slowly, h.candidate)
				} else {
					w.found(ctx, h.candidate, h.trial)
				}
			}
		}) {
			w.asking.Done()
		}
	case isAsked:
	}
}

type known int

const (
	isUnknown  known = iota // to be asked now, by who has seen it
	isAsked                 // being asked: the candidate is kept
	isMoody                 // not to be believed
	isBelieved              // to be believed
)

// see says what is known of a test that has failed, and keeps the candidate while that is being found out.
func (m *moods) see(id string, h held) known {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil {
		m.of = map[string]*mood{}
	}
	x := m.of[id]
	if x == nil {
		x = &mood{}
		m.of[id] = x
	}
	switch {
	case x.moody:
		return isMoody
	case x.asking:
		x.waiting = append(x.waiting, h)
		return isAsked
	case x.asked == mostAsked || m.asked == mostAskedAll:
		return isBelieved
	}
	x.asking = true
	x.asked++
	m.asked++
	return isUnknown
}

// settle takes the answer in and hands out who has waited for it.
func (m *moods) settle(id string, moody bool) []held {
	m.mu.Lock()
	defer m.mu.Unlock()
	x := m.of[id]
	out := x.waiting
	x.asking, x.moody, x.waiting = false, moody, nil
	return out
}

// numbers are those of the moody tests among these.
func (m *moods) numbers(passing []string) (out []int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, id := range passing {
		if x := m.of[id]; x != nil && x.moody {
			out = append(out, i)
		}
	}
	return out
}
