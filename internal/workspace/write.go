package workspace

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	slashpath "path"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"fettle/internal/edit"
	"fettle/internal/journal"
)

// step is what a write does to one file: from exactly one state to exactly one other.
type step struct {
	path   string
	before edit.File
	after  edit.File
	old    fs.FileInfo // what was there, for its owner; nil: nothing, or unknown
	done   bool        // the file is already what it is to become
	temp   string      // slash path of the step's temporary file, in the same folder
}

func (s step) op() edit.Op {
	switch {
	case !s.before.Exists:
		return edit.Create
	case !s.after.Exists:
		return edit.Delete
	}
	return edit.Modify
}

func (s step) entry() journal.Entry {
	return journal.Entry{Path: s.path, Op: s.op(), Before: journal.ImageOf(s.before), After: journal.ImageOf(s.after)}
}

// tempName is a fresh temporary name beside p. The name cannot be guessed, and is only ever made anew.
func tempName(p string) string {
	return slashpath.Join(slashpath.Dir(p), ".fettle-"+strings.ToLower(rand.Text()[:16])+".tmp")
}

// asideName is where a step moves a file that it is about to delete, given its temporary name.
func asideName(temp string) string { return strings.TrimSuffix(temp, ".tmp") + "-old.tmp" }

// write carries the steps out as one change set: all of them, or none. Before anything is made in the tree, the intent is safe on
// the disk, and before the first file is replaced the images are, so that a crash at any point can be taken back. set says who, why and what it reverses; prune
// lists folders that go once they are empty.
func (t *Tree) write(ctx context.Context, set journal.Set, steps []step, prune []string) (*journal.Set, error) {
	contents := make([][]byte, 0, 2*len(steps))
	for i, s := range steps {
		steps[i].temp = tempName(s.path)
		set.Entries = append(set.Entries, s.entry())
		set.Temps = append(set.Temps, steps[i].temp)
		for _, f := range []edit.File{s.before, s.after} {
			if f.Exists {
				contents = append(contents, f.Data)
			}
		}
	}
	var err error
	if set.Folders, err = t.missing(steps); err != nil {
		return nil, err
	}
	if set, err = t.j.Announce(ctx, set); err != nil {
		t.settled = false // it may be written down all the same
		return nil, err
	}
	secure := func() error {
		return errors.Join(t.fault("securing"), t.j.Secure(set, contents...), t.fault("secured"))
	}
	n, err := t.perform(ctx, steps, side{create: set.Folders, prune: prune, secure: secure})
	if err == nil {
		err = t.j.Finish(context.WithoutCancel(ctx), set.ID)
	}
	if err != nil {
		return nil, t.takeBack(ctx, set, n, err)
	}
	set.State = journal.Done
	return &set, nil
}

// takeBack undoes a set whose writing failed after n of its files, and returns the failure; together with a second one, if
// even that failed. The file after those n may have been touched, unless it was refused for being somebody else's by now.
func (t *Tree) takeBack(ctx context.Context, set journal.Set, n int, cause error) error {
	if n < len(set.Entries) && !notOurs(cause) {
		n++
	}
	left, err := t.revert(context.WithoutCancel(ctx), set, n)
	if err != nil {
		t.settled = false // the next write tries again before it does anything
	}
	if err := errors.Join(append(left, err)...); err != nil {
		return fmt.Errorf("Failed to write file AND rollback failed: %w (while taking back: %w)", cause, err) //nolint:staticcheck // a text that people look for
	}
	return cause
}

// missing lists the folders that the steps need and that do not exist, outermost first.
func (t *Tree) missing(steps []step) ([]string, error) {
	var out []string
	for _, s := range steps {
		if !s.after.Exists {
			continue
		}
		for dir := slashpath.Dir(s.path); dir != "." && !slices.Contains(out, dir); dir = slashpath.Dir(dir) {
			_, err := t.root.Lstat(dir)
			if err == nil {
				break
			}
			if !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("look at folder %s: %w", dir, err)
			}
			out = append(out, dir)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	return out, nil
}

// side is what a write does besides its steps.
type side struct {
	create []string     // folders, outermost first
	prune  []string     // folders to be removed if they are empty afterwards, outermost first
	secure func() error // returns when the images are safe on the disk; it may run beside the writing of temporary files
}

// perform has the effects of a set: folders, temporary files, then one rename after the other, and folders that go. It returns
// how many files it replaced for certain.
func (t *Tree) perform(ctx context.Context, steps []step, p side) (n int, err error) {
	if err := t.fault("intent written"); err != nil {
		return 0, err
	}
	w := &writer{tree: t, folders: map[string]*folder{}, dirty: map[string]bool{}}
	defer w.close()
	for _, dir := range p.create {
		if err := w.mkdir(dir); err != nil {
			return 0, err
		}
	}
	var g errgroup.Group
	g.Go(p.secure)
	g.Go(func() error { return w.stage(steps) })
	if err := errors.Join(g.Wait(), t.fault("temporaries written"), ctx.Err()); err != nil {
		return 0, err
	}
	for i, s := range steps {
		if s.done {
			continue
		}
		if err := w.swap(s); err != nil {
			return i, err
		}
		if err := t.fault(fmt.Sprintf("renamed %d", i+1)); err != nil {
			return i + 1, err
		}
	}
	if err := errors.Join(w.sync(), t.fault("folders synced")); err != nil {
		return len(steps), err
	}
	return len(steps), errors.Join(t.prune(p.prune), t.fault("before done"))
}

// prune removes those of the folders that are empty, innermost first; the others stay.
func (t *Tree) prune(dirs []string) error {
	for _, dir := range slices.Backward(dirs) {
		f, err := t.open(slashpath.Dir(dir), dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		err = removeEmpty(f, slashpath.Base(dir))
		f.close()
		if err != nil {
			return err
		}
	}
	return nil
}

func removeEmpty(f *folder, name string) error {
	info, err := f.Lstat(name)
	if err != nil || !info.IsDir() {
		return nil //nolint:nilerr // it is gone, or somebody else's file by now
	}
	if err := f.Remove(name); err != nil {
		return nil //nolint:nilerr // not empty: somebody else's files are in it
	}
	return f.sync()
}
