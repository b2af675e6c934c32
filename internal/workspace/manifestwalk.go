package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"fettle/internal/lang"
)

// manifestWalk visits a tree with a few workers. Each takes a folder from the list of those to be done and adds the folders
// it finds there.
type manifestWalk struct {
	root  string
	known map[string]fileStat
	began time.Time

	mu      sync.Mutex
	more    *sync.Cond
	todo    []pendingFolder
	busy    int
	err     error
	entries []Entry
	stats   map[string]fileStat
}

type pendingFolder struct {
	path     string // slash path from the root; empty: the root
	statOnly bool
}

func newManifestWalk(root string, known map[string]fileStat, began time.Time) *manifestWalk {
	w := &manifestWalk{root: root, known: known, began: began, todo: []pendingFolder{{}}, stats: make(map[string]fileStat, len(known))}
	w.entries = make([]Entry, 0, len(known))
	w.more = sync.NewCond(&w.mu)
	return w
}

func (w *manifestWalk) run(ctx context.Context) error {
	var wg sync.WaitGroup
	for range min(8, max(2, runtime.GOMAXPROCS(0))) {
		wg.Go(func() { w.work(ctx) })
	}
	wg.Wait()
	slices.SortFunc(w.entries, byPath)
	return w.err
}

func (w *manifestWalk) work(ctx context.Context) {
	f := folderWalk{walk: w, buf: make([]byte, 64<<10)}
	for {
		next, ok := w.next()
		if !ok {
			return
		}
		f.reset()
		err := ctx.Err()
		if err == nil {
			err = f.visit(next)
		}
		w.finished(&f, err)
	}
}

func (w *manifestWalk) next() (pendingFolder, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.todo) == 0 && w.busy > 0 && w.err == nil {
		w.more.Wait()
	}
	if len(w.todo) == 0 || w.err != nil {
		return pendingFolder{}, false
	}
	next := w.todo[len(w.todo)-1]
	w.todo = w.todo[:len(w.todo)-1]
	w.busy++
	return next, true
}

func (w *manifestWalk) finished(f *folderWalk, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy--
	w.entries = append(w.entries, f.entries...)
	for i, s := range f.stats {
		if s.ino != 0 {
			w.stats[f.entries[i].Path] = s
		}
	}
	w.todo = append(w.todo, f.folders...)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.more.Broadcast()
}

// learnt reports whether the walk knows anything that the cache does not, or the other way round.
func (w *manifestWalk) learnt(known map[string]fileStat) bool {
	if len(w.stats) != len(known) {
		return true
	}
	for p, s := range w.stats {
		if known[p] != s {
			return true
		}
	}
	return false
}

// folderWalk is one worker's view of one folder.
type folderWalk struct {
	walk    *manifestWalk
	buf     []byte
	entries []Entry
	stats   []fileStat // beside entries; the zero value where there is nothing to remember
	folders []pendingFolder
}

func (f *folderWalk) reset() {
	f.entries, f.stats, f.folders = f.entries[:0], f.stats[:0], f.folders[:0]
}

func (f *folderWalk) visit(p pendingFolder) error {
	dir, err := os.Open(path.Join(f.walk.root, p.path))
	if errors.Is(err, fs.ErrNotExist) && p.path != "" {
		return nil // gone while we looked
	}
	if errors.Is(err, fs.ErrPermission) && p.path != "" {
		f.add(Entry{Path: p.path, Mode: fs.ModeDir, By: KindOnly}, fileStat{})
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return err
	}
	for _, name := range names {
		full := name
		if p.path != "" {
			full = p.path + "/" + name
		}
		var st unix.Stat_t
		err := fstatat(int(dir.Fd()), name, &st)
		if errors.Is(err, unix.ENOENT) {
			continue
		}
		if err != nil {
			return &fs.PathError{Op: "stat", Path: full, Err: err}
		}
		if err := f.take(dir, name, full, &st, p.statOnly); err != nil {
			return err
		}
	}
	return nil
}

func fstatat(dir int, name string, st *unix.Stat_t) error {
	for {
		if err := unix.Fstatat(dir, name, st, unix.AT_SYMLINK_NOFOLLOW); err != unix.EINTR {
			return err
		}
	}
}

func (f *folderWalk) add(e Entry, s fileStat) {
	f.entries = append(f.entries, e)
	f.stats = append(f.stats, s)
}

// take records one thing found in a folder.
func (f *folderWalk) take(dir *os.File, name, full string, st *unix.Stat_t, statOnly bool) error {
	e := Entry{Path: full, Mode: fs.FileMode(st.Mode & 0o777)}
	if name == ".git" || st.Mode&unix.S_IFMT != unix.S_IFDIR && lang.IsCache(name) {
		return nil
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		if lang.IsCache(name + "/x") {
			return nil
		}
		f.folders = append(f.folders, pendingFolder{full, statOnly || dependencyFolders[name]})
		return nil
	case unix.S_IFLNK:
		target, err := os.Readlink(path.Join(f.walk.root, full))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		e.Mode, e.By, e.Key = fs.ModeSymlink, LinkTarget, sha256.Sum256([]byte(target))
		f.add(e, fileStat{})
		return nil
	case unix.S_IFREG:
		return f.regular(dir, name, e, st, statOnly)
	}
	e.Mode, e.By = fs.ModeIrregular, KindOnly
	f.add(e, fileStat{})
	return nil
}

func (f *folderWalk) regular(dir *os.File, name string, e Entry, st *unix.Stat_t, statOnly bool) error {
	s := statOf(st)
	if statOnly || st.Size > LargeFile {
		e.By = StatOnly
		e.Key = sha256.Sum256(strconv.AppendInt(strconv.AppendInt(nil, s.size, 10), s.mtime, 36))
		f.add(e, fileStat{})
		return nil
	}
	e.By = Content
	if old, ok := f.walk.known[e.Path]; ok && old.same(s) {
		e.Key = old.hash
		f.add(e, old)
		return nil
	}
	sum, err := f.sum(dir, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.ELOOP):
		e.By = KindOnly
		f.add(e, fileStat{})
		return nil
	case err != nil:
		return &fs.PathError{Op: "read", Path: e.Path, Err: err}
	}
	e.Key, s.hash = sum, sum
	if s.settled(f.walk.began) {
		f.add(e, s)
	} else {
		f.add(e, fileStat{})
	}
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
