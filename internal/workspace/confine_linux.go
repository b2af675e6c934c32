package workspace

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"fettle/internal/proc"
	"fettle/internal/proc/inside"
	"fettle/internal/proc/landlock"
)

// child is a command that runs under a holder.
type child struct{ c *inside.Child }

func startInside(h *inside.Holder) proc.Start {
	return func(_ context.Context, c proc.Cmd, stdio [3]*os.File) (proc.Process, error) {
		started, err := h.Launch(inside.Command{Argv: c.Argv, Dir: c.Dir, Env: c.Env,
			Limits: inside.Limits{Memory: c.Limits.Memory, Data: c.Limits.Data, Procs: c.Limits.Procs, File: c.Limits.File}}, stdio)
		if err != nil {
			return nil, err
		}
		return child{started}, nil
	}
}

func (p child) Signal(sig syscall.Signal) { p.c.Signal(sig) }

func (p child) Wait() (proc.Exit, error) {
	e, err := p.c.Wait()
	return proc.Exit{Code: e.Code, Signal: syscall.Signal(e.Signal), CPU: e.CPU, MaxRSS: e.MaxRSS}, err
}

// landlocked fences commands in by Landlock, under a holder that shares the machine's processes and files.
type landlocked struct {
	holder *inside.Holder
	words  string
	port   uint16 // the one that commands may connect to, where they have no network of their own; zero: they have
	held   bool   // writes are confined
	hides  bool   // what is to be hidden cannot be read
	tight  bool   // … and so is the network
}

func newFence(c *Copy, writable []string) (fence, error) {
	version := landlock.Version()
	l := landlocked{words: fmt.Sprintf("writes confined by Landlock (version %d)", version), held: version > 0, tight: version > 0}
	if version == 0 {
		l.words = "writes NOT confined: this kernel offers no Landlock"
	}
	config := inside.Config{Writable: writable}
	var err error
	if l.hides = l.held; l.held {
		if config.Readable, err = readable(c.hidden()); err != nil {
			l.hides = false
			l.words += fmt.Sprintf("; what is personal, and fettle's own state, can be read, as a folder cannot be listed (%v)", err)
		}
	}
	if c.o.Network == NetworkHost {
		l.words += "; network: the machine's"
		l.holder, err = inside.Open(inside.Spaces{}, config, c.lock)
		return l, err
	}
	config.Loopback = true
	if l.holder, err = inside.Open(inside.Spaces{User: !privileged(), Net: true}, config, c.lock); err == nil {
		l.words += "; network: loopback only"
		return l, nil
	}
	config.Loopback, config.NoTCP = false, true
	if config.Port, err = freePort(); err != nil {
		return l, err
	}
	l.port = config.Port
	if version >= 4 {
		l.words += "; network: no TCP at all, anything else open"
	} else {
		l.words += "; network: NOT restricted"
	}
	l.tight = false
	l.holder, err = inside.Open(inside.Spaces{}, config, c.lock)
	return l, err
}

// hidden are the files and folders that commands must not read: those of fettle's state, and those to hide that are neither of the work nor around it.
func (c *Copy) hidden() []string {
	root, err := filepath.EvalSymlinks(c.o.Root)
	if err != nil {
		return nil
	}
	var out []string
	for _, path := range slices.Concat(c.o.Mask, c.o.Hide) {
		resolved, err := filepath.EvalSymlinks(path)
		if err == nil && (slices.Contains(c.o.Mask, path) || !within(resolved, root)) && !within(root, resolved) {
			out = append(out, resolved)
		}
	}
	return out
}

// freePort is a port that nobody listens on. Landlock's rules must be there before commands are, so it is chosen before anybody knows whether a
// door will be needed.
func freePort() (uint16, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).AddrPort().Port(), nil
}

func (l landlocked) listen() (net.Listener, error) {
	if l.port == 0 {
		return l.holder.Listen()
	}
	return net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(l.port))))
}

func (l landlocked) start() proc.Start { return startInside(l.holder) }
func (l landlocked) reset() error      { return l.holder.Reset() }
func (l landlocked) close() error      { return l.holder.Close() }
func (l landlocked) describe() string  { return l.words }
func (l landlocked) confined() bool    { return l.tight }
func (l landlocked) holdsWrites() bool { return l.held }
func (l landlocked) hidesState() bool  { return l.hides }
