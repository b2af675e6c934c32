package inside

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// LandlockVersion is the version of Landlock that this kernel offers; 0: none.
func LandlockVersion() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

// writes are the rights that change files, by the version of Landlock that brought them
// (https://docs.kernel.org/userspace-api/landlock.html). Reading and running stay free.
func writes(version int) uint64 {
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
	if version >= 5 {
		rights |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return rights
}

// restrict leaves the calling thread, and what it starts, able to write in the given folders only, and to read what may be read. Without TCP it can neither
// open nor serve TCP connections, but for connecting to one port that may be given. From version 6 on it can also not signal processes outside, nor reach their abstract sockets.
func restrict(c *Config) error {
	if err := noNewPrivileges(); err != nil {
		return err
	}
	version := LandlockVersion()
	if version == 0 {
		return nil // the caller knows, and says so
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: writes(version)}
	if c.Readable != nil {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_READ_FILE
	}
	if c.NoTCP && version >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if version >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	set, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0) //nolint:gosec // the system call takes a pointer
	if errno != 0 {
		return fmt.Errorf("make a Landlock ruleset: %w", errno)
	}
	defer unix.Close(int(set))
	if err := allowFiles(int(set), c, attr.Handled_access_fs); err != nil {
		return err
	}
	if c.Port != 0 && attr.Handled_access_net != 0 {
		if err := allowPort(int(set), c.Port); err != nil {
			return fmt.Errorf("let commands connect to port %d: %w", c.Port, err)
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0); errno != 0 {
		return fmt.Errorf("apply the Landlock rules: %w", errno)
	}
	return nil
}

// allowFiles gives a ruleset, which handles these rights, what commands may write and read.
func allowFiles(set int, c *Config, rights uint64) error {
	for _, dir := range c.Writable {
		if err := allow(set, dir, rights); err != nil {
			return fmt.Errorf("let commands write to %s: %w", dir, err)
		}
	}
	for _, path := range c.Readable {
		if err := allow(set, path, unix.LANDLOCK_ACCESS_FS_READ_FILE); err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrPermission) && !errors.Is(err, unix.EBADFD) {
			return fmt.Errorf("let commands read %s: %w", path, err)
		}
	}
	const file = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	for _, dev := range []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx"} {
		if err := allow(set, dev, rights&(file|unix.LANDLOCK_ACCESS_FS_READ_FILE)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("let commands write to %s: %w", dev, err)
		}
	}
	for _, dir := range []string{"/dev/pts", "/dev/shm"} {
		if err := allow(set, dir, rights); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("let commands write to %s: %w", dir, err)
		}
	}
	return nil
}

func allow(set int, path string, rights uint64) error {
	fd, err := openPath(path)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	attr := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0) //nolint:gosec // likewise
	if errno != 0 {
		return errno
	}
	return nil
}

// allowPort lets commands connect to a TCP port. The unix package does not have the rule's words yet (linux/landlock.h).
func allowPort(set int, port uint16) error {
	const ruleNetPort = 2
	attr := struct{ allowed, port uint64 }{unix.LANDLOCK_ACCESS_NET_CONNECT_TCP, uint64(port)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), ruleNetPort, uintptr(unsafe.Pointer(&attr)), 0, 0, 0) //nolint:gosec // likewise
	if errno != 0 {
		return errno
	}
	return nil
}
