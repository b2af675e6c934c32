package proc_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fettle/internal/proc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func sh(script string) proc.Cmd { return proc.Cmd{Argv: []string{"sh", "-c", script}} }

func run(t *testing.T, c proc.Cmd) proc.Result {
	t.Helper()
	r, err := proc.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRunTellsWhatHappened(t *testing.T) {
	for _, tc := range []struct {
		name, script string
		ended        proc.Ended
		code         int
		signal       string
		out, err     string
	}{
		{"success", "echo hello; echo oops >&2", proc.Exited, 0, "", "hello\n", "oops\n"},
		{"exit code", "exit 37", proc.Exited, 37, "", "", ""},
		{"a signal that was not ours", "kill -SEGV $$", proc.Signalled, -1, "SIGSEGV", "", ""},
		{"a pipe", "yes | head -n 2", proc.Exited, 0, "", "y\ny\n", ""},
		{"nothing on stdin", "cat; echo end", proc.Exited, 0, "", "end\n", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := run(t, sh(tc.script))
			if r.Ended != tc.ended || r.Code != tc.code || r.Signal != tc.signal {
				t.Errorf("got %s, code %d, signal %q", r.Ended, r.Code, r.Signal)
			}
			if r.Stdout.String() != tc.out || r.Stderr.String() != tc.err {
				t.Errorf("printed %q and %q", r.Stdout, r.Stderr)
			}
			if r.OK() != (tc.ended == proc.Exited && tc.code == 0) {
				t.Error("OK is wrong")
			}
		})
	}
}

func TestRunMeasures(t *testing.T) {
	r := run(t, sh("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"))
	if r.CPU <= 0 || r.Wall <= 0 || r.MaxRSS < 100<<10 {
		t.Errorf("cpu %v, wall %v, rss %d", r.CPU, r.Wall, r.MaxRSS)
	}
}

func TestRunStreamsAndFeeds(t *testing.T) {
	var out bytes.Buffer
	c := sh("tr a-z A-Z")
	c.Stdin, c.Stdout = strings.NewReader("shout"), &out
	if r := run(t, c); out.String() != "SHOUT" || r.Stdout.String() != "SHOUT" {
		t.Errorf("streamed %q, kept %q", &out, r.Stdout)
	}
	c = sh("exit 0") // does not read what it is given
	c.Stdin = io.LimitReader(zeros{}, 10<<20)
	run(t, c)
	f, err := os.Open("run_test.go")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c = sh("head -c 7")
	c.Stdin = f
	if r := run(t, c); r.Stdout.String() != "package" {
		t.Errorf("from a file: %q", r.Stdout)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestOneWriterForBothStreams(t *testing.T) {
	var both bytes.Buffer // not safe for two writers at once: the race detector watches
	c := sh("for i in 1 2 3 4 5 6 7 8 9; do echo out; echo err >&2; done")
	c.Stdout, c.Stderr = &both, &both
	run(t, c)
	if both.Len() != 9*8 {
		t.Errorf("got %d bytes", both.Len())
	}
}

func TestHugeOutputKeepsBothEnds(t *testing.T) {
	c := sh("echo first; head -c 100000000 /dev/zero | tr '\\0' x; echo; echo last")
	var n counter
	c.Stdout = &n
	r := run(t, c)
	want := int64(100000000 + len("first\n\nlast\n"))
	if r.Stdout.Total != want || n.n != want {
		t.Errorf("counted %d, streamed %d, want %d", r.Stdout.Total, n.n, want)
	}
	s := r.Stdout.String()
	if !strings.HasPrefix(s, "first\nxxx") || !strings.HasSuffix(s, "xxx\nlast\n") || !r.Stdout.Truncated() {
		t.Errorf("kept %q … %q", s[:20], s[len(s)-20:])
	}
	left := want - proc.HeadSize - proc.TailSize
	if note := "\n… " + strconv.FormatInt(left, 10) + " bytes left out …\n"; !strings.Contains(s, note) {
		t.Errorf("does not say what was left out: want %q", note)
	}
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }

func TestLimitsHoldFromTheStart(t *testing.T) {
	for _, tc := range []struct {
		script string
		limits proc.Limits
	}{
		{"head -c 100000 /dev/zero > big", proc.Limits{File: 1000}},
		{"dd if=/dev/zero of=/dev/null bs=200M count=1", proc.Limits{Memory: 100 << 20}},
		{"dd if=/dev/zero of=/dev/null bs=200M count=1", proc.Limits{Data: 100 << 20}},
	} {
		c := sh(tc.script)
		c.Dir, c.Limits = t.TempDir(), tc.limits
		for range 20 {
			if r := run(t, c); r.OK() {
				t.Errorf("%s: succeeds with %+v", tc.script, tc.limits)
			}
		}
	}
	c := sh("exit 3")
	c.Limits.Memory = 1 << 32
	if r := run(t, c); r.Code != 3 {
		t.Errorf("within its limits: %+v", r)
	}
	c.Argv = []string{"./data"}
	c.Dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(c.Dir, "data"), []byte("hello"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := proc.Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "#! line") {
		t.Errorf("a program that cannot start: %v", err)
	}
}

func TestOutputLimit(t *testing.T) {
	c := sh("yes")
	c.Limits.Output = 1 << 20
	var n counter
	c.Stdout = &n
	r := run(t, c)
	if r.Ended != proc.OutputLimit || r.Code != -1 {
		t.Errorf("ended %s with %d", r.Ended, r.Code)
	}
	if n.n != 1<<20 {
		t.Errorf("the writer got %d bytes, want exactly the limit", n.n)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestFailingWriterLosesNothing(t *testing.T) {
	c := sh("head -c 200000 /dev/zero; echo end; echo fine >&2")
	c.Stdout = failing{}
	r := run(t, c)
	if !r.OK() || r.Stdout.Total != 200004 || !strings.HasSuffix(r.Stdout.String(), "end\n") || r.Stderr.String() != "fine\n" {
		t.Errorf("%s %d, kept %d", r.Ended, r.Code, r.Stdout.Total)
	}
}

// gate is a writer that blocks until it is opened.
type gate struct {
	open chan struct{}
	n    counter
}

func (g *gate) Write(p []byte) (int, error) { <-g.open; return g.n.Write(p) }

func TestSlowWriterGetsEverything(t *testing.T) {
	g := &gate{open: make(chan struct{})}
	c := sh("head -c 60000 /dev/zero")
	c.Stdout = g
	time.AfterFunc(600*time.Millisecond, func() { close(g.open) }) // far beyond the drain time
	r := run(t, c)
	if r.Stdout.Total != 60000 || g.n.n != 60000 {
		t.Errorf("kept %d, streamed %d of 60000", r.Stdout.Total, g.n.n)
	}
}

func TestTimeoutEndsTheWholeGroup(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	c := sh(`sleep 1000 & echo $! >>"$0"; sh -c 'trap "" TERM; echo $$ >>"$0"; while :; do sleep 1; done' "$0" & wait`)
	c.Argv = append(c.Argv, pids)
	c.Limits = proc.Limits{Time: 300 * time.Millisecond, Grace: 200 * time.Millisecond}
	r := run(t, c)
	if r.Ended != proc.TimedOut || r.OK() {
		t.Errorf("ended %s", r.Ended)
	}
	wantGone(t, pids, 2)
}

func TestIgnoringTermEndsAfterGrace(t *testing.T) {
	c := sh(`trap "" TERM; while :; do sleep 0.05; done`)
	c.Limits = proc.Limits{Time: 100 * time.Millisecond, Grace: 300 * time.Millisecond}
	r := run(t, c)
	if r.Ended != proc.TimedOut || r.Wall < 400*time.Millisecond || r.Wall > 5*time.Second {
		t.Errorf("ended %s after %v", r.Ended, r.Wall)
	}
}

func TestTermLetsACommandCleanUp(t *testing.T) {
	c := sh(`trap "echo tidy; exit 0" TERM; while :; do sleep 0.05; done`)
	c.Limits.Time = 200 * time.Millisecond
	if r := run(t, c); r.Ended != proc.TimedOut || r.Stdout.String() != "tidy\n" {
		t.Errorf("ended %s, printed %q", r.Ended, r.Stdout)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := sh("echo ready; sleep 1000")
	c.Stdout = writerFunc(func([]byte) { cancel() })
	r, err := proc.Run(ctx, c)
	if err != nil || r.Ended != proc.Cancelled || r.Code != -1 {
		t.Errorf("%v, %s", err, r.Ended)
	}
	if r, err := proc.Run(ctx, sh("exit 0")); err != nil || r.Ended != proc.Cancelled {
		t.Errorf("cancelled before the start: %v, %s", err, r.Ended)
	}
}

type writerFunc func(p []byte)

func (f writerFunc) Write(p []byte) (int, error) { f(p); return len(p), nil }

func TestBackgroundProcessNeitherStaysNorHangs(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	c := sh(`sleep 1000 & echo $! >"$0"; echo done`)
	c.Argv = append(c.Argv, pids)
	r := run(t, c)
	if !r.OK() || r.Stdout.String() != "done\n" || r.Wall > 5*time.Second {
		t.Errorf("%s after %v: %q", r.Ended, r.Wall, r.Stdout)
	}
	wantGone(t, pids, 1)
}

func TestEscapedProcessDoesNotHangRun(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	c := sh(`setsid sh -c 'echo $$ >"$0"; echo away; exec sleep 1000' "$0" & while [ ! -s "$0" ]; do sleep 0.01; done; echo done`)
	c.Argv = append(c.Argv, pids)
	began := time.Now()
	r := run(t, c)
	if !r.OK() || time.Since(began) > 10*time.Second {
		t.Errorf("%s after %v", r.Ended, time.Since(began))
	}
	for _, pid := range readPids(t, pids, 1) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

func TestSideBySide(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			r, err := proc.Host{}.Run(t.Context(), sh("echo "+strconv.Itoa(i)))
			if err != nil || r.Stdout.String() != strconv.Itoa(i)+"\n" {
				t.Errorf("%d: %v %q", i, err, r.Stdout)
			}
		})
	}
	wg.Wait()
}

func TestCannotStart(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, tc := range []struct {
		name    string
		cmd     proc.Cmd
		missing bool
		says    string
	}{
		{"no such program", proc.Cmd{Argv: []string{"pytset-9", "-q"}}, true, "pytset-9: executable file not found"},
		{"no such file", proc.Cmd{Argv: []string{"./gone"}, Dir: dir}, true, "./gone"},
		{"not executable", proc.Cmd{Argv: []string{write("plain", "x", 0o644)}}, false, "chmod +x"},
		{"a folder", proc.Cmd{Argv: []string{dir}}, false, "folder"},
		{"its interpreter is missing", proc.Cmd{Argv: []string{write("script", "#!/nowhere/python\n", 0o755)}}, true, "interpreter"},
		{"neither program nor script", proc.Cmd{Argv: []string{write("data", "hello", 0o755)}}, false, "#! line"},
		{"no such directory", proc.Cmd{Argv: []string{"true"}, Dir: filepath.Join(dir, "no")}, false, "working directory"},
		{"nothing", proc.Cmd{}, false, "empty"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := proc.Run(t.Context(), tc.cmd)
			if err == nil || !strings.Contains(err.Error(), tc.says) || errors.Is(err, exec.ErrNotFound) != tc.missing {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestProgramIsLookedUpInTheCommandsOwnPath(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "sh"), []byte("#!/bin/sh\necho mine\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r := run(t, proc.Cmd{Argv: []string{"sh"}, Env: []string{"PATH=" + dir}})
	if r.Stdout.String() != "mine\n" {
		t.Errorf("ran another sh: %q", r.Stdout)
	}
	r = run(t, proc.Cmd{Argv: []string{"./sh"}, Dir: dir})
	if r.Stdout.String() != "mine\n" {
		t.Errorf("a relative program is not taken from Dir: %q", r.Stdout)
	}
}

func readPids(t *testing.T, file string, n int) []int {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, f := range strings.Fields(string(b)) {
		pid, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, pid)
	}
	if len(out) != n {
		t.Fatalf("%d processes told their number, want %d: %q", len(out), n, b)
	}
	return out
}

// wantGone waits until none of the processes runs any more: after SIGKILL that is a matter of scheduling, not of luck.
func wantGone(t *testing.T, file string, n int) {
	t.Helper()
	for _, pid := range readPids(t, file, n) {
		deadline := time.Now().Add(10 * time.Second)
		for alive(pid) {
			if time.Now().After(deadline) {
				t.Errorf("process %d is still there", pid)
				break
			}
		}
	}
}

func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}
