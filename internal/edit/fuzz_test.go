package edit_test

import (
	"io/fs"
	"testing"

	"fettle/internal/edit"
)

// accepted checks what holds for every proposal that a reader accepts: the patch is valid, applies, and can be undone.
func accepted(t *testing.T, base tree, p edit.Patch, err error) {
	t.Helper()
	if err != nil {
		if p != nil {
			t.Fatalf("refused (%v), but with a patch: %v", err, p)
		}
		return
	}
	if err := p.Validate(); err != nil {
		t.Fatalf("accepted, but not valid: %v", err)
	}
	back, err := p.Invert(base.Source)
	if err != nil {
		t.Fatalf("accepted, but cannot be undone: %v", err)
	}
	if got := base.After(t, p).After(t, back); !got.Equal(base) {
		t.Fatalf("undone: %v, before: %v", got, base)
	}
	if _, err := p.Unified(base.Source); err != nil {
		t.Fatalf("accepted, but cannot be shown: %v", err)
	}
}

type reader func([]byte, edit.Source) (edit.Patch, []edit.Note, error)

func fuzzReader(f *testing.F, read reader, seeds ...string) {
	for _, s := range seeds {
		f.Add(s, "a\n b\r\n\nb")
		f.Add(s, "\ufeffa\n")
	}
	f.Fuzz(func(t *testing.T, proposal, content string) {
		base := of("f", content)
		p, _, err := read([]byte(proposal), base.Source)
		accepted(t, base, p, err)
	})
}

var (
	lineSeeds  = []string{lineEdits(`{"line":1,"old":"a","new":"b\nc"},{"line":4,"old":"b"}`), lineEdits(`{"line":1,"insert_before":"x"}`), `[]`, `{"file":"f","edits":null}`}
	blockSeeds = []string{patchOp("a\n", "b\n"), patchOp("b", "c\nd\n"), patchOp("", "x"), `{"operation":"create","path":"g","content":"x"}`, "f\n" + block("a\n", "b\n"), "g\n" + block("", "b\n")}
	diffSeeds  = []string{
		diffOf("@@ -1 +1 @@\n-a\n+b\n"), diffOf("@@ ... @@\n a\n-b\n+c\n"), diffOf("@@ -1,9 +1 @@\n a\n-b\n+c\n\n"), "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n",
		"diff --git a/f b/g\nsimilarity index 90%\nrename from f\nrename to g\n--- a/f\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n", "--- /dev/null\n+++ b/g\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
		"diff --git a/f b/f\nindex 0000000..1111111 100644\nGIT binary patch\nliteral 2\nJcmZ?\n\nliteral 0\nHcmV?d00001\n\n", "diff --git \"a/\\303\\274\" \"b/\\303\\274\"\nnew file mode 100644\n",
	}
)

func FuzzRead(f *testing.F) {
	fuzzReader(f, edit.Read, append(append(append([]string{`{"path":"f","content":"x"}`, "```\n```"}, lineSeeds...), blockSeeds...), diffSeeds...)...)
}
func FuzzReadParts(f *testing.F) {
	fuzzReader(f, readParts, parts(swap(1, "a", "b")), parts(swap(0, " b", "c\n")), parts(edit.Part{Path: "f", Line: 1, After: new(string)}), `[{"Path":"f","Content":"x"}]`)
}
func FuzzReadLines(f *testing.F)   { fuzzReader(f, edit.ReadLines, lineSeeds...) }
func FuzzReadBlocks(f *testing.F)  { fuzzReader(f, edit.ReadBlocks, blockSeeds...) }
func FuzzReadUnified(f *testing.F) { fuzzReader(f, edit.ReadUnified, diffSeeds...) }

func FuzzReadWhole(f *testing.F) {
	fuzzReader(f, func(data []byte, src edit.Source) (edit.Patch, []edit.Note, error) {
		return edit.ReadWhole("f", data, src)
	}, "b\n", "a\r\n", "", "\ufeffa")
}

// FuzzApply: no change makes Apply panic, and an applied one can be undone.
func FuzzApply(f *testing.F) {
	f.Add("f", "modify", uint16(0o644), 0, 1, []byte("x"), 2, 3, []byte("y"), "abcd")
	f.Add("f", "create", uint16(0), 0, 0, []byte("x"), 0, 0, []byte(nil), "")
	f.Add("../f", "delete", uint16(0o777), -1, 9, []byte(nil), 9, -1, []byte(nil), "a")
	f.Fuzz(func(t *testing.T, path, op string, mode uint16, s1, e1 int, n1 []byte, s2, e2 int, n2 []byte, content string) {
		base := of(path, content)
		c := edit.Change{Path: path, Op: edit.Op(op), Mode: fs.FileMode(mode), Base: edit.Sum([]byte(content)), Edits: []edit.Edit{{Start: s1, End: e1, New: n1}, {Start: s2, End: e2, New: n2}}}
		p := edit.Patch{c}
		if _, err := p.Apply(base.Source); err == nil {
			accepted(t, base, p, nil)
		}
	})
}

// FuzzCompare: the edits between any two contents give the second.
func FuzzCompare(f *testing.F) {
	f.Add([]byte("a\nb"), []byte("a\r\nb\n"))
	f.Add([]byte("\x00\xff"), []byte(""))
	f.Fuzz(func(t *testing.T, before, after []byte) {
		base, want := of("f", string(before)), of("f", string(after))
		p := edit.Between(base, want)
		if got := base.After(t, p); !got.Equal(want) {
			t.Fatalf("got %q", got["f"].Data)
		}
		accepted(t, base, p, nil)
	})
}
