package edit_test

import (
	"io/fs"
	"strings"
	"testing"

	"fettle/internal/edit"

	"pgregory.net/rapid"
)

// tree is a set of files that stands for a workspace.
type tree map[string]edit.File

func (t tree) source(path string) (edit.File, error) { return t[path], nil }

// of makes a tree from paths and contents in turn.
func of(pairs ...string) tree {
	t := tree{}
	for i := 0; i < len(pairs); i += 2 {
		t[pairs[i]] = edit.File{Data: []byte(pairs[i+1]), Mode: 0o644, Exists: true}
	}
	return t
}

// after applies the patch to the tree and gives the new tree.
func (t tree) after(tb rapid.TB, p edit.Patch) tree {
	tb.Helper()
	changed, err := p.Apply(t.source)
	if err != nil {
		tb.Fatalf("applying %+v: %v", p, err)
	}
	out := tree{}
	for path, f := range t {
		out[path] = f
	}
	for path, f := range changed {
		if f.Exists {
			out[path] = f
		} else {
			delete(out, path)
		}
	}
	return out
}

func (t tree) equal(o tree) bool {
	if len(t) != len(o) {
		return false
	}
	for path, f := range t {
		g, ok := o[path]
		if !ok || string(f.Data) != string(g.Data) || f.Mode != g.Mode || f.Exists != g.Exists {
			return false
		}
	}
	return true
}

var (
	anyLine = rapid.SampledFrom([]string{"", "a", "b", "x = 1", "\tx = 1", "  y", "}", "-- q", "++ q", "@@ -1 +1 @@", "é", "\ufeff", "\xff\xfe", "\r", "\\ No", "diff --git a/a b/a"})
	anyEnd  = rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n"})
	anyMode = rapid.SampledFrom([]fs.FileMode{0o644, 0o755, 0o600, 0o664, 0o775, 0o700})
)

// content draws a text of few lines with all that lines may end with; now and then without a newline at the end.
func content(t *rapid.T, label string) []byte {
	var b strings.Builder
	if rapid.IntRange(0, 9).Draw(t, label+" bom") == 0 {
		b.WriteString("\ufeff")
	}
	for _, l := range rapid.SliceOfN(anyLine, 0, 25).Draw(t, label) {
		b.WriteString(l + anyEnd.Draw(t, "ending"))
	}
	if rapid.Bool().Draw(t, label+" open") {
		b.WriteString(anyLine.Draw(t, "last"))
	}
	return []byte(b.String())
}

var anyPath = rapid.SampledFrom([]string{"a", "b.go", "dir/c.py", "dir/d d.txt", "é/ü", "q\"uote\\d", "tab\there", "z/y/x"})

// files draws a tree; text keeps NUL bytes out.
func files(t *rapid.T, label string, text bool) tree {
	out := tree{}
	for _, p := range rapid.SliceOfNDistinct(anyPath, 0, 5, rapid.ID[string]).Draw(t, label) {
		data := content(t, p)
		if !text && rapid.IntRange(0, 5).Draw(t, "binary") == 0 {
			data = rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		}
		out[p] = edit.File{Data: data, Mode: anyMode.Draw(t, "mode"), Exists: true}
	}
	return out
}

// reshaped draws a tree near to the given one: files kept, edited, made executable, deleted, created.
func reshaped(t *rapid.T, base tree, text bool) tree {
	out := files(t, "after", text)
	for p, f := range base {
		switch rapid.IntRange(0, 3).Draw(t, "fate of "+p) {
		case 0:
			out[p] = f
		case 1:
			lines := strings.SplitAfter(string(f.Data), "\n")
			i := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
			lines[i] = anyLine.Draw(t, "new line") + "\n"
			out[p] = edit.File{Data: []byte(strings.Join(lines, "")), Mode: f.Mode, Exists: true}
		case 2:
			out[p] = edit.File{Data: f.Data, Mode: f.Mode ^ 0o111, Exists: true}
		}
	}
	return out
}

func check(t *testing.T, f func(*rapid.T)) { t.Helper(); rapid.Check(t, f) }
