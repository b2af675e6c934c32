package workspace_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"fettle/internal/proc"
	"fettle/internal/workspace"
)

func TestCopyOneCopyInOneState(t *testing.T) {
	home(t)
	o := options(repo(t))
	c := open(t, o)
	if _, err := workspace.OpenCopy(t.Context(), o); err == nil {
		t.Fatal("two copies in one private folder")
	}
	if n, err := workspace.CleanCopies(filepath.Dir(o.State)); n != 0 || err != nil {
		t.Errorf("cleaned %d living copies, %v", n, err)
	}
	sh(t, c, "cat main.py")
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Run(t.Context(), proc.Cmd{Argv: []string{"true"}}); err == nil {
		t.Error("runs after Close")
	}
}

// A power cut may leave a copy's folder without its lock.
func TestCopyThatLostItsLock(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "7-1", "scratch", "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	if n, err := workspace.CleanCopies(dir); n != 1 || err != nil {
		t.Errorf("cleaned %d, %v", n, err)
	}
	if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestCopyCacheIsKeptForTheNext(t *testing.T) {
	h := home(t)
	root := repo(t)
	private := filepath.Join(root, ".git", "fettle")
	o := workspace.CopyOptions{Root: root, Mask: []string{private}, CacheDir: filepath.Join(private, "cache"), Method: workspace.Overlay}
	check := func(n string) *workspace.Copy {
		o := o
		o.State, o.KeepCache = filepath.Join(private, n), true
		return open(t, o)
	}
	first := check("first")
	sh(t, first, `mkdir -p "$HOME/.cache"; echo warm > "$HOME/.cache/x"; echo mine > main.py`)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	o.State = filepath.Join(private, "candidate")
	candidate := open(t, o)
	if got := sh(t, candidate, `cat "$HOME/.cache/x" main.py; echo poison > "$HOME/.cache/x"`); got != "warm\nprint('hi')\n" {
		t.Errorf("a candidate starts with %q", got)
	}
	second, third := check("second"), check("third")
	for _, c := range []*workspace.Copy{second, third} {
		if got := sh(t, c, `cat "$HOME/.cache/x"`); got != "warm\n" {
			t.Errorf("the next check finds %q", got)
		}
	}
	if found, _ := os.ReadDir(h); len(found) > 0 {
		t.Errorf("written to HOME: %v", found)
	}
}

// The repository may lie inside the cache folder: its candidates get an overlay all the same, and see what the user has cached.
func TestCopyInsideTheCache(t *testing.T) {
	h := home(t)
	root := filepath.Join(h, ".cache", "trees", "repo")
	write(t, filepath.Join(root, "f"), "one\n")
	write(t, filepath.Join(h, ".cache", "x"), "user's\n")
	private := filepath.Join(root, ".git", "fettle")
	o := workspace.CopyOptions{Root: root, Mask: []string{private}, CacheDir: filepath.Join(private, "cache"), Method: workspace.Overlay}
	for i, keep := range []bool{true, false, true} {
		o.State, o.KeepCache = filepath.Join(private, strconv.Itoa(i)), keep
		c := open(t, o)
		if got := sh(t, c, `cat f "$HOME/.cache/x"; echo two > f; touch "$HOME/.cache/y"`); got != "one\nuser's\n" {
			t.Errorf("copy %d sees %q", i, got)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(h, ".cache", "y")); err == nil {
		t.Error("written to the user's cache")
	}
}

// Settings that a check writes to HOME pass with it: later checks see the user's own.
func TestCopySettingsAreNotKept(t *testing.T) {
	h := home(t)
	root := repo(t)
	private := filepath.Join(root, ".git", "fettle")
	o := workspace.CopyOptions{Root: root, Mask: []string{private}, CacheDir: filepath.Join(private, "cache"), KeepCache: true, Method: workspace.Overlay}
	write(t, filepath.Join(h, "conf"), "user\n")
	for i, want := range []string{"user\n", "user, later\n", ""} {
		o.State = filepath.Join(private, strconv.Itoa(i))
		c := open(t, o)
		if got := sh(t, c, `cat "$HOME/conf" 2>/dev/null || true; echo check >> "$HOME/conf"; mkdir -p "$HOME/.cache"; echo x >> "$HOME/.cache/x"`); got != want {
			t.Errorf("check %d sees %q, want %q", i, got, want)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			write(t, filepath.Join(h, "conf"), "user, later\n")
		} else if err := os.RemoveAll(filepath.Join(h, "conf")); err != nil {
			t.Fatal(err)
		}
	}
}

// The repository may lie on a file system of its own, mounted below HOME.
func TestCopyOnAMountBelowHome(t *testing.T) {
	h := home(t)
	disk := filepath.Join(h, "disk")
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
	write(t, filepath.Join(disk, "beside"), "beside\n")
	root := filepath.Join(disk, "repo")
	write(t, filepath.Join(root, "f"), "one\n")
	c := open(t, workspace.CopyOptions{Root: root, State: filepath.Join(root, ".git", "fettle", "1"), Method: workspace.Overlay})
	for range 2 {
		got := sh(t, c, `cat f ../beside; echo two > f; cat f; touch ../x 2>/dev/null || echo closed; echo h > "$HOME/x"`)
		if want := "one\nbeside\ntwo\nclosed\n"; got != want {
			t.Errorf("inside: %q, want %q", got, want)
		}
		if err := c.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if found, _ := os.ReadDir(h); len(found) != 1 {
		t.Errorf("written to HOME: %v", found)
	}
}

func TestCopySharedFolder(t *testing.T) {
	home(t)
	common := filepath.Join(t.TempDir(), "main", ".git")
	write(t, filepath.Join(common, "config"), "[core]\n")
	write(t, filepath.Join(common, "fettle", "state"), "private\n")
	root := filepath.Join(t.TempDir(), "worktree")
	write(t, filepath.Join(root, "f"), "one\n")
	c := open(t, workspace.CopyOptions{Root: root, State: filepath.Join(common, "fettle", "copy"), Mask: []string{filepath.Join(common, "fettle")},
		Shared: []string{common}, Method: workspace.Overlay})
	if got := sh(t, c, `cat "$1/config"; echo x >> "$1/config"; echo x > "$1/index"; ls "$1/fettle/state" 2>/dev/null || echo masked`, common); got != "[core]\nmasked\n" {
		t.Errorf("inside: %q", got)
	}
	if b, _ := os.ReadFile(filepath.Join(common, "config")); string(b) != "[core]\n" {
		t.Errorf("outside: %q", b)
	}
	if _, err := os.Stat(filepath.Join(common, "index")); err == nil {
		t.Error("written outside")
	}
}

// A file system that cannot carry an upper layer (another overlay, as in most containers) is no hindrance: memory can. That holds
// for the caches too, which then are not kept.
func TestCopyKeepsWritesInMemoryWhereItMust(t *testing.T) {
	home(t)
	dir := t.TempDir()
	for _, name := range []string{"lower", "upper", "work", "merged"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	layers := "lowerdir=" + dir + "/lower,upperdir=" + dir + "/upper,workdir=" + dir + "/work"
	if err := syscall.Mount("test", filepath.Join(dir, "merged"), "overlay", 0, layers); err != nil {
		t.Skip("needs the right to mount")
	}
	defer func() {
		if err := syscall.Unmount(filepath.Join(dir, "merged"), 0); err != nil {
			t.Error(err)
		}
	}()
	o := options(repo(t))
	o.State, o.CacheDir, o.KeepCache = filepath.Join(dir, "merged", "copy"), filepath.Join(dir, "merged", "cache"), true
	c := open(t, o)
	if c.Method() != workspace.Overlay || !strings.Contains(c.Describe(), "in memory") {
		t.Fatalf("opened as %s", c.Describe())
	}
	for range 2 {
		sh(t, c, `echo more >> main.py; rm docs/one.md; echo out > "$1/out"`, c.Scratch())
		if p := changes(t, c); len(p) != 2 {
			t.Errorf("changed %v", p.Paths())
		}
		if b, err := os.ReadFile(filepath.Join(c.Scratch(), "out")); string(b) != "out\n" {
			t.Errorf("scratch outside: %q, %v", b, err)
		}
		if err := c.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}
