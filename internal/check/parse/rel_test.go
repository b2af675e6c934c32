package parse_test

import (
	"os"
	"path/filepath"
	"testing"

	"fettle/internal/check/parse"

	"gotest.tools/v3/assert"
	"pgregory.net/rapid"
)

func TestRel(t *testing.T) {
	place := filepath.Join(t.TempDir(), "real")
	assert.NilError(t, os.Mkdir(place, 0o755))
	place, err := filepath.EvalSymlinks(place)
	assert.NilError(t, err)
	link := filepath.Join(t.TempDir(), "link")
	assert.NilError(t, os.Symlink(place, link))
	for _, tc := range []struct{ root, dir, in, want string }{
		{"/repo", "", "a.py", "a.py"},
		{"/repo", "", "./a/../b.py", "b.py"},
		{"/repo", "sub", "./a.py", "sub/a.py"},
		{"/repo", "sub", "../a.py", "a.py"},
		{"/repo", "sub", "../../a.py", ""},
		{"/repo", "sub", "../../repo/a.py", "a.py"},
		{"/repo", "", "../repository/a.py", ""},
		{"/repo", "sub", "/repo/a.py", "a.py"},
		{"/repo/", "", "/repo//x/./a.py", "x/a.py"},
		{"/repo", "", "/repository/a.py", ""},
		{"/repo", "", "/repo/../etc/passwd", ""},
		{"/repo", "", "/repo", "."},
		{"/repo", "", "/usr/lib/a.py", ""},
		{"/repo", "", "", ""},
		{"/repo", "", "a\x00b", ""},
		{"/", "", "/a.py", "a.py"},
		{"", "", "/a.py", ""},
		{"", "", "a.py", "a.py"},
		{"/private/tmp/r", "", "/tmp/r/a.py", "a.py"},
		{"/tmp/r", "", "/private/tmp/r/a.py", "a.py"},
		{link, "", filepath.Join(place, "a b.py"), "a b.py"},
		{link, "", filepath.Join(link, "a.py"), "a.py"},
	} {
		o := parse.Options{Root: tc.root, Dir: tc.dir}
		if got := o.Rel(tc.in); got != tc.want {
			t.Errorf("Rel(%q) from %q in %q = %q, want %q", tc.in, tc.dir, tc.root, got, tc.want)
		}
	}
}

// Whatever a tool prints, the path is local and clean, and an absolute path below the root is what it is below the root.
func TestRelProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := parse.Options{Root: "/repo", Dir: rapid.SampledFrom([]string{"", "d", "d/e"}).Draw(t, "dir")}
		p := rapid.StringMatching(`[a-c./\\ ]{0,12}`).Draw(t, "path")
		for _, in := range []string{p, "/repo/" + p, "/" + p} {
			if got := o.Rel(in); got != "" && (!filepath.IsLocal(got) || filepath.Clean(got) != got) {
				t.Fatalf("Rel(%q) = %q", in, got)
			}
		}
		if p := filepath.Clean(p); filepath.IsLocal(p) && o.Rel("/repo/"+p) != p {
			t.Fatalf("Rel(%q) = %q", "/repo/"+p, o.Rel("/repo/"+p))
		}
	})
}

func TestLookup(t *testing.T) {
	names := parse.Names()
	if len(names) < 16 {
		t.Fatalf("only %d formats: %v", len(names), names)
	}
	for i, name := range names {
		f, ok := parse.Lookup(name)
		if !ok || f.Name != name || f.Parse == nil {
			t.Errorf("Lookup(%q) = %+v, %v", name, f, ok)
		}
		if i > 0 && names[i-1] >= name {
			t.Errorf("%q stands behind %q", name, names[i-1])
		}
	}
	if _, ok := parse.Lookup("gotset"); ok {
		t.Error("a format that does not exist was found")
	}
}
