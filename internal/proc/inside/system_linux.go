package inside

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// system puts up the parts of the view that are not the user's files: /proc of our own process namespace, a minimal /dev,
// and, where the network is closed, a /run whose sockets lead nowhere.
func (v *view) system() error {
	for _, step := range []func() error{v.run, v.dev, v.proc} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// run lays an overlay over /run: its files stay readable, but a socket seen through an overlay is not the one that a
// service of the machine listens on (a container engine's, a session bus).
func (v *view) run() error {
	if !v.m.HideRun {
		return nil
	}
	run, err := filepath.EvalSymlinks("/run")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	none := fdPath(v.state) + "/none"
	if err := os.Mkdir(none, 0o700); err != nil {
		return err
	}
	options := "lowerdir=" + run + ":" + none // two lowers: an overlay without writes
	if v.m.User {
		options += ",userxattr"
	}
	if err := unix.Mount("fettle", run, "overlay", unix.MS_NODEV|unix.MS_NOSUID|unix.MS_RDONLY, options); err != nil {
		return fmt.Errorf("hide the machine's sockets in %s: %w", run, err)
	}
	return nil
}

// devices are the nodes a command gets: none that leads to the machine's disks or memory.
var devices = []string{"null", "zero", "full", "random", "urandom", "tty"}

// dev puts up a /dev of our own, with terminals and shared memory that nobody else sees.
func (v *view) dev() error {
	nodes := map[string]int{}
	for _, name := range devices {
		if fd, err := openPath("/dev/" + name); err == nil {
			nodes[name] = fd
			defer unix.Close(fd)
		}
	}
	if err := unix.Mount("fettle", "/dev", "tmpfs", unix.MS_NOSUID, "mode=0755,size=64k"); err != nil {
		return fmt.Errorf("mount a private /dev: %w", err)
	}
	for name, fd := range nodes {
		node := "/dev/" + name
		if err := os.WriteFile(node, nil, 0o666); err != nil {
			return err
		}
		if err := unix.Mount(fdPath(fd), node, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("mount %s: %w", node, err)
		}
	}
	for name, target := range map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1",
		"stderr": "/proc/self/fd/2", "ptmx": "pts/ptmx"} {
		if err := os.Symlink(target, "/dev/"+name); err != nil {
			return err
		}
	}
	for _, dir := range []string{"/dev/shm", "/dev/pts"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	if err := unix.Mount("fettle", "/dev/shm", "tmpfs", unix.MS_NODEV|unix.MS_NOSUID, "mode=1777"); err != nil {
		return fmt.Errorf("mount a private /dev/shm: %w", err)
	}
	if err := unix.Mount("fettle", "/dev/pts", "devpts", unix.MS_NOEXEC|unix.MS_NOSUID, "newinstance,ptmxmode=0666,mode=0620"); err != nil {
		v.notes = append(v.notes, fmt.Sprintf("no terminals inside: %v", err))
	}
	return nil
}

// kernelFiles are the parts of /proc through which root, even without capabilities, could change the machine.
var kernelFiles = []string{"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi"}

// proc mounts the /proc of our own process namespace. An ordinary user is not allowed to where parts of the present one are
// hidden (inside most containers): then that one stays, in which the machine's processes can be seen but not touched.
func (v *view) proc() error {
	err := unix.Mount("proc", "/proc", "proc", unix.MS_NODEV|unix.MS_NOSUID|unix.MS_NOEXEC, "")
	if errors.Is(err, unix.EPERM) && v.m.User {
		v.notes = append(v.notes, "/proc shows the machine's processes")
		return v.bound()
	}
	if err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	if err := v.bound(); err != nil {
		return fmt.Errorf("bound how many processes there may be: %w", err)
	}
	if v.m.User {
		return nil // its files belong to the machine's root, who does not exist inside
	}
	for _, path := range kernelFiles {
		err := unix.Mount(path, path, "", unix.MS_BIND|unix.MS_REC, "")
		if errors.Is(err, unix.ENOENT) {
			continue
		}
		if err != nil {
			return fmt.Errorf("protect %s: %w", path, err)
		}
	}
	for _, path := range []string{"/proc/kcore", "/proc/keys", "/proc/timer_list"} {
		err := unix.Mount("/dev/null", path, "", unix.MS_BIND, "")
		if err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("hide %s: %w", path, err)
		}
	}
	return nil
}
