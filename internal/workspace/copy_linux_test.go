package workspace_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/proc"
	"fettle/internal/workspace"
)

// repo makes a small tree with everything a repository can hold, below a folder with an awkward name.
func repo(t testing.TB) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "a repo: with, commas=yes")
	for name, text := range map[string]string{
		"main.py": "print('hi')\n", "pkg/a.go": "package pkg\n", "pkg/b.go": "package pkg\n\nvar B = 1\n", "docs/one.md": "# one\n",
		"run.sh": "#!/bin/sh\necho run\n", ".gitignore": "ignored/\n", "ignored/input.bin": "\x00\x01", "old/deep/er.txt": "deep\n",
		".git/HEAD": "ref: refs/heads/main\n", ".git/fettle/secret": "state\n", "node_modules/dep/index.js": "x\n",
	} {
		write(t, filepath.Join(root, name), text)
	}
	if err := os.Chmod(filepath.Join(root, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("main.py", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	return root
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func options(root string) workspace.CopyOptions {
	private := filepath.Join(root, ".git", "fettle")
	return workspace.CopyOptions{Root: root, State: filepath.Join(private, "copies", "1"), Mask: []string{private}, Network: workspace.NetworkLoopback}
}

func open(t testing.TB, o workspace.CopyOptions) *workspace.Copy {
	t.Helper()
	c, err := workspace.OpenCopy(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// home gives the test a HOME of its own.
func home(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	return dir
}

// sh runs a script in the copy and returns what it printed. It must exit with 0.
func sh(t testing.TB, c *workspace.Copy, script string, args ...string) string {
	t.Helper()
	r, err := c.Run(context.Background(), proc.Cmd{Argv: append([]string{"sh", "-euc", script, "sh"}, args...)})
	if err != nil {
		t.Fatal(err)
	}
	if !r.OK() {
		t.Fatalf("%s: %s with %d: %s%s", script, r.Ended, r.Code, r.Stdout, r.Stderr)
	}
	return r.Stdout.String()
}

// each runs a test with a method of either kind: at the original path, and as a copy at another.
func each(t *testing.T, test func(t *testing.T, m workspace.Method)) {
	for _, m := range []workspace.Method{workspace.Overlay, workspace.PlainCopy} {
		t.Run(string(m), func(t *testing.T) { test(t, m) })
	}
}

// snapshot is every file of a tree but git's, with content and mode.
func snapshot(t testing.TB, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		out[rel] = info.Mode().String()
		if info.Mode().IsRegular() {
			b, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			out[rel] += string(b)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func equal(t *testing.T, got, want map[string]string, what string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %s is %q, want %q", what, name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s should not be there", what, name)
		}
	}
}

func TestCopyTheWholeBaselineIsSeen(t *testing.T) {
	home(t)
	each(t, func(t *testing.T, m workspace.Method) {
		o := options(repo(t))
		o.Method = m
		c := open(t, o)
		if m == workspace.Overlay && c.Root() != o.Root {
			t.Errorf("seen at %s", c.Root())
		}
		got := sh(t, c, `cd "$1"; find . -path ./.git/fettle -prune -o -print | sort; cat ignored/input.bin | wc -c; readlink link; ./run.sh; cat .git/HEAD; pwd`, c.Root())
		for _, want := range []string{"./node_modules/dep/index.js", "./old/deep/er.txt", "\n2\n", "\nmain.py\n", "\nrun\n", "refs/heads/main", "./.gitignore"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q is missing from\n%s", want, got)
			}
		}
	})
}

func TestCopyWritesStayInside(t *testing.T) {
	h := home(t)
	write(t, filepath.Join(h, ".cache/warm"), "warm\n")
	outside := t.TempDir()
	write(t, filepath.Join(outside, "kept"), "kept\n")
	o := options(repo(t))
	o.Method = workspace.Overlay
	before, beforeHome, beforeOut := snapshot(t, o.Root), snapshot(t, h), snapshot(t, outside)
	c := open(t, o)
	got := sh(t, c, `
		cat "$HOME/.cache/warm"; echo x > "$HOME/.cache/warm"; echo new > "$HOME/new"; cat "$HOME/.cache/warm" "$HOME/new"
		echo changed > main.py; rm -r old; mkdir made; echo y > made/it; chmod 600 run.sh; ln -sf /etc/passwd link
		echo z > "$1/kept"; echo z > "$1/new"; touch /tmp/fettle-stray-$$ /var/tmp/fettle-stray-$$ /dev/shm/fettle-stray-$$
		for f in /etc/fettle-test /usr/fettle-test /fettle-test; do if (echo bad > $f) 2>/dev/null; then echo "wrote $f"; rm $f; fi; done
		echo to null > /dev/null`, outside)
	if got != "warm\nx\nnew\n" {
		t.Errorf("printed %q", got)
	}
	equal(t, snapshot(t, o.Root), before, "repository")
	equal(t, snapshot(t, h), beforeHome, "home")
	equal(t, snapshot(t, outside), beforeOut, "another temporary folder")
	for _, pattern := range []string{"/tmp/fettle-stray-*", "/var/tmp/fettle-stray-*", "/dev/shm/fettle-stray-*", "/etc/fettle-test"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			t.Errorf("left outside: %v", found)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(o.State); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the layers are still there: %v", err)
	}
}

// What `go env -w` has written down counts like the environment: Go's caches may be written to wherever they are, and nothing of it stays outside.
// An ordinary user, as whom the other tests of copies run too, cannot make a folder where this one needs it.
func TestGoEnvInCopies(t *testing.T) {
	h := home(t)
	t.Setenv("GOENV", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	place, err := os.MkdirTemp(".", "goenv") //nolint:usetesting // in a folder for temporary files it may write anyway
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(place) })
	if place, err = filepath.Abs(place); err != nil {
		t.Fatal(err)
	}
	settings := []string{"# mine"}
	for _, name := range []string{"GOCACHE", "GOTMPDIR", "GOPATH"} {
		t.Setenv(name, "")
		write(t, filepath.Join(place, name, "kept"), "kept\n")
		settings = append(settings, name+"="+filepath.Join(place, name))
	}
	write(t, filepath.Join(h, ".config/go/env"), strings.Join(settings, "\n"))
	write(t, filepath.Join(place, "other/kept"), "kept\n")
	o := options(repo(t))
	o.Method = workspace.Overlay
	before := snapshot(t, place)
	c := open(t, o)
	want := "GOCACHE\nGOTMPDIR\nGOPATH\n"
	if strings.HasPrefix(place, "/tmp/") || strings.HasPrefix(place, "/var/tmp/") || strings.HasPrefix(place, os.TempDir()) {
		want += "other\n" // this checkout lies in such a folder itself
	}
	if got := sh(t, c, `for d in GOCACHE GOTMPDIR GOPATH other; do if (echo x > "$1/$d/new") 2>/dev/null; then echo "$d"; fi; done`, place); got != want {
		t.Errorf("it can write to %q", got)
	}
	equal(t, snapshot(t, place), before, "Go's folders")
}

func TestCopyCannotWriteElsewhere(t *testing.T) {
	h := home(t)
	each(t, func(t *testing.T, m workspace.Method) {
		o := options(repo(t))
		o.Method = m
		before := snapshot(t, o.Root)
		c := open(t, o)
		sh(t, c, `for f in "$1/main.py" "$1/new" "$HOME/x" /etc/fettle-test; do (echo bad > "$f") 2>/dev/null || true; done; echo mine > main.py; echo t > "${TMPDIR:-/tmp}/x"; rm -rf "$1/old" 2>/dev/null || true`, o.Root)
		equal(t, snapshot(t, o.Root), before, "repository")
		if found, _ := os.ReadDir(h); len(found) > 0 {
			t.Errorf("written to HOME: %v", found)
		}
		if _, err := os.Stat("/etc/fettle-test"); err == nil {
			t.Error("written to /etc")
		}
	})
}

// The tree is seen without fettle's state: at its own path it is empty there, and from a copy at another path Landlock keeps it from being read. Where there is none, the copy says so.
func TestCopyPrivateStateIsMasked(t *testing.T) {
	home(t)
	each(t, func(t *testing.T, m workspace.Method) {
		o := options(repo(t))
		o.Method = m
		c := open(t, o)
		if strings.Contains(c.Describe(), "fettle's own state, and what is personal in HOME, can be read inside") == c.HoldsWrites() {
			t.Errorf("it is described as %s", c.Describe())
		}
		if m != workspace.Overlay {
			if got := sh(t, c, `cat "$1"/main.py; cat "$1"/.git/fettle/secret 2>/dev/null || echo "not read"`, o.Root); c.HoldsWrites() && got != "print('hi')\nnot read\n" {
				t.Errorf("inside: %q", got)
			}
			return
		}
		got := sh(t, c, `find .git/fettle -type f; ls .git/fettle/copies/1; echo x > .git/fettle/y 2>/dev/null && echo written || echo "not written"`)
		if got != "scratch\nnot written\n" {
			t.Errorf("inside: %q", got)
		}
	})
}

func TestCopyScratchHasOnePath(t *testing.T) {
	home(t)
	each(t, func(t *testing.T, m workspace.Method) {
		o := options(repo(t))
		o.Method = m
		c := open(t, o)
		write(t, filepath.Join(c.Scratch(), "in"), "from outside\n")
		if got := sh(t, c, `cat "$1/in"; echo from inside > "$1/out"`, c.Scratch()); got != "from outside\n" {
			t.Errorf("inside: %q", got)
		}
		if b, err := os.ReadFile(filepath.Join(c.Scratch(), "out")); string(b) != "from inside\n" {
			t.Errorf("outside: %q, %v", b, err)
		}
		if err := c.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		if found, _ := os.ReadDir(c.Scratch()); len(found) > 0 {
			t.Errorf("after Reset: %v", found)
		}
		sh(t, c, `echo again > "$1/out"`, c.Scratch())
	})
}

func TestCopySymlinkedAndNestedRoots(t *testing.T) {
	h := home(t) // below /tmp; the repository below HOME
	root := filepath.Join(h, "src", "project")
	write(t, filepath.Join(root, "file"), "one\n")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	for _, r := range []string{root, link} {
		c := open(t, workspace.CopyOptions{Root: r, State: filepath.Join(h, ".state", "copy"), Method: workspace.Overlay})
		sh(t, c, `cat "$1/file"; echo two > "$1/file"; echo three > "$HOME/file"`, r)
		if p := changes(t, c); len(p) != 1 || p[0].Path != "file" {
			t.Errorf("%s: changed %v", r, p.Paths())
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(root, "file")); string(b) != "one\n" {
		t.Errorf("outside: %q", b)
	}
}
