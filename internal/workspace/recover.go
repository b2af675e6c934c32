package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	slashpath "path"
	"slices"

	"fettle/internal/journal"
)

// Recover deals with what a crash left half-done: a set of which no file is as it was before is marked as done, any other is
// taken back whole; temporary files are removed. It returns the sets it dealt with, in their new state, newest first.
//
// A file that is neither as before nor as after was written by somebody else since the crash, and stays as it is. If the rest
// of the set had to be taken back, the error is a [*ChangedError] (or a [*Refused], when it is no ordinary file now) that names it.
// Each write recovers first by itself; Recover is for those who want to tell about it.
func (t *Tree) Recover(ctx context.Context) ([]journal.Set, error) {
	release, err := t.exclusive(ctx, "recover")
	if err != nil {
		return nil, err
	}
	defer release()
	return t.recover(ctx)
}

func (t *Tree) recover(ctx context.Context) ([]journal.Set, error) {
	pending, err := t.j.Pending(ctx)
	if err != nil {
		return nil, err
	}
	var faults []error
	for i, set := range pending {
		state, err := t.settle(ctx, set)
		if err != nil {
			faults = append(faults, fmt.Errorf("recover change %d: %w", set.ID, err))
		}
		pending[i].State = state
	}
	t.settled = len(faults) == 0
	return pending, errors.Join(faults...)
}

// settle finishes or takes back one set and returns the state it is in then.
func (t *Tree) settle(ctx context.Context, set journal.Set) (journal.State, error) {
	if err := t.clear(set); err != nil {
		return journal.Intent, err
	}
	happened, err := t.happened(set)
	if err != nil {
		return journal.Intent, err
	}
	if !happened {
		left, err := t.revert(ctx, set, len(set.Entries))
		if err != nil {
			return journal.Intent, err
		}
		return journal.Aborted, errors.Join(left...)
	}
	if err := t.conclude(ctx, set); err != nil {
		return journal.Intent, err
	}
	return journal.Done, nil
}

// happened reports whether the set's effects all took place: no file is as it was before. Files are replaced in order, so one
// that is neither as before nor as after was most likely edited later, and a set is not to be torn apart for that.
func (t *Tree) happened(set journal.Set) (bool, error) {
	for _, e := range set.Entries {
		now, err := t.look(e.Path)
		if notOurs(err) {
			continue
		}
		if err != nil {
			return false, err
		}
		if now.image() == e.Before {
			return false, nil
		}
	}
	return true, nil
}

// notOurs reports an error that says that a file is something that fettle did not put there.
func notOurs(err error) bool {
	var changed *ChangedError
	var refused *Refused
	return errors.As(err, &changed) || errors.As(err, &refused)
}

// conclude does what remains after the last rename: names are synced, folders that an undo emptied go, the set is done.
func (t *Tree) conclude(ctx context.Context, set journal.Set) error {
	for _, e := range set.Entries {
		if err := t.syncParent(e.Path); err != nil {
			return err
		}
	}
	if set.Of != 0 {
		stack, err := t.j.Stack(ctx)
		if err != nil {
			return err
		}
		if err := t.prune(bereft(set.Entries, stack)); err != nil {
			return err
		}
	}
	return t.j.Finish(ctx, set.ID)
}

func (t *Tree) syncParent(p string) error {
	f, err := t.open(slashpath.Dir(p), p)
	if errors.Is(err, fs.ErrNotExist) || notOurs(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.close()
	return f.sync()
}

// revert takes back whatever effects of a set are there and marks it as aborted. It works from the journal alone, so it does
// the same after an error as after a crash, and may be repeated. Only the first n files may have been touched. left says
// which of them are not as the set leaves them; those stay as they are.
func (t *Tree) revert(ctx context.Context, set journal.Set, n int) (left []error, err error) {
	if err := t.clear(set); err != nil {
		return nil, err
	}
	for i, e := range slices.Backward(set.Entries[:n]) {
		err := t.restore(e, set.Temps[i])
		switch {
		case notOurs(err):
			left = append(left, err)
		case err != nil:
			return nil, err
		}
	}
	if err := t.prune(set.Folders); err != nil {
		return nil, err
	}
	return left, t.j.Abort(ctx, set.ID)
}

// restore brings one file back to what it was before the set, if it is what the set made of it.
func (t *Tree) restore(e journal.Entry, temp string) error {
	now, err := t.look(e.Path)
	if err != nil {
		return err
	}
	switch now.image() {
	case e.Before:
		return nil
	case e.After:
	default:
		return &ChangedError{Path: e.Path, Want: e.After, Have: now.image()}
	}
	steps, err := t.stepsOf([]journal.Entry{e.Reversed()})
	if err != nil {
		return err
	}
	steps[0].temp = temp
	folders, err := t.missing(steps)
	if err != nil {
		return err
	}
	w := &writer{tree: t, folders: map[string]*folder{}, dirty: map[string]bool{}}
	defer w.close()
	for _, dir := range folders {
		if err := w.mkdir(dir); err != nil {
			return err
		}
	}
	if err := w.stage(steps); err != nil {
		return err
	}
	if err := w.swap(steps[0]); err != nil {
		return err
	}
	return w.sync()
}

// clear removes the temporary files of a set. Where a folder is gone or is another one now, they went with it.
func (t *Tree) clear(set journal.Set) error {
	for i, temp := range set.Temps {
		f, err := t.open(slashpath.Dir(temp), temp)
		if errors.Is(err, fs.ErrNotExist) || notOurs(err) {
			continue
		}
		if err != nil {
			return err
		}
		err = t.clearOne(f, set.Entries[i], slashpath.Base(temp))
		f.close()
		if err != nil {
			return err
		}
	}
	return nil
}

// clearOne removes what one step left under temporary names. The staged file is fettle's own and just goes. A file that was
// moved aside to be deleted goes only if it is one that the journal knows; any other is given back its name.
func (t *Tree) clearOne(f *folder, e journal.Entry, temp string) error {
	aside, name := asideName(temp), slashpath.Base(e.Path)
	moved, err := t.read(f, aside, slashpath.Join(f.path, aside))
	if f.same(aside, name) { // it has its name back already
		moved, err = seen{}, nil
	}
	if err != nil && !notOurs(err) {
		return err
	}
	if im := moved.image(); err != nil || im.Exists && im != e.Before && im != e.After {
		if err := f.put(aside, name); err != nil {
			return fmt.Errorf("%s holds another program's %s; move it to where it belongs (%w)", slashpath.Join(f.path, aside), name, err)
		}
	}
	for _, name := range []string{temp, aside} {
		if err := f.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove %s: %w", slashpath.Join(f.path, name), err)
		}
	}
	return nil
}

// same reports whether two names in the folder are one file, as in the middle of [folder.put].
func (f *folder) same(a, b string) bool {
	ia, errA := f.Lstat(a)
	ib, errB := f.Lstat(b)
	return errA == nil && errB == nil && os.SameFile(ia, ib)
}
