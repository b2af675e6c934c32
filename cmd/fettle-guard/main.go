// Command fettle-guard is the hook that coding agents' clients run before and after every tool call: an event on standard input, the answer on
// standard output. It judges alone, in a few milliseconds; everything else (installing it, its log, its policy) is fettle guard's.
//
// It exits with 0 and an answer; with 2 and a reason on standard error, which the clients take as a refusal; or, where there is nothing to refuse, with 1 and a
// reason, which they tell the person.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"fettle/internal/guard/child"
	"fettle/internal/guard/hook"
)

// The budget of one event. Beyond it the guard refuses, long before the clients stop waiting and let the call through.
const (
	maxWork = 50 * time.Millisecond // of processor time, and as much again for each MiB of the event
	maxWall = time.Second
	maxWait = 8 * time.Second // until the whole event has come; the clients wait for ten
)

func main() {
	h := hook.Hook{Getenv: os.Getenv, Environ: os.Environ(), Later: later}
	switch {
	case len(os.Args) == 2 && os.Args[1] == hook.SecondOpinion:
		if err := h.Answered(os.Stdin); err != nil {
			fmt.Fprintln(os.Stderr, "fettle-guard:", err)
			os.Exit(1)
		}
		return
	case len(os.Args) > 1:
		fmt.Fprintln(os.Stderr, "fettle-guard takes no arguments: it is a hook, and reads an event on standard input. See `fettle guard --help`.")
		os.Exit(2)
	}
	if self, err := os.Executable(); err == nil {
		h.Clients, h.Moved = hook.Moved(self, os.Getenv)
	}
	in := &meter{in: os.Stdin}
	h.Grace = func(more time.Duration) { in.grace.Add(int64(more)) }
	var event atomic.Pointer[hook.Event]
	event.Store(&hook.Event{})
	h.Named = event.Store
	var end sync.Mutex // who comes first ends the process
	go limit(in, worked, func(why error) int {
		end.Lock()
		child.End() // nobody hears it any more
		return h.Refuse(event.Load(), why, os.Stderr)
	}, os.Exit)
	if os.Getenv(within) != "" {
		h.Grace(canaryFor) // who started it waits for as long
	} else {
		h.Canary = func(client string) error {
			h.Grace(canaryFor)
			return canary(client)
		}
	}
	code := h.Run(in, os.Stdout, os.Stderr)
	end.Lock()
	os.Exit(code)
}

// later starts this very program once more, to put a question to a validator that no call waits for.
func later(job []byte) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return child.Leave([]string{self, hook.SecondOpinion}, os.Environ(), job)
}
