package testenv

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Built has programs built once for all tests of a package, when the first asks for them: linking one takes seconds of the processor. Each test that asks gets
// a folder of its own in which they are, so that what it puts beside them is beside nobody else's. A package's TestMain removes what was
// built.
type Built struct {
	Build func(dir string) error

	once sync.Once
	dir  string
	err  error
}

// In is a new folder with the programs.
func (b *Built) In(t testing.TB) string {
	t.Helper()
	b.once.Do(func() {
		if b.dir, b.err = os.MkdirTemp("", "fettle-built"); b.err == nil { //nolint:usetesting // others need it when this test has ended
			b.err = b.Build(b.dir)
		}
	})
	if b.err != nil {
		t.Fatal(b.err)
	}
	programs, err := os.ReadDir(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, p := range programs {
		err = errors.Join(err, os.Link(filepath.Join(b.dir, p.Name()), filepath.Join(dir, p.Name())))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Remove removes what was built, if anybody has asked for it.
func (b *Built) Remove() {
	if b.dir != "" {
		_ = os.RemoveAll(b.dir)
	}
}
