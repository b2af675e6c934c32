package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// mirror keeps a copy of a tree: folders, regular files, symbolic and hard links, with modes and times. Fifos, sockets and
// devices are left out, and so is what cannot be read: a check running as the same user could not read it either.
type mirror struct {
	from, to string
	skip     func(path string) bool // by absolute path in from
	reflink  bool                   // share blocks, or fail

	seen    map[string]stamps // of every file that was copied, by path from the top
	links   map[inode]string  // the first name of each file with several
	bytes   int64             // copied or shared
	omitted []string          // what was left out, with the reason
	closed  map[string]bool   // the folders that cannot be read
}

// stamps tell whether a file is still what it was, on both sides.
type stamps struct{ from, to stamp }

type inode struct{ dev, ino uint64 }

// bring makes the copy equal to the tree, touching only what differs from the last time.
func (m *mirror) bring(ctx context.Context) error {
	last := m.seen
	m.seen, m.links, m.closed = map[string]stamps{}, map[inode]string{}, map[string]bool{}
	m.bytes, m.omitted = 0, nil
	var folders []string
	err := filepath.WalkDir(m.from, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rel, _ := filepath.Rel(m.from, path)
		if errors.Is(err, fs.ErrPermission) {
			m.omit(rel, "cannot be read")
			m.closed[rel] = true
			return fs.SkipDir
		}
		if errors.Is(err, fs.ErrNotExist) && rel != "." {
			return nil // gone while we looked
		}
		if err != nil {
			return err
		}
		if m.skip(path) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			folders = append(folders, rel)
		}
		return m.entry(rel, d, last)
	})
	if err == nil {
		err = m.prune()
	}
	if err != nil {
		return err
	}
	return m.finishFolders(folders)
}

func (m *mirror) omit(rel, why string) { m.omitted = append(m.omitted, rel+" "+why) }

func (m *mirror) entry(rel string, d fs.DirEntry, last map[string]stamps) error {
	info, err := d.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	target := filepath.Join(m.to, rel)
	if old, ok := last[rel]; ok && old.from == stampOf(info) {
		if now, err := os.Lstat(target); err == nil && stampOf(now) == old.to {
			m.remember(rel, info, old)
			return nil
		}
	}
	if d.IsDir() {
		return m.folder(rel, target)
	}
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	switch {
	case info.Mode().IsRegular():
		err = m.file(rel, target, info)
	case info.Mode()&fs.ModeSymlink != 0:
		err = symlink(filepath.Join(m.from, rel), target)
	default:
		m.omit(rel, "is "+kind(info.Mode()))
		return nil
	}
	if errors.Is(err, fs.ErrPermission) {
		m.omit(rel, "cannot be read")
		return nil
	}
	if err != nil {
		return err
	}
	now, err := os.Lstat(target)
	if err != nil {
		return err
	}
	m.remember(rel, info, stamps{stampOf(info), stampOf(now)})
	return nil
}

func (m *mirror) remember(rel string, info fs.FileInfo, s stamps) {
	m.seen[rel] = s
	if !info.Mode().IsRegular() {
		return
	}
	m.bytes += info.Size()
	if id, several := severalNames(info); several {
		if _, ok := m.links[id]; !ok {
			m.links[id] = rel
		}
	}
}

// folder makes a folder that we can write into; it gets its own mode when everything is in it.
func (m *mirror) folder(rel, target string) error {
	m.seen[rel] = stamps{}
	info, err := os.Lstat(target)
	if err == nil && !info.IsDir() {
		err = os.Remove(target)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(target, 0o700); err != nil {
		return err
	}
	return os.Chmod(target, 0o700)
}

// finishFolders gives folders their modes and times, inner ones first.
func (m *mirror) finishFolders(folders []string) error {
	for i := len(folders) - 1; i >= 0; i-- {
		info, err := os.Stat(filepath.Join(m.from, folders[i]))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		target := filepath.Join(m.to, folders[i])
		if err := errors.Join(os.Chmod(target, info.Mode().Perm()), os.Chtimes(target, info.ModTime(), info.ModTime())); err != nil {
			return err
		}
	}
	return nil
}

func (m *mirror) file(rel, target string, info fs.FileInfo) error {
	if id, several := severalNames(info); several {
		if first, ok := m.links[id]; ok {
			return os.Link(filepath.Join(m.to, first), target)
		}
	}
	// Non-blocking, in case the file has become a fifo by now.
	from, err := os.OpenFile(filepath.Join(m.from, rel), os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if m.reflink {
		if err = shareBlocks(to, from); err != nil {
			err = fmt.Errorf("share the blocks of %s: %w", rel, err)
		}
	} else {
		_, err = io.Copy(to, from)
	}
	if err == nil {
		err = to.Chmod(info.Mode().Perm() | info.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky))
	}
	err = errors.Join(err, to.Close())
	if err != nil {
		return err
	}
	return os.Chtimes(target, info.ModTime(), info.ModTime())
}

func symlink(from, target string) error {
	to, err := os.Readlink(from)
	if err != nil {
		return err
	}
	return os.Symlink(to, target)
}

// prune removes from the copy what the tree does not have.
func (m *mirror) prune() error {
	return m.walkCopy(func(rel string, d fs.DirEntry) error {
		if _, ok := m.seen[rel]; ok {
			return nil
		}
		if err := removeAll(filepath.Join(m.to, rel)); err != nil {
			return err
		}
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
}

// touched is every file of the copy that is not what was copied, and every file that was copied and is gone.
func (m *mirror) touched() (map[string]struct{}, error) {
	out := map[string]struct{}{}
	present := map[string]bool{}
	err := m.walkCopy(func(rel string, d fs.DirEntry) error {
		present[rel] = true
		s, known := m.seen[rel]
		if d.IsDir() {
			if known && s == (stamps{}) {
				return nil
			}
			out[filepath.ToSlash(rel)] = struct{}{} // it may stand where a file was
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !known || s.to != stampOf(info) {
			out[filepath.ToSlash(rel)] = struct{}{}
		}
		return nil
	})
	for rel, s := range m.seen {
		if !present[rel] && s != (stamps{}) {
			out[filepath.ToSlash(rel)] = struct{}{}
		}
	}
	return out, err
}

func (m *mirror) walkCopy(visit func(rel string, d fs.DirEntry) error) error {
	return filepath.WalkDir(m.to, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(m.to, path)
		if err != nil && m.closed[rel] {
			return fs.SkipDir // as in the tree itself
		}
		if err != nil {
			return err
		}
		if rel == "." {
			return nil
		}
		return visit(rel, d)
	})
}
