package journal_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"fettle/internal/edit"
	"fettle/internal/edit/treetest"
	"fettle/internal/journal"
	"fettle/internal/store"

	"pgregory.net/rapid"
)

func TestPruneForgetsOldSetsAndTheirImagesOnly(t *testing.T) {
	j := open(t, t.TempDir())
	record := func(path, before, after string) journal.Set {
		t.Helper()
		image := func(s string) journal.Image {
			return journal.Image{Exists: true, Hash: edit.Sum([]byte(s)), Mode: 0o644}
		}
		s, err := j.Begin(t.Context(), journal.Set{Kind: journal.Apply, Entries: []journal.Entry{
			{Path: path, Op: edit.Modify, Before: image(before), After: image(after)},
		}}, []byte(before), []byte(after))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	settled := record("a", "one", "two")
	if err := j.Finish(t.Context(), settled.ID); err != nil {
		t.Fatal(err)
	}
	open := record("b", "two", "three") // its effects are not settled: it stays

	p, err := j.Prune(t.Context(), time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if p.Sets != 1 || p.Images != 1 || p.Bytes != int64(len("one")) {
		t.Errorf("pruned %+v, want the settled set and the image that only it needs", p)
	}
	if _, err := j.Get(t.Context(), settled.ID); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("the old set is still there: %v", err)
	}
	if _, err := j.Get(t.Context(), open.ID); err != nil {
		t.Errorf("the unsettled set is gone: %v", err)
	}
	if _, err := j.Blob(edit.Sum([]byte("one"))); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("an image that nothing needs is still there: %v", err)
	}
	for _, needed := range []string{"two", "three"} {
		if _, err := j.Blob(edit.Sum([]byte(needed))); err != nil {
			t.Errorf("image %q: %v", needed, err)
		}
	}
}

// A recent undo keeps the old change that it reverses: redo must still know it.
func TestPruneKeepsWhatARecentUndoReverses(t *testing.T) {
	j := open(t, t.TempDir())
	finish := func(s journal.Set) journal.Set {
		t.Helper()
		s.Entries = []journal.Entry{{Path: "a", Op: edit.Modify}}
		s, err := j.Begin(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Finish(t.Context(), s.ID); err != nil {
			t.Fatal(err)
		}
		return s
	}
	old := finish(journal.Set{Kind: journal.Apply, At: time.Now().Add(-48 * time.Hour)})
	finish(journal.Set{Kind: journal.Undo, Of: old.ID})
	if _, err := j.Prune(t.Context(), time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Get(t.Context(), old.ID); err != nil {
		t.Errorf("the change that was just undone is gone: %v", err)
	}
}

// Sets are forgotten in their order, whatever the clock said; and never so that what stays cannot be taken back or brought back as
// before: what is left of the stack is its upper part.
func TestPruneKeepsTheOrder(t *testing.T) {
	dir := t.TempDir()
	db, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	j, err := journal.Open(db, dir)
	if err != nil {
		t.Fatal(err)
	}
	const limit = 30 * 24 * time.Hour
	treetest.Check(t, 40, 200, func(r *rapid.T) {
		if _, err := db.ExecContext(t.Context(), `DELETE FROM change_sets`); err != nil {
			r.Fatal(err)
		}
		for range rapid.IntRange(1, 9).Draw(r, "sets") {
			stack, err := j.Stack(t.Context())
			if err != nil {
				r.Fatal(err)
			}
			s := journal.Set{Kind: journal.Apply}
			entries := []journal.Entry{{Path: "a", Op: edit.Modify}, {Path: "b", Op: edit.Modify}}
			s.At = time.Now().Add(-rapid.SampledFrom([]time.Duration{2 * limit, 2 * limit, time.Hour, -limit}).Draw(r, "age"))
			switch kind := rapid.SampledFrom([]string{"apply", "undo", "undo a", "redo"}).Draw(r, "kind"); {
			case kind == "undo" && len(stack.Undo) > 0:
				s.Kind, s.Of, entries = journal.Undo, stack.Undo[0].Set.ID, stack.Undo[0].Entries
			case kind == "undo a" && len(stack.Undo) > 0 && stack.Undo[0].Entries[0].Path == "a":
				s.Kind, s.Of, entries = journal.Undo, stack.Undo[0].Set.ID, entries[:1]
			case kind == "redo" && len(stack.Redo) > 0:
				s.Kind, s.Of, entries = journal.Redo, stack.Redo[0].ID, stack.Redo[0].Entries
			}
			s.Entries = entries
			if s, err = j.Announce(t.Context(), s); err != nil {
				r.Fatal(err)
			}
			if err := j.Finish(t.Context(), s.ID); err != nil {
				r.Fatal(err)
			}
		}
		before, err := j.Stack(t.Context())
		if err != nil {
			r.Fatal(err)
		}
		if _, err := j.Prune(t.Context(), time.Now().Add(-limit)); err != nil {
			r.Fatal(err)
		}
		after, err := j.Stack(t.Context())
		if err != nil {
			r.Fatal(err)
		}
		left, err := j.List(t.Context(), journal.Filter{})
		if err != nil {
			r.Fatal(err)
		}
		for i := 1; i < len(left); i++ {
			if left[i].ID != left[i-1].ID-1 {
				r.Fatalf("after %d comes %d: one in between is forgotten", left[i].ID, left[i-1].ID)
			}
		}
		if n := len(after.Undo); n > len(before.Undo) || !reflect.DeepEqual(after.Undo, before.Undo[:n]) && n > 0 {
			r.Fatalf("of what can be undone, %+v, this is left: %+v", before.Undo, after.Undo)
		}
		if n := len(after.Redo); n > len(before.Redo) || !reflect.DeepEqual(after.Redo, before.Redo[:n]) && n > 0 {
			r.Fatalf("of what can be redone, %+v, this is left: %+v", before.Redo, after.Redo)
		}
	})
}
