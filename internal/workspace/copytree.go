package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// mirror keeps a copy of a tree: folders, regular files, symbolic and hard links, with modes and times. Fifos, sockets and
// devices are left out, and so is what cannot be read: a check running as the same user could not read it either.
type mirror struct {
	from, to string
	skip     func(path string) bool // by absolute path in from
	reflink  bool                   // share blocks, or fail
	began    time.Time              // the copying at hand

	bytes atomic.Int64 // copied or shared

	mu      sync.Mutex             // of what follows, while the tree is being copied
	seen    map[string]mirrored    // what was copied, by folder: its path from the top, "." for the top
	linked  map[inode][]linkedFile // the files of this time that have several names
	folders []mirroredFolder
	omitted []string        // what was left out, with the reason
	closed  map[string]bool // the folders that cannot be read
}

// mirrored is what was copied of a folder, by name. Folders in it have zero stamps.
type mirrored map[string]stamps

// stamps tell whether a file is still what it was, on both sides.
type stamps struct{ from, to fileStat }

// settled are the stamps without that of the tree's own file if the file may have been written again within one step of the clock:
// the next time, it is copied anew.
func (s stamps) settled(began time.Time) stamps {
	if !s.from.settled(began) {
		s.from = fileStat{}
	}
	return s
}

// mirroredFolder is a folder of the copy that is to get its mode and time.
type mirroredFolder struct {
	path string
	mode uint32
	time time.Time
}

// bring makes the copy equal to the tree, touching only what differs from the last time.
func (m *mirror) bring(ctx context.Context) error {
	last := m.seen
	m.began = time.Now()
	m.seen, m.linked, m.closed = make(map[string]mirrored, len(last)), map[inode][]linkedFile{}, map[string]bool{}
	m.folders, m.omitted = nil, nil
	m.bytes.Store(0)
	err := visitFolders(ctx, ".", func() func(string) ([]string, error) {
		v := folderCopy{mirror: m, last: last, buf: make([]byte, copyBuffer)}
		return v.visit
	})
	if err == nil {
		err = m.bringLinked(ctx, last)
	}
	if err != nil {
		return err
	}
	slices.Sort(m.omitted)
	return m.finishFolders()
}

func (m *mirror) omit(rel, why string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.omitted = append(m.omitted, rel+" "+why)
}

// entries is how much was copied.
func (m *mirror) entries() int {
	n := 1 // the top
	for _, f := range m.seen {
		n += len(f)
	}
	return n
}

// finishFolders gives folders their modes and times, inner ones first: until then, they had to be writable.
func (m *mirror) finishFolders() error {
	slices.SortFunc(m.folders, func(a, b mirroredFolder) int { return depth(b.path) - depth(a.path) })
	for _, f := range m.folders {
		target := filepath.Join(m.to, f.path)
		info, err := os.Lstat(target)
		if err != nil {
			return err
		}
		if st := fs.FileMode(f.mode).Perm(); info.Mode().Perm() != st {
			err = os.Chmod(target, st)
		}
		if !info.ModTime().Equal(f.time) {
			err = errors.Join(err, os.Chtimes(target, f.time, f.time))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// depth is how many folders a path goes down from the top.
func depth(p string) int {
	if p == "." {
		return 0
	}
	return 1 + strings.Count(p, string(filepath.Separator))
}

// touched is every file of the copy that is not what was copied, and every file that was copied and is gone.
func (m *mirror) touched() (map[string]struct{}, error) {
	var mu sync.Mutex
	out, visited := map[string]struct{}{}, map[string]bool{}
	err := visitFolders(context.Background(), ".", func() func(string) ([]string, error) {
		return func(rel string) ([]string, error) {
			paths, below, err := m.touchedIn(rel)
			mu.Lock()
			defer mu.Unlock()
			visited[rel] = true
			for _, p := range paths {
				out[filepath.ToSlash(p)] = struct{}{}
			}
			return below, err
		}
	})
	for rel, folder := range m.seen {
		if visited[rel] {
			continue
		}
		for name, s := range folder {
			if s != (stamps{}) {
				out[filepath.ToSlash(filepath.Join(rel, name))] = struct{}{}
			}
		}
	}
	return out, err
}

// touchedIn looks at one folder of the copy, and lists the folders in it.
func (m *mirror) touchedIn(rel string) (paths, below []string, err error) {
	dir, err := os.Open(filepath.Join(m.to, rel))
	if err != nil {
		if m.closed[rel] {
			return nil, nil, nil // as in the tree itself
		}
		return nil, nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, nil, err
	}
	folder := m.seen[rel]
	present := make(map[string]bool, len(names))
	for _, name := range names {
		var st unix.Stat_t
		if err := fstatat(int(dir.Fd()), name, &st); err != nil {
			return nil, nil, &fs.PathError{Op: "look at", Path: filepath.Join(m.to, rel, name), Err: err}
		}
		present[name] = true
		s, known := folder[name]
		if st.Mode&unix.S_IFMT == unix.S_IFDIR {
			below = append(below, filepath.Join(rel, name))
			if !known || s != (stamps{}) {
				paths = append(paths, filepath.Join(rel, name)) // it may stand where a file was
			}
		} else if !known || s.to != statOf(&st) {
			paths = append(paths, filepath.Join(rel, name))
		}
	}
	for name, s := range folder {
		if !present[name] && s != (stamps{}) {
			paths = append(paths, filepath.Join(rel, name))
		}
	}
	return paths, below, nil
}
