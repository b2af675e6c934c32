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
	list := adorn(t, file)
	tree, _ := p.open(workspace.Options{})
	check := func() {
		t.Helper()
		if note := attribute(t, file, "user.note"); string(note) != "mine" {
			t.Errorf("the note: %q", note)
		}
		if now := attribute(t, file, accessList); !bytes.Equal(now, list) {
			t.Errorf("the access list: %v", now)
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

const accessList = "system.posix_acl_access"

// adorn gives a file a note and, where the file system knows them, the access list that it returns.
func adorn(t *testing.T, file string) []byte {
	t.Helper()
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
	if err := unix.Setxattr(file, accessList, list, 0); errors.Is(err, unix.ENOTSUP) {
		return nil
	} else if err != nil {
		t.Fatal(err)
	}
	return list
}

// attribute is what a file has under this name; nil: nothing.
func attribute(t *testing.T, file, name string) []byte {
	t.Helper()
	buf := make([]byte, 256)
	n, err := unix.Getxattr(file, name, buf)
	if errors.Is(err, unix.ENODATA) || errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return buf[:n]
}

// The journal keeps a file's bytes and mode. One that was deleted comes back with those, and one that was moved is moved with those, both
// ways; its owner, attributes and access list went with the old one.
func TestUndoOfADeletion(t *testing.T) {
	for _, c := range []struct {
		name  string
		patch edit.Patch
		moved string // where the file is afterwards; empty: nowhere
	}{
		{"deleted", edit.Patch{erase("f", "x")}, ""},
		{"moved", edit.Patch{erase("f", "x"), {Path: "g", Op: edit.Create, Mode: 0o751, Edits: []edit.Edit{{New: []byte("x")}}}}, "g"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t)
			p.put("f", "x")
			file := filepath.Join(p.root, "f")
			uid, gid := owner(t, file)
			adorn(t, file)
			if os.Geteuid() == 0 {
				must(t, os.Chown(file, 1234, 2345))
			}
			must(t, os.Chmod(file, 0o751)) // with an access list, the group's bits are its mask
			bare := func(file string) {
				t.Helper()
				info, err := os.Stat(file)
				if text, _ := os.ReadFile(file); err != nil || string(text) != "x" || info.Mode().Perm() != 0o751 {
					t.Fatalf("%q, %v, %v", text, info, err)
				}
				if u, g := owner(t, file); u != uid || g != gid {
					t.Errorf("owner %d:%d", u, g)
				}
				if note, list := attribute(t, file, "user.note"), attribute(t, file, accessList); note != nil || list != nil {
					t.Errorf("the note: %q; the access list: %v", note, list)
				}
			}
			tree, _ := p.open(workspace.Options{})
			if _, err := tree.Apply(t.Context(), c.patch, workspace.Why{}); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
				t.Fatalf("it is there: %v", err)
			}
			if c.moved != "" {
				bare(filepath.Join(p.root, c.moved))
			}
			if _, err := tree.Undo(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			bare(file)
		})
	}
}
