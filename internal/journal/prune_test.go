package journal_test

import (
	"errors"
	"testing"
	"time"

	"fettle/internal/edit"
	"fettle/internal/journal"
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
