package inside

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

func wires(t *testing.T) (a, b *wire) {
	t.Helper()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if a, err = newWire(pair[0], "a"); err != nil {
		t.Fatal(err)
	}
	if b, err = newWire(pair[1], "b"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = a.Close(), b.Close() })
	return a, b
}

// Many senders, long messages, and a file with each: every message comes whole, with its own file.
func TestWireKeepsMessagesApart(t *testing.T) {
	a, b := wires(t)
	dir := t.TempDir()
	var wg sync.WaitGroup
	const n = 50
	for i := range n {
		wg.Go(func() {
			name := filepath.Join(dir, strings.Repeat("x", i+1))
			f, err := os.Create(name)
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Close()
			if err := a.send(request{ID: int64(i + 1), Op: strings.Repeat("long ", 20000)}, int(f.Fd())); err != nil {
				t.Error(err)
			}
		})
	}
	for range n {
		var r request
		fds, err := b.receive(&r)
		if err != nil || len(fds) != 1 || len(r.Op) != 100000 {
			t.Fatalf("%v, %d files, %d bytes", err, len(fds), len(r.Op))
		}
		name, err := os.Readlink(fdPath(fds[0]))
		if err != nil || len(filepath.Base(name)) != int(r.ID) {
			t.Errorf("message %d came with %s, %v", r.ID, name, err)
		}
		closeAll(fds)
	}
	wg.Wait()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	var r request
	if _, err := b.receive(&r); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

func TestWireRefusesWhatIsNoMessage(t *testing.T) {
	for name, raw := range map[string]string{"too long": "\xff\xff\xff\xff", "no JSON": "\x00\x00\x00\x03abc", "cut off": "\x00\x00\x00\x09{}", "head cut off": "\x00"} {
		a, b := wires(t)
		if _, err := a.f.WriteString(raw); err != nil {
			t.Fatal(err)
		}
		a.hangUp()
		var r request
		if _, err := b.receive(&r); err == nil {
			t.Errorf("%s: taken for a message", name)
		}
	}
}

// The kernel escapes space, tab, newline and backslash in mount tables, as octal.
func TestUnescapeIsTheInverse(t *testing.T) {
	escape := strings.NewReplacer(" ", `\040`, "\t", `\011`, "\n", `\012`, `\`, `\134`)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.RuneFrom([]rune(" \t\n\\01234a/é"))).Draw(t, "path")
		if got := unescape(escape.Replace(s)); got != s {
			t.Fatalf("%q becomes %q", s, got)
		}
	})
}

func TestBelow(t *testing.T) {
	for _, tc := range []struct {
		path, dir string
		want      bool
	}{{"/a/b", "/a", true}, {"/a", "/a", true}, {"/ab", "/a", false}, {"/a", "/", true}, {"/", "/a", false}} {
		if got := below(tc.path, tc.dir); got != tc.want {
			t.Errorf("%s below %s: %v", tc.path, tc.dir, got)
		}
	}
}
