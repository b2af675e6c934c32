package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"fettle/internal/lang"
)

// stockWalk takes stock of a tree, folder by folder.
type stockWalk struct {
	root  string
	known map[string]*stockedFolder
	began time.Time

	mu      sync.Mutex
	folders []*stockedFolder // those that were visited
}

type pendingFolder struct {
	path     string // slash path from the root; empty: the root
	statOnly bool
}

func newStockWalk(root string, known map[string]*stockedFolder, began time.Time) *stockWalk {
	return &stockWalk{root: root, known: known, began: began, folders: make([]*stockedFolder, 0, len(known))}
}

func (w *stockWalk) run(ctx context.Context) error {
	return visitFolders(ctx, pendingFolder{}, func() func(pendingFolder) ([]pendingFolder, error) {
		f := folderWalk{walk: w, buf: make([]byte, 64<<10)}
		return func(p pendingFolder) ([]pendingFolder, error) {
			done, err := f.visit(p)
			if done != nil {
				w.mu.Lock()
				w.folders = append(w.folders, done)
				w.mu.Unlock()
			}
			return f.folders, err
		}
	})
}

// folderWalk is one worker's view of one folder.
type folderWalk struct {
	walk    *stockWalk
	buf     []byte
	last    *stockedFolder // what was known of it
	at      int            // how many of its entries have been passed
	news    bool           // something is not as it was known
	entries []Entry
	stats   []fileStat // beside entries
	folders []pendingFolder
}

// nothing is a folder without files.
var nothing stockedFolder

// visit takes stock of a folder. Nil without an error: it is gone.
func (f *folderWalk) visit(p pendingFolder) (*stockedFolder, error) {
	f.entries, f.stats, f.folders = f.entries[:0], f.stats[:0], f.folders[:0]
	f.last, f.at, f.news = f.walk.known[p.path], 0, false
	if f.last == nil {
		f.last, f.news = &nothing, true
	}
	dir, err := os.Open(path.Join(f.walk.root, p.path))
	if (errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR)) && p.path != "" {
		return nil, nil // gone while we looked
	}
	if errors.Is(err, fs.ErrPermission) && p.path != "" {
		return unreadable(p.path), nil
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	info, err := dir.Stat()
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	for _, name := range names {
		var st unix.Stat_t
		err := fstatat(int(dir.Fd()), name, &st)
		if errors.Is(err, unix.ENOENT) {
			continue
		}
		if errors.Is(err, unix.EACCES) && p.path != "" {
			return unreadable(p.path), nil // its names can be listed, and nothing more
		}
		if err == nil {
			err = f.take(dir, p, name, &st)
		}
		if err != nil {
			return nil, &fs.PathError{Op: "look at", Path: path.Join(p.path, name), Err: err}
		}
	}
	if !f.news && len(f.entries) == len(f.last.entries) && info.Mode().Perm() == f.last.mode {
		return f.last, nil
	}
	return newStockedFolder(p.path, info.Mode().Perm(), slices.Clone(f.entries), slices.Clone(f.stats)), nil
}

// unreadable is a folder of which nothing more can be known.
func unreadable(path string) *stockedFolder {
	return newStockedFolder(path, fs.ModeDir, []Entry{{Mode: fs.ModeDir, By: KindOnly}}, make([]fileStat, 1))
}

func fstatat(dir int, name string, st *unix.Stat_t) error {
	for {
		if err := unix.Fstatat(dir, name, st, unix.AT_SYMLINK_NOFOLLOW); err != unix.EINTR {
			return err
		}
	}
}

// add records an entry. What its stat is worth remembering is up to the caller.
func (f *folderWalk) add(e Entry, s fileStat) {
	f.entries, f.stats, f.news = append(f.entries, e), append(f.stats, s), true
}

// recall finds what is known of a name; names are asked for in order. The stat is zero when nothing is.
func (f *folderWalk) recall(name string) (Entry, fileStat) {
	for f.at < len(f.last.entries) && f.last.entries[f.at].Name < name {
		f.at++
	}
	if f.at < len(f.last.entries) && f.last.entries[f.at].Name == name {
		return f.last.entries[f.at], f.last.stats[f.at]
	}
	return Entry{}, fileStat{}
}

// take records one thing found in a folder.
func (f *folderWalk) take(dir *os.File, p pendingFolder, name string, st *unix.Stat_t) error {
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		if name != ".git" && !lang.IsCache(name+"/x") {
			full := path.Join(p.path, name)
			f.folders = append(f.folders, pendingFolder{full, p.statOnly || dependencyFolders[name]})
		}
		return nil
	}
	s := statOf(st)
	if e, known := f.recall(name); known == s {
		f.entries, f.stats = append(f.entries, e), append(f.stats, known)
		return nil
	}
	if name == ".git" || lang.IsCache(name) {
		return nil
	}
	e := Entry{Name: name, Mode: fs.FileMode(st.Mode & 0o777)}
	var err error
	switch {
	case st.Mode&unix.S_IFMT == unix.S_IFLNK:
		var target string
		target, err = os.Readlink(path.Join(f.walk.root, p.path, name))
		e.Mode, e.By, e.Key = fs.ModeSymlink, LinkTarget, sha256.Sum256([]byte(target))
	case st.Mode&unix.S_IFMT != unix.S_IFREG:
		e.Mode, e.By = fs.ModeIrregular, KindOnly
	case p.statOnly || st.Size > LargeFile:
		e.By = StatOnly
		e.Key = sha256.Sum256(strconv.AppendInt(strconv.AppendInt(nil, s.size, 10), s.mtime, 36))
	default:
		e.By = Content
		e.Key, err = f.sum(dir, name)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.ELOOP):
		f.add(Entry{Name: name, Mode: e.Mode, By: KindOnly}, fileStat{})
		return nil
	case err != nil:
		return err
	case !s.settled(f.walk.began):
		s = fileStat{}
	}
	f.add(e, s)
	return nil
}

func (f *folderWalk) sum(dir *os.File, name string) (sum [sha256.Size]byte, err error) {
	fd, err := unix.Openat(int(dir.Fd()), name, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return sum, err
	}
	defer unix.Close(fd)
	h := sha256.New()
	for {
		n, err := unix.Read(fd, f.buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return sum, err
		}
		if n == 0 {
			break
		}
		_, _ = h.Write(f.buf[:n]) // a hash never fails
	}
	h.Sum(sum[:0])
	return sum, nil
}
