//go:build linux || darwin

package workspace

import (
	"errors"
	"os"
	slashpath "path"
	"strings"

	"golang.org/x/sys/unix"
)

// maxAttribute is how large an attribute may be; Linux allows no more.
const maxAttribute = 64 << 10

// keepAttributes gives a new file the extended attributes of the one it replaces: what people and programs note of a file, and its
// access list. Attributes that are the system's to give are left to it; what the file system or our rights do not allow cannot
// be had.
func keepAttributes(f *folder, to *os.File, s step) error {
	if s.old == nil {
		return nil
	}
	from, err := f.OpenFile(slashpath.Base(s.path), os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil // it has gone, or is another kind of file now, which is found before anything is replaced
	}
	defer from.Close() // only read
	names := make([]byte, maxAttribute)
	n, err := unix.Flistxattr(int(from.Fd()), names)
	if err != nil {
		return nil // the file system has no attributes
	}
	value := make([]byte, maxAttribute)
	for name := range strings.SplitSeq(string(names[:n]), "\x00") {
		if name == "" || strings.HasPrefix(name, "security.") || strings.HasPrefix(name, "trusted.") {
			continue
		}
		n, err := unix.Fgetxattr(int(from.Fd()), name, value)
		if err == nil {
			err = unix.Fsetxattr(int(to.Fd()), name, value[:n], 0)
		}
		if err != nil && !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.EACCES) && !errors.Is(err, unix.ENOTSUP) && !errors.Is(err, noAttribute) {
			return err
		}
	}
	return nil
}
