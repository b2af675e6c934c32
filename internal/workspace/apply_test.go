package workspace_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/workspace"
)

func TestApply(t *testing.T) {
	p := newPlace(t)
	p.put("m.txt", "one\n")
	p.put("gone.txt", "bye\n")
	tree, j := p.open(workspace.Options{})
	patch := edit.Patch{erase("gone.txt", "bye\n"), modify("m.txt", "one\n", "two\n"), create("new/deep/n.txt", "hi\n"), create("new/e", "")}
	set, err := tree.Apply(t.Context(), patch, workspace.Why{Session: "s", Iteration: 3, Author: "ruff", Reason: "F401"})
	if err != nil {
		t.Fatal(err)
	}
	p.want(map[string]string{"m.txt": "two\n", "gone.txt": "(none)", "new/deep/n.txt": "hi\n", "new/e": ""})
	stored, err := j.Get(t.Context(), set.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*set, stored); diff != "" {
		t.Error(diff)
	}
	if stored.State != journal.Done || stored.Kind != journal.Apply || stored.Session != "s" || stored.Iteration != 3 || stored.Author != "ruff" {
		t.Errorf("%+v", stored)
	}
	if diff := cmp.Diff([]string{"new", "new/deep"}, stored.Folders); diff != "" {
		t.Error(diff)
	}
	if b, err := j.Blob(stored.Entries[0].Before.Hash); string(b) != "bye\n" || err != nil {
		t.Errorf("the deleted file's image: %q, %v", b, err)
	}
	if _, err := tree.Undo(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	p.want(map[string]string{"m.txt": "one\n", "gone.txt": "bye\n", "new": "(none)"})
}

func TestBytesAndModesSurvive(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		mode          fs.FileMode
	}{
		"CRLF":             {"a\r\nb\r\n", "a\r\nc\r\n", 0o644},
		"BOM":              {"\xef\xbb\xbfa\n", "\xef\xbb\xbfb\n", 0o600},
		"no final newline": {"a\nb", "a\nc", 0o755},
		"binary":           {"\x00\xff\xfe\n\r", "\x00\xff\xfd\n\r", 0o711},
		"to empty":         {"x", "", 0o664},
		"from empty":       {"", "x", 0o640},
		"mode 0200":        {"x", "y", 0o200},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.put("f", c.before)
			file := filepath.Join(p.root, "f")
			if err := os.Chmod(file, c.mode); err != nil {
				t.Fatal(err)
			}
			if c.mode&0o400 == 0 && os.Geteuid() != 0 {
				t.Skip("only root reads such a file")
			}
			tree, _ := p.open(workspace.Options{})
			if _, err := tree.Apply(t.Context(), edit.Patch{modify("f", c.before, c.after)}, workspace.Why{}); err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{c.after, c.before} {
				p.want(map[string]string{"f": want})
				if info, err := os.Stat(file); err != nil || info.Mode() != c.mode {
					t.Errorf("mode %v, %v, want %v", info.Mode(), err, c.mode)
				}
				if want == c.after {
					if _, err := tree.Undo(t.Context(), 1); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

func TestModeAlone(t *testing.T) {
	p := newPlace(t)
	p.put("run.sh", "x")
	tree, _ := p.open(workspace.Options{})
	c := edit.Change{Path: "run.sh", Op: edit.Modify, Base: edit.Sum([]byte("x")), Mode: 0o755}
	for _, step := range []struct {
		do   func() error
		want fs.FileMode
	}{
		{func() error { _, err := tree.Apply(t.Context(), edit.Patch{c}, workspace.Why{}); return err }, 0o755},
		{func() error { _, err := tree.Undo(t.Context(), 1); return err }, 0o644},
		{func() error { _, err := tree.Redo(t.Context()); return err }, 0o755},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(filepath.Join(p.root, "run.sh")); err != nil || info.Mode() != step.want {
			t.Errorf("mode %v, %v, want %v", info.Mode(), err, step.want)
		}
	}
}

func TestOwnerSurvives(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	p := newPlace(t)
	p.put("f", "x")
	file := filepath.Join(p.root, "f")
	if err := os.Chown(file, 1234, 2345); err != nil {
		t.Fatal(err)
	}
	tree, _ := p.open(workspace.Options{})
	if _, err := tree.Apply(t.Context(), edit.Patch{modify("f", "x", "y")}, workspace.Why{}); err != nil {
		t.Fatal(err)
	}
	if uid, gid := owner(t, file); uid != 1234 || gid != 2345 {
		t.Errorf("owner %d:%d", uid, gid)
	}
}

// three is a patch with each kind of change, and what its files hold before and after.
func three(p place) (patch edit.Patch, before, after map[string]string) {
	p.put("a.txt", "a1")
	p.put("c.txt", "c1")
	patch = edit.Patch{modify("a.txt", "a1", "a2"), erase("c.txt", "c1"), create("new/b.txt", "b2"), create("z.txt", "z2")}
	before = map[string]string{"a.txt": "a1", "c.txt": "c1", "new": "(none)", "z.txt": "(none)"}
	after = map[string]string{"a.txt": "a2", "c.txt": "(none)", "new/b.txt": "b2", "z.txt": "z2"}
	return patch, before, after
}

// An error at any step (a full disk, a failing sync) leaves every file as it was, and the journal says so.
func TestFaults(t *testing.T) {
	for n := 1; ; n++ {
		p := newPlace(t)
		patch, before, _ := three(p)
		tree, j := p.open(workspace.Options{})
		disk := errors.New("no space left on device")
		failed := failOnce(tree, n, disk)
		_, err := tree.Apply(t.Context(), patch, workspace.Why{})
		if !*failed {
			if err != nil || n < 15 {
				t.Errorf("without a fault, after %d steps: %v", n-1, err)
			}
			return
		}
		if !errors.Is(err, disk) || strings.Contains(err.Error(), "rollback failed") {
			t.Errorf("fault %d: %v", n, err)
		}
		p.want(before)
		sets, listErr := j.List(t.Context(), journal.Filter{})
		if listErr != nil || len(sets) > 1 || len(sets) == 1 && sets[0].State != journal.Aborted {
			t.Errorf("fault %d: %+v, %v", n, sets, listErr)
		}
		if _, err := tree.Apply(t.Context(), patch, workspace.Why{}); err != nil {
			t.Errorf("fault %d: the next apply: %v", n, err)
		}
	}
}

// failOnce makes the n-th step fail, and only that one.
func failOnce(tree *workspace.Tree, n int, err error) *bool {
	var at counter
	failed := new(bool)
	tree.SetFault(func(string) error {
		if at.next() == n {
			*failed = true
			return err
		}
		return nil
	})
	return failed
}

// When taking back fails as well, the error says both, and the next writer takes back first.
func TestFaultWhileTakingBack(t *testing.T) {
	p := newPlace(t)
	patch, before, after := three(p)
	tree, _ := p.open(workspace.Options{})
	var broken atomic.Bool // steps may happen side by side
	tree.SetFault(func(step string) error {
		if step == "renamed 3" {
			broken.Store(true)
		}
		if broken.Load() {
			return errors.New("I/O error")
		}
		return nil
	})
	_, err := tree.Apply(t.Context(), patch, workspace.Why{})
	if err == nil || !strings.HasPrefix(err.Error(), "Failed to write file AND rollback failed: I/O error") {
		t.Fatalf("%v", err)
	}
	tree.SetFault(func(string) error { return nil })
	if _, err := tree.Undo(t.Context(), 1); !errors.Is(err, workspace.ErrNothingToUndo) {
		t.Errorf("%v", err)
	}
	p.want(before)
	if _, err := tree.Apply(t.Context(), patch, workspace.Why{}); err != nil {
		t.Error(err)
	}
	p.want(after)
}

// What somebody else writes between the check and the rename wins.
func TestEditInTheMeantime(t *testing.T) {
	for name, meddle := range map[string]func(p place){
		"edited":   func(p place) { p.put("c.txt", "mine") },
		"replaced": func(p place) { p.put("c2", "mine"); must(t, os.Rename(p.root+"/c2", p.root+"/c.txt")) },
		"same content, other mode": func(p place) {
			must(t, os.Chmod(p.root+"/c.txt", 0o600))
		},
		"deleted":       func(p place) { must(t, os.Remove(p.root+"/c.txt")) },
		"made a link":   func(p place) { must(t, os.Remove(p.root+"/c.txt"), os.Symlink(p.outside, p.root+"/c.txt")) },
		"created":       func(p place) { p.put("z.txt", "mine") },
		"folder linked": func(p place) { must(t, os.RemoveAll(p.root+"/new"), os.Symlink(p.outside, p.root+"/new")) },
		"folder moved out": func(p place) {
			must(t, os.Rename(p.root+"/new", p.outside+"/new"), os.Mkdir(p.root+"/new", 0o755))
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			patch, _, _ := three(p)
			tree, j := p.open(workspace.Options{})
			var mine listing
			tree.SetFault(func(step string) error {
				if step == "temporaries written" {
					meddle(p)
					mine = list(t, p.root)
				}
				return nil
			})
			_, err := tree.Apply(t.Context(), patch, workspace.Why{})
			var changed *workspace.ChangedError
			var refused *workspace.Refused
			if !errors.As(err, &changed) && !errors.As(err, &refused) || strings.Contains(err.Error(), "rollback failed") {
				t.Errorf("%v", err)
			}
			if diff := cmp.Diff(mine.without(".fettle-", "new"), list(t, p.root).without(".fettle-", "new")); diff != "" {
				t.Errorf("not as the other left it: %s", diff)
			}
			if b, err := os.ReadFile(p.outside + "/b.txt"); err == nil {
				t.Errorf("written outside: %q", b)
			}
			if pending, err := j.Pending(t.Context()); len(pending) != 0 || err != nil {
				t.Errorf("pending: %v, %v", pending, err)
			}
		})
	}
}

func TestCancelledApplyChangesNothing(t *testing.T) {
	p := newPlace(t)
	patch, before, _ := three(p)
	tree, _ := p.open(workspace.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	tree.SetFault(func(step string) error {
		if step == "temporaries written" {
			cancel()
		}
		return nil
	})
	if _, err := tree.Apply(ctx, patch, workspace.Why{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	p.want(before)
}

func TestManyFilesInOneSet(t *testing.T) {
	p := newPlace(t)
	var patch edit.Patch
	for i := range 200 {
		patch = append(patch, create(fmt.Sprintf("d%d/f%03d", i/50, i), strings.Repeat("x", i)))
	}
	tree, _ := p.open(workspace.Options{})
	if _, err := tree.Apply(t.Context(), patch, workspace.Why{}); err != nil {
		t.Fatal(err)
	}
	if got := p.get("d3/f199"); got != strings.Repeat("x", 199) {
		t.Error("missing")
	}
	if _, err := tree.Undo(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(p.root); len(entries) != 0 || err != nil {
		t.Errorf("left: %v, %v", entries, err)
	}
}

// listing is what a tree holds: by path, the kind, mode and content of each file.
type listing map[string]string

func list(t *testing.T, root string) listing {
	t.Helper()
	out := listing{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var content []byte
		if info.Mode().IsRegular() {
			if content, err = os.ReadFile(file); err != nil {
				return err
			}
		}
		out[file] = fmt.Sprint(info.Mode(), " ", string(bytes.ToValidUTF8(content, []byte("?"))))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (l listing) without(prefixes ...string) listing {
	out := listing{}
	for file, what := range l {
		skip := false
		for _, p := range prefixes {
			skip = skip || strings.HasPrefix(filepath.Base(file), p)
		}
		if !skip {
			out[file] = what
		}
	}
	return out
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
