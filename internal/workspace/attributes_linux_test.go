package workspace_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"fettle/internal/edit"
	"fettle/internal/testenv"
	"fettle/internal/workspace"
)

func TestAttributesSurvive(t *testing.T) {
	p := newPlace(t)
	p.put("f", "x")
	file := filepath.Join(p.root, "f")
	if err := unix.Setxattr(file, "user.note", []byte("mine"), 0); errors.Is(err, unix.ENOTSUP) {
		testenv.Missing(t, "a file system with extended attributes")
	} else if err != nil {
		t.Fatal(err)
	}
	// The owner may read and write, user 1234 too, and nobody else.
	list := []byte{2, 0, 0, 0}
	for _, e := range [][8]byte{{1, 0, 6, 0, 255, 255, 255, 255}, {2, 0, 6, 0, 0xd2, 4, 0, 0}, {4, 0, 0, 0, 255, 255, 255, 255}, {16, 0, 6, 0, 255, 255, 255, 255},
		{32, 0, 0, 0, 255, 255, 255, 255}} {
		list = append(list, e[:]...)
	}
	const access = "system.posix_acl_access"
	if err := unix.Setxattr(file, access, list, 0); err != nil && !errors.Is(err, unix.ENOTSUP) {
		t.Fatal(err)
	} else if err != nil {
		list = nil
	}
	tree, _ := p.open(workspace.Options{})
	check := func() {
		t.Helper()
		buf := make([]byte, 256)
		if n, err := unix.Getxattr(file, "user.note", buf); err != nil || string(buf[:n]) != "mine" {
			t.Errorf("the note: %q, %v", buf[:max(n, 0)], err)
		}
		if list == nil {
			return
		}
		if n, err := unix.Getxattr(file, access, buf); err != nil || !bytes.Equal(buf[:n], list) {
			t.Errorf("the access list: %v, %v", buf[:max(n, 0)], err)
		}
	}
	if _, err := tree.Apply(t.Context(), edit.Patch{modify("f", "x", "y")}, workspace.Why{}); err != nil {
		t.Fatal(err)
	}
	check()
	if _, err := tree.Undo(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	check()
}

// The journal keeps a file's bytes and mode. One that was deleted comes back with those; its attributes went with it.
func TestUndoOfADeletion(t *testing.T) {
	p := newPlace(t)
	p.put("f", "x")
	file := filepath.Join(p.root, "f")
	must(t, os.Chmod(file, 0o751))
	if err := unix.Setxattr(file, "user.note", []byte("mine"), 0); errors.Is(err, unix.ENOTSUP) {
		testenv.Missing(t, "a file system with extended attributes")
	} else if err != nil {
		t.Fatal(err)
	}
	tree, _ := p.open(workspace.Options{})
	if _, err := tree.Apply(t.Context(), edit.Patch{erase("f", "x")}, workspace.Why{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("it is there: %v", err)
	}
	if _, err := tree.Undo(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if text, _ := os.ReadFile(file); err != nil || string(text) != "x" || info.Mode().Perm() != 0o751 {
		t.Errorf("%q, %v, %v", text, info, err)
	}
	if _, err := unix.Getxattr(file, "user.note", make([]byte, 16)); !errors.Is(err, unix.ENODATA) {
		t.Errorf("the note: %v", err)
	}
}
