package proc

import (
	"context"
	"fmt"
	"os"
	"sync"
	"syscall"

	"fettle/internal/proc/inside"
)

// hostProcess is a process of this machine that leads its own group.
type hostProcess struct {
	p    *os.Process
	mu   sync.Mutex
	gone bool // reaped: the group's number may belong to somebody else now
}

// Start implements the type Start: the way in which Host's commands come to life.
func (Host) Start(_ context.Context, c Cmd, stdio [3]*os.File) (Process, error) {
	env := c.Env
	if env == nil {
		env = os.Environ()
	}
	program, err := inside.LookPath(c.Argv[0], c.Dir, env)
	if err != nil {
		return nil, err
	}
	h := &hostProcess{}
	limits := inside.Limits{Memory: c.Limits.Memory, Data: c.Limits.Data, Procs: c.Limits.Procs, File: c.Limits.File}
	err = inside.Fork(program, c.Argv, stdio[:], limits, func(program string, argv []string, files []*os.File) (err error) {
		h.p, err = os.StartProcess(program, argv, &os.ProcAttr{Dir: c.Dir, Env: env, Files: files, Sys: ownGroup()})
		return err
	})
	if err == nil {
		return h, nil
	}
	if h.p != nil { // a limiter that could not become the command
		_, _ = h.p.Wait()
	}
	return nil, fmt.Errorf("start %s: %w", c.Argv[0], inside.StartError(err, c.Dir))
}

func (h *hostProcess) Signal(sig syscall.Signal) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.gone {
		_ = syscall.Kill(-h.p.Pid, sig) // no such process: that is what we wanted
	}
}

// Wait sweeps the group while its leader is still a zombie, so that the group's number cannot be anybody else's.
func (h *hostProcess) Wait() (Exit, error) {
	awaitZombie(h.p.Pid)
	h.Signal(syscall.SIGKILL)
	h.mu.Lock()
	h.gone = true
	h.mu.Unlock()
	state, err := h.p.Wait()
	if err != nil {
		return Exit{}, err
	}
	e := Exit{CPU: state.UserTime() + state.SystemTime()}
	if ru, ok := state.SysUsage().(*syscall.Rusage); ok {
		e.MaxRSS = inside.MaxRSS(ru)
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		e.Signal = ws.Signal()
		return e, nil
	}
	e.Code = state.ExitCode()
	return e, nil
}
