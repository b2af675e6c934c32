package confine

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"fettle/internal/proc/landlock"

	"golang.org/x/sys/unix"
)

// firstOther is the first descriptor behind standard input, output and error.
const firstOther = 3

// needs is the version of Landlock that keeps files from being emptied in their place (Linux 6.2); links and moves came with the second.
const needs = 3

// Supported says why nothing can be confined here.
func Supported() error {
	switch v := landlock.Version(); {
	case processors[runtime.GOARCH] == 0:
		return fmt.Errorf("%w: the system calls of %s are not known", ErrUnsupported, runtime.GOARCH)
	case v == 0:
		return fmt.Errorf("%w: this kernel has no Landlock, or it is switched off (security=, lsm=)", ErrUnsupported)
	case v < needs:
		return fmt.Errorf("%w: this kernel's Landlock (version %d) cannot keep files from being emptied: version %d can, which is Linux 6.2's", ErrUnsupported, v, needs)
	}
	return nil
}

// Start makes what is new, holds this process to the bounds for good, and becomes the program, at path. It returns only when that fails.
func (b *Bounds) Start(path string, argv, environ []string) error {
	if err := Supported(); err != nil {
		return err
	}
	for _, p := range b.Free {
		if p.New {
			if err := p.make(); err != nil {
				return fmt.Errorf("make what programs keep for themselves: %w", err)
			}
		}
	}
	runtime.LockOSThread() // what is restricted is this thread, and the program begins in it
	if err := b.restrict(); err != nil {
		return err
	}
	if err := filter(); err != nil {
		return err
	}
	if err := unix.CloseRange(firstOther, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil { // a file that is open already is open within, too
		return fmt.Errorf("close what is open: %w", err)
	}
	return &os.PathError{Op: "exec", Path: path, Err: syscall.Exec(path, argv, environ)} //nolint:gosec // to start what the person names is what it is for
}

// make makes a place that is not there, for its owner alone.
func (p Place) make() error {
	if !p.file {
		return os.MkdirAll(p.Path, 0o700)
	}
	f, err := os.OpenFile(p.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil // another one was faster
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(p.text)
	return errors.Join(err, f.Close())
}

func (b *Bounds) restrict() error {
	if err := landlock.NoNewPrivileges(); err != nil {
		return err
	}
	all := landlock.Writes(landlock.Version())
	rules, err := landlock.New(landlock.Handled{Handled_access_fs: all})
	if err != nil {
		return err
	}
	defer rules.Close()
	w := walk{rules, all &^ unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK} // a device of one's own would lead past every folder
	if err := w.beside("/", b.apart()); err != nil {
		return err
	}
	for _, p := range b.Free {
		if err := w.allow(p.Path); err != nil {
			return fmt.Errorf("let %s be changed: %w", p.Path, err)
		}
	}
	return rules.Restrict()
}

// apart are the paths beside which everything is free. Root could write to a disk as a device, so devices are allowed to it one by one.
func (b *Bounds) apart() []string {
	if os.Geteuid() == 0 {
		return append(slices.Clone(b.roots), "/dev/"+disks)
	}
	return b.roots
}

// disks stands for a name that no device has: it makes of /dev a folder on the way.
const disks = "\x00"

type walk struct {
	rules  landlock.Ruleset
	rights uint64
}

// beside allows everything in a folder but what leads to the paths. What cannot be listed stays kept.
func (w walk) beside(dir string, paths []string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && entries == nil {
		return nil
	}
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		switch {
		case slices.Contains(paths, at):
		case slices.ContainsFunc(paths, func(p string) bool { return within(p, at) }):
			err = w.beside(at, paths)
		default:
			err = w.allow(at)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrPermission) {
			return fmt.Errorf("let %s be changed: %w", at, err)
		}
	}
	return nil
}

// allow leaves all rights on what is at a path, but no link: where that leads is allowed by its own name, or kept. Disks are nobody's.
func (w walk) allow(path string) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	rights := w.rights
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFLNK, unix.S_IFBLK:
		return nil
	case unix.S_IFDIR:
	default:
		rights = landlock.OfFile(rights)
	}
	if err := w.rules.Allow(fd, rights); err != nil && !errors.Is(err, unix.EBADFD) { // a file of the kernel's own, to which no rule goes
		return err
	}
	return nil
}

// Holds reports that this process is confined: its home, which it may write to by all that the system says of it, does not let it. known is false where that cannot be told.
func Holds(home string) (confined, known bool) {
	if unix.Faccessat(unix.AT_FDCWD, home, unix.W_OK|unix.X_OK, unix.AT_EACCESS) != nil {
		return false, false
	}
	fd, err := unix.Open(home, unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, 0o600) // a file without a name, which is gone when it is closed
	if err == nil {
		unix.Close(fd)
	}
	return errors.Is(err, unix.EACCES), err == nil || errors.Is(err, unix.EACCES)
}
