package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/workspace"
)

const formatter = `
	echo "changed" >> main.py; printf 'package pkg\n\nvar B = 2\n' > pkg/b.go; rm docs/one.md; rm -r old; chmod 755 pkg/a.go
	mkdir -p made/by; printf 'new\r\n' > "made/by/it now.txt"; mkdir -p __pycache__ ignored/more; echo cache > __pycache__/x.pyc
	mv run.sh moved.sh; mkfifo pipe; touch node_modules/dep/other.js; rm pkg/b.go; printf 'package pkg\n\nvar B = 3\n' > pkg/b.go`

func TestCopyChangesAreAPatch(t *testing.T) {
	home(t)
	each(t, func(t *testing.T, m workspace.Method) {
		o := options(repo(t))
		o.Method = m
		c := open(t, o)
		if p := changes(t, c); len(p) != 0 {
			t.Fatalf("at the baseline: %v", p.Paths())
		}
		sh(t, c, formatter)
		p := changes(t, c)
		var got []string
		for _, ch := range p {
			got = append(got, fmt.Sprintf("%s %s %o", ch.Op, ch.Path, ch.Mode))
		}
		want := "delete docs/one.md 0\ncreate made/by/it now.txt 644\nmodify main.py 0\ncreate moved.sh 755\ndelete old/deep/er.txt 0\n" +
			"modify pkg/a.go 755\nmodify pkg/b.go 0\ndelete run.sh 0"
		if s := strings.Join(got, "\n"); s != want {
			t.Errorf("got\n%s\nwant\n%s", s, want)
		}
		after, err := p.Apply(diskSource(o.Root))
		if err != nil {
			t.Fatal(err)
		}
		if s := string(after["main.py"].Data); s != "print('hi')\nchanged\n" {
			t.Errorf("main.py becomes %q", s)
		}
		if err := c.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		if p := changes(t, c); len(p) != 0 {
			t.Errorf("after Reset: %v", p.Paths())
		}
		// The same patch, applied to the fresh copy, makes the same state.
		if err := c.Apply(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		again := changes(t, c)
		if a, b := p.Digest(), again.Digest(); a != b {
			t.Errorf("applied, the patch reads %v, was %v", again, p)
		}
		if err := c.Apply(t.Context(), p); err == nil {
			t.Error("applied twice")
		}
	})
}

func diskSource(root string) edit.Source {
	return func(path string) (edit.File, error) {
		b, err := os.ReadFile(filepath.Join(root, path))
		if errors.Is(err, fs.ErrNotExist) {
			return edit.File{}, nil
		}
		return edit.File{Data: b, Mode: 0o644, Exists: true}, err
	}
}

func changes(t testing.TB, c *workspace.Copy) edit.Patch {
	t.Helper()
	p, err := c.Changes(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCopyResetIsTheBaseline(t *testing.T) {
	h := home(t)
	each(t, func(t *testing.T, m workspace.Method) {
		o := options(repo(t))
		o.Method = m
		c := open(t, o)
		list := `find . -path ./.git/fettle -prune -o ! -type d -printf '%p %m %s %T@\n' | sort; find "$HOME"`
		before := sh(t, c, list)
		for range 3 {
			sh(t, c, formatter+`; echo x > "$HOME/poison" 2>/dev/null || true; chmod 000 pkg; mkdir docs/one.md`)
			if err := c.Reset(t.Context()); err != nil {
				t.Fatal(err)
			}
			if after := sh(t, c, list); after != before {
				t.Errorf("after Reset:\n%s\nbefore:\n%s", after, before)
			}
		}
	})
	if found, _ := os.ReadDir(h); len(found) > 0 {
		t.Errorf("written to HOME: %v", found)
	}
}

func TestCopyResetFollowsTheTree(t *testing.T) {
	home(t)
	each(t, func(t *testing.T, m workspace.Method) {
		o := options(repo(t))
		o.Method = m
		c := open(t, o)
		sh(t, c, `cat main.py docs/one.md >/dev/null; ! test -e new.txt; echo mine >> pkg/a.go`)
		write(t, filepath.Join(o.Root, "main.py"), "print('changed')\n")
		write(t, filepath.Join(o.Root, "new.txt"), "new\n")
		if err := os.Remove(filepath.Join(o.Root, "docs", "one.md")); err != nil {
			t.Fatal(err)
		}
		if err := c.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, want := sh(t, c, `cat main.py new.txt pkg/a.go; ls docs`), "print('changed')\nnew\npackage pkg\n"; got != want {
			t.Errorf("inside after Reset: %q, want %q", got, want)
		}
		if p := changes(t, c); len(p) != 0 {
			t.Errorf("differs from the tree: %v", p.Paths())
		}
	})
}

// What checks do to the folders around the tree is gone too, whatever it is.
func TestCopyResetCleansTheSurroundings(t *testing.T) {
	h := home(t)
	write(t, filepath.Join(h, "settings"), "mine\n")
	c := open(t, options(repo(t)))
	if c.Method() != workspace.Overlay {
		t.Skip("no overlay here")
	}
	look := `stat -c '%a %u %g %n' "$HOME" /tmp /var/tmp; cd "$HOME"; find . -printf '%p %m %s\n' | sort; ls -d /tmp/fettle-harm* /var/tmp/fettle-harm* || true`
	before := sh(t, c, look)
	for _, harm := range []string{
		`chmod 700 "$HOME"`, `rm "$HOME/settings"`, `echo more >> "$HOME/settings"`, `touch "$HOME/.x"`, `chmod 600 "$HOME/settings"`,
		`mkdir -p /tmp/fettle-harm/deep`, `touch /var/tmp/fettle-harm; ln -s / "$HOME/root"`, `true`, `mv "$HOME/settings" "$HOME/other"`,
	} {
		sh(t, c, harm)
		if err := c.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		if after := sh(t, c, look); after != before {
			t.Errorf("after %s and Reset:\n%s\nbefore:\n%s", harm, after, before)
		}
	}
}

func TestCopyReadFile(t *testing.T) {
	home(t)
	each(t, func(t *testing.T, m workspace.Method) {
		o := options(repo(t))
		o.Method = m
		c := open(t, o)
		sh(t, c, `echo two > main.py; rm docs/one.md; mkfifo pipe; ln -s /etc out; ln -s /etc/passwd passwd`)
		if b, err := c.ReadFile("main.py"); string(b) != "two\n" || err != nil {
			t.Errorf("%q, %v", b, err)
		}
		for name, want := range map[string]string{"docs/one.md": "no such file", "nowhere/x": "no such file", "pipe": "fifo", "pkg": "folder",
			"out/passwd": "escapes", "passwd": "symbolic link", "../x": "escapes", "/etc/passwd": "escapes"} {
			_, err := c.ReadFile(name)
			if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "file does not exist", "no such file"), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	})
}
