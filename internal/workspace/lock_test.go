package workspace_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"fettle/internal/edit"
	"fettle/internal/workspace"
)

func TestLock(t *testing.T) {
	p := newPlace(t)
	p.put("a", "1")
	one, _ := p.open(workspace.Options{})
	two, _ := p.open(workspace.Options{})
	release, err := one.Lock(t.Context(), "fix test")
	if err != nil {
		t.Fatal(err)
	}
	isLocked := func(err error) {
		t.Helper()
		var locked *workspace.LockedError
		if !errors.As(err, &locked) || locked.PID != os.Getpid() || locked.Who != "fix test" {
			t.Errorf("%v", err)
		}
	}
	_, err = two.Lock(t.Context(), "second")
	isLocked(err)
	_, err = two.Apply(t.Context(), edit.Patch{modify("a", "1", "2")}, workspace.Why{})
	isLocked(err)
	_, err = two.Undo(t.Context(), 1)
	isLocked(err)
	_, err = two.Recover(t.Context())
	isLocked(err)
	if _, err := one.Lock(t.Context(), "again"); err == nil {
		t.Error("taken twice")
	}
	if _, err := one.Apply(t.Context(), edit.Patch{modify("a", "1", "2")}, workspace.Why{}); err != nil {
		t.Errorf("the holder: %v", err)
	}
	release()
	release() // twice is once
	if _, err := two.Apply(t.Context(), edit.Patch{modify("a", "2", "3")}, workspace.Why{}); err != nil {
		t.Errorf("after the release: %v", err)
	}
	release, err = two.Lock(t.Context(), "second")
	if err != nil {
		t.Fatal(err)
	}
	release()
	if info, err := os.Stat(filepath.Join(p.state, "lock")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// The system frees the lock of a process that was killed.
func TestLockOfAnotherProcess(t *testing.T) {
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) }) // after the trees of this test are closed
	p := newPlace(t)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), "FETTLE_TEST_CHILD=hold", "FETTLE_TEST_STEP=0", "FETTLE_TEST_ROOT="+p.root, "FETTLE_TEST_STATE="+p.state)
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	must(t, err1, err2, cmd.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" || err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	tree, _ := p.open(workspace.Options{})
	_, err := tree.Lock(t.Context(), "mine")
	want := fmt.Sprintf("another fettle (fix go test), process %d, is working in this tree; wait for it to end, or stop it", cmd.Process.Pid)
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	must(t, cmd.Process.Kill(), in.Close())
	_ = cmd.Wait() // killed, as asked
	release, err := tree.Lock(t.Context(), "mine")
	if err != nil {
		t.Fatal(err)
	}
	release()
}

// Writers in one process take turns; with one base, one of them wins and the others are told.
func TestWritersTakeTurns(t *testing.T) {
	p := newPlace(t)
	p.put("a", "0")
	tree, _ := p.open(workspace.Options{})
	var wg sync.WaitGroup
	var won counter
	for i := range 8 {
		wg.Go(func() {
			_, err := tree.Apply(t.Context(), edit.Patch{modify("a", "0", fmt.Sprint("v", i))}, workspace.Why{})
			var mismatch *edit.MismatchError
			switch {
			case err == nil:
				won.next()
			case !errors.As(err, &mismatch):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := won.next() - 1; n != 1 {
		t.Errorf("%d writers won", n)
	}
}
