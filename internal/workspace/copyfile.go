package workspace

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// copyBuffer is the size in bytes of a worker's buffer. A file that does not fit is left to the system to copy.
const copyBuffer = 64 << 10

// place is a name in an open folder.
type place struct {
	dir  int
	name string
}

// setTime gives it the modification time of another.
func (p place) setTime(of *unix.Stat_t) error {
	return unix.UtimesNanoAt(p.dir, p.name, []unix.Timespec{of.Mtim, of.Mtim}, unix.AT_SYMLINK_NOFOLLOW)
}

// file copies a regular file to a name that is free, with its mode and times.
func (m *mirror) file(from, to place, st *unix.Stat_t, buf []byte) error {
	// Non-blocking, in case the file has become a fifo by now.
	source, err := open(from, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	defer unix.Close(source)
	var now unix.Stat_t
	if err := unix.Fstat(source, &now); err != nil {
		return err
	}
	if now.Dev != st.Dev || now.Ino != st.Ino || now.Mode != st.Mode {
		return errReplaced
	}
	if m.reflink {
		if err = cloneFile(source, to); err != nil {
			err = fmt.Errorf("share its blocks: %w", err)
		}
	} else {
		err = copyFile(source, to, st.Size, buf)
	}
	if err != nil {
		return err
	}
	if err := unix.Fchmodat(to.dir, to.name, uint32(st.Mode)&0o7777, 0); err != nil { //nolint:unconvert // not of this type on every system
		return err
	}
	if err := to.setTime(st); err != nil {
		return err
	}
	m.count(st)
	return nil
}

// errReplaced says that a name is another file's by now.
var errReplaced = errors.New("the file was replaced while it was copied")

// count counts what was copied, or is the same still.
func (m *mirror) count(st *unix.Stat_t) {
	if st.Mode&unix.S_IFMT == unix.S_IFREG {
		m.bytes.Add(st.Size)
	}
}

// copyFile copies what is to be read from a descriptor to a new file.
func copyFile(from int, to place, size int64, buf []byte) error {
	target, err := open(to, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if size > int64(len(buf)) {
		return copyLarge(from, target, to.name)
	}
	err = copySmall(from, target, buf)
	return errors.Join(err, unix.Close(target))
}

func copySmall(from, to int, buf []byte) error {
	for {
		n, err := retried(func() (int, error) { return unix.Read(from, buf) })
		if n == 0 || err != nil {
			return err
		}
		for rest := buf[:n]; len(rest) > 0; rest = rest[n:] {
			if n, err = retried(func() (int, error) { return unix.Write(to, rest) }); err != nil {
				return err
			}
		}
	}
}

// copyLarge has the system copy, which shares or skips what it can, and closes the target.
func copyLarge(from, target int, name string) error {
	to := os.NewFile(uintptr(target), name)
	fd, err := unix.FcntlInt(uintptr(from), unix.F_DUPFD_CLOEXEC, 0) // who makes a file of a descriptor owns it
	if err != nil {
		return errors.Join(err, to.Close())
	}
	source := os.NewFile(uintptr(fd), name)
	_, err = io.Copy(to, source)
	return errors.Join(err, to.Close(), source.Close())
}

// stampsOf are the stamps of a file on both sides.
func stampsOf(from *unix.Stat_t, to place) (stamps, error) {
	var st unix.Stat_t
	if err := fstatat(to.dir, to.name, &st); err != nil {
		return stamps{}, fmt.Errorf("look at the copy of %s: %w", to.name, err)
	}
	return stamps{statOf(from), statOf(&st)}, nil
}

func open(p place, flags int, mode uint32) (fd int, err error) {
	return retried(func() (int, error) { return unix.Openat(p.dir, p.name, flags|unix.O_CLOEXEC, mode) })
}

// retried calls the system again as long as it is interrupted. The number is never negative.
func retried(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); !errors.Is(err, unix.EINTR) {
			return max(n, 0), err
		}
	}
}
