package child_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fettle/internal/guard/child"
)

func ask(t *testing.T, script, in string, within time.Duration) (child.Said, error) {
	t.Helper()
	return child.Ask([]string{"/bin/sh", "-c", script}, []string{"PATH=/usr/bin:/bin"}, t.TempDir(), []byte(in), time.Now().Add(within))
}

func TestAsk(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, c := range []struct {
		script, in, out, errs string
		code                  int
	}{
		{"cat", "hello", "hello", "", 0},
		{"cat", long, long, "", 0},
		{"echo no >&2; exit 3", "", "", "no\n", 3},
		{"exit 0", long, "", "", 0}, // it does not read what it is told
		{"pwd >&2; yes | head -c 100000 >&2; echo ok", "", "ok\n", "", 0},
	} {
		s, err := ask(t, c.script, c.in, time.Minute)
		if err != nil || string(s.Out) != c.out || s.Code != c.code || c.errs != "" && string(s.Errs) != c.errs {
			t.Errorf("%s: %d %.40q %.40q %v", c.script, s.Code, s.Out, s.Errs, err)
		}
	}
}

// TestLate is a program that does not end: it is gone afterwards, with what it has started, whether that holds the pipes or not.
func TestLate(t *testing.T) {
	for _, script := range []string{"sleep 60", "sleep 60 & sleep 60", "exec >&- 2>&-; sleep 60", "yes", "setsid sleep 3; echo x", "cat >/dev/null; trap '' TERM HUP; while :; do sleep 1; done"} {
		start := time.Now()
		_, err := ask(t, script, "", 200*time.Millisecond)
		if err == nil || time.Since(start) > 2*time.Second {
			t.Errorf("%s: %v after %v", script, err, time.Since(start))
		}
		if script != "yes" && !errors.Is(err, child.ErrLate) {
			t.Errorf("%s: %v", script, err)
		}
	}
}

// TestEnd is a caller that ends before the program has answered: it goes, with what it has started.
func TestEnd(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	said := make(chan error, 1)
	go func() {
		_, err := ask(t, "exec 3>"+pipe+"; echo here >&3; sleep 60 & sleep 60", "", time.Minute)
		said <- err
	}()
	f, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.ReadFull(f, make([]byte, len("here\n"))); err != nil {
		t.Fatal(err)
	}
	child.End()
	if _, err := io.Copy(io.Discard, f); err != nil { // until nobody holds it any more
		t.Error(err)
	}
	if err := <-said; err != nil {
		t.Error(err)
	}
	child.End() // nobody is waited for
}

func TestRefused(t *testing.T) {
	for _, argv := range [][]string{nil, {"sh"}, {"/no/such/program"}} {
		if _, err := child.Ask(argv, nil, "", nil, time.Now().Add(time.Minute)); err == nil {
			t.Errorf("%q was started", argv)
		}
		if err := child.Leave(argv, nil, nil); err == nil {
			t.Errorf("%q was left alone", argv)
		}
	}
}

// TestLeave is a program that outlives the call that started it, and reads all that it was told.
func TestLeave(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out")
	in := bytes.Repeat([]byte("line\n"), 50_000)
	if err := child.Leave([]string{"/bin/sh", "-c", `cat > "$1.new" && mv "$1.new" "$1"`, "sh", file}, []string{"PATH=/usr/bin:/bin"}, in); err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		if data, err := os.ReadFile(file); err == nil {
			if !bytes.Equal(data, in) {
				t.Errorf("%d bytes came, want %d", len(data), len(in))
			}
			return
		}
	}
	t.Error("nothing came")
}

// TestLeaveStays is a caller that goes on: what it started is gone when it has ended, and no dead process is left behind.
func TestLeaveStays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	if err := child.Leave([]string{"/bin/sh", "-c", `echo $$ > "$1.new" && mv "$1.new" "$1"`, "sh", file}, []string{"PATH=/usr/bin:/bin"}, nil); err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
		if err != nil {
			t.Fatal(err)
		}
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return
		}
	}
	t.Error("it is still there")
}
