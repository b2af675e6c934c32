// Package fixtest answers "where can a test let a fixer work?": a [Place] on a temporary folder, in which commands run
// directly on this machine.
package fixtest

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/lang"
	"fettle/internal/proc"
)

// Place is a folder with a baseline. It confines nothing.
type Place struct {
	proc.Host
	root, scratch string
	baseline      map[string]edit.File

	mu     sync.Mutex
	resets int
}

var _ fix.Guesthouse = (*Place)(nil)

// New makes a place that holds these files, by slash path.
func New(t testing.TB, files map[string]string) *Place {
	t.Helper()
	p := &Place{root: t.TempDir(), scratch: t.TempDir()}
	for name, text := range files {
		if err := p.write(name, edit.File{Data: []byte(text), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if p.baseline, err = p.tree(); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *Place) write(name string, f edit.File) error {
	full := filepath.Join(p.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return err
	}
	return os.WriteFile(full, f.Data, f.Mode)
}

// tree reads every file but tools' caches.
func (p *Place) tree() (map[string]edit.File, error) {
	tree := make(map[string]edit.File)
	root := os.DirFS(p.root)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || lang.IsCache(name) {
			return err
		}
		b, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		tree[name] = edit.File{Data: b, Mode: info.Mode().Perm(), Exists: true}
		return nil
	})
	return tree, err
}

// Root is the folder.
func (p *Place) Root() string { return p.root }

// HoldsWrites is not true; but what tests let work here is their own.
func (p *Place) HoldsWrites() bool { return true }

// Listen opens a door on this machine's loopback.
func (p *Place) Listen(ctx context.Context) (net.Listener, error) {
	return new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
}

// FS is the folder's files.
func (p *Place) FS() fs.FS { return os.DirFS(p.root) }

// Scratch is another folder.
func (p *Place) Scratch() string { return p.scratch }

// ReadFile reads a file as it is now. Like a private copy it reads regular files alone.
func (p *Place) ReadFile(name string) ([]byte, error) {
	full := filepath.Join(p.root, filepath.FromSlash(name))
	info, err := os.Lstat(full)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, fs.ErrNotExist
	}
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(full)
}

// Changes compares the folder with the baseline.
func (p *Place) Changes(context.Context) (edit.Patch, error) {
	now, err := p.tree()
	if err != nil {
		return nil, err
	}
	return edit.Between(p.baseline, now), nil
}

// Reset writes the baseline back.
func (p *Place) Reset(ctx context.Context) error {
	p.mu.Lock()
	p.resets++
	p.mu.Unlock()
	patch, err := p.Changes(ctx)
	if err != nil {
		return err
	}
	for _, c := range patch {
		if c.Op == edit.Create {
			err = errors.Join(err, os.Remove(filepath.Join(p.root, filepath.FromSlash(c.Path))))
			continue
		}
		err = errors.Join(err, p.write(c.Path, p.baseline[c.Path]))
	}
	return err
}

// Resets counts how often the place was taken back.
func (p *Place) Resets() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.resets
}

// Source hands out the baseline.
func (p *Place) Source(name string) (edit.File, error) { return p.baseline[name], nil }
