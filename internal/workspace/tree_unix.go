//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// openFlags make opening a symbolic link fail and opening a pipe or device return at once.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// links is how many names a file has.
func links(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink) //nolint:unconvert // its width differs between systems
	}
	return 1
}

// keepOwner gives a new file the owner and group of the one it replaces, which matters when root works in a user's tree.
// Who may not give files away cannot have it otherwise: the new file then belongs to who wrote it, as with any editor.
func keepOwner(f *os.File, old fs.FileInfo) error {
	if old == nil {
		return nil
	}
	was, ok := old.Sys().(*syscall.Stat_t)
	info, err := f.Stat()
	if err != nil || !ok {
		return err
	}
	is, ok := info.Sys().(*syscall.Stat_t)
	if !ok || is.Uid == was.Uid && is.Gid == was.Gid {
		return nil
	}
	if err := f.Chown(int(was.Uid), int(was.Gid)); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// writable is what keeps us from changing the names in a folder; nil: nothing. Modes alone do not tell: root may where no mode
// allows it, and nobody may on a file system that is mounted to be read only.
func writable(dir *os.Root) error {
	d, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	return unix.Faccessat(int(d.Fd()), ".", unix.W_OK|unix.X_OK, 0)
}

// noHardLinks reports an error that says that a file system has no hard links.
func noHardLinks(err error) bool {
	return errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EOPNOTSUPP) ||
		errors.Is(err, syscall.EMLINK)
}
