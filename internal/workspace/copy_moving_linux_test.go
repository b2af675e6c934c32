package workspace_test

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"fettle/internal/proc"
	"fettle/internal/workspace"
)

// A folder that could be read and cannot be read any more does not show what it held then.
func TestCopyOfAFolderThatWasClosed(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything; runs in TestOrdinaryUsersCopies")
	}
	home(t)
	o := options(repo(t))
	o.Method = workspace.PlainCopy
	c := open(t, o)
	dir := filepath.Join(o.Root, "pkg")
	write(t, filepath.Join(dir, "a.go"), "package pkg // newer\n")
	if err := os.Chmod(dir, 0o311); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	if err := c.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := sh(t, c, `cat pkg/a.go 2>/dev/null || echo nothing`); got != "nothing\n" {
		t.Errorf("the copy shows %q", got)
	}
}

// Editors save by a rename: while a file is replaced all the time, the copy's names hold what one of their own files held, and never
// what another name's did.
func TestCopyOfFilesThatAreReplaced(t *testing.T) {
	home(t)
	o := options(repo(t))
	o.Method = workspace.PlainCopy
	kept, saved := filepath.Join(o.Root, "kept"), filepath.Join(o.Root, "saved")
	write(t, kept, "kept\n")
	if err := os.Link(kept, saved); err != nil {
		t.Fatal(err)
	}
	c := open(t, o)
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			tmp := filepath.Join(o.Root, ".git", "tmp")
			if err := os.WriteFile(tmp, []byte("saved "+strconv.Itoa(i)+"\n"), 0o644); err != nil {
				t.Error(err)
				return
			}
			if err := os.Rename(tmp, saved); err != nil {
				t.Error(err)
				return
			}
			if err := os.Remove(saved); err == nil {
				err = os.Link(kept, saved)
				if err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for range 50 {
		if err := c.Reset(t.Context()); err != nil {
			t.Error(err)
			break
		}
		if b, err := c.ReadFile("kept"); err != nil || string(b) != "kept\n" {
			t.Errorf("kept holds %q in the copy, %v", b, err)
			break
		}
	}
	close(stop)
	wg.Wait()
}

// Variables that name places in the user's tree name them in a copy at another path, whatever the tree is called; what a caller put into the
// copy's own folder is where it was.
func TestCopyMovesVariables(t *testing.T) {
	home(t)
	for _, m := range []workspace.Method{workspace.Overlay, workspace.PlainCopy} {
		o := options(repo(t))
		o.Method = m
		c := open(t, o)
		given := filepath.Join(c.Scratch(), "given")
		write(t, given, "given\n")
		r, err := c.Run(t.Context(), proc.Cmd{
			Argv: []string{"sh", "-c", `cat "$TREE/pkg/a.go" "$GIVEN"; echo new >"$TREE/made"; ls made; echo "$OTHERS"`},
			Env:  []string{"PATH=" + os.Getenv("PATH"), "TREE=" + o.Root, "GIVEN=" + given, "OTHERS=/usr:" + o.Root + "-2"},
		})
		if want := "package pkg\ngiven\nmade\n/usr:" + o.Root + "-2\n"; err != nil || r.Stdout.String() != want {
			t.Errorf("%s: %q, %q, %v; want %q", m, r.Stdout, r.Stderr, err, want)
		}
	}
}
