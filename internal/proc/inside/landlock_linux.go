package inside

import (
	"errors"
	"fmt"
	"os"

	"fettle/internal/proc/landlock"

	"golang.org/x/sys/unix"
)

// writes are the rights that change files, and those on devices. Reading and running stay free.
func writes(version int) uint64 {
	rights := landlock.Writes(version)
	if version >= 5 {
		rights |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return rights
}

// restrict leaves the calling thread, and what it starts, able to write in the given folders only, and to read what may be read. Without TCP it can neither
// open nor serve TCP connections, but for connecting to one port that may be given. From version 6 on it can also not signal processes outside, nor reach their abstract sockets.
func restrict(c *Config) error {
	if err := landlock.NoNewPrivileges(); err != nil {
		return err
	}
	version := landlock.Version()
	if version == 0 {
		return nil // the caller knows, and says so
	}
	handled := landlock.Handled{Handled_access_fs: writes(version)}
	if c.Readable != nil {
		handled.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_READ_FILE
	}
	if c.NoTCP && version >= 4 {
		handled.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if version >= 6 {
		handled.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	rules, err := landlock.New(handled)
	if err != nil {
		return err
	}
	defer rules.Close()
	if err := allowFiles(rules, c, handled.Handled_access_fs); err != nil {
		return err
	}
	if c.Port != 0 && handled.Handled_access_net != 0 {
		if err := rules.AllowPort(c.Port); err != nil {
			return fmt.Errorf("let commands connect to port %d: %w", c.Port, err)
		}
	}
	return rules.Restrict()
}

// allowFiles gives a ruleset, which handles these rights, what commands may write and read.
func allowFiles(rules landlock.Ruleset, c *Config, rights uint64) error {
	for _, dir := range c.Writable {
		if err := rules.AllowPath(dir, rights); err != nil {
			return fmt.Errorf("let commands write to %s: %w", dir, err)
		}
	}
	for _, path := range c.Readable {
		if err := rules.AllowPath(path, unix.LANDLOCK_ACCESS_FS_READ_FILE); err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrPermission) && !errors.Is(err, unix.EBADFD) {
			return fmt.Errorf("let commands read %s: %w", path, err)
		}
	}
	for _, dev := range []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx"} {
		if err := rules.AllowPath(dev, landlock.OfFile(rights)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("let commands write to %s: %w", dev, err)
		}
	}
	for _, dir := range []string{"/dev/pts", "/dev/shm"} {
		if err := rules.AllowPath(dir, rights); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("let commands write to %s: %w", dir, err)
		}
	}
	return nil
}
