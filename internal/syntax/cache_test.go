package syntax_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"fettle/internal/syntax"
)

// keepIn has the grammars kept in a folder for the time of a test.
func keepIn(t testing.TB, dir string) {
	t.Helper()
	was := syntax.CacheDir(dir)
	t.Cleanup(func() { syntax.CacheDir(was) })
}

// kept are the files below a folder.
func kept(t testing.TB, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func anew(t testing.TB) {
	t.Helper()
	tree, err := syntax.Anew(t.Context(), syntax.Go, []byte("package p\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tree.Root().String(), "(source_file (package_clause (package_identifier)))"; got != want {
		t.Fatalf("%s, want %s", got, want)
	}
}

// TestKept: the second start finds what the first has compiled, and mends what is damaged.
func TestKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "when", "needed")
	keepIn(t, dir)
	anew(t)
	files := kept(t, dir)
	if len(files) != 1 {
		t.Fatalf("kept are %q", files)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v (%v)", info.Mode(), err)
	}
	first, err := os.Stat(files[0])
	if err != nil {
		t.Fatal(err)
	}
	anew(t)
	if again, err := os.Stat(files[0]); err != nil || !os.SameFile(first, again) {
		t.Errorf("it was compiled again (%v)", err)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"empty": nil, "cut short": whole[:len(whole)/2], "something else": []byte("something else, and long enough to be read as a header")} {
		if err := os.WriteFile(files[0], content, 0o600); err != nil {
			t.Fatal(err)
		}
		anew(t) // finds the damage
		anew(t) // compiles it once more
		if now, err := os.ReadFile(files[0]); err != nil || len(now) != len(whole) {
			t.Errorf("%s: not mended: %d bytes, %v", name, len(now), err)
		}
	}
}

// TestNotKept: machine code is taken from a folder that is the user's alone, or not at all; sources are read all the same.
func TestNotKept(t *testing.T) {
	open := filepath.Join(t.TempDir(), "open")
	if err := os.Mkdir(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	target := t.TempDir()
	if err := os.Chmod(target, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", open, file, filepath.Join(file, "below"), link} {
		keepIn(t, dir)
		anew(t)
	}
	for _, dir := range []string{open, target} {
		if files := kept(t, dir); len(files) > 0 {
			t.Errorf("kept in %s: %q", dir, files)
		}
	}
}
