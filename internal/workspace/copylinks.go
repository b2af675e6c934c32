package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
)

type inode struct{ dev, ino uint64 }

// linkedFile is one name of a file that has several.
type linkedFile struct {
	folder, name string
	st           unix.Stat_t
}

func (f linkedFile) path() string { return filepath.Join(f.folder, f.name) }

// link remembers one name of a file that has several.
func (m *mirror) link(f linkedFile) {
	m.mu.Lock()
	defer m.mu.Unlock()
	id := inode{uint64(f.st.Dev), f.st.Ino} //nolint:unconvert // not of this type on every system
	m.linked[id] = append(m.linked[id], f)
}

// bringLinked copies the files that have several names, once each, and gives the copies the names that the tree has. A name
// that a file has elsewhere (in a package manager's store, say) does not count: nothing outside shares a file with the copy.
func (m *mirror) bringLinked(ctx context.Context, last map[string]mirrored) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	for _, names := range m.linked {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			slices.SortFunc(names, func(a, b linkedFile) int { return strings.Compare(a.path(), b.path()) })
			return m.bringNames(names, last)
		})
	}
	return g.Wait()
}

// bringNames copies one file and gives the copy all of its names.
func (m *mirror) bringNames(names []linkedFile, last map[string]mirrored) error {
	if m.namesStand(names, last) {
		return nil
	}
	for _, f := range names {
		if err := removeAll(filepath.Join(m.to, f.path())); err != nil {
			return err
		}
	}
	err := m.copyLinked(names[0])
	for _, f := range names[1:] {
		if err == nil {
			err = os.Link(filepath.Join(m.to, names[0].path()), filepath.Join(m.to, f.path()))
		}
		if noHardLinks(err) {
			err = m.copyLinked(f) // a file system without them
		}
	}
	if errors.Is(err, errReplaced) {
		return m.bringApart(names)
	}
	denied := errors.Is(err, fs.ErrPermission)
	if err != nil && !denied && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range names {
		switch s, err2 := m.stampsOf(f); {
		case err == nil && err2 != nil:
			return err2
		case err == nil:
			m.record(f, s.settled(m.began))
		case denied:
			m.omit(f.path(), "cannot be read")
			fallthrough
		default: // it has gone while we looked
			m.forget(f)
		}
	}
	return nil
}

func (m *mirror) copyLinked(f linkedFile) error {
	from, to := place{unix.AT_FDCWD, filepath.Join(m.from, f.path())}, place{unix.AT_FDCWD, filepath.Join(m.to, f.path())}
	return m.file(from, to, &f.st, make([]byte, copyBuffer))
}

// bringApart copies what the names are now, each by itself: while we looked they were taken apart.
func (m *mirror) bringApart(names []linkedFile) error {
	for _, f := range names {
		m.forget(f)
		err := errReplaced
		for n := 0; n < patience && errors.Is(err, errReplaced); n++ {
			err = m.bringAlone(f)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("copy %s: %w", f.path(), err)
		}
	}
	return nil
}

// bringAlone copies what a name is now. What is no regular file any more comes the next time.
func (m *mirror) bringAlone(f linkedFile) error {
	if err := removeAll(filepath.Join(m.to, f.path())); err != nil {
		return err
	}
	if err := fstatat(unix.AT_FDCWD, filepath.Join(m.from, f.path()), &f.st); err != nil || f.st.Mode&unix.S_IFMT != unix.S_IFREG {
		return err
	}
	if err := m.copyLinked(f); err != nil {
		return err
	}
	s, err := m.stampsOf(f)
	if err == nil {
		m.record(f, s.settled(m.began))
	}
	return err
}

// namesStand reports whether the copy has the file under all of these names, as the last time, and remembers it again.
func (m *mirror) namesStand(names []linkedFile, last map[string]mirrored) bool {
	now := make([]stamps, len(names))
	for i, f := range names {
		old, known := last[f.folder][f.name]
		var err error
		if now[i], err = m.stampsOf(f); !known || err != nil || now[i] != old || old.to.ino != now[0].to.ino {
			return false
		}
	}
	for i, f := range names {
		m.record(f, now[i])
	}
	m.count(&names[0].st)
	return true
}

func (m *mirror) stampsOf(f linkedFile) (stamps, error) {
	return stampsOf(&f.st, place{unix.AT_FDCWD, filepath.Join(m.to, f.path())})
}

func (m *mirror) record(f linkedFile, s stamps) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen[f.folder][f.name] = s
}

func (m *mirror) forget(f linkedFile) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.seen[f.folder], f.name)
}
