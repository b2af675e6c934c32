// Package proc answers "what happens when this command runs?": one command, its own process group, its limits, what it
// printed, how it ended. Nothing it starts outlives it.
//
// A command's exit code is the truth about it. Output is streamed to whoever wants to read it and kept only at both ends,
// so that a command that prints 100 MB costs no memory. Cancelling the context ends the whole process group: first politely
// (SIGTERM), then, after a grace period, for good.
package proc

import (
	"context"
	"io"
	"time"
)

// Cmd is a command to run. Nothing in it goes through a shell.
type Cmd struct {
	Argv   []string  // the program, looked up in PATH of Env, and its arguments
	Dir    string    // absolute working directory
	Env    []string  // the whole environment as KEY=VALUE; nil: this process's own
	Stdin  io.Reader // nil: nothing to read
	Stdout io.Writer // gets every byte as it comes; nil: only kept in the Result
	Stderr io.Writer // likewise
	Limits Limits
}

// Limits bound a command. A zero field is no limit, except where it says otherwise.
type Limits struct {
	Time   time.Duration // wall time, after which the group is ended and Result.Ended is TimedOut
	Grace  time.Duration // between SIGTERM and SIGKILL; zero: 2 s
	Output int64         // bytes of stdout and stderr together, after which the group is ended with OutputLimit; zero: 1 GiB
	Memory int64         // bytes of address space (RLIMIT_AS); many runtimes reserve far more than they use
	Data   int64         // bytes of memory of its own that can be written (RLIMIT_DATA), of each process: for runtimes that reserve more than they use
	Procs  int           // processes of the user (RLIMIT_NPROC)
	File   int64         // bytes a written file may have (RLIMIT_FSIZE)
}

// Ended says how a command came to its end.
type Ended string

// The ends of a command.
const (
	Exited      Ended = "exited"       // by itself; Code is its exit code
	Signalled   Ended = "signalled"    // by a signal that was not ours
	TimedOut    Ended = "timed out"    // by Limits.Time
	OutputLimit Ended = "output limit" // by Limits.Output
	Cancelled   Ended = "cancelled"    // by its context
)

// Result is what a command did.
type Result struct {
	Ended  Ended
	Code   int    // the exit code; -1 unless Ended is Exited
	Signal string // the signal's name when Ended is Signalled
	Stdout Tail
	Stderr Tail
	Wall   time.Duration
	CPU    time.Duration // user and system time of the command and what it waited for
	MaxRSS int64         // bytes
}

// OK reports whether the command exited by itself with code 0.
func (r Result) OK() bool { return r.Ended == Exited && r.Code == 0 }

// Runner runs commands somewhere: in the user's own tree, or confined in a private copy of it.
//
// Run returns an error only when the command could not be started (the program is missing: errors.Is(err,
// exec.ErrNotFound)) or the place itself failed. A command that ran and failed is a Result, not an error.
type Runner interface {
	Run(ctx context.Context, c Cmd) (Result, error)
}
