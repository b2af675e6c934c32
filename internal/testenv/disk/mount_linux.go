package disk

import (
	"encoding/json"
	"io"
	"net/rpc"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"

	"fettle/internal/testenv"
)

// Disk is a mounted file system for a test.
type Disk struct {
	t    testing.TB
	at   string
	wire *rpc.Client
	in   io.Closer
	cmd  *exec.Cmd
}

// Mount mounts an empty disk at a folder. Without the right to mount, the test is skipped.
func Mount(t testing.TB, at string) *Disk {
	t.Helper()
	below := t.TempDir()
	Memory(t, below)
	if _, err := os.Stat("/dev/fuse"); err != nil {
		testenv.Missing(t, "/dev/fuse: the kernel's module fuse, and in a container the right to use that device")
	}
	text, err := json.Marshal(place{below, at})
	if err != nil {
		t.Fatal(err)
	}
	d := &Disk{t: t, at: at, cmd: exec.Command("/proc/self/exe")}
	d.cmd.Env = append(os.Environ(), served+"="+string(text), "GORACE=atexit_sleep_ms=0")
	d.cmd.Stderr = os.Stderr
	in, err := d.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	d.in, d.wire = in, rpc.NewClient(&pipes{out, in})
	t.Cleanup(d.remove)
	d.Fail(Fault{}) // it answers when it is mounted
	return d
}

// Memory mounts an empty file system in memory at a folder, where no sync takes time. Without the right to mount, the test is
// skipped.
func Memory(t testing.TB, at string) {
	t.Helper()
	if os.Getenv(alone) == "" {
		const why = "only root, with the right to mount, can have the disk that this test breaks"
		if testenv.Soak() {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	if err := unix.Mount("test", at, "tmpfs", 0, ""); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(at, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

// Freeze makes what [Memory] mounted read-only.
func Freeze(t testing.TB, at string) {
	t.Helper()
	if err := unix.Mount("", at, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
}

type pipes struct {
	io.ReadCloser
	io.Writer
}

func (d *Disk) call(method string, args, reply any) {
	d.t.Helper()
	if err := d.wire.Call("Disk."+method, args, reply); err != nil {
		d.t.Fatalf("the test's disk: %s: %v", method, err)
	}
}

// Begin begins to record. What is on the disk now, it holds for certain.
func (d *Disk) Begin() Image {
	d.t.Helper()
	var im Image
	d.call("Begin", Nothing{}, &im)
	return im
}

// Ops are the operations since Begin.
func (d *Disk) Ops() []Op {
	d.t.Helper()
	var ops []Op
	d.call("Ops", Nothing{}, &ops)
	return ops
}

// Mark records that something happened beside the disk.
func (d *Disk) Mark(text string) {
	d.t.Helper()
	d.call("Mark", text, &Nothing{})
}

// Fail lets the disk fail; the zero Fault makes it whole again. It returns what came of the fault before.
func (d *Disk) Fail(f Fault) Tally {
	d.t.Helper()
	var tally Tally
	d.call("Fail", f, &tally)
	return tally
}

// Unmount unmounts the disk, and fails the test when somebody still works on it.
func (d *Disk) Unmount() {
	d.t.Helper()
	d.call("Unmount", Nothing{}, &Nothing{})
	d.end()
}

func (d *Disk) end() {
	if d.cmd == nil {
		return
	}
	_ = d.in.Close()
	if err := d.cmd.Wait(); err != nil {
		d.t.Errorf("the process of the test's disk: %v", err)
	}
	d.cmd = nil
}

// remove unmounts what a test that failed left mounted.
func (d *Disk) remove() {
	if d.cmd != nil {
		_ = unix.Unmount(d.at, unix.MNT_DETACH)
	}
	d.end()
}
