package search

import (
	"time"

	"fettle/internal/fix"
	"fettle/internal/proc"
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

// passed is the effort until a candidate that has passed by now, the nth, and took so long by itself.
func (w *watch) passed(nth int, proof time.Duration) fix.Effort {
	return fix.Effort{First: nth, Until: time.Since(w.began), CPU: proc.Used() - w.warm, Proof: proof}
}

// all is an effort as it is at the end, after so many candidates.
func (w *watch) all(e fix.Effort, tried int) *fix.Effort {
	e.Tried, e.Ready, e.Took = tried, w.ready, time.Since(w.began)
	return &e
}
