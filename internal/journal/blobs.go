package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"fettle/internal/edit"
	"fettle/internal/store"
)

// blobs keeps contents as files named by their hash.
type blobs struct {
	dir    string
	mu     sync.Mutex
	synced map[edit.Hash]bool // what this process knows to be on the disk, with its name
}

func openBlobs(dir string) (*blobs, error) {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return &blobs{dir: dir, synced: map[edit.Hash]bool{}}, nil
}

func (b *blobs) path(h edit.Hash) string { return filepath.Join(b.dir, string(h)) }

// batch is how many files are open at a time.
const batch = 64

// put stores all of the contents and returns when they and their names are synced.
func (b *blobs) put(contents [][]byte) error {
	for some := range slices.Chunk(contents, batch) {
		if err := b.putSome(some); err != nil {
			return fmt.Errorf("keep an image: %w", err)
		}
	}
	return nil
}

// putSome makes all files before the first sync; all syncs, the folder's too, run side by side: so they share one transaction of
// the disk's own journal.
func (b *blobs) putSome(contents [][]byte) (err error) {
	files := map[edit.Hash]*os.File{}
	defer func() {
		for _, f := range files {
			err = errors.Join(err, f.Close())
		}
	}()
	for _, data := range contents {
		h := edit.Sum(data)
		if files[h] != nil || b.isSynced(h) {
			continue
		}
		f, err := b.write(h, data)
		if err != nil {
			return err
		}
		files[h] = f
	}
	if len(files) == 0 {
		return nil
	}
	var g errgroup.Group
	g.SetLimit(8)
	for _, f := range files {
		g.Go(f.Sync)
	}
	g.Go(func() error { return store.SyncFolder(b.dir) })
	if err := g.Wait(); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for h := range files {
		b.synced[h] = true
	}
	return nil
}

func (b *blobs) isSynced(h edit.Hash) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.synced[h] && !b.has(h) {
		delete(b.synced, h)
	}
	return b.synced[h]
}

// write makes sure that a content stands under its name, and returns its file, which may still have to be synced. A file that
// holds something else is what a crash left of a write: it is replaced, never trusted and never written into.
func (b *blobs) write(h edit.Hash, data []byte) (*os.File, error) {
	path := b.path(h)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		if err := b.fill(f, data); err != nil {
			return nil, err
		}
		return f, nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if have, err := b.get(h); err == nil && len(have) == len(data) {
		return os.OpenFile(path, os.O_RDWR, 0)
	}
	f, err = os.CreateTemp(b.dir, "tmp-") // 0600
	if err != nil {
		return nil, err
	}
	if err := b.fill(f, data); err != nil {
		return nil, err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

// fill writes a content into a file that was made for it. When that fails, nothing is left of it.
func (b *blobs) fill(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err != nil {
		err = errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return err
}

// get reads a content back and proves that it is what was put.
func (b *blobs) get(h edit.Hash) ([]byte, error) {
	if len(h) != 64 {
		return nil, fmt.Errorf("journal: image %q: %w", h, ErrNotFound)
	}
	data, err := os.ReadFile(b.path(h))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("journal: image %s: %w", h.Short(), ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	if edit.Sum(data) != h {
		return nil, fmt.Errorf("journal: image %s is damaged on disk: %s", h.Short(), b.path(h))
	}
	return data, nil
}

func (b *blobs) has(h edit.Hash) bool {
	if len(h) != 64 {
		return false
	}
	_, err := os.Stat(b.path(h))
	return err == nil
}
