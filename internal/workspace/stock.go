package workspace

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"
)

// Stock takes stock of one tree, again and again. It remembers the hash of every file: a file is read again only when its
// size, times, inode or mode are not what they were, or when they were so young that a later write may not show in them. A
// Stock may be used by several goroutines at once.
type Stock struct {
	root, file string

	mu     sync.Mutex
	loaded bool
	known  map[string]*stockedFolder // by path
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
	w := newStockWalk(s.root, s.known, time.Now())
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
	return newManifest(s.root, head, w.folders), nil
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
