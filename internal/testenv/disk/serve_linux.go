package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/rpc"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// served is the variable that makes a test binary serve a disk: a [place] as JSON.
const served = "FETTLE_TEST_DISK"

// place is where a disk lies and where it is seen.
type place struct{ Below, At string }

// alone is the variable that says that a test binary has mounts of its own.
const alone = "FETTLE_TEST_MOUNTS"

// Main is called first in TestMain by a test binary that mounts disks. In the process that [Mount] starts it serves a disk, and does
// not return: a program that serves a file system must not use it, as while one of its threads waits for the disk, the others
// may have to wait for that thread. Elsewhere it runs the tests again in a mount namespace of their own, so that nobody else
// sees the disks, and nothing stays mounted whatever happens. Where that is not allowed, it does nothing.
func Main() {
	text, asked := os.LookupEnv(served)
	_, already := os.LookupEnv(alone)
	switch {
	case asked:
		if err := serve(text, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "disk:", err)
			os.Exit(1)
		}
		os.Exit(0)
	case !already && os.Getuid() == 0:
		again()
	}
}

// again runs this program once more in a mount namespace, and ends as it does.
func again() {
	runtime.LockOSThread()                                // the other process is to end with this thread
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...) //nolint:gosec // ourselves
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), alone+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: unix.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, unix.SIGTERM, unix.SIGQUIT) // the last one at a test's timeout
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s)
		}
	}()
	_ = cmd.Wait()
	os.Exit(max(cmd.ProcessState.ExitCode(), -cmd.ProcessState.ExitCode())) // -1: a signal
}

// serve mounts the disk and answers until the other side is done with it, or gone.
func serve(text string, in io.Reader, out io.Writer) error {
	var at place
	if err := json.Unmarshal([]byte(text), &at); err != nil {
		return err
	}
	unix.Umask(0) // the kernel has applied that of whoever asks
	p := &passthrough{below: at.Below, ids: map[uint64]ID{}, last: Root}
	server, err := p.mount(at.At)
	if err != nil {
		return err
	}
	calls := rpc.NewServer()
	if err := calls.RegisterName("Disk", &calling{p: p, server: server}); err != nil {
		return err
	}
	calls.ServeConn(&wire{in, out})
	if err := unix.Unmount(at.At, unix.MNT_DETACH); err != nil && !errors.Is(err, unix.EINVAL) { // EINVAL: it is not mounted any more
		return err
	}
	return nil
}

func (p *passthrough) mount(at string) (*fuse.Server, error) {
	root, err := gofs.NewLoopbackRoot(p.below)
	if err != nil {
		return nil, err
	}
	top := &node{root.(*gofs.LoopbackNode), p}
	known := time.Hour // nobody else writes below
	return gofs.Mount(at, top, &gofs.Options{
		EntryTimeout: &known, AttrTimeout: &known, NegativeTimeout: &known, NullPermissions: true,
		MountOptions: fuse.MountOptions{
			Name: "fettledisk", FsName: "test", DirectMountStrict: true, AllowOther: true, Options: []string{"default_permissions"},
			DisableXAttrs: true, DisabledCapabilities: fuse.CAP_PASSTHROUGH, // which would write past us
		},
	})
}

type wire struct {
	io.Reader
	io.Writer
}

// Close implements [io.Closer]; the process ends anyway.
func (*wire) Close() error { return nil }

// calling is what the test asks of the serving process.
type calling struct {
	p      *passthrough
	server *fuse.Server
}

// Nothing is the argument or answer of a call that has none.
type Nothing struct{}

// Begin forgets what was recorded, and answers with what is on the disk.
func (c *calling) Begin(_ Nothing, out *Image) error {
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	c.p.ops = nil
	*out = Image{}
	return out.read(c.p.below, Root, func(path string) (ID, error) {
		id, errno := c.p.idAt(strings.TrimPrefix(path, c.p.below))
		if errno != 0 {
			return 0, errno
		}
		return id, nil
	})
}

// Ops answers with what was recorded.
func (c *calling) Ops(_ Nothing, out *[]Op) error {
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	*out = c.p.ops
	return nil
}

// Mark records a mark.
func (c *calling) Mark(text string, _ *Nothing) error {
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	c.p.ops = append(c.p.ops, Op{Kind: Mark, Path: text})
	return nil
}

// Fail sets the fault, and answers with what came of the one before.
func (c *calling) Fail(f Fault, out *Tally) error {
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	*out = c.p.tally
	c.p.fault, c.p.tally = f, Tally{}
	return nil
}

// Unmount unmounts the disk; it fails while somebody works on it.
func (c *calling) Unmount(Nothing, *Nothing) error { return c.server.Unmount() }
