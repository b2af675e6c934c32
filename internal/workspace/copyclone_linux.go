package workspace

import (
	"errors"

	"golang.org/x/sys/unix"
)

// cloneFile makes a new file that shares its blocks with an open one until either is written to (ioctl FICLONE).
func cloneFile(from int, to place) error {
	target, err := open(to, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(unix.IoctlFileClone(target, from), unix.Close(target))
}
