package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"syscall"
	"time"
)

// Process is a command that has been started, in whatever place.
type Process interface {
	// Wait blocks until the command has ended and what was left of its process group has been killed. It is called once.
	Wait() (Exit, error)
	// Signal sends a signal to the whole process group. A group that is gone already is no error.
	Signal(sig syscall.Signal)
}

// Exit is how a process ended.
type Exit struct {
	Code   int            // the exit code, when Signal is zero
	Signal syscall.Signal // the signal that ended it, or zero
	CPU    time.Duration  // user and system time of the process and of what it waited for
	MaxRSS int64          // bytes
}

// Start brings a command to life with these three standard streams, which stay the caller's to close. A missing program is
// an error that matches exec.ErrNotFound.
type Start func(ctx context.Context, c Cmd, stdio [3]*os.File) (Process, error)

// Host runs commands directly on this machine, unconfined: for our own tools such as git. What a command starts in its own
// process group ends with it. Checks and candidates run in a private copy instead, whose holder ends everything they start.
type Host struct{}

// Run implements [Runner].
func (Host) Run(ctx context.Context, c Cmd) (Result, error) { return Run(ctx, c) }

// Run runs a command directly on this machine; see [Host].
func Run(ctx context.Context, c Cmd) (Result, error) {
	// The kernel sends the parent-death signal when the thread that started the child ends, so that thread must live as
	// long as the child does.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return Supervise(ctx, c, Host{}.Start)
}

// Supervise starts a command by the given means and sees it through: it feeds and reads its streams, keeps its limits, ends
// it when the context does, and tells what happened. Places that start processes in their own way implement [Runner] by it.
func Supervise(ctx context.Context, c Cmd, start Start) (Result, error) {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return Result{}, errors.New("run: the command is empty")
	}
	select {
	case <-ctx.Done():
		return Result{Ended: Cancelled, Code: -1}, nil
	default:
	}
	pipes, err := openPipes(c.Stdin)
	if err != nil {
		return Result{}, fmt.Errorf("run %s: %w", c.Argv[0], err)
	}
	began := time.Now()
	p, err := start(ctx, c, pipes.child)
	pipes.closeChild()
	if err != nil {
		pipes.closeOurs()
		return Result{}, err
	}
	out := newBudget(c.Limits.Output)
	outW, errW := writers(c)
	stdout := newStream(pipes.stdout, outW, out)
	stderr := newStream(pipes.stderr, errW, out)
	fed := feed(pipes.stdin, c.Stdin)
	exit, ended, err := attend(ctx, p, c.Limits, out)
	wall := time.Since(began)
	fed()
	r := Result{Ended: ended, Code: -1, Stdout: stdout.finish(), Stderr: stderr.finish(), Wall: wall, CPU: exit.CPU, MaxRSS: exit.MaxRSS}
	if err != nil {
		return r, fmt.Errorf("run %s: %w", c.Argv[0], err)
	}
	switch {
	case ended != Exited:
	case exit.Signal != 0:
		r.Ended, r.Signal = Signalled, signalName(exit.Signal)
	default:
		r.Code = exit.Code
	}
	return r, nil
}

// attend waits for the end of a process, and brings it about when there is a reason to.
func attend(ctx context.Context, p Process, l Limits, out *budget) (Exit, Ended, error) {
	type waited struct {
		exit Exit
		err  error
	}
	done := make(chan waited, 1)
	go func() {
		e, err := p.Wait()
		done <- waited{e, err}
	}()
	var timeout <-chan time.Time
	if l.Time > 0 {
		t := time.NewTimer(l.Time)
		defer t.Stop()
		timeout = t.C
	}
	ended := Exited
	select {
	case w := <-done:
		return w.exit, reasonAfter(ended, out), w.err
	case <-ctx.Done():
		ended = Cancelled
	case <-timeout:
		ended = TimedOut
	case <-out.over:
		ended = OutputLimit
	}
	p.Signal(syscall.SIGTERM)
	grace := l.Grace
	if grace <= 0 {
		grace = 2 * time.Second
	}
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case w := <-done:
		return w.exit, ended, w.err
	case <-t.C:
	}
	p.Signal(syscall.SIGKILL)
	w := <-done
	return w.exit, ended, w.err
}

// reasonAfter names the output limit also when the command ended by itself just as it crossed it.
func reasonAfter(e Ended, out *budget) Ended {
	select {
	case <-out.over:
		return OutputLimit
	default:
		return e
	}
}

// pipes are the streams between us and a command.
type pipes struct {
	child          [3]*os.File
	stdin          *os.File // our end, or nil
	stdout, stderr *os.File
	lent           bool // child[0] is the caller's own file
}

func openPipes(in io.Reader) (*pipes, error) {
	p := &pipes{}
	var err error
	switch r := in.(type) {
	case nil:
		p.child[0], err = os.Open(os.DevNull)
	case *os.File:
		p.child[0], p.lent = r, true
	default:
		p.child[0], p.stdin, err = os.Pipe()
	}
	if err == nil {
		p.stdout, p.child[1], err = os.Pipe()
	}
	if err == nil {
		p.stderr, p.child[2], err = os.Pipe()
	}
	if err != nil {
		p.closeChild()
		p.closeOurs()
		return nil, err
	}
	return p, nil
}

func (p *pipes) closeChild() {
	for i, f := range p.child {
		if f != nil && (i > 0 || !p.lent) {
			_ = f.Close()
		}
	}
}

func (p *pipes) closeOurs() {
	for _, f := range []*os.File{p.stdin, p.stdout, p.stderr} {
		if f != nil {
			_ = f.Close()
		}
	}
}

// feed copies the reader to the command. The function it returns ends that: a command that ended without reading all of its
// input leaves the rest unread. A reader that blocks for ever keeps one goroutine until it returns.
func feed(to *os.File, from io.Reader) (stop func()) {
	if to == nil {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(to, from) // a broken pipe is the command's choice
		_ = to.Close()
	}()
	return func() {
		_ = to.Close()
		t := time.NewTimer(drainTime)
		defer t.Stop()
		select {
		case <-done:
		case <-t.C:
		}
	}
}
