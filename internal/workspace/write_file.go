package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	slashpath "path"

	"golang.org/x/sync/errgroup"

	"fettle/internal/edit"
	"fettle/internal/journal"
)

// writer has the effects of one set. It keeps each folder open from its first use to its end, so that all of the work in a
// folder happens in that very folder.
type writer struct {
	tree    *Tree
	folders map[string]*folder
	dirty   map[string]bool // folders with names that are not synced yet
}

func (w *writer) close() {
	for _, f := range w.folders {
		f.close()
	}
}

// folder is the open folder of the file at p.
func (w *writer) folder(p string) (*folder, error) {
	dir := slashpath.Dir(p)
	if f, ok := w.folders[dir]; ok {
		return f, nil
	}
	f, err := w.tree.open(dir, p)
	if err == nil {
		w.folders[dir] = f
	}
	return f, err
}

// mkdir makes one folder and syncs its name. That somebody else was faster is fine.
func (w *writer) mkdir(dir string) error {
	f, err := w.folder(dir)
	if err != nil {
		return err
	}
	if err := f.Mkdir(slashpath.Base(dir), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make folder %s: %w", dir, err)
	}
	return f.sync()
}

// stage writes and syncs the temporary files of all steps. Several syncs share the disk's own transaction, so the files are
// written side by side.
func (w *writer) stage(steps []step) error {
	var g errgroup.Group
	g.SetLimit(8)
	for _, s := range steps {
		if !s.after.Exists || s.done {
			continue
		}
		f, err := w.folder(s.path)
		if err != nil {
			return errors.Join(err, g.Wait())
		}
		g.Go(func() error { return w.tree.stageOne(f, s) })
	}
	return g.Wait()
}

func (t *Tree) stageOne(f *folder, s step) error {
	file, err := f.OpenFile(slashpath.Base(s.temp), os.O_WRONLY|os.O_CREATE|os.O_EXCL|openFlags, 0o600)
	if err != nil {
		return fmt.Errorf("write %s: %w", s.path, err)
	}
	err = t.fill(f, file, s)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", s.path, err)
	}
	return nil
}

// fill gives the temporary file its content and then its owner, attributes and mode, in this order: a change of owner clears mode
// bits, access lists stand above the mode's, and a mode may forbid writing. Bits that would run the file as somebody else are
// not kept.
func (t *Tree) fill(f *folder, file *os.File, s step) error {
	if err := t.fault("writing"); err != nil {
		return err
	}
	if _, err := file.Write(s.after.Data); err != nil {
		return err
	}
	if err := keepOwner(file, s.old); err != nil {
		return err
	}
	if err := keepAttributes(f, file, s); err != nil {
		return err
	}
	if err := file.Chmod(s.after.Mode.Perm()); err != nil {
		return err
	}
	if err := t.fault("syncing"); err != nil {
		return err
	}
	return file.Sync()
}

// swap puts a staged file in its place, or takes a file away, if what is there is still what the step expects.
func (w *writer) swap(s step) error {
	f, err := w.folder(s.path)
	if err != nil {
		return err
	}
	if err := f.stays(s.path); err != nil {
		return err
	}
	now, err := w.tree.expect(f, s)
	if err != nil {
		return err
	}
	w.dirty[f.path] = true
	name, temp := slashpath.Base(s.path), slashpath.Base(s.temp)
	switch s.op() {
	case edit.Create:
		err = f.put(temp, name)
	case edit.Delete:
		err = f.take(name, asideName(temp), now.info)
	default:
		err = f.replace(temp, name, now.info)
	}
	var changed *edit.MismatchError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &changed):
		return w.tree.mismatch(f, s)
	}
	return fmt.Errorf("write %s: %w", s.path, err)
}

// expect reads the file of a step and makes sure that it holds what the step was made for, content and mode.
func (t *Tree) expect(f *folder, s step) (seen, error) {
	now, err := t.read(f, slashpath.Base(s.path), s.path)
	if err != nil {
		return seen{}, err
	}
	if !alike(now.file, s.before) {
		return seen{}, &ChangedError{Path: s.path, Want: journal.ImageOf(s.before), Have: now.image()}
	}
	return now, nil
}

// alike reports whether two states of a file are one: their images would be the same.
func alike(a, b edit.File) bool {
	if !a.Exists || !b.Exists {
		return a.Exists == b.Exists
	}
	return a.Mode.Perm() == b.Mode.Perm() && bytes.Equal(a.Data, b.Data)
}

// mismatch describes what is there instead of what was there a moment ago.
func (t *Tree) mismatch(f *folder, s step) error {
	now, err := t.read(f, slashpath.Base(s.path), s.path)
	if err != nil {
		return err
	}
	return &ChangedError{Path: s.path, Want: journal.ImageOf(s.before), Have: now.image()}
}

// put gives a staged file its name, if nothing has that name. A hard link does both in one step; where the file system has
// none, the name is looked at just before the rename.
func (f *folder) put(temp, name string) error {
	err := f.Link(temp, name)
	switch {
	case err == nil:
		if err := f.tree.fault("linked"); err != nil {
			return err
		}
		return f.Remove(temp)
	case errors.Is(err, fs.ErrExist):
		return &edit.MismatchError{Path: name}
	case noHardLinks(err):
		if _, err := f.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return &edit.MismatchError{Path: name}
		}
		return f.Rename(temp, name)
	}
	return err
}

// replace puts a staged file over the one that was read just now, after a last look that it still is that one.
func (f *folder) replace(temp, name string, read fs.FileInfo) error {
	if info, err := f.Lstat(name); err != nil || !unchanged(info, read) {
		return errors.Join(&edit.MismatchError{Path: name}, err)
	}
	return f.Rename(temp, name)
}

// take removes the file that was read just now. It first moves it to a name nobody else uses and only then looks whether it
// took the right one; if not, it gives it back.
func (f *folder) take(name, aside string, read fs.FileInfo) error {
	if err := f.Rename(name, aside); err != nil {
		return err
	}
	if info, err := f.Lstat(aside); err != nil || !unchanged(info, read) {
		if err := errors.Join(err, f.put(aside, name)); err != nil {
			return err
		}
		return &edit.MismatchError{Path: name}
	}
	if err := f.tree.fault("taken"); err != nil {
		return err
	}
	return f.Remove(aside)
}

// sync makes all names durable that swap changed.
func (w *writer) sync() error {
	var g errgroup.Group
	g.SetLimit(8)
	for path := range w.dirty {
		g.Go(w.folders[path].sync)
	}
	return g.Wait()
}
