package inside

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// wireFD is where a holder finds its end of the socket.
const wireFD = 3

// maxKept is how many descriptors, the socket included, a holder can be given beside its standard streams.
const maxKept = 16

// hold is the whole life of a holder: set up, serve, and end everything when the other side is gone.
func hold() int {
	w, err := newWire(wireFD, "fettle")
	if err != nil {
		fmt.Fprintln(os.Stderr, "this is a part of fettle that only fettle itself can start")
		return 2
	}
	for fd := wireFD; fd < wireFD+maxKept; fd++ {
		unix.CloseOnExec(fd) // commands must not inherit our socket and locks
	}
	shrugOff()
	if os.Getpid() != 1 {
		if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			fmt.Fprintln(os.Stderr, "adopt orphans:", err)
			return 1
		}
	}
	h := &holder{wire: w}
	h.family = newFamily(h.ended)
	h.serve()
	h.family.end()
	return 0
}

// shrugOff keeps signals sent by commands from ending the holder. They are received and dropped rather than ignored, as
// commands would inherit the latter.
func shrugOff() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1,
		syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGPIPE, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU, syscall.SIGVTALRM,
		syscall.SIGXCPU, syscall.SIGXFSZ, syscall.SIGIO, syscall.SIGPWR, syscall.SIGWINCH)
}

type holder struct {
	wire   *wire
	family *family
	start  *launcher
	view   *view
}

// serve does what is asked until the other side is gone, by its will or not: that is how a holder's life ends.
func (h *holder) serve() {
	for {
		var r request
		fds, err := h.wire.receive(&r)
		if err != nil || h.handle(r, fds) != nil {
			return
		}
	}
}

// handle does what is asked. Its error is one of the wire, with which all is over; a request's own failure is its reply.
func (h *holder) handle(r request, fds []int) error {
	if r.Op != opRun {
		closeAll(fds)
	}
	switch r.Op {
	case opSetup:
		return h.setup(r)
	case opRun:
		return h.run(r, fds)
	case opReset:
		return h.reset(r)
	case opListen:
		return h.listen(r)
	case opSignal:
		h.family.signal(r.Target, syscall.Signal(r.Signal))
	}
	return nil
}

func (h *holder) setup(r request) error {
	c := r.Config
	if c.Loopback {
		if err := loopbackUp(); err != nil {
			return h.fail(r.ID, fmt.Errorf("bring the loopback network up: %w", err))
		}
	}
	confine := dropPrivileges
	var err error
	if c.Mounts != nil {
		if h.view, err = newView(*c.Mounts); err != nil {
			return h.fail(r.ID, err)
		}
	} else {
		confine = func() error { return errors.Join(dropPrivileges(), restrict(c)) }
	}
	if h.start, err = newLauncher(confine); err != nil {
		return h.fail(r.ID, err)
	}
	return h.ready(r.ID)
}

// reset ends every command and gives the copy a fresh view.
func (h *holder) reset(r request) error {
	h.family.end()
	if h.view == nil {
		return h.ready(r.ID)
	}
	if err := h.view.renew(); err != nil {
		return h.fail(r.ID, err)
	}
	return h.ready(r.ID)
}

// ready answers with the repository's folder as it is seen inside, and with the folder that holds the writes to it.
func (h *holder) ready(id int64) error {
	if h.view == nil {
		return h.wire.send(reply{ID: id})
	}
	return h.wire.send(reply{ID: id, Notes: h.view.notes}, h.view.root, h.view.upper)
}

// listen answers with a socket that listens on the loopback of the holder's network: whoever has the socket takes what connects to it, wherever
// they are.
func (h *holder) listen(r request) error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return h.fail(r.ID, err)
	}
	defer unix.Close(s)
	if err := unix.Bind(s, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return h.fail(r.ID, err)
	}
	if err := unix.Listen(s, unix.SOMAXCONN); err != nil {
		return h.fail(r.ID, err)
	}
	return h.wire.send(reply{ID: r.ID}, s)
}

func (h *holder) run(r request, fds []int) error {
	streams := files(fds)
	defer func() {
		for _, f := range streams {
			_ = f.Close()
		}
	}()
	if len(streams) != 3 {
		return h.fail(r.ID, errors.New("a command needs three standard streams"))
	}
	c := *r.Command
	program, err := LookPath(c.Argv[0], c.Dir, c.Env)
	if err != nil {
		return h.fail(r.ID, err)
	}
	return h.family.add(r.ID, func() (pid int, err error) {
		err = Fork(program, c.Argv, streams, c.Limits, func(program string, argv []string, files []*os.File) (err error) {
			pid, err = h.start.fork(program, argv, c.Dir, c.Env, files)
			return err
		})
		if err != nil {
			return 0, fmt.Errorf("start %s: %w", c.Argv[0], StartError(err, c.Dir))
		}
		return pid, nil
	}, func(err error) error {
		if err != nil {
			return h.fail(r.ID, err)
		}
		return h.wire.send(reply{ID: r.ID})
	})
}

func files(fds []int) []*os.File {
	out := make([]*os.File, len(fds))
	for i, fd := range fds {
		out[i] = os.NewFile(uintptr(fd), "stream")
	}
	return out
}

func (h *holder) ended(id int64, e Exit) { _ = h.wire.send(reply{ID: id, Exit: &e}) }

func (h *holder) fail(id int64, err error) error {
	r := reply{ID: id, Error: err.Error()}
	if errors.Is(err, exec.ErrNotFound) {
		r.Missing = strings.TrimSuffix(err.Error(), ": "+exec.ErrNotFound.Error())
	}
	return h.wire.send(r)
}
