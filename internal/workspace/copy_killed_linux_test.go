package workspace_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fettle/internal/proc"
	"fettle/internal/testenv"
	"fettle/internal/workspace"
)

// TestCopyKilledFettleLeavesNothing opens a copy in a child process and kills it.
func TestCopyKilledFettleLeavesNothing(t *testing.T) {
	if state := os.Getenv("FETTLE_TEST_VICTIM"); state != "" {
		victim(t, state)
		return
	}
	h := home(t)
	each(t, func(t *testing.T, m workspace.Method) {
		o := options(repo(t))
		marker := fmt.Sprintf("2%d", 1000000+os.Getpid())
		cmd := exec.Command(os.Args[0], "-test.run=^TestCopyKilledFettleLeavesNothing$")
		cmd.Env = append(os.Environ(), "FETTLE_TEST_VICTIM="+string(m)+"\n"+o.Root+"\n"+marker, "HOME="+h)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = cmd.Process.Kill() }() // also when the test ends early
		buf := make([]byte, 64)
		n, err := out.Read(buf) // it says when the daemon runs
		if err != nil || !strings.HasPrefix(string(buf[:n]), "ready") {
			t.Fatalf("the child said %q, %v", buf[:n], err)
		}
		deadline := time.Now().Add(10 * time.Second)
		for len(running(marker)) < 2 { // the daemon and its sibling
			if time.Now().After(deadline) {
				t.Fatal("the daemon does not run: the test proves nothing")
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		deadline = time.Now().Add(10 * time.Second)
		for len(running(marker)) > 0 && time.Now().Before(deadline) {
			runtime.Gosched()
		}
		if found := running(marker); len(found) > 0 {
			t.Errorf("still running: %v", found)
		}
		mounts, err := os.ReadFile("/proc/mounts")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(mounts), filepath.Base(filepath.Dir(o.Root))) {
			t.Errorf("mounted on the machine:\n%s", mounts)
		}
		n = 0
		for n == 0 && err == nil && time.Now().Before(deadline) { // the holder's lock goes when the holder is gone
			n, err = workspace.CleanCopies(filepath.Dir(o.State))
		}
		if left, _ := os.ReadDir(filepath.Dir(o.State)); n != 1 || err != nil || len(left) > 0 {
			t.Errorf("cleaned %d, %v; left %v", n, err, left)
		}
	})
}

func victim(t *testing.T, order string) {
	f := strings.Split(order, "\n")
	o := options(f[1])
	o.Method = workspace.Method(f[0])
	c := open(t, o)
	sh(t, c, "true")
	_, _ = c.Run(t.Context(), proc.Cmd{Argv: []string{"sh", "-c", `setsid -f sleep $0; sleep $0 & echo ready; wait`, f[2]}, Stdout: os.Stdout})
}

// TestOrdinaryUsersCopies runs every other test again as a user without privileges.
func TestOrdinaryUsersCopies(t *testing.T) {
	testenv.AsOrdinaryUser(t, "TestCopyWritesStayInside", "^TestCopy", nil, nil)
}

// TestOrdinaryUsersCopiesAmongMounts has file systems mounted where an ordinary user's copy would lay its layers.
func TestOrdinaryUsersCopiesAmongMounts(t *testing.T) {
	testenv.AsOrdinaryUser(t, "TestCopyAmongMounts", "^TestCopyAmongMounts$", nil, func(home string) {
		disk := filepath.Join(home, "disk") // HOME lies in the folder for temporary files
		if err := os.Mkdir(disk, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := unix.Mount("test", disk, "tmpfs", 0, ""); err != nil {
			t.Skip("needs the right to mount")
		}
		t.Cleanup(func() {
			if err := unix.Unmount(disk, unix.MNT_DETACH); err != nil {
				t.Error(err)
			}
		})
	})
}

func TestCopyAmongMounts(t *testing.T) {
	home := os.Getenv("HOME")
	if table, err := os.ReadFile("/proc/self/mountinfo"); err != nil || !strings.Contains(string(table), home+"/disk ") {
		t.Skip("runs in TestOrdinaryUsersCopiesAmongMounts")
	}
	write(t, filepath.Join(home, "tmp", "other"), "x")
	o := options(repo(t))
	o.Method = workspace.Overlay
	c := open(t, o)
	for _, want := range []string{"/tmp is empty inside", home + " cannot be written to inside"} {
		if !strings.Contains(c.Describe(), want) {
			t.Errorf("%q is missing from %q", want, c.Describe())
		}
	}
	for range 2 {
		got := sh(t, c, `echo changed > main.py; cat main.py; touch /tmp/new; ls /tmp; touch "$HOME/new" 2>/dev/null || echo closed`)
		if want := "changed\n" + filepath.Base(home) + "\nnew\nclosed\n"; got != want {
			t.Errorf("inside: %q, want %q", got, want)
		}
		if err := c.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
