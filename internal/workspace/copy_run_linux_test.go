package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fettle/internal/proc"
	"fettle/internal/testenv"
	"fettle/internal/workspace"
)

func TestCopyNetwork(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		testenv.Missing(t, "needs python3 to make connections")
	}
	home(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	abstract, err := net.Listen("unix", "@fettle-test-"+filepath.Base(t.TempDir())+strconv.Itoa(os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	defer abstract.Close()
	const script = `
import socket, sys
def tries(family, address):
    try:
        s = socket.socket(family); s.settimeout(2); s.connect(address); return "reached"
    except OSError: return "refused"
print(tries(socket.AF_INET, ("127.0.0.1", int(sys.argv[1]))), tries(socket.AF_UNIX, "\0" + sys.argv[2][1:]), tries(socket.AF_UNIX, sys.argv[3]))
own = socket.create_server(("127.0.0.1", 0))
print(tries(socket.AF_INET, own.getsockname()))
`
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	for _, tc := range []struct {
		network workspace.Network
		method  workspace.Method
		want    string
	}{
		{workspace.NetworkLoopback, workspace.Overlay, "refused refused refused\nreached\n"},
		{workspace.NetworkHost, workspace.Overlay, "reached reached refused\nreached\n"},
		{workspace.NetworkLoopback, workspace.PlainCopy, "refused refused reached\nreached\n"},
	} {
		o := options(repo(t))
		sock := filepath.Join(o.Root, "s")
		service, err := net.Listen("unix", sock)
		if err != nil {
			t.Fatal(err)
		}
		o.Network, o.Method = tc.network, tc.method
		c := open(t, o)
		r, err := c.Run(t.Context(), proc.Cmd{Argv: []string{"python3", "-c", script, port, abstract.Addr().String(), sock}})
		if err != nil || r.Stdout.String() != tc.want {
			t.Errorf("%s: %v, got %q, want %q %s", c.Describe(), err, r.Stdout, tc.want, r.Stderr)
		}
		service.Close()
	}
}

func TestCopyNothingOutlivesItsCommand(t *testing.T) {
	home(t)
	each(t, func(t *testing.T, m workspace.Method) {
		o := options(repo(t))
		o.Method = m
		c := open(t, o)
		// A daemon in a session of its own, orphaned, with its own streams; and one that holds ours.
		marker := fmt.Sprintf("1%d", 1000000+os.Getpid())
		began := time.Now()
		sh(t, c, `setsid -f sleep $1 </dev/null >/dev/null 2>&1; setsid -f sleep $1; (sleep $1 & sleep $1 &)`, marker)
		if d := time.Since(began); d > 10*time.Second {
			t.Errorf("took %v", d)
		}
		if found := running(marker); len(found) > 0 {
			t.Errorf("still running: %v", found)
		}
	})
}

// running lists the processes that have a word among their arguments.
func running(word string) (out []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		b, _ := os.ReadFile(f)
		if args := strings.Split(string(b), "\x00"); len(args) > 1 && args[1] == word {
			out = append(out, strings.Join(args, " "))
		}
	}
	return out
}

func TestCopySideBySideInOneCopy(t *testing.T) {
	home(t)
	o := options(repo(t))
	o.Method = workspace.Overlay
	c := open(t, o)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			got := sh(t, c, `echo $1 > out$1; cat out$1; setsid -f sleep 1000`, strconv.Itoa(i))
			if got != fmt.Sprintln(i) {
				t.Errorf("%d: %q", i, got)
			}
		})
	}
	wg.Wait()
	if p := changes(t, c); len(p) != 8 {
		t.Errorf("changed %v", p.Paths())
	}
}

func TestCopyEndsOfCommandsInside(t *testing.T) {
	home(t)
	o := options(repo(t))
	o.Method = workspace.Overlay
	c := open(t, o)
	run := func(cmd proc.Cmd) proc.Result {
		t.Helper()
		r, err := c.Run(t.Context(), cmd)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := run(proc.Cmd{Argv: []string{"sh", "-c", "exit 7"}}); r.Code != 7 || r.Ended != proc.Exited {
		t.Errorf("%+v", r)
	}
	if r := run(proc.Cmd{Argv: []string{"sh", "-c", "kill -ABRT $$"}}); r.Signal != "SIGABRT" {
		t.Errorf("%+v", r)
	}
	stubborn := proc.Cmd{Argv: []string{"sh", "-c", `trap "" TERM; while :; do sleep 0.01; done`},
		Limits: proc.Limits{Time: 100 * time.Millisecond, Grace: 100 * time.Millisecond}}
	if r := run(stubborn); r.Ended != proc.TimedOut || r.Wall > 5*time.Second {
		t.Errorf("%s after %v", r.Ended, r.Wall)
	}
	big := proc.Cmd{Argv: []string{"head", "-c", "100000000", "/dev/zero"}}
	if r := run(big); r.Stdout.Total != 100000000 || !r.OK() || r.CPU <= 0 || r.MaxRSS <= 0 {
		t.Errorf("%d bytes, %s, cpu %v, rss %d", r.Stdout.Total, r.Ended, r.CPU, r.MaxRSS)
	}
	small := proc.Cmd{Argv: []string{"sh", "-c", "head -c 100000 /dev/zero > big; echo $?"}, Limits: proc.Limits{File: 1000}}
	if r := run(small); r.Stdout.String() == "0\n" {
		t.Error("the file size limit does not hold")
	}
	if _, err := c.Run(t.Context(), proc.Cmd{Argv: []string{"no-such-tool"}}); !errors.Is(err, exec.ErrNotFound) || !strings.HasPrefix(err.Error(), "no-such-tool: ") {
		t.Errorf("missing tool: %v", err)
	}
	killer := run(proc.Cmd{Argv: []string{"sh", "-c", "kill -TERM 1; kill -HUP 1; kill -KILL 1; kill -STOP 1; echo tried"}})
	if killer.Stdout.String() != "tried\n" {
		t.Errorf("%+v", killer)
	}
	huge := proc.Cmd{Argv: []string{"sh", "-c", "echo ${#BIG}"}, Env: []string{"PATH=" + os.Getenv("PATH"), "BIG=" + strings.Repeat("x", 120000)}}
	if r := run(huge); r.Stdout.String() != "120000\n" {
		t.Errorf("%q", r.Stdout)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	if r, err := c.Run(ctx, proc.Cmd{Argv: []string{"sleep", "1000"}}); err != nil || r.Ended != proc.Cancelled {
		t.Errorf("%v, %s", err, r.Ended)
	}
}

func TestCopyPrivilegesInside(t *testing.T) {
	home(t)
	o := options(repo(t))
	o.Method = workspace.Overlay
	c := open(t, o)
	got := sh(t, c, `grep -E '^(CapEff|CapBnd|CapAmb|NoNewPrivs)' /proc/self/status
		mount -t tmpfs x /mnt 2>/dev/null && echo mounted; umount "$PWD" 2>/dev/null && echo unmounted
		mknod blk b 254 0 2>/dev/null && echo node; ls /dev/vda /dev/sda /dev/mem 2>/dev/null || true
		(echo 1 > /proc/sys/kernel/sysrq) 2>/dev/null && echo sysctl; (echo h > /proc/sysrq-trigger) 2>/dev/null && echo sysrq
		cat /proc/1/environ >/dev/null 2>&1 && echo environ; ls /proc/1/root/ >/dev/null 2>&1 && echo root; (: < /proc/1/mem) 2>/dev/null && echo mem
		ls /proc | grep -c '^[0-9]' | { read n; test $n -lt 20 && echo few; }; true`)
	if !strings.HasSuffix(got, "NoNewPrivs:\t1\nfew\n") {
		t.Errorf("inside: %s", got)
	}
	const sysAdmin = 1 << 21
	for line := range strings.Lines(got) {
		var name string
		var set uint64
		if n, _ := fmt.Sscanf(line, "%s %x", &name, &set); n == 2 && (name == "CapEff:" || name == "CapAmb:") && set&sysAdmin != 0 {
			t.Errorf("kept the right to mount: %s", line)
		}
	}
}

// A program that forks without end fills its copy and not the machine, whose own bound stays what it was.
func TestCopyBoundsProcesses(t *testing.T) {
	home(t)
	o := options(repo(t))
	o.Method = workspace.Overlay
	c := open(t, o)
	const file = "/proc/sys/kernel/pid_max"
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := sh(t, c, "cat "+file+"; awk '/Max processes/ {print $3}' /proc/self/limits")
	first, user, _ := strings.Cut(strings.TrimSpace(got), "\n")
	bound := user
	if os.Getuid() == 0 {
		bound = first
		if first == strings.TrimSpace(string(before)) {
			t.Skip("this kernel has one bound for all process namespaces, and no other for root")
		}
	}
	if n, err := strconv.Atoi(bound); err != nil || n > 8192 {
		t.Errorf("inside: %s", got)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("the machine's bound was %s and is %s: %v", before, after, err)
	}
}

// A service of the machine cannot be reached through its socket in /run either, though its files can be read.
func TestCopyHidesTheMachinesSockets(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		testenv.Missing(t, "needs python3 to make connections")
	}
	dir, err := os.MkdirTemp("/run", "fettle-test-") //nolint:usetesting // it must lie in /run
	if err != nil {
		t.Skip("needs the right to write to /run")
	}
	defer os.RemoveAll(dir)
	write(t, filepath.Join(dir, "file"), "readable\n")
	service, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()
	home(t)
	const script = `
import socket, sys
print(open(sys.argv[1] + "/file").read(), end="")
try: socket.socket(socket.AF_UNIX).connect(sys.argv[1] + "/s"); print("reached")
except OSError: print("refused")
`
	for network, want := range map[workspace.Network]string{workspace.NetworkLoopback: "readable\nrefused\n", workspace.NetworkHost: "readable\nreached\n"} {
		o := options(repo(t))
		o.Network, o.Method = network, workspace.Overlay
		c := open(t, o)
		r, err := c.Run(t.Context(), proc.Cmd{Argv: []string{"python3", "-c", script, dir}})
		if err != nil || r.Stdout.String() != want {
			t.Errorf("%s: %v, %q %s", c.Describe(), err, r.Stdout, r.Stderr)
		}
	}
}

// A file system mounted inside the repository belongs to the baseline.
func TestCopySeesWhatIsMountedInTheTree(t *testing.T) {
	home(t)
	o := options(repo(t))
	o.Method = workspace.Overlay
	volume := filepath.Join(o.Root, "volume")
	if err := os.Mkdir(volume, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("test", volume, "tmpfs", 0, ""); err != nil {
		t.Skip("needs the right to mount")
	}
	defer func() {
		if err := syscall.Unmount(volume, 0); err != nil {
			t.Error(err)
		}
	}()
	write(t, filepath.Join(volume, "f"), "mounted\n")
	c := open(t, o)
	const script = `cat volume/f; (echo x > volume/f) 2>/dev/null || echo "read-only"`
	for range 2 {
		if got := sh(t, c, script); got != "mounted\nread-only\n" {
			t.Errorf("inside: %q", got)
		}
		if err := c.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}
