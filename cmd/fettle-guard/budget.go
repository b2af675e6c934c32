package main

import (
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"syscall"
	"time"
)

// meter counts what is read of an event, and when it began to come: a client that has not spoken yet is not late.
type meter struct {
	in    io.Reader
	read  atomic.Int64
	whole atomic.Bool
	grace atomic.Int64 // nanoseconds: another program is waited for
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.in.Read(p)
	m.read.Add(int64(n))
	if err != nil {
		m.whole.Store(true)
	}
	return n, err
}

// watch says, once, when more than the budget is taken, by what worked tells of the process's time. Waiting for the client's event
// has a limit of its own.
func watch(m *meter, worked func() time.Duration) (why string) {
	const tick = 5 * time.Millisecond
	started := time.Now()
	var begun time.Time
	for {
		time.Sleep(tick)
		if !m.whole.Load() {
			if time.Since(started) > maxWait {
				return fmt.Sprintf("the event did not end within %v", maxWait)
			}
			continue
		}
		if begun.IsZero() {
			begun = time.Now()
		}
		if work, most := worked(), maxWork*time.Duration(1+m.read.Load()>>20); work > most {
			return fmt.Sprintf("judging this took more than %v of processor time: ask for less in one call, or in several calls", most)
		}
		if most := maxWall + time.Duration(m.grace.Load()); time.Since(begun) > most {
			return fmt.Sprintf("judging this took more than %v: try once more, the machine may be busy", most.Round(time.Millisecond))
		}
	}
}

// limit ends the process when more than the budget is taken, whatever the rest of it is doing: refuse says so, and what it exits with.
func limit(m *meter, worked func() time.Duration, refuse func(error) int, exit func(int)) {
	exit(refuse(errors.New(watch(m, worked))))
}

// worked is the processor time that the process has taken.
func worked() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
