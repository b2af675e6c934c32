package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// folderCopy copies one folder after the other. Each worker of a [mirror] has its own.
type folderCopy struct {
	mirror *mirror
	last   map[string]mirrored // of the last time; nil: the copy is empty
	buf    []byte

	rel      string // the folder at hand
	from, to int    // its descriptors, on both sides
	now      mirrored
	below    []string
}

// visit copies what is in a folder, which exists on the other side, and returns the folders in it.
func (c *folderCopy) visit(rel string) ([]string, error) {
	m := c.mirror
	from, err := os.Open(filepath.Join(m.from, rel))
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, c.unreadable(rel)
	case errors.Is(err, fs.ErrNotExist) && rel != ".":
		return nil, nil // gone while we looked
	case err != nil:
		return nil, err
	}
	defer from.Close()
	names, err := from.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	info, err := from.Stat()
	if err != nil {
		return nil, err
	}
	to, err := os.Open(filepath.Join(m.to, rel))
	if err != nil {
		return nil, err
	}
	defer to.Close()
	c.rel, c.from, c.to = rel, int(from.Fd()), int(to.Fd())
	c.now, c.below = make(mirrored, len(names)), nil
	before := map[string]bool{} // what the copy has
	if c.last != nil {
		there, err := to.Readdirnames(-1)
		if err != nil {
			return nil, err
		}
		for _, name := range there {
			before[name] = true
		}
	}
	for _, name := range names {
		if m.skip(filepath.Join(m.from, rel, name)) {
			continue
		}
		if err := c.take(name, before[name]); err != nil {
			return nil, err
		}
	}
	for name := range before {
		if _, still := c.now[name]; !still {
			if err := removeAll(filepath.Join(m.to, rel, name)); err != nil {
				return nil, err
			}
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen[rel] = c.now
	m.folders = append(m.folders, mirroredFolder{rel, uint32(info.Mode().Perm()), info.ModTime()})
	return c.below, nil
}

// unreadable leaves out a folder that we may not read.
func (c *folderCopy) unreadable(rel string) error {
	info, err := os.Lstat(filepath.Join(c.mirror.from, rel))
	if err != nil {
		return err
	}
	if err := empty(filepath.Join(c.mirror.to, rel)); err != nil { // what it held when it could be read
		return err
	}
	c.mirror.omit(rel, "cannot be read")
	c.mirror.mu.Lock()
	defer c.mirror.mu.Unlock()
	c.mirror.closed[rel] = true
	c.mirror.folders = append(c.mirror.folders, mirroredFolder{rel, uint32(info.Mode().Perm()), info.ModTime()})
	return nil
}

// patience is how often a name is tried whose file is replaced again and again.
const patience = 5

// take brings one name of the folder at hand over, if it is not the same on both sides as the last time.
func (c *folderCopy) take(name string, there bool) error {
	for range patience {
		if err := c.takeOnce(name, there); !errors.Is(err, errReplaced) {
			return err
		}
	}
	return fmt.Errorf("copy %s: %w", filepath.Join(c.rel, name), errReplaced)
}

func (c *folderCopy) takeOnce(name string, there bool) error {
	path := filepath.Join(c.rel, name)
	var st unix.Stat_t
	switch err := fstatat(c.from, name, &st); {
	case errors.Is(err, unix.ENOENT):
		return nil // gone while we looked
	case errors.Is(err, unix.EACCES):
		c.mirror.omit(path, "cannot be read")
		return nil
	case err != nil:
		return &fs.PathError{Op: "look at", Path: path, Err: err}
	}
	kind := st.Mode & unix.S_IFMT
	switch {
	case kind == unix.S_IFDIR:
		return c.folder(name, path, there)
	case kind == unix.S_IFREG && st.Nlink > 1:
		c.now[name] = stamps{from: statOf(&st)} // and more when all of its names are known
		c.mirror.link(linkedFile{c.rel, name, st})
		return nil
	case there && c.stands(name, &st):
		return nil
	}
	if there {
		if err := removeAll(filepath.Join(c.mirror.to, path)); err != nil {
			return err
		}
	}
	var err error
	switch kind {
	case unix.S_IFREG:
		err = c.mirror.file(place{c.from, name}, place{c.to, name}, &st, c.buf)
	case unix.S_IFLNK:
		err = symlink(filepath.Join(c.mirror.from, path), place{c.to, name}, &st)
	default:
		c.mirror.omit(path, "is "+kindOf(&st))
		return nil
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		c.mirror.omit(path, "cannot be read")
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return nil // gone while we looked
	case err != nil:
		return fmt.Errorf("copy %s: %w", path, err)
	}
	s, err := stampsOf(&st, place{c.to, name})
	c.now[name] = s.settled(c.mirror.began)
	return err
}

// stands reports whether both sides are what they were the last time, and remembers them again.
func (c *folderCopy) stands(name string, st *unix.Stat_t) bool {
	old, known := c.last[c.rel][name]
	if !known || old.from != statOf(st) {
		return false
	}
	s, err := stampsOf(st, place{c.to, name})
	if err != nil || s != old {
		return false
	}
	c.now[name] = s
	c.mirror.count(st)
	return true
}

// folder makes a folder that we can write into.
func (c *folderCopy) folder(name, path string, there bool) error {
	c.now[name] = stamps{}
	c.below = append(c.below, path)
	target := filepath.Join(c.mirror.to, path)
	if there {
		info, err := os.Lstat(target)
		if err != nil {
			return err
		}
		if info.IsDir() {
			if info.Mode().Perm()&0o700 == 0o700 {
				return nil
			}
			return os.Chmod(target, 0o700)
		}
		if err := os.Remove(target); err != nil {
			return err
		}
	}
	return os.Mkdir(target, 0o700)
}

func symlink(from string, to place, st *unix.Stat_t) error {
	target, err := os.Readlink(from)
	if err != nil {
		return err
	}
	if err := unix.Symlinkat(target, to.dir, to.name); err != nil {
		return err
	}
	return to.setTime(st)
}

func kindOf(st *unix.Stat_t) string {
	modes := map[uint32]fs.FileMode{
		unix.S_IFIFO: fs.ModeNamedPipe, unix.S_IFSOCK: fs.ModeSocket, unix.S_IFCHR: fs.ModeDevice, unix.S_IFBLK: fs.ModeDevice,
	}
	return kind(modes[uint32(st.Mode)&unix.S_IFMT]) //nolint:unconvert // not of this type on every system
}
