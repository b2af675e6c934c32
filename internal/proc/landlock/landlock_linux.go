package landlock

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Version is the version of Landlock that this kernel offers; 0: none.
func Version() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

// Writes are the rights that change files and folders, by the version of Landlock that brought them. Reading, running, and what is asked of a device are not among them.
func Writes(version int) uint64 {
	rights := uint64(unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM)
	if version >= 2 {
		rights |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		rights |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	return rights
}

// OfFile are the rights of those that count for a file: a rule for one may name no others.
func OfFile(rights uint64) uint64 {
	return rights & (unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV)
}

// Handled is what a ruleset takes away where nothing in it allows it.
type Handled = unix.LandlockRulesetAttr

// Ruleset is what is taken away, and what is left.
type Ruleset struct{ fd int }

// New makes a ruleset in which nothing is allowed yet. The caller closes it.
func New(handled Handled) (Ruleset, error) {
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&handled)), unsafe.Sizeof(handled), 0) //nolint:gosec // the system call takes a pointer
	if errno != 0 {
		return Ruleset{-1}, fmt.Errorf("make a Landlock ruleset: %w", errno)
	}
	return Ruleset{int(fd)}, nil
}

// Close gives the ruleset back. What it took from a thread stays taken.
func (r Ruleset) Close() { unix.Close(r.fd) }

// Allow leaves rights on an open file (O_PATH will do), or in an open folder and all below it, be it mounted there.
func (r Ruleset) Allow(fd int, rights uint64) error {
	attr := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	return r.add(unix.LANDLOCK_RULE_PATH_BENEATH, unsafe.Pointer(&attr)) //nolint:gosec // likewise
}

// AllowPath is Allow for what a path leads to, also through a link.
func (r Ruleset) AllowPath(path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	return r.Allow(fd, rights)
}

// AllowPort lets a thread connect to a TCP port. The unix package does not have the rule's words yet (linux/landlock.h).
func (r Ruleset) AllowPort(port uint16) error {
	const ruleNetPort = 2
	attr := struct{ allowed, port uint64 }{unix.LANDLOCK_ACCESS_NET_CONNECT_TCP, uint64(port)}
	return r.add(ruleNetPort, unsafe.Pointer(&attr)) //nolint:gosec // likewise
}

func (r Ruleset) add(kind uintptr, attr unsafe.Pointer) error {
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(r.fd), kind, uintptr(attr), 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// Restrict holds the calling thread, and all that it starts, to the ruleset, for good. The caller has locked its goroutine to the thread, and has forbidden it new privileges.
func (r Ruleset) Restrict() error {
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(r.fd), 0, 0); errno != 0 {
		return fmt.Errorf("apply the Landlock rules: %w", errno)
	}
	return nil
}

// NoNewPrivileges keeps the calling thread, and all that it starts, from gaining rights by a program's owner (setuid). Landlock wants it first.
func NoNewPrivileges() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("forbid new privileges: %w", err)
	}
	return nil
}
