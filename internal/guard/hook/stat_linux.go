package hook

import (
	"encoding/binary"
	"syscall"
)

// is reports that the file's state is what the entry says: the times of its content and of its state, its number, and its size.
func (e entry) is(stat *syscall.Stat_t) bool {
	field := func(i int) uint32 { return binary.BigEndian.Uint32(e[4*i:]) }
	return field(0) == uint32(stat.Ctim.Sec) && field(1) == uint32(stat.Ctim.Nsec) && field(2) == uint32(stat.Mtim.Sec) && field(3) == uint32(stat.Mtim.Nsec) &&
		field(5) == uint32(stat.Ino) && field(9) == uint32(stat.Size)
}
