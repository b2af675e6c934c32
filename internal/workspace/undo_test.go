package workspace_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

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
		if _, err := tree.Rollback(t.Context(), "s1", 1); !errors.As(err, &changed) || changed.Path != "a" || changed.Set != 1 {
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

// In whatever order fettle applies, undoes, redoes and rolls back, and a person edits in between: what the person wrote last
// is never overwritten, an error changes nothing, and without the person everything can be undone to the beginning.
func TestUndoNeverOverwritesAPerson(t *testing.T) {
	names := []string{"a", "b", "d/c"}
	rapid.Check(t, func(r *rapid.T) {
		p := newPlace(t)
		p.put("a", "start")
		tree, _ := p.open(workspace.Options{})
		persons := map[string]string{} // what a person wrote, where nothing of fettle's came after it with their content as its base
		edited := false
		for i := range rapid.IntRange(1, 12).Draw(r, "steps") {
			before := map[string]string{}
			for _, n := range names {
				before[n] = p.get(n)
			}
			var err error
			action := rapid.SampledFrom([]string{"apply", "apply", "apply", "undo", "undo", "undo file", "redo", "rollback", "person"}).Draw(r, "action")
			switch action {
			case "apply":
				var patch edit.Patch
				for _, n := range slices.Sorted(slices.Values(rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 3, rapid.ID).Draw(r, "files"))) {
					switch text := fmt.Sprint("v", i); {
					case before[n] == "(none)":
						patch = append(patch, create(n, text))
					case rapid.IntRange(0, 3).Draw(r, "delete?") == 0:
						patch = append(patch, erase(n, before[n]))
					default:
						patch = append(patch, modify(n, before[n], text))
					}
					delete(persons, n) // made on purpose, from what the person wrote
				}
				if _, err = tree.Apply(t.Context(), patch, workspace.Why{Session: "s", Iteration: i}); err != nil {
					r.Fatalf("apply: %v", err)
				}
			case "undo":
				_, err = tree.Undo(t.Context(), rapid.IntRange(1, 3).Draw(r, "n"))
			case "undo file":
				_, err = tree.UndoFile(t.Context(), rapid.SampledFrom(names).Draw(r, "file"))
			case "redo":
				_, err = tree.Redo(t.Context())
			case "rollback":
				_, err = tree.Rollback(t.Context(), "s", rapid.IntRange(0, i).Draw(r, "iteration"))
			case "person":
				n := rapid.SampledFrom(names).Draw(r, "file")
				persons[n] = fmt.Sprint("mine", i)
				p.put(n, persons[n])
				edited = true
				continue
			}
			for _, n := range names {
				if now := p.get(n); err != nil && now != before[n] {
					r.Fatalf("%s failed (%v) and changed %s from %s to %s", action, err, n, before[n], now)
				}
				if mine, ok := persons[n]; ok && p.get(n) != mine {
					r.Fatalf("%s overwrote what a person wrote in %s: %s", action, n, p.get(n))
				}
			}
		}
		if !edited {
			if _, err := tree.Undo(t.Context(), 100); err != nil && !errors.Is(err, workspace.ErrNothingToUndo) {
				r.Fatal(err)
			}
			p.want(map[string]string{"a": "start", "b": "(none)", "d": "(none)"})
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
