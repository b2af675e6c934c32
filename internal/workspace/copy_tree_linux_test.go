package workspace_test

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"fettle/internal/proc"
	"fettle/internal/workspace"
)

// A plain copy says what it left out, and keeps what a copy can keep.
func TestCopyOfOddFiles(t *testing.T) {
	home(t)
	o := options(repo(t))
	o.Method = workspace.PlainCopy
	if err := syscall.Mkfifo(filepath.Join(o.Root, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(o.Root, "sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := os.Link(filepath.Join(o.Root, "main.py"), filepath.Join(o.Root, "second name")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(o.Root, "secret"), "x")
	if err := os.Chmod(filepath.Join(o.Root, "secret"), 0); err != nil {
		t.Fatal(err)
	}
	sparse := filepath.Join(o.Root, "large")
	write(t, sparse, "")
	if err := os.Truncate(sparse, 30<<20); err != nil {
		t.Fatal(err)
	}
	c := open(t, o)
	for _, want := range []string{"pipe is a fifo", "sock is a socket", "Landlock", "loopback only"} {
		if !strings.Contains(c.Describe(), want) {
			t.Errorf("%q is missing from %q", want, c.Describe())
		}
	}
	if os.Getuid() != 0 && !strings.Contains(c.Describe(), "secret cannot be read") {
		t.Errorf("does not say what it could not read: %s", c.Describe())
	}
	got := sh(t, c, `test main.py -ef "second name" && echo linked; stat -c %s large; echo more >> "second name"; cat main.py`)
	if got != "linked\n31457280\nprint('hi')\nmore\n" {
		t.Errorf("inside: %q", got)
	}
	p := changes(t, c)
	if len(p) != 2 || p[0].Path != "main.py" || p[1].Path != "second name" {
		t.Errorf("changed: %v", p.Paths())
	}
}

func TestCopyMethodsThatDoNotWorkSayWhy(t *testing.T) {
	home(t)
	o := options(repo(t))
	o.Method = "magic"
	if _, err := workspace.OpenCopy(t.Context(), o); err == nil || !strings.Contains(err.Error(), "magic") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(o.State); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("leaves its folder behind: %v", err)
	}
	o = options(repo(t))
	o.Root = filepath.Join(o.Root, "nowhere")
	if _, err := workspace.OpenCopy(t.Context(), o); err == nil {
		t.Error("a copy of nothing")
	}
	o.Root = "relative"
	if _, err := workspace.OpenCopy(t.Context(), o); err == nil {
		t.Error("a copy of a relative path")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := workspace.OpenCopy(ctx, options(repo(t))); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestCopyProbe(t *testing.T) {
	home(t)
	works := map[workspace.Method]bool{}
	for _, c := range workspace.Probe(t.Context()) {
		works[c.Method] = c.Works
		if c.Detail == "" || strings.Contains(c.Detail, "\n") {
			t.Errorf("%s: %q", c.Method, c.Detail)
		}
	}
	if len(works) != 3 || !works[workspace.PlainCopy] {
		t.Errorf("%v", works)
	}
}

func TestCopyLeaksNothing(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	h := t.TempDir()
	t.Setenv("HOME", h)
	descriptors := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	once := func(m workspace.Method) {
		o := options(repo(t))
		o.Method, o.CacheDir, o.KeepCache = m, filepath.Join(t.TempDir(), "cache"), true
		c, err := workspace.OpenCopy(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if _, err := c.Run(t.Context(), proc.Cmd{Argv: []string{"true"}}); err != nil {
				t.Fatal(err)
			}
			changes(t, c)
			if err := c.Reset(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Errorf("closing twice: %v", err)
		}
	}
	for _, m := range []workspace.Method{workspace.Overlay, workspace.PlainCopy} {
		once(m)
		before := descriptors()
		once(m)
		if after := descriptors(); after > before {
			t.Errorf("%s: %d descriptors, were %d", m, after, before)
		}
	}
}

// A copy has the tree's hard links, follows them, and shares no file with anything outside.
func TestCopyOfLinkedFiles(t *testing.T) {
	home(t)
	o := options(repo(t))
	o.Method = workspace.PlainCopy
	store := filepath.Join(t.TempDir(), "in-the-store")
	write(t, store, "stored\n")
	at := func(name string) string { return filepath.Join(o.Root, name) }
	for _, link := range [][2]string{{store, at("dep.js")}, {at("main.py"), at("pkg/same.py")}} {
		if err := os.Link(link[0], link[1]); err != nil {
			t.Fatal(err)
		}
	}
	c := open(t, o)
	look := func(want string) {
		t.Helper()
		if got := sh(t, c, `test main.py -ef pkg/same.py && echo linked; stat -c %h dep.js main.py; cat dep.js pkg/same.py`); got != want {
			t.Errorf("inside: %q, want %q", got, want)
		}
	}
	look("linked\n1\n2\nstored\nprint('hi')\n")
	for range 2 {
		sh(t, c, `echo more >> dep.js; echo more >> main.py; rm pkg/same.py`)
		if p := changes(t, c); len(p) != 3 {
			t.Errorf("changed: %v", p.Paths())
		}
		if b, err := os.ReadFile(store); err != nil || string(b) != "stored\n" {
			t.Errorf("the store holds %q (%v)", b, err)
		}
		if err := c.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		look("linked\n1\n2\nstored\nprint('hi')\n")
	}
	if err := os.Remove(at("pkg/same.py")); err != nil {
		t.Fatal(err)
	}
	write(t, at("pkg/same.py"), "apart\n")
	if err := c.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	look("1\n1\nstored\napart\n")
	if p := changes(t, c); len(p) != 0 {
		t.Errorf("changed: %v", p.Paths())
	}
}
