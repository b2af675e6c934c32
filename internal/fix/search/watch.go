package search

import (
	"time"

	"fettle/internal/fix"
	"fettle/internal/proc"
	"fettle/internal/verdict"
)

// watch tells how long a search has been going on, and what it has cost since its runner is warm.
type watch struct {
	began time.Time
	ready time.Duration // until the first candidate had been tried; zero: none has
	warm  time.Duration // processor time that had been used by then
}

func newWatch() watch { return watch{began: time.Now()} }

// onTrial notes that a candidate has been tried.
func (w *watch) onTrial() {
	if w.ready == 0 {
		w.ready, w.warm = time.Since(w.began), proc.Used()
	}
}

// passed is the effort until a candidate that has passed by now, the nth. What other workers tried while it ran in its fresh process was not for it.
func (w *watch) passed(nth int, t verdict.Trial) fix.Effort {
	used := t.Used
	if used == 0 {
		used = proc.Used()
	}
	return fix.Effort{First: nth, Until: time.Since(w.began), CPU: max(0, used-w.warm), Proof: t.Duration}
}

// all is an effort as it is at the end, after so many candidates.
func (w *watch) all(e fix.Effort, tried int) *fix.Effort {
	e.Tried, e.Ready, e.Took = tried, w.ready, time.Since(w.began)
	return &e
}
