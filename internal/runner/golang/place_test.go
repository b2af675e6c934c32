package golang_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"fettle/internal/edit"
	"fettle/internal/proc"
	"fettle/internal/runner/golang"
)

// place is a temporary folder that stands in for a private copy.
type place struct {
	proc.Host
	root, scratch string
}

func (p place) Root() string                         { return p.root }
func (p place) FS() fs.FS                            { return os.DirFS(p.root) }
func (p place) Scratch() string                      { return p.scratch }
func (p place) ReadFile(path string) ([]byte, error) { return os.ReadFile(filepath.Join(p.root, path)) }

// lay makes a place with these files, given as a txtar archive.
func lay(t testing.TB, archive string) place {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := place{root: root, scratch: t.TempDir()}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func suite(p place, dir string, flags ...string) golang.Suite {
	return golang.Suite{Place: p, Dir: dir, Flags: flags, Env: map[string]string{"GOFLAGS": "", "GOWORK": "off"}}
}

// replace is the patch that replaces the n-th (from 0) occurrence of was in a file.
func replace(t testing.TB, p place, path, was, is string, n int) edit.Patch {
	t.Helper()
	src, err := p.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for ; ; n-- {
		i := indexFrom(src, was, at)
		if i < 0 {
			t.Fatalf("%q is not in %s", was, path)
		}
		if n == 0 {
			e := edit.Edit{Start: i, End: i + len(was), New: []byte(is)}
			return edit.Patch{{Path: path, Op: edit.Modify, Base: edit.Sum(src), Edits: []edit.Edit{e}}}
		}
		at = i + 1
	}
}
