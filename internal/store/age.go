package store

import (
	"slices"
	"time"
)

// born is before anything that any fettle ever wrote: a clock that said less was not set.
var born = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// Older tells how many of some rows were certainly written before a time. The rows are given in the order in which they were
// written, the oldest first, by what the clock said then.
//
// Clocks are set, forth and back. What says that it comes from the future, or from before what was written before it, says nothing
// of its age: it counts as if it had been written together with the next row that can be believed, or now. So nothing is taken
// for old but what has an old row after it, or is one.
func Older(rows []time.Time, before time.Time) int {
	now, latest := time.Now(), born
	credible := make([]bool, len(rows))
	for i, at := range rows {
		if credible[i] = !at.After(now) && !at.Before(latest); credible[i] {
			latest = at
		}
	}
	at := now
	for i, row := range slices.Backward(rows) {
		if credible[i] {
			at = row
		}
		if at.Before(before) {
			return i + 1
		}
	}
	return 0
}
