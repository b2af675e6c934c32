package search

import (
	"fmt"
	"time"

	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/fix/complaint"
	"fettle/internal/phrase"
)

// untried are the complaints for which something is left that may content the check as well: remedies that were not tried, or small edits.
func (m *mending) untried() map[diag.Fingerprint]bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	left := map[diag.Fingerprint]bool{}
	for _, r := range m.called {
		if !m.came[r.patchKey()] && !m.settled(r) {
			left[r.about] = true
		}
	}
	for _, c := range m.complaints {
		if m.rest > 0 && (c.Kind.Typed() || m.unread(c)) && !m.settled(remedy{proposal{score: m.rest}, c.Finding.ID}) {
			left[c.Finding.ID] = true
		}
	}
	return left
}

// rivalled reports whether another remedy tells how sure one can be of this one, however unlikely it is: whether any other value can be given back where a
// return is missing.
func (h mended) rivalled(r remedy) bool {
	return h.template.name == complaint.GiveBack && r.template != nil && (r.template.name == complaint.GiveBack || r.template.name == complaint.GiveNothing)
}

// calls notes what the complaints call for, before any of it is handed out; small edits may come after it.
func (m *mending) calls(all []remedy) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.called, m.rest = all, general*takenUp
}

// leaves notes how likely the likeliest of the small edits is that are not handed out; zero: there are none, or none can be more.
func (m *mending) leaves(score float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rest = score
}

// tell says what was done, where that was in vain, or where time was over before all had been tried.
func (m *mending) tell(found, late bool) {
	if m.task.Note == nil || m.tried == 0 {
		return
	}
	text := fmt.Sprintf("it tried %s in %.1f s", phrase.Count(m.tried, "candidate"), time.Since(m.began).Seconds())
	switch {
	case found && late && len(m.left) > 0:
		text += "; there are more, but its time is over"
	case found:
		return
	case len(m.left) > 0:
		text += ", and the check is content with none; there are more, but its limits are reached"
	default:
		text += ", and the check is content with none"
	}
	m.task.Note(text)
}

// grounds are what a remedy's sureness rests on: no test speaks for it.
func (m *mending) grounds(h mended, rivals float64) *fix.Grounds {
	return &fix.Grounds{Record: h.template.precision, Weight: h.score, Rivals: rivals / h.score, Edits: 1, Exhausted: !m.left[h.about]}
}
