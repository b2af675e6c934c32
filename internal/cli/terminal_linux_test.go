package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal is a real one, with fettle in its foreground.
type terminal struct {
	t      *testing.T
	dir    string // the repository
	mark   string // in the command line of the check that waits
	master *os.File
	cmd    *exec.Cmd
	free   bool // the check waits no more

	mu   sync.Mutex
	text bytes.Buffer
	read chan struct{} // closed when nothing more comes
}

// unformatted is a repository that one gofmt heals. Its test waits while a file called wait lies beside it.
var unformatted = map[string]string{
	"clock.go": "package clock\n\nvar  hours=24\n",
	"fettle.yaml": `version: 1
checks:
  format:
    run: gofmt -l .
    parser: gofmt
  test:
    run: sh -c 'test ! -e ../wait || exec sh ../wait.sh "$MARK"'
`,
}

// newTerminal opens a terminal of this size before a fresh repository.
func newTerminal(t *testing.T, rows, columns uint16) *terminal {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	check := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	check(err)
	c := &terminal{t: t, dir: filepath.Join(base, "repo"), mark: base, read: make(chan struct{})}
	check(os.MkdirAll(c.dir, 0o755), os.MkdirAll(filepath.Join(base, "home"), 0o700))
	for name, text := range unformatted {
		check(os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o600))
	}
	check(os.WriteFile(filepath.Join(base, "wait.sh"), []byte("trap 'exit 0' TERM\nwhile :; do sleep 0.02; done\n"), 0o600))
	out, err := exec.Command("git", "init", "-q", c.dir).CombinedOutput()
	if err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	check(err)
	check(unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0), unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}))
	c.master = os.NewFile(uintptr(fd), "terminal")
	t.Cleanup(func() { _ = c.master.Close() })
	return c
}

// start runs fettle in the foreground of the terminal; session says whether the terminal controls it, so that it is told when the
// terminal goes.
func (c *terminal) start(controls bool, args ...string) {
	c.t.Helper()
	n, err := unix.IoctlGetInt(int(c.master.Fd()), unix.TIOCGPTN)
	if err != nil {
		c.t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		c.t.Fatal(err)
	}
	defer slave.Close()
	self, err := os.Executable()
	if err != nil {
		c.t.Fatal(err)
	}
	c.cmd = &exec.Cmd{
		Path: self, Args: append([]string{"fettle"}, args...), Dir: c.dir, Stdin: slave, Stdout: slave, Stderr: slave,
		Env:         append(os.Environ(), "MARK="+c.mark, "TERM=xterm", "HOME="+filepath.Join(c.mark, "home")),
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: controls},
	}
	if err := c.cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = c.cmd.Process.Kill() })
	go func() {
		defer close(c.read)
		buf := make([]byte, 4096)
		for {
			n, err := c.master.Read(buf)
			c.mu.Lock()
			c.text.Write(buf[:n])
			c.mu.Unlock()
			if err != nil && !errors.Is(err, io.ErrNoProgress) {
				return // EIO: everybody has closed the other end
			}
		}
	}()
}

func (c *terminal) shown() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.String()
}

// until waits until the terminal shows a text.
func (c *terminal) until(text string) {
	c.t.Helper()
	if !wait(func() bool { return strings.Contains(c.shown(), text) }) {
		c.t.Fatalf("the terminal does not show %q:\n%s", text, c.shown())
	}
}

// checking waits until the check that waits is under way.
func (c *terminal) checking() {
	c.t.Helper()
	if !wait(func() bool { pid, _ := process("wait.sh " + c.mark); return pid != 0 }) {
		c.t.Fatalf("the check does not run:\n%s", c.shown())
	}
}

// holdUp makes the check wait.
func (c *terminal) holdUp() {
	if err := os.WriteFile(filepath.Join(c.mark, "wait"), nil, 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// letGo ends the wait, now and whenever the check runs again.
func (c *terminal) letGo() {
	c.free = true
	_ = os.Remove(filepath.Join(c.mark, "wait"))
	c.release()
}

func (c *terminal) release() {
	if pid, _ := process("wait.sh " + c.mark); pid != 0 && c.free {
		_ = syscall.Kill(pid, syscall.SIGTERM)
	}
}

// hangUp closes the window.
func (c *terminal) hangUp() { _ = c.master.Close() }

// ends waits for fettle and demands its exit code, and that nothing of it runs on.
func (c *terminal) ends(code int) {
	c.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- c.cmd.Wait() }()
	if !wait(func() bool { c.release(); return len(ended) > 0 }) {
		_ = c.cmd.Process.Signal(syscall.SIGQUIT)
		<-ended
		c.t.Fatalf("fettle does not end:\n%s", c.shown())
	}
	<-ended
	if got := c.cmd.ProcessState.ExitCode(); got != code {
		c.t.Errorf("it ended with %v, want %d:\n%s", c.cmd.ProcessState, code, c.shown())
	}
	if !wait(func() bool { pid, _ := process("wait.sh " + c.mark); return pid == 0 }) {
		c.t.Error("the check runs on")
	}
	if copies, _ := filepath.Glob(filepath.Join(c.dir, ".git/fettle/main/copies/*")); len(copies) > 0 {
		c.t.Errorf("left: %q", copies)
	}
}

// holds demands what clock.go holds.
func (c *terminal) holds(text string) {
	c.t.Helper()
	if b, err := os.ReadFile(filepath.Join(c.dir, "clock.go")); err != nil || string(b) != text {
		c.t.Errorf("clock.go holds %q, %v", b, err)
	}
}

// plain runs fettle without a terminal.
func (c *terminal) plain(args ...string) string {
	c.t.Helper()
	cmd := exec.Command(c.cmd.Path)
	cmd.Args, cmd.Dir, cmd.Env = append([]string{"fettle"}, args...), c.dir, c.cmd.Env
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Errorf("fettle %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

const healedClock = "package clock\n\nvar hours = 24\n"

// The window is closed while a check runs: the session ends as interrupted, all is taken down, and it can go on later.
func TestTerminalCloses(t *testing.T) {
	c := newTerminal(t, 24, 80)
	c.holdUp()
	c.start(true, "fix")
	c.checking()
	c.hangUp()
	c.ends(130)
	c.holds(unformatted["clock.go"])
	if list := c.plain("sessions"); !strings.Contains(list, "interrupted") {
		t.Errorf("sessions: %s", list)
	}
	c.letGo()
	if said := c.plain("resume"); !strings.Contains(said, "converged") {
		t.Errorf("resume: %s", said)
	}
	c.holds(healedClock)
}

// The terminal dies, and nobody tells (as under a supervisor that gave fettle a terminal of its own): every write fails, and the
// work comes to its proper end all the same.
func TestTerminalDies(t *testing.T) {
	c := newTerminal(t, 24, 80)
	c.holdUp()
	c.start(false, "fix")
	c.checking()
	c.hangUp()
	c.letGo()
	c.ends(0)
	c.holds(healedClock)
}

// A question is open: the window is closed, the input ends, or an interrupt comes. Nothing is applied, and the question can be
// answered later.
func TestTerminalGoesWhileAsked(t *testing.T) {
	for name, leave := range map[string]struct {
		how  func(*terminal)
		code int
	}{
		"window closed": {(*terminal).hangUp, 130},
		"end of input":  {func(c *terminal) { _, _ = c.master.WriteString("\x04") }, 7},
		"interrupt":     {func(c *terminal) { _, _ = c.master.WriteString("\x03") }, 130},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newTerminal(t, 24, 80)
			c.start(true, "fix", "--approve")
			c.until("Apply this change?")
			leave.how(c)
			c.ends(leave.code)
			c.holds(unformatted["clock.go"])
			if leave.code == 7 {
				c.plain("approve")
				c.holds(healedClock)
			}
		})
	}
}

// Windows of no size, and of one column, are drawn in as well as they can be; yes is heard in them.
func TestTerminalWithoutRoom(t *testing.T) {
	for _, columns := range []uint16{0, 1, 5} {
		t.Run(strconv.Itoa(int(columns)), func(t *testing.T) {
			t.Parallel()
			c := newTerminal(t, columns, columns)
			c.start(true, "fix", "--approve")
			c.until("Apply this change?")
			if _, err := c.master.WriteString("yes\n"); err != nil {
				t.Fatal(err)
			}
			c.ends(0)
			c.holds(healedClock)
			if strings.Contains(c.shown(), "panic") {
				t.Errorf("it shows:\n%s", c.shown())
			}
		})
	}
}

// A patch and a person's own file are shown on a terminal, and not obeyed by it; who reads them from a pipe has them to the byte.
func TestTerminalIsShown(t *testing.T) {
	const obeyed, spelled = "\x1b[2J\u202e", `\x1b[2J\u202e`
	text := unformatted["clock.go"] + "\n// " + obeyed + "\n"
	c := newTerminal(t, 24, 80)
	if err := os.WriteFile(filepath.Join(c.dir, "clock.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c.start(true, "fix", "--approve")
	c.until("Apply this change?")
	if _, err := c.master.WriteString("yes\n"); err != nil {
		t.Fatal(err)
	}
	c.ends(0)
	if got := c.plain("show", "clock.go@1"); got != text {
		t.Errorf("show: %q", got)
	}
	again := newTerminal(t, 24, 80)
	again.dir, again.mark = c.dir, c.mark
	again.start(true, "show", "clock.go@1")
	again.ends(0)
	for _, shown := range []string{c.shown(), again.shown()} {
		if strings.Contains(shown, obeyed[:4]) || !strings.Contains(shown, spelled) {
			t.Errorf("%q", shown)
		}
	}
}

// Stopped and continued, as with ctrl-Z and fg, a session goes on where it was.
func TestStoppedAndContinued(t *testing.T) {
	c := newTerminal(t, 24, 80)
	c.holdUp()
	c.start(true, "fix")
	c.checking()
	stop := func(sig syscall.Signal, state string) {
		t.Helper()
		if err := c.cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if !wait(func() bool {
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
			_, rest, _ := strings.Cut(string(stat), ") ")
			return err == nil && strings.Contains(state, rest[:1])
		}) {
			t.Fatalf("it does not come to be %s", state)
		}
	}
	stop(syscall.SIGSTOP, "T")
	c.letGo()
	stop(syscall.SIGCONT, "SR")
	c.ends(0)
	c.holds(healedClock)
}
