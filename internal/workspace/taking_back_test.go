package workspace_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fettle/internal/edit"
	"fettle/internal/edit/treetest"
	"fettle/internal/journal"
	"fettle/internal/store"
	"fettle/internal/workspace"

	"pgregory.net/rapid"
)

// Whatever is applied, undone, redone and rolled back in whatever order, with a person who edits, makes, deletes, restores and
// locks files and removes folders in between, with new processes and lost databases: after each step every file, mode and folder is
// what the model says; what a person wrote is never overwritten or deleted, and what would do that is refused whole, with the file's
// name; and what was not touched by a person can be taken back to the very first tree.
func TestTakingBack(t *testing.T) {
	base := fast(t)
	treetest.Check(t, 40, 600, func(r *rapid.T) {
		y := newBench(t, r, base)
		defer y.close()
		personal := 0
		r.Repeat(map[string]func(*rapid.T){
			"":            y.check,
			"apply":       y.apply,
			"apply more":  y.apply,
			"undo":        y.undo,
			"undo files":  y.undoFiles,
			"redo":        y.redo,
			"roll back":   y.rollback,
			"person":      func(r *rapid.T) { personal++; y.person(r) },
			"new process": y.restart,
			"gc":          y.gc,
		})
		if personal > 0 || y.forgot {
			return
		}
		if _, err := y.tree.Undo(t.Context(), 1000); err != nil && !errors.Is(err, workspace.ErrNothingToUndo) {
			r.Fatalf("undo of everything: %v", err)
		}
		files, folders := y.read(r)
		if d := treetest.Differences(y.first, files); d != "" {
			r.Fatalf("everything was undone, but this is not the first tree:\n%s", d)
		}
		if want := newModel(y.first).folders; !slices.Equal(folders, slices.Sorted(maps.Keys(want))) {
			r.Fatalf("everything was undone, and there are the folders %q; at first there were %q", folders, slices.Sorted(maps.Keys(want)))
		}
	})
}

// bench is a real tree beside its model.
type bench struct {
	t      *testing.T
	root   string
	state  string
	first  treetest.Tree
	shape  treetest.Shape
	m      *model
	db     *store.DB
	j      *journal.Journal
	tree   *workspace.Tree
	forgot bool
	steps  int
}

// fast is a folder in which a sync costs nothing, where the system has one: these tests lose no power.
func fast(t *testing.T) string {
	t.Helper()
	const memory = "/dev/shm"
	if info, err := os.Stat(memory); err != nil || !info.IsDir() {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memory, "fettle-test-") //nolint:usetesting // not where the disk is
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func newBench(t *testing.T, r *rapid.T, base string) *bench {
	dir, err := os.MkdirTemp(base, "") //nolint:usetesting // one for each draw
	if err != nil {
		r.Fatal(err)
	}
	y := &bench{t: t, root: filepath.Join(dir, "tree"), state: filepath.Join(dir, "state"), shape: treetest.Shape{Names: treetest.Names, Most: 8}}
	y.first = y.shape.Draw(r, "first tree")
	y.m = newModel(y.first)
	y.ok(r, os.Mkdir(y.root, 0o755), y.first.Write(y.root))
	y.open(r)
	return y
}

func (y *bench) ok(r *rapid.T, errs ...error) {
	r.Helper()
	if err := errors.Join(errs...); err != nil {
		r.Fatal(err)
	}
}

func (y *bench) open(r *rapid.T) {
	var err error
	y.db, err = store.Open(y.t.Context(), y.state)
	y.ok(r, err)
	y.j, err = journal.Open(y.db, y.state)
	y.ok(r, err)
	y.tree, err = workspace.OpenTree(y.root, y.j, workspace.Options{MaxEdits: -1})
	y.ok(r, err)
}

func (y *bench) shut() error { return errors.Join(y.tree.Close(), y.j.Close(), y.db.Close()) }

func (y *bench) close() { _ = errors.Join(y.shut(), os.RemoveAll(filepath.Dir(y.root))) }

func (y *bench) read(r *rapid.T) (treetest.Tree, []string) {
	files, folders, err := treetest.Read(y.root)
	y.ok(r, err)
	return files, folders
}

// check compares the tree and the journal with the model, after every step.
func (y *bench) check(r *rapid.T) {
	files, folders := y.read(r)
	if d := treetest.Differences(y.m.files, files); d != "" {
		r.Fatalf("the tree is not what it should be:\n%s", d)
	}
	for p, f := range y.m.mine {
		if !treetest.Same(files[p], f) {
			r.Fatalf("%s was a person's %q and is %q", p, f.Data, files[p].Data)
		}
	}
	if want := slices.Sorted(maps.Keys(y.m.folders)); !slices.Equal(want, folders) {
		r.Fatalf("there are the folders %q; there should be %q", folders, want)
	}
	stack, err := y.j.Stack(y.t.Context())
	y.ok(r, err)
	if d := y.m.agrees(stack); d != "" {
		r.Fatalf("the journal is not what it should be:\n%s", d)
	}
}

func (y *bench) apply(r *rapid.T) {
	y.steps++
	p := edit.Between(y.m.files, y.shape.Near(r, y.m.files))
	session, round := rapid.SampledFrom([]string{"s1", "s2"}).Draw(r, "session"), rapid.IntRange(1, 3).Draw(r, "round")
	set, err := y.tree.Apply(y.t.Context(), p, workspace.Why{Session: session, Iteration: round})
	if why := y.unfit(p); why != "" {
		if err == nil {
			r.Fatalf("%v was applied, although %s", p, why)
		}
		return
	}
	if len(p) == 0 {
		if !errors.Is(err, workspace.ErrNoChange) {
			r.Fatalf("an empty patch: %v", err)
		}
		return
	}
	y.ok(r, err)
	if set.State != journal.Done || len(set.Entries) != len(p) {
		r.Fatalf("applied as %+v", set)
	}
	y.m.apply(p, session, round, r)
}

// unfit says why a patch cannot be applied; empty: it can. A file and a folder of its name cannot change places in one patch.
func (y *bench) unfit(p edit.Patch) string {
	for _, c := range p {
		switch now := y.m.files[c.Path]; {
		case now.Exists && now.Mode&0o200 == 0:
			return c.Path + " is read-only"
		case c.Op != edit.Create:
		case y.m.folders[c.Path]:
			return c.Path + " is a folder"
		case slices.ContainsFunc(treetest.Folders(c.Path), func(dir string) bool { return y.m.files[dir].Exists }):
			return c.Path + " would lie in a file"
		}
	}
	return ""
}

// took carries out a reversal in the model if it may happen, and demands that the real one did the same.
func (y *bench) took(r *rapid.T, what string, all []taken, forward bool, err error) {
	y.steps++
	bad := y.m.refused(all, forward)
	var changed *workspace.ChangedError
	var refused *workspace.Refused
	switch {
	case len(all) == 0:
		if !errors.Is(err, workspace.ErrNothingToUndo) && !errors.Is(err, workspace.ErrNothingToRedo) {
			r.Fatalf("%s of nothing: %v", what, err)
		}
	case len(bad) > 0:
		named := errors.As(err, &changed) && slices.Contains(bad, changed.Path) || errors.As(err, &refused) && slices.Contains(bad, refused.Path)
		if !named {
			r.Fatalf("%s: %q are somebody else's, but: %v", what, bad, err)
		}
	case err != nil:
		r.Fatalf("%s: %v", what, err)
	case forward:
		y.m.bringBack()
	default:
		y.m.takeBack(all)
	}
}

func (y *bench) undo(r *rapid.T) {
	n := rapid.IntRange(1, 4).Draw(r, "steps")
	all := y.m.standing(func(*modelSet) bool { return true })
	_, err := y.tree.Undo(y.t.Context(), n)
	y.took(r, fmt.Sprintf("undo of %d", n), all[:min(n, len(all))], false, err)
}

func (y *bench) undoFiles(r *rapid.T) {
	paths := rapid.SliceOfNDistinct(rapid.SampledFrom(treetest.Names), 1, 2, rapid.ID[string]).Draw(r, "files")
	_, err := y.tree.UndoFile(y.t.Context(), paths...)
	y.took(r, fmt.Sprintf("undo of %q", paths), y.m.undoFile(paths), false, err)
}

func (y *bench) rollback(r *rapid.T) {
	session, round := rapid.SampledFrom([]string{"s1", "s2"}).Draw(r, "session"), rapid.IntRange(0, 3).Draw(r, "round")
	all := y.m.standing(func(s *modelSet) bool { return s.session == session && (round == 0 || s.round == round) })
	_, err := y.tree.Rollback(y.t.Context(), session, round)
	y.took(r, fmt.Sprintf("rollback of %s:%d", session, round), all, false, err)
}

func (y *bench) redo(r *rapid.T) {
	var all []taken
	if n := len(y.m.redo); n > 0 {
		all = y.m.redo[n-1:]
	}
	_, err := y.tree.Redo(y.t.Context())
	y.took(r, "redo", all, true, err)
}

// restart is the end of the process and another one; now and then the database is lost, and made from the ledger.
func (y *bench) restart(r *rapid.T) {
	y.ok(r, y.shut())
	lost := rapid.IntRange(0, 2).Draw(r, "database lost") == 0
	if lost {
		for _, part := range []string{"", "-wal", "-shm"} {
			_ = os.Remove(filepath.Join(y.state, store.File) + part) // which of them there are is SQLite's affair
		}
	}
	y.open(r)
	if lost {
		_, err := y.j.CatchUp(y.t.Context())
		y.ok(r, err)
	}
}

func (y *bench) gc(r *rapid.T) {
	if rapid.IntRange(0, 3).Draw(r, "really") > 0 {
		return
	}
	_, err := y.j.Prune(y.t.Context(), time.Now().Add(time.Hour))
	y.ok(r, err)
	y.m.forget()
	y.forgot = true
}

// person does what people do to a tree.
func (y *bench) person(r *rapid.T) {
	y.steps++
	m, name := y.m, rapid.SampledFrom(treetest.Names).Draw(r, "file")
	own := edit.File{Data: fmt.Appendf(nil, "mine %d\n", y.steps), Mode: treetest.Mode(r, "mode"), Exists: true}
	set := func(f edit.File) {
		y.ok(r, treetest.Put(y.root, name, f))
		m.files.Set(name, f)
		m.addFolders(name, false)
		delete(m.mine, name)
	}
	switch exists := m.files[name].Exists; rapid.SampledFrom([]string{"write", "write", "delete", "chmod", "lock", "remove folder", "restore"}).Draw(r, "does") {
	case "write":
		if exists || m.files.Fits(name) && !m.folders[name] {
			set(own)
			m.mine[name] = own
		}
	case "delete":
		if exists {
			set(edit.File{})
		}
	case "chmod":
		if exists {
			set(edit.File{Data: m.files[name].Data, Mode: own.Mode, Exists: true})
		}
	case "lock":
		if exists {
			set(edit.File{Data: m.files[name].Data, Mode: 0o444, Exists: true})
		}
	case "remove folder":
		y.removeFolder(r)
	case "restore": // what it once was
		if i := slices.IndexFunc(m.sets, func(s *modelSet) bool { _, has := s.before[name]; return has }); i >= 0 && exists && m.sets[i].before[name].Exists {
			set(m.sets[i].before[name])
		}
	}
}

func (y *bench) removeFolder(r *rapid.T) {
	dirs := slices.Sorted(maps.Keys(y.m.folders))
	if len(dirs) == 0 {
		return
	}
	gone := rapid.SampledFrom(dirs).Draw(r, "folder")
	y.ok(r, os.RemoveAll(filepath.Join(y.root, gone)))
	for _, p := range y.m.files.Paths() {
		if slices.Contains(treetest.Folders(p), gone) {
			delete(y.m.files, p)
			delete(y.m.mine, p)
		}
	}
	for _, d := range dirs {
		if d == gone || slices.Contains(treetest.Folders(d), gone) {
			delete(y.m.folders, d)
		}
	}
}
