package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"

	"fettle/internal/edit"
)

// blobs keeps contents as files named by their hash, spread over 256 folders by its first two digits.
type blobs struct {
	dir    string
	mu     sync.Mutex
	synced map[edit.Hash]bool // whose names this process knows to be on the disk
}

func openBlobs(dir string) (*blobs, error) {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return &blobs{dir: dir, synced: map[edit.Hash]bool{}}, nil
}

func (b *blobs) path(h edit.Hash) string { return filepath.Join(b.dir, string(h[:2]), string(h)) }

// put stores all of the contents and returns when they are synced. Syncs of several files at a time share the disk's
// own transaction, so they run side by side.
func (b *blobs) put(contents [][]byte) error {
	var g errgroup.Group
	g.SetLimit(8)
	seen := map[edit.Hash]bool{}
	for _, data := range contents {
		h := edit.Sum(data)
		if !seen[h] {
			seen[h] = true
			g.Go(func() error { return b.putOne(h, data) })
		}
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("keep an image: %w", err)
	}
	return nil
}

// putOne writes one content under a temporary name, syncs it, and gives it its name. A content that is there already was
// synced before it got its name; only the name itself may still have to reach the disk.
func (b *blobs) putOne(h edit.Hash, data []byte) error {
	path := b.path(h)
	info, err := os.Stat(path)
	whole := err == nil && info.Size() == int64(len(data))
	if whole && b.isSynced(h) {
		return nil
	}
	if !whole {
		err := write(path, data)
		if errors.Is(err, fs.ErrNotExist) {
			if err := b.mkdir(filepath.Dir(path)); err != nil {
				return err
			}
			err = write(path, data)
		}
		if err != nil {
			return err
		}
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.synced[h] = true
	return nil
}

func (b *blobs) isSynced(h edit.Hash) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.synced[h]
}

func (b *blobs) mkdir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(b.dir)
}

func write(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "tmp-") // 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
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
