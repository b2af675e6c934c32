package testenv

import (
	"syscall"
	"testing"
	"time"
)

// OwnCPU is the processor time that this process alone has taken.
func OwnCPU(t testing.TB) time.Duration {
	t.Helper()
	return processorTime(t, syscall.RUSAGE_SELF)
}

// ChildCPU is that of the processes that it has started and that have ended, and of theirs.
func ChildCPU(t testing.TB) time.Duration {
	t.Helper()
	return processorTime(t, syscall.RUSAGE_CHILDREN)
}

func processorTime(t testing.TB, who int) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
