//go:build !linux

package proc

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// awaitZombie blocks until the child has ended, and leaves it to be reaped. A child that has ended before we ask makes the
// registration fail, which is the same news.
func awaitZombie(pid int) {
	kq, err := unix.Kqueue()
	if err != nil {
		return
	}
	defer unix.Close(kq)
	var ev unix.Kevent_t
	unix.SetKevent(&ev, pid, unix.EVFILT_PROC, unix.EV_ADD|unix.EV_ONESHOT)
	ev.Fflags = unix.NOTE_EXIT
	got := make([]unix.Kevent_t, 1)
	for {
		if _, err := unix.Kevent(kq, []unix.Kevent_t{ev}, got, nil); !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
