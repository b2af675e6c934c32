package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fettle/internal/edit"
	"fettle/internal/workspace"
)

func manifestTree(t testing.TB) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"a.go": "package a\n", "sub/b.py": "x = 1\n", "sub/deep/c.txt": "c\n", "ignored/data.json": "{}\n", "vendor/v/v.go": "package v\n",
		"node_modules/m/index.js": "m\n", ".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": "1111111111111111111111111111111111111111\n",
		".git/index": "index\n", "__pycache__/b.pyc": "cache\n",
	} {
		put(t, root, name, text)
	}
	if err := os.Symlink("a.go", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	return root
}

func put(t testing.TB, root, name, text string) {
	t.Helper()
	p := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func stock(t testing.TB, root, cache string) *workspace.Manifest {
	t.Helper()
	s := workspace.OpenStock(root, cache)
	m, err := s.Take(context.Background())
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestManifestSeesWhatCounts(t *testing.T) {
	for _, tc := range []struct {
		name    string
		do      func(t *testing.T, root string)
		changes bool
	}{
		{"nothing", func(*testing.T, string) {}, false},
		{"a tracked file", func(t *testing.T, root string) { put(t, root, "a.go", "package b\n") }, true},
		{"an ignored input", func(t *testing.T, root string) { put(t, root, "ignored/data.json", "[]\n") }, true},
		{"vendored code", func(t *testing.T, root string) { put(t, root, "vendor/v/v.go", "package w\n") }, true},
		{"a new file", func(t *testing.T, root string) { put(t, root, "sub/new", "") }, true},
		{"an empty folder", func(t *testing.T, root string) { mkdir(t, root, "sub/empty") }, true},
		{"a folder's mode", func(t *testing.T, root string) { chmod(t, root, "sub", 0o700) }, true},
		{"a file that goes", func(t *testing.T, root string) { remove(t, root, "sub/b.py") }, true},
		{"a mode", func(t *testing.T, root string) { chmod(t, root, "a.go", 0o755) }, true},
		{"a link's target", func(t *testing.T, root string) {
			remove(t, root, "link")
			if err := os.Symlink("sub", filepath.Join(root, "link")); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"a dependency", func(t *testing.T, root string) { put(t, root, "node_modules/m/index.js", "longer\n") }, true},
		{"a commit", func(t *testing.T, root string) { put(t, root, ".git/refs/heads/main", strings.Repeat("2", 40)) }, true},
		{"a file's time", func(t *testing.T, root string) { chtime(t, root, "a.go") }, false},
		{"git's index", func(t *testing.T, root string) { put(t, root, ".git/index", "other\n") }, false},
		{"a tool's cache", func(t *testing.T, root string) { put(t, root, "__pycache__/b.pyc", "other\n") }, false},
		{"packed refs", func(t *testing.T, root string) {
			remove(t, root, ".git/refs/heads/main")
			put(t, root, ".git/packed-refs", "# pack-refs with: peeled\n"+strings.Repeat("1", 40)+" refs/heads/main\n")
		}, false},
		{"a detached HEAD at the same commit", func(t *testing.T, root string) { put(t, root, ".git/HEAD", strings.Repeat("1", 40)+"\n") }, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root, cache := manifestTree(t), filepath.Join(t.TempDir(), "private", "stats")
			before := stock(t, root, cache)
			tc.do(t, root)
			after := stock(t, root, cache)
			if changed := before.Digest() != after.Digest(); changed != tc.changes {
				t.Errorf("changed: %v", changed)
			}
			if fresh := stock(t, root, ""); fresh.Digest() != after.Digest() {
				t.Error("the cache makes a difference")
			}
		})
	}
}

func mkdir(t *testing.T, root, name string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(root, name), 0o755); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, root, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(root, name)); err != nil {
		t.Fatal(err)
	}
}

func chmod(t *testing.T, root, name string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(filepath.Join(root, name), mode); err != nil {
		t.Fatal(err)
	}
}

func chtime(t *testing.T, root, name string) {
	t.Helper()
	at := time.Unix(1_000_000_000, 5)
	if err := os.Chtimes(filepath.Join(root, name), at, at); err != nil {
		t.Fatal(err)
	}
}

func TestManifestLookup(t *testing.T) {
	m := stock(t, manifestTree(t), "")
	if m.Len() != 7 || m.Head() != strings.Repeat("1", 40) {
		t.Errorf("%d files, head %s", m.Len(), m.Head())
	}
	if e, ok := m.Lookup("sub/b.py"); !ok || e.Hash() != edit.Sum([]byte("x = 1\n")) || e.Mode != 0o644 {
		t.Errorf("%+v %v", e, ok)
	}
	if e, ok := m.Lookup("node_modules/m/index.js"); !ok || e.Hash() != "" || e.By != workspace.StatOnly {
		t.Errorf("%+v %v", e, ok)
	}
	for _, name := range []string{"sub", ".git/HEAD", "__pycache__/b.pyc", "nowhere"} {
		if _, ok := m.Lookup(name); ok {
			t.Errorf("%s counts", name)
		}
	}
}

// A write in the same instant, of the same size, keeping the inode: only the change time can tell, and only if the file
// system's clock has moved on.
func TestManifestIsNotFooledByYoungFiles(t *testing.T) {
	root, cache := t.TempDir(), filepath.Join(t.TempDir(), "stats")
	name := filepath.Join(root, "f")
	for i := range 200 {
		text := fmt.Sprintf("%03d", i)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if e, _ := stock(t, root, cache).Lookup("f"); e.Hash() != edit.Sum([]byte(text)) {
			t.Fatalf("write %d went unseen", i)
		}
	}
}

func TestManifestCacheIsUsedAndCannotHurt(t *testing.T) {
	root, cache := t.TempDir(), filepath.Join(t.TempDir(), "stats")
	put(t, root, "f", "content\n")
	want := stock(t, root, cache).Digest()
	settle(t, root, cache)
	good, err := os.ReadFile(cache)
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := append([]byte(nil), good...)
		bad[i] ^= 0x40
		if err := os.WriteFile(cache, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := stock(t, root, cache).Digest(); got != want {
			t.Fatalf("a bit flipped in byte %d makes a difference", i)
		}
	}
	for _, n := range []int{0, 1, len(good) / 2, len(good) - 1} {
		if err := os.WriteFile(cache, good[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if got := stock(t, root, cache).Digest(); got != want {
			t.Fatalf("a cache cut off at %d makes a difference", n)
		}
	}
}

// settle takes stock until the files are old enough to be remembered.
func settle(t testing.TB, root, cache string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; {
		stock(t, root, cache)
		if _, err := os.Stat(cache); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing is remembered")
		}
	}
}

func TestManifestOfOddTrees(t *testing.T) {
	root := t.TempDir()
	big := filepath.Join(root, "big")
	if err := os.WriteFile(big, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(big, workspace.LargeFile+1); err != nil {
		t.Fatal(err)
	}
	put(t, root, "with\nnewline", "x")
	put(t, root, "\xff\xfe", "not utf-8")
	m := stock(t, root, filepath.Join(t.TempDir(), "c"))
	if e, ok := m.Lookup("big"); !ok || e.By != workspace.StatOnly {
		t.Errorf("big: %+v", e)
	}
	if m.Len() != 3 || m.Head() != "" {
		t.Errorf("%d files, head %q", m.Len(), m.Head())
	}
	if _, err := workspace.OpenStock(filepath.Join(root, "nowhere"), "").Take(t.Context()); err == nil {
		t.Error("a tree that is not there has a manifest")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := workspace.OpenStock(root, "").Take(ctx); err == nil {
		t.Error("a cancelled snapshot succeeds")
	}
}

func BenchmarkManifest(b *testing.B) {
	root := b.TempDir()
	for i := range 10000 {
		put(b, root, fmt.Sprintf("pkg%02d/sub%d/file%05d.go", i%50, i%7, i), strings.Repeat(fmt.Sprintf("package p%d\n", i), 100))
	}
	cache := filepath.Join(b.TempDir(), "stats")
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			stock(b, root, "")
		}
	})
	settle(b, root, cache)
	b.Run("remembered", func(b *testing.B) {
		for b.Loop() {
			stock(b, root, cache)
		}
	})
	b.Run("again", func(b *testing.B) {
		s := workspace.OpenStock(root, cache)
		for b.Loop() {
			if _, err := s.Take(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// Changed tells what is not as it was when stock was taken, by content.
func TestStockChanged(t *testing.T) {
	root := manifestTree(t)
	s := workspace.OpenStock(root, "")
	m, err := s.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{"a.go", "sub/b.py", "sub/deep/c.txt", "link", "node_modules/m/index.js", "not/there", "sub/new"}
	changed := func(want ...string) {
		t.Helper()
		if got, err := s.Changed(m.Digest(), paths); err != nil || !slices.Equal(got, want) {
			t.Errorf("changed: %q, %v, want %q", got, err, want)
		}
	}
	changed()
	chtime(t, root, "a.go")
	changed()
	put(t, root, "a.go", "package b\n")
	chmod(t, root, "sub/b.py", 0o755)
	put(t, root, "sub/new", "x")
	remove(t, root, "sub/deep/c.txt")
	changed("a.go", "sub/b.py", "sub/deep/c.txt", "sub/new")
	put(t, root, "a.go", "package a\n")
	changed("sub/b.py", "sub/deep/c.txt", "sub/new")
	for i := range 4 {
		put(t, root, "another", strconv.Itoa(i))
		if _, err := s.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
		if i < 3 {
			changed("sub/b.py", "sub/deep/c.txt", "sub/new")
		}
	}
	changed(paths...) // nobody knows any more
}
