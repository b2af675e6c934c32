package workspace_test

import (
	"errors"
	"maps"
	"os"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/workspace"
)

// history is a tree with three sets: s1:1 a,b; s1:2 a; s2:1 c.
func history(t *testing.T) (place, *workspace.Tree) {
	t.Helper()
	p := newPlace(t)
	p.put("a", "a0")
	p.put("b", "b0")
	tree, _ := p.open(workspace.Options{})
	for _, c := range []struct {
		patch edit.Patch
		why   workspace.Why
	}{
		{edit.Patch{modify("a", "a0", "a1"), modify("b", "b0", "b1")}, workspace.Why{Session: "s1", Iteration: 1}},
		{edit.Patch{modify("a", "a1", "a2")}, workspace.Why{Session: "s1", Iteration: 2}},
		{edit.Patch{create("c", "c3")}, workspace.Why{Session: "s2", Iteration: 1, Kind: journal.Accept}},
	} {
		if _, err := tree.Apply(t.Context(), c.patch, c.why); err != nil {
			t.Fatal(err)
		}
	}
	return p, tree
}

func TestUndoRedoRollback(t *testing.T) {
	const none = "(none)"
	type sets = []journal.Set
	undo := func(n int) func(*testing.T, *workspace.Tree) (sets, error) {
		return func(t *testing.T, w *workspace.Tree) (sets, error) { return w.Undo(t.Context(), n) }
	}
	file := func(names ...string) func(*testing.T, *workspace.Tree) (sets, error) {
		return func(t *testing.T, w *workspace.Tree) (sets, error) { return w.UndoFile(t.Context(), names...) }
	}
	back := func(s string, i int) func(*testing.T, *workspace.Tree) (sets, error) {
		return func(t *testing.T, w *workspace.Tree) (sets, error) { return w.Rollback(t.Context(), s, i) }
	}
	redo := func(t *testing.T, w *workspace.Tree) (sets, error) { return w.Redo(t.Context()) }
	type act = func(*testing.T, *workspace.Tree) (sets, error)
	for _, c := range []struct {
		name    string
		acts    []act
		a, b, c string
		last    int // sets the last act wrote
	}{
		{"undo one", []act{undo(1)}, "a2", "b1", none, 1},
		{"undo two", []act{undo(2)}, "a1", "b1", none, 2},
		{"undo more than there is", []act{undo(9)}, "a0", "b0", none, 3},
		{"undo one by one", []act{undo(1), undo(1), undo(1)}, "a0", "b0", none, 1},
		{"undo and redo", []act{undo(2), redo}, "a2", "b1", none, 1},
		{"undo and redo all", []act{undo(3), redo, redo, redo}, "a2", "b1", "c3", 1},
		{"a file", []act{file("a")}, "a1", "b1", "c3", 1},
		{"a file twice", []act{file("a"), file("a")}, "a0", "b1", "c3", 1},
		{"files of two sets", []act{file("b", "c")}, "a2", "b0", none, 2},
		{"a file, then the rest", []act{file("b"), undo(3)}, "a0", "b0", none, 3},
		{"a file and redo", []act{file("b"), redo}, "a2", "b1", "c3", 1},
		{"roll back a session", []act{back("s1", 0)}, "a0", "b0", "c3", 2},
		{"roll back an iteration", []act{back("s1", 2)}, "a1", "b1", "c3", 1},
		{"roll back and redo", []act{back("s1", 0), redo, redo}, "a2", "b1", "c3", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, tree := history(t)
			var done sets
			for i, act := range c.acts {
				var err error
				if done, err = act(t, tree); err != nil {
					t.Fatalf("act %d: %v", i+1, err)
				}
			}
			p.want(map[string]string{"a": c.a, "b": c.b, "c": c.c})
			if len(done) != c.last {
				t.Errorf("%d sets, want %d", len(done), c.last)
			}
			for _, s := range done {
				if s.State != journal.Done || s.Of == 0 || s.ID == 0 {
					t.Errorf("%+v", s)
				}
			}
		})
	}
}

func TestUndoSurvivesARestart(t *testing.T) {
	p, _ := history(t)
	for _, want := range []string{"a2", "a1", "a0"} {
		again, _ := p.open(workspace.Options{})
		if _, err := again.Undo(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		p.want(map[string]string{"a": want, "c": "(none)"})
	}
}

func TestUndoOfNothing(t *testing.T) {
	p := newPlace(t)
	tree, _ := p.open(workspace.Options{})
	_, one := tree.Undo(t.Context(), 1)
	_, file := tree.UndoFile(t.Context(), "a")
	_, none := tree.UndoFile(t.Context())
	_, back := tree.Rollback(t.Context(), "s", 1)
	_, redo := tree.Redo(t.Context())
	for i, err := range []error{one, file, none, back} {
		if !errors.Is(err, workspace.ErrNothingToUndo) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if !errors.Is(redo, workspace.ErrNothingToRedo) {
		t.Error(redo)
	}
	if _, err := tree.Undo(t.Context(), 0); err == nil {
		t.Error("undo of 0 changes")
	}
}

// Whatever happened to a file since fettle left it, undo refuses in one line that names it, and touches nothing.
func TestUndoRefusesWhatIsNotFettlesAnyMore(t *testing.T) {
	for name, c := range map[string]struct {
		meddle func(p place)
		want   string
	}{
		"edited":  {func(p place) { p.put("a", "mine") }, "a was edited since fettle changed it (change 2); nothing was undone: fettle show a@2 writes it as it was before that change"},
		"deleted": {func(p place) { must(t, os.Remove(p.root+"/a")) }, "a was deleted since fettle changed it (change 2); nothing was undone: fettle show a@2 writes it as it was before that change"},
		"mode":    {func(p place) { must(t, os.Chmod(p.root+"/a", 0o755)) }, "the mode of a was changed from -rw-r--r-- to -rwxr-xr-x since fettle changed it (change 2); nothing was undone: fettle show a@2 writes it as it was before that change"},
		"linked":  {func(p place) { must(t, os.Remove(p.root+"/a"), os.Symlink("b", p.root+"/a")) }, "Symlinks are not allowed for security reasons: a"},
	} {
		t.Run(name, func(t *testing.T) {
			p, tree := history(t)
			c.meddle(p)
			mine := list(t, p.root)
			_, undo := tree.Undo(t.Context(), 3)
			_, file := tree.UndoFile(t.Context(), "b", "a")
			_, back := tree.Rollback(t.Context(), "s1", 0)
			for _, err := range []error{undo, file, back} {
				if err == nil || err.Error() != c.want {
					t.Errorf("%v", err)
				}
			}
			if got := list(t, p.root); !maps.Equal(got, mine) {
				t.Errorf("it changed %v", got)
			}
			if _, err := tree.UndoFile(t.Context(), "b"); err != nil {
				t.Errorf("the other file: %v", err)
			}
		})
	}
	t.Run("touched by a later change", func(t *testing.T) {
		p, tree := history(t)
		var changed *workspace.ChangedError
		if _, err := tree.Rollback(t.Context(), "s1", 1); !errors.As(err, &changed) || changed.Path != "a" || changed.Set != 1 || changed.Next != 2 {
			t.Errorf("%v", err)
		}
		p.want(map[string]string{"a": "a2", "b": "b1"})
	})
	t.Run("redo", func(t *testing.T) {
		p, tree := history(t)
		if _, err := tree.Undo(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		p.put("c", "mine")
		var changed *workspace.ChangedError
		if _, err := tree.Redo(t.Context()); !errors.As(err, &changed) || p.get("c") != "mine" {
			t.Errorf("%v, %s", err, p.get("c"))
		}
	})
}

// A file that somebody restored already is no obstacle: the rest is taken back, and redo brings all of it again.
func TestUndoOfWhatWasRestoredByHand(t *testing.T) {
	p := newPlace(t)
	p.put("a", "a1")
	p.put("b", "b1")
	p.put("d", "d1")
	tree, _ := p.open(workspace.Options{})
	_, err := tree.Apply(t.Context(), edit.Patch{modify("a", "a1", "a2"), modify("b", "b1", "b2"), create("c", "c2"), erase("d", "d1")}, workspace.Why{})
	must(t, err)
	p.put("a", "a1")
	must(t, os.Remove(p.root+"/c"))
	p.put("d", "d1")
	if _, err := tree.Undo(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	p.want(map[string]string{"a": "a1", "b": "b1", "d": "d1"})
	if _, err := os.Stat(p.root + "/c"); !os.IsNotExist(err) {
		t.Errorf("c: %v", err)
	}
	if _, err := tree.Undo(t.Context(), 1); !errors.Is(err, workspace.ErrNothingToUndo) {
		t.Errorf("undone again: %v", err)
	}
	if _, err := tree.Redo(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.want(map[string]string{"a": "a2", "b": "b2", "c": "c2"})
}

// sets applies patches one after the other, each as a round of one session.
func sets(t *testing.T, tree *workspace.Tree, patches ...edit.Patch) {
	t.Helper()
	for i, p := range patches {
		if _, err := tree.Apply(t.Context(), p, workspace.Why{Session: "s", Iteration: i + 1}); err != nil {
			t.Fatal(err)
		}
	}
}

// Folders that were made for files go with the last of these files, whoever brought it, and no other folder does.
func TestUndoAndFolders(t *testing.T) {
	p := newPlace(t)
	tree, _ := p.open(workspace.Options{})
	sets(t, tree, edit.Patch{create("d/a", "1"), create("e/a", "1")}, edit.Patch{create("d/b", "2")}, edit.Patch{erase("e/a", "1")})
	if _, err := tree.UndoFile(t.Context(), "d/a"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(p.root + "/e"); err != nil {
		t.Errorf("a folder went that has nothing to do with the file: %v", err)
	}
	if _, err := tree.Undo(t.Context(), 9); err != nil {
		t.Fatal(err)
	}
	if left := list(t, p.root); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

// A change on which a later one stands cannot be taken back alone, even where the file looks as if it had been.
func TestRollbackBelowALaterChange(t *testing.T) {
	p := newPlace(t)
	p.put("a", "one")
	tree, _ := p.open(workspace.Options{})
	sets(t, tree, edit.Patch{modify("a", "one", "two")}, edit.Patch{modify("a", "two", "one")})
	_, err := tree.Rollback(t.Context(), "s", 1)
	if want := "a was changed again by change 2; nothing was undone: take that back first (fettle undo a)"; err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	if _, err := tree.Rollback(t.Context(), "s", 0); err != nil {
		t.Error(err)
	}
	p.want(map[string]string{"a": "one"})
}

// Where a file made way for a folder, or a folder for a file, both changes can be taken back in one go.
func TestUndoOfAFileThatMadeWay(t *testing.T) {
	p := newPlace(t)
	p.put("x", "file")
	p.put("y/z", "in a folder")
	tree, _ := p.open(workspace.Options{})
	sets(t, tree, edit.Patch{erase("x", "file"), erase("y/z", "in a folder")})
	must(t, os.Remove(p.root+"/y"))
	sets(t, tree, edit.Patch{create("x/in", "1"), create("y", "a file")})
	if _, err := tree.Undo(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	p.want(map[string]string{"x": "file", "y/z": "in a folder"})
}

// A file that made way for a folder cannot come back alone while later changes in that folder stand, even where the folder is
// gone again: these could then never be taken back.
func TestUndoBelowALaterChangeInItsPlace(t *testing.T) {
	p := newPlace(t)
	p.put("x", "file")
	tree, _ := p.open(workspace.Options{})
	sets(t, tree, edit.Patch{erase("x", "file")}, edit.Patch{create("x/in", "1")}, edit.Patch{erase("x/in", "1")})
	must(t, os.Remove(p.root+"/x"))
	_, err := tree.UndoFile(t.Context(), "x")
	if want := "x and x/in cannot both be there, and x/in was changed later, by change 3; nothing was undone: take that back first (fettle undo x/in)"; err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	if _, err := tree.Undo(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	p.want(map[string]string{"x": "file"})
}

// When the second of two changes cannot come back, because of what a person did or because of the first, nothing is done at all.
func TestUndoOfSeveralIsWhole(t *testing.T) {
	p := newPlace(t)
	p.put("x", "file")
	tree, _ := p.open(workspace.Options{})
	sets(t, tree, edit.Patch{erase("x", "file")})
	p.put("x/y", "mine")
	sets(t, tree, edit.Patch{erase("x/y", "mine")})
	must(t, os.Remove(p.root+"/x"))
	before := list(t, p.root)
	_, err := tree.Undo(t.Context(), 2)
	var refused *workspace.Refused
	if !errors.As(err, &refused) || refused.Path != "x" {
		t.Errorf("%v", err)
	}
	if got := list(t, p.root); !maps.Equal(got, before) {
		t.Errorf("half of it happened: %v", got)
	}
	if _, err := tree.Undo(t.Context(), 1); err != nil {
		t.Error(err)
	}
}
