package workspace_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"

	"fettle/internal/proc/inside"
	"fettle/internal/proc/landlock"
	"fettle/internal/testenv"
	"fettle/internal/workspace"
)

// A door leads from a copy without any network to us, and nowhere else.
func TestCopyDoor(t *testing.T) {
	testenv.NeedTool(t, "bash")
	home(t)
	each(t, func(t *testing.T, m workspace.Method) {
		o := options(repo(t))
		o.Method, o.Network = m, workspace.NetworkLoopback
		c := open(t, o)
		for range 2 { // a door of a copy that was reset leads to us as well
			l, err := c.Listen(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			greet(t, l)
			if s := sh(t, c, "bash -c 'exec 3<>/dev/tcp/127.0.0.1/"+port(l)+"; cat <&3'"); s != "hello" {
				t.Errorf("through the door came %q", s)
			}
			l.Close()
			if err := c.Reset(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		c.Close()
		if l, err := c.Listen(t.Context()); err == nil {
			l.Close()
			t.Error("a copy that is closed has a door")
		}
	})
}

// Where commands have no network of their own, Landlock lets them connect to the door's port alone.
func TestPortThroughLandlock(t *testing.T) {
	testenv.NeedTool(t, "bash")
	if landlock.Version() < 4 {
		testenv.Missing(t, "needs a kernel whose Landlock knows TCP")
	}
	door, other := listen(t), listen(t)
	greet(t, door)
	greet(t, other)
	dir := t.TempDir()
	h, err := inside.Open(inside.Spaces{}, inside.Config{Writable: []string{dir}, NoTCP: true, Port: door.Addr().(*net.TCPAddr).AddrPort().Port()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for _, tc := range []struct {
		to   net.Listener
		want string
	}{{door, "hello"}, {other, ""}} {
		out := filepath.Join(dir, port(tc.to))
		null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		script := fmt.Sprintf("exec 3<>/dev/tcp/127.0.0.1/%s && cat <&3 >%s", port(tc.to), out)
		p, err := h.Launch(inside.Command{Argv: []string{"bash", "-c", script}, Dir: dir, Env: os.Environ()}, [3]*os.File{null, null, null})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Wait(); err != nil {
			t.Fatal(err)
		}
		if b, _ := os.ReadFile(out); string(b) != tc.want {
			t.Errorf("from %s came %q, want %q", tc.to.Addr(), b, tc.want)
		}
		null.Close()
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// greet says hello to whoever comes through a door.
func greet(t *testing.T, l net.Listener) {
	t.Helper()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, "hello")
			c.Close()
		}
	}()
}

func port(l net.Listener) string {
	_, p, _ := net.SplitHostPort(l.Addr().String())
	return p
}
