package git_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestSnapshot holds that a commit is read as it is stored, in whatever order it is asked, and that the working tree has no say.
func TestSnapshot(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n", "empty": "", "dir/odd name\n.txt": "no end", "bytes": "\x00\xff\n\n"})
	if err := os.Symlink("a.txt", filepath.Join(r.Root, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(r.Root, "bytes"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.git("add", "-A")
	r.git("commit", "-qm", "second")
	r.write(map[string]string{"a.txt": "changed\n", "new.txt": "new\n"})
	if err := os.RemoveAll(filepath.Join(r.Root, "dir")); err != nil {
		t.Fatal(err)
	}
	s, err := r.Snapshot(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a.txt", "bytes", "dir/odd name\n.txt", "empty", "link"}
	if got := s.Files(); !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for range 2 {
		slices.Reverse(want)
		for _, path := range append(want, "new.txt", "../a.txt") {
			got, err := s.File(path)
			if err != nil {
				t.Fatal(err)
			}
			stored := got
			if path != "../a.txt" { // which Repo.File refuses
				if stored, err = r.File(t.Context(), "HEAD", path); err != nil {
					t.Fatal(err)
				}
			}
			if len(stored.Data) == 0 {
				stored.Data, got.Data = nil, nil
			}
			if !reflect.DeepEqual(got, stored) {
				t.Errorf("%q: got %+v, want %+v", path, got, stored)
			}
		}
	}
	if f, _ := s.File("link"); f.Mode&fs.ModeSymlink == 0 || string(f.Data) != "a.txt" {
		t.Errorf("a link is %+v", f)
	}
	if _, err := r.Snapshot(t.Context(), "nowhere"); err == nil {
		t.Error("what is no commit has a snapshot")
	}
}

func TestSnapshotOfMany(t *testing.T) {
	files := map[string]string{}
	for i := range 700 {
		files[fmt.Sprintf("d%d/f%03d", i%7, i)] = strings.Repeat("x", i)
	}
	r := newRepo(t, files)
	ctx, cancel := context.WithCancel(t.Context())
	s, err := r.Snapshot(ctx, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range s.Files() {
		if f, err := s.File(path); err != nil || string(f.Data) != files[path] {
			t.Fatalf("%s: %q, %v", path, f.Data, err)
		}
	}
	late, err := r.Snapshot(ctx, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := late.File(late.Files()[0]); err == nil {
		t.Error("it is read after the context's end")
	}
}

// TestSnapshotOfAPartialClone holds that what was not fetched is said, and that the rest can be read.
func TestSnapshotOfAPartialClone(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n", "big.txt": strings.Repeat("b", 5000), "c.txt": "c\n"})
	r.git("config", "uploadpack.allowFilter", "true")
	to := filepath.Join(t.TempDir(), "clone")
	gitIn(t, t.TempDir(), "clone", "-q", "--no-checkout", "--filter=blob:limit=1000", "file://"+r.Root, to)
	s, err := open(t, to).Snapshot(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.File("big.txt"); err == nil {
		t.Errorf("what was not fetched: %v", err)
	}
	for _, path := range []string{"a.txt", "c.txt"} {
		if f, err := s.File(path); err != nil || len(f.Data) != 2 {
			t.Errorf("%s: %+v, %v", path, f, err)
		}
	}
}
