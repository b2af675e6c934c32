package workspace

import (
	"io/fs"
	"syscall"
)

// stamp is what the file system says of a file's identity. The change time cannot be set by a program, so that equal stamps
// mean equal content, but for a file that was written twice within one tick of the file system's clock.
type stamp struct {
	ino          uint64
	size         int64
	mtime, ctime int64 // nanoseconds
	mode         fs.FileMode
}

func stampOf(info fs.FileInfo) stamp {
	s := stamp{size: info.Size(), mtime: info.ModTime().UnixNano(), mode: info.Mode()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.ino = st.Ino
		s.ctime = changeTime(st)
	}
	return s
}

// severalNames tells a file's identity when hard links give it more than one name.
func severalNames(info fs.FileInfo) (inode, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Nlink < 2 {
		return inode{}, false
	}
	return inode{uint64(st.Dev), st.Ino}, true //nolint:unconvert // not of this type on every system
}
