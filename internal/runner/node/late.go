package node

import (
	"time"

	"fettle/internal/runner"
)

// A program that gave up at once may well take a thousand times as many steps when it is right, but most candidates that run dry never end. So
// the steps that are given first are few; those that run dry get more, and those that run dry again get the most.
const (
	lateFactor = 40 // times as many steps at last
	lateTime   = 4  // times as much time, should they not come to their steps
)

// late are candidates that run dry, where tests may take so long: those that have once, and those that have twice. What they take while there are
// others is a part of one processor's time, however many there are.
func late(limit time.Duration) runner.Backlogs[*item] {
	most := lateTime * (limit + slowSteps*time.Millisecond)
	return runner.NewBacklogs(1,
		runner.Terms[*item]{Part: 0.2, Batch: 1, Time: 12 * time.Second, Passed: runner.InShare},
		runner.Terms[*item]{Part: 0.05, Batch: 1, First: 8, Passed: runner.Dropped, Expects: func(it *item) time.Duration { return min(it.took*lateFactor, most) }},
	)
}

// putOff has a candidate that has run dry tried once more; not if it had its chances.
func (p *pipeline) putOff(it *item) bool {
	if it.late == len(p.late) {
		return false
	}
	it.late++
	p.late[it.late-1].Put(it)
	p.wake()
	return true
}
