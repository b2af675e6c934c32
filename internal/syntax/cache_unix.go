//go:build unix

package syntax

import (
	"io/fs"
	"os"
	"syscall"
)

// mine reports whether the file belongs to the user this process acts as.
func mine(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
