// Package treetest answers "which trees and patches should a test try?": it draws small ones for property tests, rich in what
// breaks things (see [Shape]), and reads and writes them as folders of files.
package treetest

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/edit"

	"pgregory.net/rapid"
)

// Tree is a set of files, by slash path, that stands for a workspace.
type Tree map[string]edit.File

// Of makes a tree from paths and contents in turn.
func Of(pairs ...string) Tree {
	t := Tree{}
	for i := 0; i < len(pairs); i += 2 {
		t[pairs[i]] = edit.File{Data: []byte(pairs[i+1]), Mode: 0o644, Exists: true}
	}
	return t
}

// Source reads the tree's files; it is an [edit.Source].
func (t Tree) Source(path string) (edit.File, error) { return t[path], nil }

// After gives the tree as it is after a patch, which must apply.
func (t Tree) After(tb rapid.TB, p edit.Patch) Tree {
	tb.Helper()
	changed, err := p.Apply(t.Source)
	if err != nil {
		tb.Fatalf("applying %+v: %v", p, err)
	}
	out := maps.Clone(t)
	for path, f := range changed {
		out.Set(path, f)
	}
	return out
}

// Set makes a file what f is; one that does not exist goes.
func (t Tree) Set(path string, f edit.File) {
	if f.Exists {
		t[path] = f
	} else {
		delete(t, path)
	}
}

// Same reports whether two states of a file are one, in content and permission bits.
func Same(a, b edit.File) bool {
	return a.Exists == b.Exists && string(a.Data) == string(b.Data) && a.Mode.Perm() == b.Mode.Perm()
}

// Equal reports whether two trees hold the same files.
func (t Tree) Equal(o Tree) bool { return maps.EqualFunc(t, o, Same) }

// Paths are the tree's files in order.
func (t Tree) Paths() []string { return slices.Sorted(maps.Keys(t)) }

// Folders lists the folders that a file is in, the nearest first.
func Folders(file string) []string {
	var out []string
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		out = append(out, dir)
	}
	return out
}

// Fits reports whether a file of this name can be in the tree: no file is its folder, and it is no file's folder.
func (t Tree) Fits(name string) bool {
	for other := range t {
		if slices.Contains(Folders(name), other) || slices.Contains(Folders(other), name) {
			return false
		}
	}
	return true
}

// Differences tells, line by line, what is not in have as it is in want.
func Differences(want, have Tree) string {
	var b strings.Builder
	show := func(f edit.File) string {
		if !f.Exists {
			return "(none)"
		}
		return fmt.Sprintf("%v %q", f.Mode.Perm(), f.Data)
	}
	all := maps.Clone(want)
	maps.Copy(all, have)
	for _, p := range all.Paths() {
		if !Same(want[p], have[p]) {
			fmt.Fprintf(&b, "%s: want %s, have %s\n", p, show(want[p]), show(have[p]))
		}
	}
	return b.String()
}

// Write lays the tree out below a folder.
func (t Tree) Write(root string) error {
	for _, p := range t.Paths() {
		if err := Put(root, p, t[p]); err != nil {
			return err
		}
	}
	return nil
}

// Put makes one file below root what f is, as an editor that writes in place would; its folders are made as they are missing.
func Put(root, name string, f edit.File) error {
	file := filepath.Join(root, filepath.FromSlash(name))
	if !f.Exists {
		return os.Remove(file)
	}
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, f.Data, 0o600), os.Chmod(file, f.Mode.Perm()))
}

// Read reads what lies below a folder: the files, and the slash paths of all folders in order. Anything else is an error.
func Read(root string) (files Tree, folders []string, err error) {
	files = Tree{}
	err = filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if err != nil || at == root {
			return err
		}
		rel, err := filepath.Rel(root, at)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			folders = append(folders, rel)
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is %v", rel, info.Mode())
		}
		data, err := os.ReadFile(at) //nolint:gosec // a test's own folder
		files[rel] = edit.File{Data: data, Mode: info.Mode().Perm(), Exists: true}
		return err
	})
	slices.Sort(folders)
	return files, folders, err
}
