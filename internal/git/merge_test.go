package git_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/git"
)

func TestMergeOntoHead(t *testing.T) {
	lines := func(s string) string { return strings.ReplaceAll(s, " ", "\n") }
	crlf := func(s string) string { return strings.ReplaceAll(s, " ", "\r\n") }
	const none = "\x00none"
	for name, tc := range map[string]struct{ head, before, after, want, overlap string }{
		"nothing uncommitted":      {head: lines("a b c "), before: lines("a b c "), after: lines("a B c "), want: lines("a B c ")},
		"apart":                    {head: lines("a b c d e f g "), before: lines("a b c d e f G "), after: lines("A b c d e f G "), want: lines("A b c d e f g ")},
		"apart, no final newline":  {head: lines("a b c d e f g"), before: lines("a b c d e f G"), after: lines("A b c d e f G"), want: lines("A b c d e f g")},
		"apart, CRLF":              {head: crlf("a b c d e f g "), before: crlf("a b c d e f G "), after: crlf("A b c d e f G "), want: crlf("A b c d e f g ")},
		"same lines":               {head: lines("a b c "), before: lines("a x c "), after: lines("a y c "), overlap: "overlaps"},
		"back to the commit":       {head: lines("a b c "), before: lines("a x c "), after: lines("a b c "), want: lines("a b c ")},
		"no change":                {head: lines("a b c "), before: lines("a x c "), after: lines("a x c "), want: lines("a b c ")},
		"line endings differ":      {head: lines("a b c "), before: crlf("a b c "), after: crlf("a B c "), overlap: "overlaps"},
		"new":                      {head: none, before: none, after: "x", want: "x"},
		"deleted":                  {head: "x", before: "x", after: none, want: none},
		"deleted, but uncommitted": {head: "x", before: "y", after: none, overlap: "uncommitted"},
		"there again":              {head: "x", before: none, after: "y", overlap: "deleted in the working tree"},
		"binary":                   {head: "\x00a", before: "\x00a", after: "\x00b", want: "\x00b"},
		"binary, uncommitted":      {head: "\x00a", before: "\x00b", after: "\x00c", overlap: "binary"},
		"untracked":                {head: none, before: "x", after: "y", overlap: "untracked"},
		"many conflicts":           {head: strings.Repeat("a\n-\n-\n-\n-\n", 300), before: strings.Repeat("b\n-\n-\n-\n-\n", 300), after: strings.Repeat("c\n-\n-\n-\n-\n", 300), overlap: "overlaps"},
	} {
		t.Run(name, func(t *testing.T) {
			file := func(s string) edit.File {
				return edit.File{Data: []byte(s), Mode: 0o644, Exists: s != none}
			}
			head := map[string]string{"other": "o"}
			if tc.head != none {
				head["dir/f"] = tc.head
			}
			r := newRepo(t, head)
			got, err := r.MergeOntoHead(t.Context(), "dir/f", file(tc.before), file(tc.after))
			var overlap *git.OverlapError
			switch {
			case tc.overlap == "untracked":
				if !errors.Is(err, git.ErrUntracked) {
					t.Errorf("got %v", err)
				}
			case tc.overlap != "":
				if !errors.As(err, &overlap) || overlap.Path != "dir/f" || !strings.Contains(err.Error(), tc.overlap) {
					t.Errorf("got %q, %v", got.Data, err)
				}
			case err != nil || got.Exists != (tc.want != none) || got.Exists && string(got.Data) != tc.want:
				t.Errorf("got %q, %v", got.Data, err)
			}
			r.nothingLeft()
		})
	}
}

func TestMergeModes(t *testing.T) {
	r := newRepo(t, map[string]string{"f": "x\n"})
	r.git("update-index", "--chmod=+x", "f")
	r.git("commit", "-qm", "executable")
	for _, tc := range []struct{ before, after, want fs.FileMode }{
		{0o644, 0o644, 0o755}, {0o644, 0o755, 0o755}, {0o755, 0o644, 0o644}, {0o700, 0o711, 0o755},
	} {
		got, err := r.MergeOntoHead(t.Context(), "f", edit.File{Data: []byte("x\n"), Mode: tc.before, Exists: true}, edit.File{Data: []byte("y\n"), Mode: tc.after, Exists: true})
		if err != nil || got.Mode&0o100 != tc.want&0o100 {
			t.Errorf("%v → %v: %v, %v", tc.before, tc.after, got.Mode, err)
		}
	}
}

// Writing a tree's delta over a copy of the working tree gives exactly a checkout of the tree, ignored files apart.
func TestTreeDelta(t *testing.T) {
	r := newRepo(t, map[string]string{
		"same": "s\n", "modified": "m\n", "staged": "s\n", "deleted": "d\n", "hidden": "h\n", "mode": "x\n", "a-file": "f\n", "a-folder/in": "i\n",
		"dir/deep/x": "x\n", ".gitignore": "ignored\n", "odd\nname": "o\n", "crlf.txt": "a\nb\n", ".gitattributes": "crlf.txt eol=crlf\n",
	})
	if err := os.Symlink("same", filepath.Join(r.Root, "link")); err != nil {
		t.Fatal(err)
	}
	r.git("add", "link")
	r.git("commit", "-qm", "link")
	c := r.commit("fettle/1", files(map[string]string{"same": "changed\n", "created": "c\n"}))
	r.write(map[string]string{"modified": "M\n", "staged": "S\n", "hidden": "H\n", "untracked": "u\n", "ignored": "i\n", "odd\nname": "O\n", "new": "n\n", "crlf.txt": "a\r\n"})
	r.git("add", "staged", "new")
	r.git("add", "-N", "untracked")
	r.git("update-index", "--assume-unchanged", "hidden")
	for _, p := range []string{"deleted", "dir", "a-file", "a-folder", "link"} {
		if err := os.RemoveAll(filepath.Join(r.Root, p)); err != nil {
			t.Fatal(err)
		}
	}
	r.write(map[string]string{"a-file/inside": "x\n", "a-folder": "x\n", "link": "same"})
	if err := os.Chmod(filepath.Join(r.Root, "mode"), 0o755); err != nil {
		t.Fatal(err)
	}
	var delta map[string]edit.File
	r.undisturbed(func() {
		var err error
		if delta, err = r.TreeDelta(t.Context(), c.Tree); err != nil {
			t.Fatal(err)
		}
	})
	changed := slices.Sorted(maps.Keys(delta))
	want := []string{"a-file", "a-file/inside", "a-folder", "a-folder/in", "created", "crlf.txt", "deleted", "dir/deep/x", "hidden", "link", "mode", "modified", "new", "odd\nname", "same", "staged", "untracked"}
	if !slices.Equal(changed, want) {
		t.Errorf("delta of %q, want %q", changed, want)
	}
	place := t.TempDir()
	if out, err := gitErr(r.Root, "worktree", "add", "-q", "--detach", filepath.Join(place, "want"), c.ID); err != nil {
		t.Fatal(out)
	}
	r.apply(delta)
	if err := os.Remove(filepath.Join(r.Root, "ignored")); err != nil {
		t.Fatal(err)
	}
	if have, want := r.tree(r.Root), r.tree(filepath.Join(place, "want")); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
	if again, err := r.TreeDelta(t.Context(), c.ID); err != nil || len(again) != 0 {
		t.Errorf("then nothing is left to do: %v, %v", again, err)
	}
}

// apply writes a delta: removals first.
func (r repo) apply(delta map[string]edit.File) {
	r.t.Helper()
	for p, f := range delta {
		if !f.Exists {
			name := filepath.Join(r.Root, p)
			if err := os.Remove(name); err != nil {
				r.t.Fatal(err)
			}
			for dir := filepath.Dir(name); dir != r.Root && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
				continue
			}
		}
	}
	for p, f := range delta {
		name := filepath.Join(r.Root, p)
		if !f.Exists {
			continue
		}
		_ = os.Remove(name) // a link must not be followed
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			r.t.Fatal(err)
		}
		var err error
		if f.Mode&fs.ModeSymlink != 0 {
			err = os.Symlink(string(f.Data), name)
		} else {
			err = os.WriteFile(name, f.Data, f.Mode)
		}
		if err != nil {
			r.t.Fatal(err)
		}
	}
}

// What git cannot do is an error, and leaves nothing.
func TestTreeDeltaFails(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	if err := os.WriteFile(filepath.Join(r.CommonDir, "index"), []byte("no index"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.TreeDelta(t.Context(), "HEAD"); err == nil {
		t.Error("compared with an index that cannot be read")
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "fettle-git-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestTreeDeltaUnborn(t *testing.T) {
	r := unborn(t)
	r.write(map[string]string{"a.txt": "a\n"})
	c := r.commit("fettle/1", files(map[string]string{"b.txt": "b\n"}))
	delta, err := r.TreeDelta(t.Context(), c.Tree)
	if err != nil || len(delta) != 2 || delta["a.txt"].Exists || string(delta["b.txt"].Data) != "b\n" {
		t.Errorf("got %v, %v", delta, err)
	}
}

func TestRevert(t *testing.T) {
	for _, hook := range []bool{false, true} {
		r := newRepo(t, map[string]string{"a.txt": "a\nb\nc\nd\ne\n", "b.txt": "b\n"})
		if hook {
			r.hook("pre-commit", "test -f b.txt")
		}
		first := r.commit("fettle/1", files(map[string]string{"a.txt": "A\nb\nc\nd\ne\n", "new": "n\n"}))
		r.commit("fettle/1", files(map[string]string{"a.txt": "A\nb\nc\nd\nE\n"}))
		r.write(map[string]string{"a.txt": "dirty\n"})
		r.undisturbed(func() {
			c, err := r.Revert(t.Context(), git.RevertRequest{Branch: "fettle/1", Commit: first.ID})
			if err != nil {
				t.Fatal(err)
			}
			r.holds(c.ID, map[string]string{"a.txt": "a\nb\nc\nd\nE\n", "b.txt": "b\n"})
			if l, err := r.LastCommit(t.Context(), "fettle/1"); err != nil || l.Subject != `Revert "fix: it"` || !strings.Contains(l.Body, first.ID) {
				t.Errorf("got %+v, %v", l, err)
			}
			r.commit("fettle/1", files(map[string]string{"new": "other\n"}))
			var overlap *git.OverlapError
			if _, err := r.Revert(t.Context(), git.RevertRequest{Branch: "fettle/1", Commit: c.ID}); !errors.As(err, &overlap) || overlap.Path != "new" {
				t.Errorf("got %v", err)
			}
		})
	}
}
