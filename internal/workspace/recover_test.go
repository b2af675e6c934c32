package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/store"
	"fettle/internal/workspace"
)

// A crash at any step of a write, and then at any step of the recovery, ends with all files as before or all as after.
func TestCrashes(t *testing.T) {
	for _, what := range []string{"apply", "undo"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			steps := crashEverywhere(t, what)
			if steps < 10 {
				t.Errorf("only %d steps", steps)
			}
		})
	}
}

// crashEverywhere lets a process do its work and die at its n-th step, for every n, and returns how many there were.
func crashEverywhere(t *testing.T, what string) int {
	for n := 1; ; n++ {
		p, before, after := crashPlace(t, what)
		if !child(t, p, what, n) {
			p.want(after)
			return n - 1
		}
		for m := 1; m <= 3 && child(t, p, "recover", m); m++ { // it dies again and again while it recovers
		}
		tree, j := p.open(workspace.Options{})
		sets, err := tree.Recover(t.Context())
		if err != nil || len(sets) > 1 {
			t.Fatalf("%s, step %d: %v, %v", what, n, sets, err)
		}
		newest, err := j.List(t.Context(), journal.Filter{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		want := before
		if len(newest) == 1 && newest[0].State == journal.Done && string(newest[0].Kind) == what {
			want = after
		}
		p.want(want)
		if pending, err := j.Pending(t.Context()); len(pending) > 0 || err != nil {
			t.Errorf("%s, step %d: still pending: %v, %v", what, n, pending, err)
		}
		if t.Failed() {
			t.Fatalf("%s, died at step %d", what, n)
		}
	}
}

func crashPlace(t *testing.T, what string) (p place, before, after map[string]string) {
	p = newPlace(t)
	patch, before, after := three(p)
	if what == "undo" {
		tree, _ := p.open(workspace.Options{})
		if _, err := tree.Apply(t.Context(), patch, workspace.Why{}); err != nil {
			t.Fatal(err)
		}
		before, after = after, before
	}
	return p, before, after
}

// child runs TestChild in a process of its own, which kills itself at its n-th step, and reports whether it came that far.
func child(t *testing.T, p place, what string, n int) (died bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), "FETTLE_TEST_CHILD="+what, fmt.Sprint("FETTLE_TEST_STEP=", n),
		"FETTLE_TEST_ROOT="+p.root, "FETTLE_TEST_STATE="+p.state)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		return true
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", what, err, out)
	}
	return false
}

// TestChild is the process that dies. It does nothing when it is not asked to.
func TestChild(t *testing.T) {
	what := os.Getenv("FETTLE_TEST_CHILD")
	if what == "" {
		t.Skip("runs only as a child of other tests")
	}
	p := place{t: t, root: os.Getenv("FETTLE_TEST_ROOT"), state: os.Getenv("FETTLE_TEST_STATE")}
	tree, _ := p.open(workspace.Options{})
	var last int
	if _, err := fmt.Sscan(os.Getenv("FETTLE_TEST_STEP"), &last); err != nil {
		t.Fatal(err)
	}
	var at counter
	tree.SetFault(func(string) error {
		if at.next() == last {
			must(t, syscall.Kill(os.Getpid(), syscall.SIGKILL))
			select {} // until the signal comes
		}
		return nil
	})
	must(t, perform(t.Context(), tree, what))
}

func perform(ctx context.Context, tree *workspace.Tree, what string) (err error) {
	switch what {
	case "apply":
		patch := edit.Patch{modify("a.txt", "a1", "a2"), erase("c.txt", "c1"), create("new/b.txt", "b2"), create("z.txt", "z2")}
		_, err = tree.Apply(ctx, patch, workspace.Why{})
	case "undo":
		_, err = tree.Undo(ctx, 1)
	case "recover":
		_, err = tree.Recover(ctx)
	case "hold":
		_, err = tree.Lock(ctx, "fix go test")
		fmt.Println("held")
		_, _ = os.Stdin.Read(make([]byte, 1)) // until the parent lets go
	case "small files":
		err = limitFileSize(64 << 10)
		if err == nil {
			_, err = tree.Apply(ctx, edit.Patch{modify("a.txt", "a1", strings.Repeat("x", 1<<20))}, workspace.Why{})
			if err == nil {
				return errors.New("a file beyond the limit was written")
			}
			fmt.Println(err)
			err = nil
		}
	}
	return err
}

// A file that somebody changed after the crash is theirs and stays. Where the set was half-done, the rest is taken back and the
// error names the file; where all of it had happened, it stands.
func TestRecoveryLeavesOthersFilesAlone(t *testing.T) {
	for name, c := range map[string]struct {
		meddle func(p place)
		theirs func(p place) bool
	}{
		"edited": {func(p place) { p.put("a.txt", "mine") }, func(p place) bool { return p.get("a.txt") == "mine" }},
		"linked": {
			func(p place) { must(t, os.Remove(p.root+"/a.txt"), os.Symlink(p.outside, p.root+"/a.txt")) },
			func(p place) bool { _, err := os.Readlink(p.root + "/a.txt"); return err == nil },
		},
	} {
		for step, half := range map[string]bool{"renamed 2": true, "renamed 4": false} {
			t.Run(name+" after "+step, func(t *testing.T) {
				p := newPlace(t)
				_, before, after := three(p)
				if !dieAt(t, p, "apply", step) {
					t.Fatal("it did not die")
				}
				c.meddle(p)
				tree, j := p.open(workspace.Options{})
				sets, err := tree.Recover(t.Context())
				state, want := journal.Done, after
				if half {
					state, want = journal.Aborted, before
				}
				if named := err != nil && strings.Contains(err.Error(), "a.txt"); named != half || len(sets) != 1 || sets[0].State != state {
					t.Errorf("%v, %v", sets, err)
				}
				delete(want, "a.txt")
				p.want(want)
				if !c.theirs(p) {
					t.Error("somebody else's file was touched")
				}
				if pending, err := j.Pending(t.Context()); len(pending) != 0 || err != nil {
					t.Errorf("still pending: %v, %v", pending, err)
				}
				if _, err := tree.Apply(t.Context(), edit.Patch{create("next", "1")}, workspace.Why{}); err != nil {
					t.Errorf("the next apply: %v", err)
				}
			})
		}
	}
}

// dieAt lets a child die at the step of that name, which comes at a place that only counting finds.
func dieAt(t *testing.T, p place, what, step string) bool {
	t.Helper()
	twin := newPlace(t)
	three(twin)
	tree, _ := twin.open(workspace.Options{})
	var at counter
	n := 0
	tree.SetFault(func(s string) error {
		if i := at.next(); s == step {
			n = i
		}
		return nil
	})
	must(t, perform(t.Context(), tree, what))
	return child(t, p, what, n)
}

func TestRecoverWithNothingToDo(t *testing.T) {
	p := newPlace(t)
	tree, _ := p.open(workspace.Options{})
	if sets, err := tree.Recover(t.Context()); len(sets) != 0 || err != nil {
		t.Errorf("%v, %v", sets, err)
	}
}

// The real thing: the system refuses to write more.
func TestFileSizeLimitOfTheSystem(t *testing.T) {
	p := newPlace(t)
	p.put("a.txt", "a1")
	db, err := store.Open(t.Context(), p.state) // makes the tables while files may still grow
	if err != nil {
		t.Fatal(err)
	}
	must(t, db.Close())
	if child(t, p, "small files", 0) {
		t.Fatal("it died")
	}
	p.want(map[string]string{"a.txt": "a1"})
	images, err := filepath.Glob(filepath.Join(p.state, "blobs", "*"))
	must(t, err)
	for _, name := range images { // the old content may be kept, but nothing half-written
		if data, err := os.ReadFile(name); err != nil || string(edit.Sum(data)) != filepath.Base(name) {
			t.Errorf("left in the state folder: %s with %d bytes, %v", name, len(data), err)
		}
	}
}
