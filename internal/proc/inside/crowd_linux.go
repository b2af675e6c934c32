package inside

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// mostTasks is how many processes and threads there may be in a copy at once: more than builds start, and fewer than a program that forks without end
// would fill the machine with.
const mostTasks = 8192

// bound holds what runs inside to mostTasks, where the system can: by the limit of the process namespace, which is its own since Linux 6.14
// (https://git.kernel.org/torvalds/c/7863dcc72d0f); for an ordinary user by that of the user namespace, which the machine's root is not held to.
func (v *view) bound() error {
	if v.m.User {
		return lower(unix.RLIMIT_NPROC, mostTasks)
	}
	if !kernelSince(6, 14) {
		return nil // it is the whole machine's
	}
	err := os.WriteFile("/proc/sys/kernel/pid_max", []byte(strconv.Itoa(mostTasks)), 0)
	if errors.Is(err, os.ErrPermission) || errors.Is(err, unix.EROFS) {
		return nil // a container's, where somebody else bounds us
	}
	return err
}

// lower sets a limit on this process and all that it starts, unless there is a lower one.
func lower(which int, n uint64) error {
	var have unix.Rlimit
	if err := unix.Getrlimit(which, &have); err != nil {
		return err
	}
	n = min(n, have.Max)
	return unix.Setrlimit(which, &unix.Rlimit{Cur: min(n, have.Cur), Max: n})
}

// kernelSince reports whether the kernel is of this version or a later one.
func kernelSince(major, minor int) bool {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return false
	}
	var a, b int
	if n, _ := fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &a, &b); n != 2 {
		return false
	}
	return a > major || a == major && b >= minor
}
