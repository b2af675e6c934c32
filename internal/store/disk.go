package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// DiskError says that the database cannot be used because of the disk it lies on.
type DiskError struct {
	Path  string
	Cause error // what the system says: full, read-only, broken, not allowed
	err   error
}

func (e *DiskError) Error() string {
	return fmt.Sprintf("the state database %s: %v (%v)", e.Path, e.Cause, e.err)
}

// Unwrap are the cause and the database's own error.
func (e *DiskError) Unwrap() []error { return []error{e.Cause, e.err} }

// cause finds out why the database could not do something with its files, which it does not tell: another file beside them is
// written. If that works, the error's kind has to do.
func cause(dir string, e *sqlite.Error) error {
	if err := tryToWrite(dir); err != nil {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return syscall.ENOSPC
	case sqlite3.SQLITE_READONLY:
		return fs.ErrPermission
	}
	return syscall.EIO
}

// tryToWrite does what a database does to its files, and returns what went wrong.
func tryToWrite(dir string) error {
	f, err := os.CreateTemp(dir, "probe-")
	if err != nil {
		return bare(err)
	}
	_, err = f.Write(make([]byte, 4096))
	return bare(errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name())))
}

// bare is the system's own error, without the path it concerns.
func bare(err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno
	}
	return err
}
