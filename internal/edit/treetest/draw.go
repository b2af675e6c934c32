package treetest

import (
	"flag"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/testenv"

	"pgregory.net/rapid"
)

// Names are ordinary paths, which fettle writes: nested, one within the other, with spaces, beyond ASCII.
var Names = []string{"a", "b.go", "dir/c.py", "dir/d d.txt", "dir/deep/er/e", "dir/deep/f.go", "é/ü", "日本/語.txt", "z/y/x", "a/in a", "-n"}

// OddNames are paths that diffs have to quote.
var OddNames = []string{"q\"uote\\d", "tab\there"}

// Shape says which trees are drawn: files of these names, with Unix and DOS line ends, byte order marks, bytes that are no UTF-8,
// no content at all, no newline at the end, and all kinds of modes.
type Shape struct {
	Names []string
	Text  bool // no NUL bytes
	Most  int  // files at most; 0: 5
}

var (
	anyLine = rapid.SampledFrom([]string{"", "a", "b", "x = 1", "\tx = 1", "  y", "}", "-- q", "++ q", "@@ -1 +1 @@", "é", "\ufeff", "\xff\xfe", "\r", "\\ No", "diff --git a/a b/a"})
	anyEnd  = rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n"})
	anyMode = rapid.SampledFrom([]fs.FileMode{0o644, 0o644, 0o755, 0o600, 0o664, 0o775, 0o700})
)

// Mode draws permission bits with which the owner may read and write.
func Mode(r *rapid.T, label string) fs.FileMode { return anyMode.Draw(r, label) }

// Content draws a text of few lines with all that lines may end with; now and then without a newline at the end.
func Content(r *rapid.T, label string) []byte {
	var b strings.Builder
	if rapid.IntRange(0, 9).Draw(r, label+" bom") == 0 {
		b.WriteString("\ufeff")
	}
	for _, l := range rapid.SliceOfN(anyLine, 0, 25).Draw(r, label) {
		b.WriteString(l + anyEnd.Draw(r, "ending"))
	}
	if rapid.Bool().Draw(r, label+" open") {
		b.WriteString(anyLine.Draw(r, "last"))
	}
	return []byte(b.String())
}

// Draw draws a tree.
func (s Shape) Draw(r *rapid.T, label string) Tree {
	most := s.Most
	if most == 0 {
		most = 5
	}
	out := Tree{}
	for _, p := range rapid.SliceOfNDistinct(rapid.SampledFrom(s.Names), 0, min(most, len(s.Names)), rapid.ID[string]).Draw(r, label) {
		if out.Fits(p) {
			out[p] = s.File(r, p)
		}
	}
	return out
}

// File draws a file.
func (s Shape) File(r *rapid.T, label string) edit.File {
	data := Content(r, label)
	if !s.Text && rapid.IntRange(0, 5).Draw(r, "binary") == 0 {
		data = rapid.SliceOf(rapid.Byte()).Draw(r, "bytes")
	}
	return edit.File{Data: data, Mode: Mode(r, "mode"), Exists: true}
}

// Near draws a tree near to the given one: files kept, edited, made executable, deleted, created.
func (s Shape) Near(r *rapid.T, base Tree) Tree {
	fresh, out := s.Draw(r, "fresh"), Tree{}
	for _, p := range base.Paths() {
		f := base[p]
		switch rapid.IntRange(0, 4).Draw(r, "fate of "+p) {
		case 0, 1:
			out[p] = f
		case 2:
			lines := strings.SplitAfter(string(f.Data), "\n")
			i := rapid.IntRange(0, len(lines)-1).Draw(r, "line")
			lines[i] = anyLine.Draw(r, "new line") + "\n"
			out[p] = edit.File{Data: []byte(strings.Join(lines, "")), Mode: f.Mode, Exists: true}
		case 3:
			out[p] = edit.File{Data: slices.Clone(f.Data), Mode: f.Mode ^ 0o111, Exists: true}
		}
	}
	for _, p := range fresh.Paths() {
		if out.Fits(p) {
			out[p] = fresh[p]
		}
	}
	return out
}

// Check tries a property: so many times here and under the race detector, and more often in continuous integration without it. The flag
// -rapid.checks says another number.
// A failure prints how to repeat it.
func Check(t *testing.T, here, ci int, property func(*rapid.T)) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	if was := checks.Value.String(); was == checks.DefValue {
		n := here
		if testenv.CI() && !testenv.Race() {
			n = ci
		}
		if err := checks.Value.Set(strconv.Itoa(n)); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = checks.Value.Set(was) }() // it was valid before
	}
	rapid.Check(t, property)
}
