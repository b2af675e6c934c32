//go:build !unix

package workspace

import (
	"errors"
	"io/fs"
	"os"
)

// openFlags has no counterpart here; what was opened is compared with what was looked at.
const openFlags = 0

// links cannot be told from the file information here.
func links(fs.FileInfo) uint64 { return 1 }

// keepOwner has nothing to do: a new file inherits its folder's access rules.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

// writable cannot be told without trying.
func writable(*os.Root) error { return nil }

// noHardLinks reports an error that says that a file system has no hard links.
func noHardLinks(err error) bool { return errors.Is(err, errors.ErrUnsupported) }
