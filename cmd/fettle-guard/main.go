// Command fettle-guard is the hook that coding agents' clients run before and after every tool call: an event on standard input, the answer on
// standard output. It judges alone, in a few milliseconds; everything else (installing it, its log, its policy) is fettle guard's.
//
// It exits with 0 and an answer, or with 2 and a reason on standard error, which the clients take as a refusal.
package main

import (
	"fmt"
	"os"
	"time"

	"fettle/internal/guard/hook"
)

// The budget of one event. Beyond it the guard refuses, long before the clients stop waiting and let the call through.
const (
	maxWork = 50 * time.Millisecond // of processor time, and as much again for each megabyte of the event
	maxWall = time.Second
	maxWait = 8 * time.Second // until the whole event has come; the clients wait for ten
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "fettle-guard takes no arguments: it is a hook, and reads an event on standard input. See `fettle guard --help`.")
		os.Exit(2)
	}
	h := hook.Hook{Getenv: os.Getenv, Canary: canary}
	in := &meter{in: os.Stdin}
	go watch(in)
	if os.Getenv(within) != "" {
		h.Canary = nil
	}
	os.Exit(h.Run(in, os.Stdout, os.Stderr))
}
