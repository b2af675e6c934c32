package main

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/store"
)

// files are the files and links of the tree but git's own.
func (y *yard) files() map[string]file {
	out := map[string]file{}
	y.must(filepath.WalkDir(y.root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "__pycache__" || strings.HasSuffix(d.Name(), "_cache")) {
			return fs.SkipDir
		}
		if d.IsDir() {
			return nil
		}
		rel, _ := filepath.Rel(y.root, p)
		rel = filepath.ToSlash(rel)
		if d.Type() == fs.ModeSymlink {
			to, err := os.Readlink(p)
			out[rel] = file{d.Type(), to}
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(p)
		out[rel] = file{info.Mode(), string(data)}
		return err
	}))
	return out
}

// withJournal opens what fettle wrote down, if it has written anything.
func (y *yard) withJournal(do func(context.Context, *journal.Journal)) {
	y.t.Helper()
	found, _ := filepath.Glob(filepath.Join(y.root, ".git", "fettle", "*", store.File))
	if len(found) == 0 {
		return
	}
	ctx, dir := context.Background(), filepath.Dir(found[0])
	db, err := store.Open(ctx, dir)
	y.must(err)
	defer db.Close()
	j, err := journal.Open(db, dir)
	y.must(err)
	defer j.Close()
	do(ctx, j)
}

// stack is what can be undone, the next first.
func (y *yard) stack() (standing []journal.Standing) {
	y.t.Helper()
	y.withJournal(func(ctx context.Context, j *journal.Journal) {
		stack, err := j.Stack(ctx)
		y.must(err)
		standing = stack.Undo
	})
	return standing
}

// journal reads the changes, oldest first, with what a file of an image holds.
func (y *yard) journal() (sets []journal.Set, image func(journal.Image) file) {
	y.t.Helper()
	images := map[edit.Hash]string{}
	y.withJournal(func(ctx context.Context, j *journal.Journal) { sets = y.read(ctx, j, images) })
	return sets, func(i journal.Image) file { return file{i.Mode, images[i.Hash]} }
}

func (y *yard) read(ctx context.Context, j *journal.Journal, images map[edit.Hash]string) []journal.Set {
	y.t.Helper()
	sets, err := j.List(ctx, journal.Filter{})
	y.must(err)
	slices.Reverse(sets)
	for _, s := range sets {
		for _, e := range s.Entries {
			for _, i := range []journal.Image{e.Before, e.After} {
				if !i.Exists {
					continue
				}
				data, err := j.Blob(i.Hash)
				if err != nil && s.State != journal.Done {
					continue // it ended before its images were safe, and so before its first effect
				}
				y.must(err)
				images[i.Hash] = string(data)
			}
		}
	}
	return sets
}

// nothingForeign demands, right after the kill, that every file holds something that its owner wrote, or that the journal
// knows: no file is torn or lost.
func (y *yard) nothingForeign() {
	y.t.Helper()
	type content struct {
		path string
		file
	}
	known := map[content]bool{}
	for _, e := range y.edits {
		known[content{e.path, e.file}] = true
	}
	sets, image := y.journal()
	deleted := map[string]bool{}
	for _, s := range sets {
		for _, e := range s.Entries {
			for _, i := range []journal.Image{e.Before, e.After} {
				if i.Exists {
					known[content{e.Path, image(i)}] = true
				} else {
					deleted[e.Path] = true
				}
			}
		}
	}
	files := y.files()
	for path, holds := range files {
		if temporary := strings.HasPrefix(filepath.Base(path), ".fettle-"); !known[content{path, holds}] && !temporary {
			y.t.Errorf("%s holds what nobody wrote: %v", path, holds)
		}
	}
	for _, e := range y.edits {
		if _, ok := files[e.path]; !ok && !deleted[e.path] {
			y.t.Errorf("%s is gone", e.path)
		}
	}
}

// settle lets the next fettle recover, and demands that it can. The lock of a copy is let go a moment after its last process
// can be seen no more, so its folder may be left for the next fettle but one. Temporary files are made old, for what was killed before
// it could lock them belongs to nobody only after a while.
func (y *yard) settle() {
	y.t.Helper()
	left, err := os.ReadDir(y.tmp)
	y.must(err)
	for _, e := range left {
		y.must(os.Chtimes(filepath.Join(y.tmp, e.Name()), time.Time{}, time.Now().Add(-time.Hour)))
	}
	for deadline := time.Now().Add(10 * time.Second); ; {
		if code, said := y.fettle("gc"); code != 0 {
			y.t.Errorf("the next fettle gc: exit code %d\n%s", code, said)
			return
		}
		if len(y.copies()) == 0 || time.Now().After(deadline) {
			return
		}
		y.said = y.said[:len(y.said)-1]
	}
}

// locks are the files by which git keeps others out.
func (y *yard) locks() (out []string) {
	y.must(filepath.WalkDir(filepath.Join(y.root, ".git"), func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "fettle" {
			return fs.SkipDir
		}
		if strings.HasSuffix(p, ".lock") {
			out = append(out, p)
		}
		return err
	}))
	return out
}

func (y *yard) copies() []string {
	copies, _ := filepath.Glob(filepath.Join(y.root, ".git", "fettle", "*", "copies", "*"))
	return copies
}

// exact demands that the tree is what the journal says, change by change, with the person's edits in between; that no
// change is half-way; and that nothing lies about.
func (y *yard) exact() {
	y.t.Helper()
	want := map[string]file{}
	edits := slices.Clone(y.edits)
	catchUp := func(id int64) {
		for len(edits) > 0 && edits[0].after < id {
			want[edits[0].path] = edits[0].file
			edits = edits[1:]
		}
	}
	sets, image := y.journal()
	for _, s := range sets {
		catchUp(s.ID)
		if s.State == journal.Intent {
			y.t.Errorf("change %d is still under way", s.ID)
		}
		if s.State != journal.Done {
			continue
		}
		for _, e := range s.Entries {
			if e.After.Exists {
				want[e.Path] = image(e.After)
			} else {
				delete(want, e.Path)
			}
		}
	}
	catchUp(1 << 62)
	if have := y.files(); !maps.Equal(have, want) {
		for _, path := range slices.Sorted(maps.Keys(have)) {
			if have[path] != want[path] {
				y.t.Errorf("%s holds %v, want %v", path, have[path], want[path])
			}
		}
		for path := range want {
			if _, ok := have[path]; !ok {
				y.t.Errorf("%s is gone", path)
			}
		}
	}
	if copies := y.copies(); len(copies) > 0 {
		y.t.Errorf("left: %v", copies)
	}
	if locks := y.locks(); len(locks) > 0 {
		y.t.Errorf("left: %v", locks)
	}
	left, err := os.ReadDir(y.tmp)
	y.must(err)
	for _, e := range left {
		y.t.Errorf("left among the temporary files: %s", e.Name())
	}
	if head, staged := y.git("rev-parse", "HEAD"), y.git("diff", "--cached", "--name-only"); head != y.head || staged != "" {
		y.t.Errorf("HEAD was %s and is %s; staged: %q", y.head, head, staged)
	}
	if trees := y.git("worktree", "list"); strings.Count(trees, "\n") > 0 {
		y.t.Errorf("left: worktrees\n%s", trees)
	}
	y.git("fsck", "--strict")
}

// gone demands that nothing that fettle started is left.
func (y *yard) gone() {
	y.t.Helper()
	deadline := time.Now().Add(15 * time.Second)
	left := y.processes()
	for len(left) > 0 && time.Now().Before(deadline) {
		<-time.After(5 * time.Millisecond)
		left = y.processes()
	}
	if len(left) > 0 {
		y.t.Errorf("still running: %q", left)
	}
}

// interrupted leaves a session that a kill ended before it changed anything, and that has everything to go on with.
func (y *yard) interrupted() {
	y.t.Helper()
	killed := y.killed
	y.killAt(moment{says: ": verify:"}, []string{"fix"})
	y.gone()
	if y.killed == killed {
		y.t.Error("fettle fix was not killed")
	}
}
