package inside

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Spaces are the namespaces that a holder gets for itself.
type Spaces struct {
	User  bool // a user namespace, in which an ordinary user may set up the others
	Mount bool
	Pid   bool
	Net   bool
}

func (s Spaces) attr() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true}
	if s.Mount {
		a.Cloneflags |= syscall.CLONE_NEWNS
	}
	if s.Pid {
		a.Cloneflags |= syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC
	}
	if s.Net {
		a.Cloneflags |= syscall.CLONE_NEWNET
	}
	if s.User {
		a.Cloneflags |= syscall.CLONE_NEWUSER
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
		a.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE}
	}
	return a
}

// Holder is our side of a holder. Its methods may be used by several goroutines at once.
type Holder struct {
	Notes []string // what set-up could not do, for people

	process *os.Process
	wire    *wire
	words   *os.File // what the holder wrote to its stderr
	done    chan struct{}

	mu      sync.Mutex
	nextID  int64
	waiting map[int64]chan answer
	gone    error // why nothing can be asked any more

	root, upper *os.File
}

type answer struct {
	reply
	fds []int
}

// Open starts a holder and has it set up. The files in keep are held open by it as long as it lives: a lock held through one
// of them is held until everything inside has ended, even when we are killed.
func Open(s Spaces, c Config, keep ...*os.File) (*Holder, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	theirs := os.NewFile(uintptr(pair[1]), "fettle")
	defer theirs.Close()
	w, err := newWire(pair[0], "holder")
	if err != nil {
		return nil, err
	}
	memfd, err := unix.MemfdCreate("words", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	h := &Holder{wire: w, words: os.NewFile(uintptr(memfd), "words"), done: make(chan struct{}), waiting: map[int64]chan answer{}}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, errors.Join(err, w.Close(), h.words.Close())
	}
	defer null.Close()
	h.process, err = os.StartProcess("/proc/self/exe", []string{Name}, &os.ProcAttr{
		Env:   runtimeSettings(),
		Files: append([]*os.File{null, null, h.words, theirs}, keep...),
		Sys:   s.attr(),
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the holder of a private copy: %w%s", err, whyNotStarted(err)), w.Close(), h.words.Close())
	}
	go h.listen()
	a, err := h.ask(request{Op: opSetup, Config: &c})
	if err == nil {
		err = h.adopt(a)
	}
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// whyNotStarted is what a person should know of an error in starting a holder, in brackets; the kernel's own word for some says
// little.
func whyNotStarted(err error) string {
	if _, gone := os.Lstat("/proc/self"); gone != nil {
		return " (/proc is not mounted here, without which nothing can be confined: mount -t proc proc /proc)"
	}
	switch {
	case errors.Is(err, unix.ENOSPC):
		return " (no more namespaces are allowed: see sysctl user.max_user_namespaces)"
	case errors.Is(err, unix.EPERM):
		return " (namespaces are not allowed here, as in most containers)"
	}
	return ""
}

// runtimeSettings is the holder's environment: short stack traces, and what this process was told about Go's own runtime
// (the race detector's and the coverage's settings).
func runtimeSettings() []string {
	env := []string{"GOTRACEBACK=single"}
	for _, name := range []string{"GORACE", "GOCOVERDIR"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// listen hands out replies until the wire ends, and then reaps the holder.
func (h *Holder) listen() {
	defer close(h.done)
	for {
		var a answer
		fds, err := h.wire.receive(&a.reply)
		if err != nil {
			break
		}
		a.fds = fds
		h.mu.Lock()
		ch := h.waiting[a.ID]
		h.mu.Unlock()
		if ch == nil {
			closeAll(fds)
			continue
		}
		ch <- a // never blocks: there is room for every reply a request can get
	}
	_ = h.wire.Close() // before waiting: its end is what makes the holder go
	_, _ = h.process.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.gone == nil {
		h.gone = h.lastWords()
	}
	for id, ch := range h.waiting {
		close(ch)
		delete(h.waiting, id)
	}
}

func (h *Holder) lastWords() error {
	b := make([]byte, 4096)
	n, _ := h.words.ReadAt(b, 0)
	if s := strings.TrimSpace(string(b[:n])); s != "" {
		return fmt.Errorf("the holder of the private copy has ended: %s", s)
	}
	return errors.New("the holder of the private copy has ended")
}

// send sends a request and returns where its replies will come.
func (h *Holder) send(r request, fds ...int) (int64, chan answer, error) {
	h.mu.Lock()
	if h.gone != nil {
		h.mu.Unlock()
		return 0, nil, h.gone
	}
	h.nextID++
	r.ID = h.nextID
	ch := make(chan answer, 2)
	h.waiting[r.ID] = ch
	h.mu.Unlock()
	if err := h.wire.send(r, fds...); err != nil {
		h.forget(r.ID)
		return 0, nil, fmt.Errorf("ask the holder of the private copy: %w", err)
	}
	return r.ID, ch, nil
}

func (h *Holder) forget(id int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.waiting, id)
}

// receive waits for the next reply of a request.
func (h *Holder) receive(ch chan answer) (answer, error) {
	a, ok := <-ch
	if !ok {
		h.mu.Lock()
		defer h.mu.Unlock()
		return a, h.gone
	}
	switch {
	case a.Missing != "":
		return a, fmt.Errorf("%s: %w", a.Missing, exec.ErrNotFound)
	case a.Error != "":
		return a, errors.New(a.Error)
	}
	return a, nil
}

func (h *Holder) ask(r request) (answer, error) {
	id, ch, err := h.send(r)
	if err != nil {
		return answer{}, err
	}
	defer h.forget(id)
	return h.receive(ch)
}

// adopt takes over the folders that a set-up or a reset hands out.
func (h *Holder) adopt(a answer) error {
	for _, f := range []*os.File{h.root, h.upper} {
		if f != nil {
			_ = f.Close()
		}
	}
	h.root, h.upper, h.Notes = nil, nil, a.Notes
	switch len(a.fds) {
	case 0:
	case 2:
		h.root, h.upper = os.NewFile(uintptr(a.fds[0]), "root"), os.NewFile(uintptr(a.fds[1]), "upper")
	default:
		closeAll(a.fds)
		return fmt.Errorf("the holder of the private copy handed out %d folders", len(a.fds))
	}
	return nil
}

// Root opens the repository as commands see it: the way in which we may read and write the copy's files. Close it before the
// next Reset.
func (h *Holder) Root() (*os.Root, error) { return os.OpenRoot(fdPath(int(h.root.Fd()))) }

// Upper opens the folder that holds what was written to the repository since it was opened or reset. It is for reading only.
func (h *Holder) Upper() (*os.Root, error) { return os.OpenRoot(fdPath(int(h.upper.Fd()))) }

// Reset ends everything that runs and takes the view of files back to what it was at first. No command may be started
// meanwhile.
func (h *Holder) Reset() error {
	a, err := h.ask(request{Op: opReset})
	if err != nil {
		return err
	}
	return h.adopt(a)
}

// Listen opens a door in the holder's network: what commands connect to on their loopback comes to us, though we are outside.
func (h *Holder) Listen() (net.Listener, error) {
	a, err := h.ask(request{Op: opListen})
	if err != nil {
		return nil, err
	}
	if len(a.fds) != 1 {
		closeAll(a.fds)
		return nil, fmt.Errorf("the holder of the private copy handed out %d doors", len(a.fds))
	}
	f := os.NewFile(uintptr(a.fds[0]), "door")
	defer f.Close()
	return net.FileListener(f) // of a socket of its own
}

// Close ends everything inside and waits until it is gone.
func (h *Holder) Close() error {
	h.mu.Lock()
	if h.gone == nil {
		h.gone = errors.New("the private copy is closed")
	}
	h.mu.Unlock()
	for _, f := range []*os.File{h.root, h.upper} {
		if f != nil {
			_ = f.Close()
		}
	}
	h.root, h.upper = nil, nil
	h.wire.hangUp()
	<-h.done
	return h.words.Close()
}

// Child is a command that runs inside.
type Child struct {
	h  *Holder
	id int64
	ch chan answer
}

// Launch starts a command inside.
func (h *Holder) Launch(c Command, stdio [3]*os.File) (*Child, error) {
	id, ch, err := h.send(request{Op: opRun, Command: &c}, int(stdio[0].Fd()), int(stdio[1].Fd()), int(stdio[2].Fd()))
	if err != nil {
		return nil, err
	}
	if _, err := h.receive(ch); err != nil {
		h.forget(id)
		return nil, err
	}
	return &Child{h, id, ch}, nil
}

// Wait blocks until the command has ended.
func (c *Child) Wait() (Exit, error) {
	defer c.h.forget(c.id)
	a, err := c.h.receive(c.ch)
	if err != nil {
		return Exit{}, err
	}
	if a.Exit == nil {
		return Exit{}, io.ErrUnexpectedEOF
	}
	return *a.Exit, nil
}

// Signal sends a signal to the command's process group.
func (c *Child) Signal(sig syscall.Signal) {
	_ = c.h.wire.send(request{Op: opSignal, Target: c.id, Signal: int(sig)}) // a holder that is gone has no commands
}
