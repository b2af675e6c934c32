package inside

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"fettle/internal/proc/landlock"

	"golang.org/x/sys/unix"
)

// launcher starts commands from one thread that has given up, for good, what commands must not have: privileges are a
// thread's own on Linux, and a child inherits those of the thread that forks it. The holder's other threads keep theirs, to
// renew the view. A command cannot reach them: it is less privileged, so it may not trace or inspect the holder.
type launcher struct{ work chan func() }

func newLauncher(confine func() error) (*launcher, error) {
	l := &launcher{work: make(chan func())}
	ready := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlock: no other goroutine may run here
		if err := confine(); err != nil {
			ready <- err
			return
		}
		ready <- nil
		for f := range l.work {
			f()
		}
	}()
	if err := <-ready; err != nil {
		return nil, err
	}
	return l, nil
}

func (l *launcher) fork(program string, argv []string, dir string, env []string, files []*os.File) (pid int, err error) {
	attr := &syscall.ProcAttr{Dir: dir, Env: env, Sys: &syscall.SysProcAttr{Setpgid: true}}
	for _, f := range files {
		attr.Files = append(attr.Files, f.Fd())
	}
	done := make(chan struct{})
	l.work <- func() {
		pid, err = syscall.ForkExec(program, argv, attr)
		close(done)
	}
	<-done
	runtime.KeepAlive(files)
	return pid, err
}

// kept are the capabilities that a root user's commands keep: what installing, testing and changing one's own files takes,
// and nothing that reaches beyond the copy. (What containers usually get, less device nodes and open-by-handle.)
var kept = []int{
	unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_KILL, unix.CAP_SETGID, unix.CAP_SETUID,
	unix.CAP_SETPCAP, unix.CAP_NET_BIND_SERVICE, unix.CAP_NET_RAW, unix.CAP_SYS_CHROOT, unix.CAP_SETFCAP, unix.CAP_AUDIT_WRITE,
}

// dropPrivileges leaves the calling thread, and what it starts, with the kept capabilities at most; an ordinary user's
// commands end up with none. No program can give them back (no_new_privs).
func dropPrivileges() error {
	var keep uint64
	for _, c := range kept {
		keep |= 1 << c
	}
	for c := 0; c <= 63; c++ {
		if keep&(1<<c) != 0 {
			continue
		}
		set, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, uintptr(c), 0, 0, 0)
		if err != nil { // beyond the last capability this kernel knows
			break
		}
		if set == 0 {
			continue
		}
		err = unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0)
		if errors.Is(err, unix.EPERM) && os.Geteuid() != 0 { // an ordinary user on the machine itself: there is nothing to give up
			break
		}
		if err != nil {
			return fmt.Errorf("give up capability %d: %w", c, err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("give up ambient capabilities: %w", err)
	}
	if err := capset(keep); err != nil {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	return landlock.NoNewPrivileges()
}

// capset reduces the thread's effective and permitted capabilities to those of keep that it has, and clears the inheritable.
func capset(keep uint64) error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return err
	}
	for i := range data {
		mask := uint32(keep >> (32 * i))
		data[i].Effective &= mask
		data[i].Permitted &= mask
		data[i].Inheritable = 0
	}
	return unix.Capset(&header, &data[0])
}

// loopbackUp turns the loopback device of our network namespace on.
func loopbackUp() error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	var ifr struct {
		name  [unix.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(ifr.name[:], "lo")
	ifr.flags = unix.IFF_UP | unix.IFF_RUNNING
	if _, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(s), unix.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&ifr))); e != 0 { //nolint:gosec // the system call takes a pointer
		return e
	}
	return nil
}
