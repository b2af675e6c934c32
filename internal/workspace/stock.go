package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"fettle/internal/edit"
)

// Stock takes stock of one tree, again and again. It remembers the hash of every file: a file is read again only when its
// size, times, inode or mode are not what they were, or when they were so young that a later write may not show in them. A
// Stock may be used by several goroutines at once.
type Stock struct {
	root, file string

	mu     sync.Mutex
	loaded bool
	known  map[string]*stockedFolder // by path
	recent []*Manifest               // of the last Takes, latest last
	taken  time.Time                 // when that began, by the clock on the wall
	learnt bool                      // known is not what the file says
}

// OpenStock opens the stock of a tree. The file, when its name is not empty, keeps what is remembered from one process to the
// next. One that is missing or damaged is made anew.
func OpenStock(root, file string) *Stock { return &Stock{root: root, file: file} }

// Take makes the manifest of the tree as it is now.
func (s *Stock) Take(ctx context.Context) (*Manifest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.loaded {
		s.known, s.loaded = loadStock(s.file), true
	}
	began := time.Now().Round(0)
	if began.Before(s.taken) { // the clock was set back: see loadStock
		s.known = nil
	}
	s.taken = began
	w := newStockWalk(s.root, s.known, began)
	if err := w.run(ctx); err != nil {
		return nil, fmt.Errorf("take stock of %s: %w", s.root, err)
	}
	head, err := headCommit(s.root)
	if err != nil {
		return nil, fmt.Errorf("take stock of %s: %w", s.root, err)
	}
	now := make(map[string]*stockedFolder, len(w.folders))
	for _, f := range w.folders {
		now[f.path] = f
	}
	s.learnt = s.learnt || !maps.Equal(now, s.known)
	s.known = now
	m := newManifest(s.root, head, w.folders)
	s.recent = append(slices.DeleteFunc(s.recent, func(old *Manifest) bool { return old.digest == m.digest }), m)
	if n := len(s.recent); n > mostRecent {
		s.recent = slices.Delete(s.recent, 0, n-mostRecent)
	}
	return m, nil
}

// mostRecent is how many manifests are at hand. They share the folders in which nothing happened.
const mostRecent = 4

// Changed tells which of these files (slash paths from the root) are not what they were when Take made the manifest of this
// digest. All of them count as changed when that manifest is not at hand any more.
func (s *Stock) Changed(digest edit.Hash, paths []string) ([]string, error) {
	last := s.manifest(digest)
	if last == nil {
		return paths, nil
	}
	var out []string
	for _, p := range paths {
		same, err := last.stands(p)
		if err != nil {
			return nil, lookedAgain(err, p)
		}
		if !same {
			out = append(out, p)
		}
	}
	return out, nil
}

// Part is the digest of some of the files as they were when Take made the manifest of this digest ([Manifest.Part]); false when
// it is not at hand any more.
func (s *Stock) Part(digest edit.Hash, files Selection) (edit.Hash, bool) {
	if m := s.manifest(digest); m != nil {
		return m.Part(files), true
	}
	return "", false
}

// Setup is the digest of the files that configured the tools of checks then ([Manifest.Setup]).
func (s *Stock) Setup(digest edit.Hash) (edit.Hash, bool) {
	if m := s.manifest(digest); m != nil {
		return m.Setup(), true
	}
	return "", false
}

// Reconfigured reports whether one of these files is certainly not what it was then. The next Take tells of new ones.
func (s *Stock) Reconfigured(digest edit.Hash) (bool, error) {
	m := s.manifest(digest)
	if m == nil {
		return false, nil
	}
	for _, f := range m.folders {
		for _, i := range f.configs() {
			p := path.Join(f.path, f.entries[i].Name)
			if same, err := m.stands(p); err != nil || !same {
				return true, lookedAgain(err, p)
			}
		}
	}
	return false, nil
}

// Between tells which files are different in the manifests of two digests; false when either is not at hand any more.
func (s *Stock) Between(from, to edit.Hash) ([]string, bool) {
	a, b := s.manifest(from), s.manifest(to)
	if a == nil || b == nil {
		return nil, false
	}
	var out []string
	differ := func(a, b *stockedFolder) {
		for _, e := range a.entries {
			if i, ok := b.find(e.Name); !ok || b.entries[i] != e {
				out = append(out, path.Join(a.path, e.Name))
			}
		}
	}
	for _, pair := range [][2]*Manifest{{a, b}, {b, a}} {
		for _, f := range pair[0].folders {
			other := &nothing
			if i, ok := pair[1].find(f.path); ok {
				other = pair[1].folders[i]
			}
			if f != other {
				differ(f, other)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), true
}

// manifest is the one of this digest; nil when it is not at hand any more.
func (s *Stock) manifest(digest edit.Hash) *Manifest {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.recent, func(m *Manifest) bool { return m.digest == digest }); i >= 0 {
		return s.recent[i]
	}
	return nil
}

func lookedAgain(err error, p string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("look at %s again: %w", p, err)
}

// stands reports whether a file is what the manifest says of it.
func (m *Manifest) stands(p string) (bool, error) {
	was, listed := m.Lookup(p)
	dir, err := os.Open(path.Join(m.root, path.Dir(p)))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		return !listed, nil
	}
	if err != nil {
		return false, err
	}
	defer dir.Close()
	var st unix.Stat_t
	err = fstatat(int(dir.Fd()), path.Base(p), &st)
	if errors.Is(err, unix.ENOENT) {
		return !listed, nil
	}
	if err != nil {
		return false, err
	}
	folder, _ := splitPath(p)
	w := newStockWalk(m.root, nil, time.Now())
	f := folderWalk{walk: w, buf: make([]byte, 64<<10), last: &nothing}
	if err := f.take(dir, pendingFolder{folder, was.By == StatOnly}, path.Base(p), &st); err != nil {
		return false, err
	}
	if len(f.entries) == 0 { // a folder, or nothing that counts
		return !listed, nil
	}
	return listed && f.entries[0] == was, nil
}

// Close keeps what was learnt for the next process. The stock can be used again afterwards.
func (s *Stock) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == "" || !s.learnt {
		return nil
	}
	if err := saveStock(s.file, s.known); err != nil {
		return fmt.Errorf("keep the stock of %s: %w", s.root, err)
	}
	s.learnt = false
	return nil
}
