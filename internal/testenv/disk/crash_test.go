package disk_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/testenv/disk"
)

// big is a content with a boundary of sectors in it.
var big = strings.Repeat("x", 600)

// Operations of the little recordings below: file 2 is called a from the beginning, file 3 comes to be.
func create(name string) disk.Op {
	return disk.Op{Kind: disk.Create, Path: name, ID: 3, Folder: disk.Root, Mode: 0o644}
}
func write(id disk.ID, text string) disk.Op {
	return disk.Op{Kind: disk.Write, ID: id, Data: []byte(text)}
}
func rename(from, to string) disk.Op {
	return disk.Op{Kind: disk.Rename, Path: from, To: to, ID: 3, Folder: disk.Root, Into: disk.Root}
}
func unlink(name string, id disk.ID) disk.Op {
	return disk.Op{Kind: disk.Unlink, Path: name, ID: id, Folder: disk.Root}
}

var (
	sync   = disk.Op{Kind: disk.Sync, ID: 3}
	folder = disk.Op{Kind: disk.SyncFolder, ID: disk.Root}
)

// left are all the states that a power cut after the operations leaves, each as a line.
func left(rule disk.Rule, ops []disk.Op) []string {
	r := disk.Recording{Ops: ops, Base: disk.Image{
		disk.Root: {Mode: os.ModeDir | 0o755, Names: map[string]disk.ID{"a": 2}},
		2:         {Mode: 0o644, Data: []byte("old")},
	}}
	seen := map[string]bool{}
	for seed := range uint64(400) {
		files := r.After(disk.Crash{At: len(ops), Rule: rule, Seed: seed}).Files()
		var line []string
		for _, name := range slices.Sorted(maps.Keys(files)) {
			text := files[name]
			text = strings.ReplaceAll(text, strings.Repeat("x", 512), "X")
			text = strings.ReplaceAll(text, strings.Repeat("x", 88), "Y")
			text = strings.ReplaceAll(text, strings.Repeat("\x00", 512), "0")
			text = strings.ReplaceAll(text, strings.Repeat("\x00", 88), "0")
			line = append(line, name+"="+text)
		}
		seen[strings.Join(line, " ")] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// What each rule leaves is all that the model allows, and no more.
func TestAfter(t *testing.T) {
	for _, tc := range []struct {
		name string
		ops  []disk.Op
		want map[disk.Rule][]string
	}{
		{"nothing is synced", []disk.Op{create("b"), write(3, big)}, map[disk.Rule][]string{
			disk.Strict:    {"a=old"},
			disk.Ordered:   {"a=old", "a=old b=", "a=old b=00", "a=old b=0Y", "a=old b=X", "a=old b=XY"},
			disk.Scattered: {"a=old", "a=old b=", "a=old b=00", "a=old b=0Y", "a=old b=X", "a=old b=XY"},
		}},
		{"the file is synced, its name is not", []disk.Op{create("b"), write(3, "new"), sync}, map[disk.Rule][]string{
			disk.Strict:    {"a=old"},
			disk.Ordered:   {"a=old b=new"},
			disk.Scattered: {"a=old", "a=old b=new"},
		}},
		{"the name is synced, the file is not", []disk.Op{create("b"), write(3, "new"), folder}, map[disk.Rule][]string{
			disk.Strict:    {"a=old b="},
			disk.Ordered:   {"a=old b=", "a=old b=\x00\x00\x00", "a=old b=new"},
			disk.Scattered: {"a=old b=", "a=old b=\x00\x00\x00", "a=old b=new"},
		}},
		{"replaced as it should be", []disk.Op{create("t"), write(3, big), sync, rename("t", "a"), folder}, map[disk.Rule][]string{
			disk.Strict: {"a=XY"}, disk.Ordered: {"a=XY"}, disk.Scattered: {"a=XY"},
		}},
		{"replaced, the folder not synced", []disk.Op{create("t"), write(3, big), sync, rename("t", "a")}, map[disk.Rule][]string{
			disk.Strict:    {"a=old"},
			disk.Ordered:   {"a=XY", "a=old t=XY"},
			disk.Scattered: {"a=XY", "a=old", "a=old t=XY"},
		}},
		{"replaced without a sync of the file", []disk.Op{create("t"), write(3, big), rename("t", "a"), folder}, map[disk.Rule][]string{
			disk.Strict:    {"a="},
			disk.Ordered:   {"a=", "a=00", "a=0Y", "a=X", "a=XY"},
			disk.Scattered: {"a=", "a=00", "a=0Y", "a=X", "a=XY"},
		}},
		{"one after the other", []disk.Op{create("b"), unlink("a", 2)}, map[disk.Rule][]string{
			disk.Strict:    {"a=old"},
			disk.Ordered:   {"a=old", "a=old b=", "b="},
			disk.Scattered: {"", "a=old", "a=old b=", "b="},
		}},
		{"cut off in place", []disk.Op{{Kind: disk.Truncate, ID: 2, Size: 1}}, map[disk.Rule][]string{
			disk.Strict: {"a=old"}, disk.Ordered: {"a=o", "a=old"}, disk.Scattered: {"a=o", "a=old"},
		}},
		{"a second name", []disk.Op{{Kind: disk.Link, Path: "a", To: "b", ID: 2, Folder: disk.Root}, folder, unlink("a", 2)}, map[disk.Rule][]string{
			disk.Strict: {"a=old b=old"}, disk.Ordered: {"a=old b=old", "b=old"}, disk.Scattered: {"a=old b=old", "b=old"},
		}},
		{"in a folder whose name is not synced", []disk.Op{
			{Kind: disk.Mkdir, Path: "d", ID: 4, Folder: disk.Root, Mode: 0o755},
			{Kind: disk.Create, Path: "d/b", ID: 3, Folder: 4, Mode: 0o644}, write(3, "new"), sync, {Kind: disk.SyncFolder, ID: 4},
		}, map[disk.Rule][]string{
			disk.Strict: {"a=old"}, disk.Ordered: {"a=old d/b=new"}, disk.Scattered: {"a=old", "a=old d/b=new"},
		}},
	} {
		for _, rule := range disk.Rules {
			t.Run(fmt.Sprintf("%s, %s", tc.name, rule), func(t *testing.T) {
				if have := left(rule, tc.ops); !slices.Equal(have, tc.want[rule]) {
					t.Errorf("left %q, want %q", have, tc.want[rule])
				}
			})
		}
	}
}

// A program's own folder may be given the rule of a journal while everything else is lost.
func TestJournalled(t *testing.T) {
	ops := []disk.Op{create("b"), write(3, "new"), sync}
	r := disk.Recording{Ops: ops, Base: disk.Image{disk.Root: {Mode: os.ModeDir | 0o755, Names: map[string]disk.ID{}}}}
	c := disk.Crash{At: len(ops), Rule: disk.Strict, Journalled: func(path string) bool { return path == "b" }}
	if files := r.After(c).Files(); files["b"] != "new" {
		t.Errorf("left %q", files)
	}
}

// An image is laid out as it is: names, modes, links of both kinds.
func TestStore(t *testing.T) {
	dir := t.TempDir()
	im := disk.Image{
		disk.Root: {Mode: os.ModeDir | 0o755, Names: map[string]disk.ID{"a": 2, "d": 3, "l": 4}},
		2:         {Mode: 0o640, Data: []byte("text")},
		3:         {Mode: os.ModeDir | 0o500, Names: map[string]disk.ID{"b": 2}},
		4:         {Mode: os.ModeSymlink | 0o777, Target: "a"},
	}
	if err := im.Store(dir); err != nil {
		t.Fatal(err)
	}
	a, _ := os.Lstat(filepath.Join(dir, "a"))
	b, err := os.Lstat(filepath.Join(dir, "d", "b"))
	if err != nil || !os.SameFile(a, b) || a.Mode() != 0o640 {
		t.Errorf("a and d/b: %v, %v (%v)", a, b, err)
	}
	if d, err := os.Stat(filepath.Join(dir, "d")); err != nil || d.Mode().Perm() != 0o500 {
		t.Errorf("d: %v, %v", d, err)
	}
	if to, err := os.Readlink(filepath.Join(dir, "l")); to != "a" {
		t.Errorf("l says %q, %v", to, err)
	}
}
