package path_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fettle/internal/policy/path"
)

func TestRel(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(base, "repo")
	if err := os.MkdirAll(filepath.Join(root, "src", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(base, "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc", filepath.Join(root, "out")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ cwd, root, typed, want string }{
		{root, root, "a.go", "a.go"},
		{root, root, "./src/../a.go", "a.go"},
		{root, root, ".", "."},
		{root + "/src", root, "a.go", "src/a.go"},
		{root + "/src/deep", root, "../../a.go", "a.go"},
		{base, root, "repo/new/file.go", "new/file.go"},
		{base, root, root + "/src//x.go", "src/x.go"},
		{base, root, link + "/src/x.go", "src/x.go"},
		{base, root, link + "/not/there/x.go", "not/there/x.go"},
		{base, link, root + "/src/x.go", "src/x.go"},
		{link + "/src", root, "x.go", "src/x.go"},
		{root, root, "out/passwd", "out/passwd"}, // as written it is inside; the workspace refuses the link
		{root, root, "..", ""},
		{root, root, "../x", ""},
		{root, root, "/etc/passwd", ""},
		{root, root, base + "/repository/x", ""},
		{root, root, "", ""},
		{root, root, "a\x00b", ""},
	} {
		t.Chdir(c.cwd)
		got, err := path.Rel(c.root, c.typed)
		var denied *path.Denied
		if c.want == "" && !errors.As(err, &denied) {
			t.Errorf("in %s: Rel(%s, %q) = %q, %v, want a *Denied", c.cwd, c.root, c.typed, got, err)
		}
		if c.want != "" && (got != c.want || err != nil) {
			t.Errorf("in %s: Rel(%s, %q) = %q, %v, want %q", c.cwd, c.root, c.typed, got, err, c.want)
		}
	}
}
