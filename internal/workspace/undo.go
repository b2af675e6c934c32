package workspace

import (
	"context"
	"errors"
	"fmt"
	slashpath "path"
	"slices"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/policy/path"
)

// What can be undone or redone at the moment is nothing.
var (
	ErrNothingToUndo = errors.New("nothing to undo")
	ErrNothingToRedo = errors.New("nothing to redo")
)

// reversal is one change set to be written by undo, redo or rollback: entries in the direction they will be carried out.
type reversal struct {
	of      journal.Set
	kind    journal.Kind
	entries []journal.Entry
}

// Undo takes back the last n change sets that stand, the newest first, each as a set of its own. Before anything is written,
// every file must be what fettle left there, content and mode; otherwise the error is a [*ChangedError] and nothing happens.
// With fewer than n sets, all are taken back; with none, the error is [ErrNothingToUndo].
func (t *Tree) Undo(ctx context.Context, n int) ([]journal.Set, error) {
	if n < 1 {
		return nil, fmt.Errorf("undo: %d is not a number of changes; use 1 or more", n)
	}
	return t.reverse(ctx, "undo", func(s journal.Stack) ([]reversal, error) {
		if len(s.Undo) == 0 {
			return nil, ErrNothingToUndo
		}
		return backwards(s.Undo[:min(n, len(s.Undo))], journal.Undo), nil
	})
}

// UndoFile takes back, for each of the paths, the last change of that file that stands, and leaves the other files of its set
// as they are. The paths are slash paths from the root.
func (t *Tree) UndoFile(ctx context.Context, paths ...string) ([]journal.Set, error) {
	return t.reverse(ctx, "undo", func(s journal.Stack) ([]reversal, error) {
		chosen := map[int64][]string{}
		for _, p := range paths {
			i := slices.IndexFunc(s.Undo, func(st journal.Standing) bool { return touches(st.Entries, p) })
			if i < 0 {
				return nil, fmt.Errorf("%s: %w", path.Show(p), ErrNothingToUndo)
			}
			id := s.Undo[i].Set.ID
			chosen[id] = append(chosen[id], p)
		}
		var parts []journal.Standing
		for _, st := range s.Undo {
			st.Entries = slices.DeleteFunc(slices.Clone(st.Entries), func(e journal.Entry) bool {
				return !slices.Contains(chosen[st.Set.ID], e.Path)
			})
			if len(st.Entries) > 0 {
				parts = append(parts, st)
			}
		}
		if len(parts) == 0 {
			return nil, ErrNothingToUndo
		}
		return backwards(parts, journal.Undo), nil
	})
}

// Rollback takes back every change that stands of one iteration of a session, or of all its iterations when iteration is 0,
// as [Tree.Undo] does. A file that a later change touched is not what this one left, so that is refused: undo the later first.
func (t *Tree) Rollback(ctx context.Context, session string, iteration int) ([]journal.Set, error) {
	return t.reverse(ctx, "rollback", func(s journal.Stack) ([]reversal, error) {
		part := slices.DeleteFunc(slices.Clone(s.Undo), func(st journal.Standing) bool {
			return st.Set.Session != session || iteration != 0 && st.Set.Iteration != iteration
		})
		if len(part) == 0 {
			return nil, fmt.Errorf("session %s: %w", session, ErrNothingToUndo)
		}
		return backwards(part, journal.Rollback), nil
	})
}

// Redo carries out again what the last undo or rollback took back. Anything applied since makes that impossible; then, or
// when nothing was undone, the error is [ErrNothingToRedo].
func (t *Tree) Redo(ctx context.Context) ([]journal.Set, error) {
	return t.reverse(ctx, "redo", func(s journal.Stack) ([]reversal, error) {
		if len(s.Redo) == 0 {
			return nil, ErrNothingToRedo
		}
		return []reversal{turn(s.Redo[0], s.Redo[0].Entries, journal.Redo)}, nil
	})
}

func touches(entries []journal.Entry, p string) bool {
	return slices.ContainsFunc(entries, func(e journal.Entry) bool { return e.Path == p })
}

func backwards(parts []journal.Standing, kind journal.Kind) []reversal {
	out := make([]reversal, len(parts))
	for i, st := range parts {
		out[i] = turn(st.Set, st.Entries, kind)
	}
	return out
}

func turn(of journal.Set, entries []journal.Entry, kind journal.Kind) reversal {
	r := reversal{of: of, kind: kind}
	for _, e := range entries {
		r.entries = append(r.entries, e.Reversed())
	}
	return r
}

// reverse writes the reversals that choose picks from what can be undone and redone now. All of them are checked against the
// tree before the first is written.
func (t *Tree) reverse(ctx context.Context, who string, choose func(journal.Stack) ([]reversal, error)) ([]journal.Set, error) {
	release, err := t.ready(ctx, who)
	if err != nil {
		return nil, err
	}
	defer release()
	stack, err := t.j.Stack(ctx)
	if err != nil {
		return nil, err
	}
	chosen, err := choose(stack)
	if err != nil {
		return nil, err
	}
	if err := t.foresee(chosen, stack); err != nil {
		return nil, err
	}
	var done []journal.Set
	for i, r := range chosen {
		if i > 0 { // the one before may have made folders
			if stack, err = t.j.Stack(ctx); err != nil {
				return done, err
			}
		}
		set, err := t.reverseOne(ctx, r, stack)
		if err != nil {
			return done, err
		}
		done = append(done, *set)
	}
	return done, nil
}

func (t *Tree) reverseOne(ctx context.Context, r reversal, stack journal.Stack) (*journal.Set, error) {
	steps, err := t.stepsOf(r.entries)
	if err != nil {
		return nil, err
	}
	set, err := t.write(ctx, journal.Set{
		Session: r.of.Session, Iteration: r.of.Iteration, Kind: r.kind, Of: r.of.ID,
		Reason: fmt.Sprintf("%s of change %d", r.kind, r.of.ID),
	}, steps, bereft(r.entries, stack))
	var changed *ChangedError
	if errors.As(err, &changed) {
		changed.Set = r.of.ID
	}
	return set, err
}

// bereft lists the folders that may be empty once these entries have happened, and that were made only for files, outermost first.
func bereft(entries []journal.Entry, stack journal.Stack) []string {
	var out []string
	for _, e := range entries {
		if e.After.Exists {
			continue
		}
		for dir := slashpath.Dir(e.Path); dir != "."; dir = slashpath.Dir(dir) {
			if stack.Made(dir) {
				out = append(out, dir)
			}
		}
	}
	slices.Sort(out) // a folder comes before what lies in it
	return slices.Compact(out)
}

// stepsOf fills entries with the images that the journal kept.
func (t *Tree) stepsOf(entries []journal.Entry) ([]step, error) {
	steps := make([]step, len(entries))
	for i, e := range entries {
		now, err := t.look(e.Path)
		if err != nil {
			return nil, err
		}
		before, err := t.fileOf(e.Before)
		if err != nil {
			return nil, err
		}
		after, err := t.fileOf(e.After)
		if err != nil {
			return nil, err
		}
		steps[i] = step{path: e.Path, before: before, after: after, old: now.info, done: now.image() == e.After}
	}
	return steps, nil
}

func (t *Tree) fileOf(im journal.Image) (edit.File, error) {
	if !im.Exists {
		return edit.File{}, nil
	}
	data, err := t.j.Blob(im.Hash)
	return edit.File{Data: data, Mode: im.Mode, Exists: true}, err
}
