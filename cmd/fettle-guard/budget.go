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

// How long the watch sleeps. Looking costs processor time itself, so that it looks ever more rarely while nothing is done, and hardly at all while another
// program is waited for.
const (
	tick     = 5 * time.Millisecond
	idleTick = 20 * time.Millisecond
	waitTick = 500 * time.Millisecond
)

// watch says, once, when more than the budget is taken, by what worked tells of the process's time. Waiting for the client's event
// has a limit of its own.
func watch(m *meter, worked func() time.Duration) (why string) {
	started := time.Now()
	var begun time.Time
	var before time.Duration
	pause := tick
	for {
		time.Sleep(pause)
		if !m.whole.Load() {
			if time.Since(started) > maxWait {
				return fmt.Sprintf("the event did not end within %v", maxWait)
			}
			continue
		}
		if begun.IsZero() {
			begun = time.Now()
		}
		work, most := worked(), maxWork*time.Duration(1+m.read.Load()>>20)
		if work > most {
			return fmt.Sprintf("judging this took more than %v of processor time: ask for less in one call, or in several calls", most)
		}
		grace := time.Duration(m.grace.Load())
		left := maxWall + grace - time.Since(begun)
		if left < 0 {
			return fmt.Sprintf("judging this took more than %v: try once more, the machine may be busy", (maxWall + grace).Round(time.Millisecond))
		}
		slowest := idleTick
		if grace > 0 {
			slowest = waitTick
		}
		if work-before > pause/8 {
			slowest = tick
		}
		before, pause = work, min(2*pause, slowest, left+tick)
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
