package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/rpc"
	"os"
	"strings"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// served is the variable that makes a test binary serve a disk: a [place] as JSON.
const served = "FETTLE_TEST_DISK"

// place is where a disk lies and where it is seen.
type place struct{ Below, At string }

// Main serves a disk, and does not return, in the process that [Mount] starts for it; elsewhere it does nothing. The test binary
// calls it first in TestMain. A process of its own is needed because a program that serves a file system must not use it:
// while one of its threads waits for the disk, the others may have to wait for that thread.
func Main() {
	text, asked := os.LookupEnv(served)
	if !asked {
		return
	}
	if err := serve(text, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "disk:", err)
		os.Exit(1)
	}
	os.Exit(0)
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
