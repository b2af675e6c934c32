package proc

import (
	"syscall"
	"time"
)

// own is the processor time of this process and of what it has started and what has ended.
func own() (used time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var ru syscall.Rusage
		if syscall.Getrusage(who, &ru) == nil {
			used += time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
		}
	}
	return used
}
