package edit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fettle/internal/edit"
)

// reading is one proposal and what should come of it.
type reading struct {
	name     string
	base     string // the file f; "-" for none
	proposal string
	want     string // what f holds afterwards; "-" for gone
	refused  string // or what the refusal says
	note     string // a note that must be there; "" for none at all
}

func (r reading) run(t *testing.T, read func([]byte, edit.Source) (edit.Patch, []edit.Note, error)) {
	t.Helper()
	base := of()
	if r.base != "-" {
		base = of("f", r.base)
	}
	p, notes, err := read([]byte(r.proposal), base.Source)
	var rejected *edit.RejectError
	if r.refused != "" {
		if !errors.As(err, &rejected) || !strings.Contains(err.Error(), r.refused) || p != nil {
			t.Errorf("got %v and the error %v, want one that says %q", p, err, r.refused)
		}
		return
	}
	if err != nil {
		t.Errorf("refused: %v", err)
		return
	}
	after := base.After(t, p)
	if got := string(after["f"].Data); after["f"].Exists && got != r.want || !after["f"].Exists && r.want != "-" {
		t.Errorf("got %q, want %q", got, r.want)
	}
	if said := fmt.Sprint(notes); r.note == "" && len(notes) > 0 || !strings.Contains(said, r.note) {
		t.Errorf("notes %v, want %q", said, r.note)
	}
	for _, c := range p {
		if b := base[c.Path]; b.Exists && c.Base != edit.Sum(b.Data) {
			t.Errorf("%s is bound to %q", c.Path, c.Base)
		}
	}
}

func runAll(t *testing.T, read func([]byte, edit.Source) (edit.Patch, []edit.Note, error), all []reading) {
	t.Helper()
	for _, r := range all {
		t.Run(r.name, func(t *testing.T) { r.run(t, read) })
	}
}

func lineEdits(edits string) string { return `{"file":"f","edits":[` + edits + `]}` }

func TestReadLines(t *testing.T) {
	const abc = "a\nb\nc\n"
	runAll(t, edit.ReadLines, []reading{
		{name: "replaces", base: abc, proposal: lineEdits(`{"line":2,"old":"b","new":"B"}`), want: "a\nB\nc\n"},
		{name: "in an array", base: abc, proposal: "[" + lineEdits(`{"line":2,"old":"b","new":"B"}`) + "," + lineEdits(`{"line":1,"old":"a","new":"A"}`) + "]", want: "A\nB\nc\n"},
		{name: "several lines", base: abc, proposal: lineEdits(`{"line":2,"old":"b","new":"1\n2"}`), want: "a\n1\n2\nc\n"},
		{name: "null deletes", base: abc, proposal: lineEdits(`{"line":2,"old":"b","new":null}`), want: "a\nc\n"},
		{name: "absent deletes", base: abc, proposal: lineEdits(`{"line":2,"old":"b"}`), want: "a\nc\n"},
		{name: "empty leaves an empty line", base: abc, proposal: lineEdits(`{"line":2,"old":"b","new":""}`), want: "a\n\nc\n"},
		{name: "any order, old numbers", base: abc, proposal: lineEdits(`{"line":3,"old":"c","new":"C"},{"line":1,"old":"a","new":"1\n2"}`), want: "1\n2\nb\nC\n"},
		{name: "insert before", base: abc, proposal: lineEdits(`{"line":1,"insert_before":"z"}`), want: "z\na\nb\nc\n"},
		{name: "insert after, checked", base: abc, proposal: lineEdits(`{"line":3,"old":"c","insert_after":"d\ne\n"}`), want: "a\nb\nc\nd\ne\n"},
		{name: "insert an empty line", base: abc, proposal: lineEdits(`{"line":1,"insert_after":""}`), want: "a\n\nb\nc\n"},
		{name: "insert at an open end", base: "a\nb", proposal: lineEdits(`{"line":2,"insert_after":"c"}`), want: "a\nb\nc"},
		{name: "insert into nothing", base: "", proposal: lineEdits(`{"line":0,"insert_after":"c"}`), want: "c\n"},
		{name: "edit and insert beside it", base: abc, proposal: lineEdits(`{"line":2,"old":"b","new":"B"},{"line":2,"insert_after":"x"},{"line":2,"insert_before":"y"}`), want: "a\ny\nB\nx\nc\n"},
		{name: "CRLF is kept", base: "a\r\nb\r\n", proposal: lineEdits(`{"line":1,"old":"a","new":"1\n2"},{"line":2,"insert_after":"c"}`), want: "1\r\n2\r\nb\r\nc\r\n"},
		{name: "the replaced line's ending, not the file's", base: "a\r\nb\nc\r\n", proposal: lineEdits(`{"line":2,"old":"b","new":"1\r\n2"}`), want: "a\r\n1\n2\nc\r\n"},
		{name: "byte order mark", base: "\ufeffa\n", proposal: lineEdits(`{"line":1,"old":"a","new":"b"}`), want: "\ufeffb\n"},
		{name: "deleting behind a byte order mark", base: "\ufeffa\n", proposal: lineEdits(`{"line":1,"old":"a"}`), want: "\ufeff"},
		{name: "open end stays open", base: "a\nb", proposal: lineEdits(`{"line":2,"old":"b","new":"B"}`), want: "a\nB"},
		{name: "open end stays open without the last lines", base: "a\nb\nc", proposal: lineEdits(`{"line":2,"old":"b"},{"line":3,"old":"c"}`), want: "a"},
		{name: "everything goes", base: "a\nb", proposal: lineEdits(`{"line":1,"old":"a"},{"line":2,"old":"b"}`), want: ""},
		{name: "nothing changes", base: abc, proposal: lineEdits(`{"line":2,"old":"b","new":"b"}`), want: abc, note: "changes nothing"},
		{name: "other text", base: abc, proposal: lineEdits(`{"line":1,"old":"a","new":"A"},{"line":2,"old":"x","new":"B"}`), refused: "f:2: the line is not what the edit expects\n  expected: \"x\"\n  found:    \"b\""},
		{name: "blanks count", base: "\tx \n", proposal: lineEdits(`{"line":1,"old":"x","new":"y"}`), refused: "f:1: "},
		{name: "no such line", base: abc, proposal: lineEdits(`{"line":4,"old":"","new":"y"}`), refused: "the file has 3"},
		{name: "line 0", base: abc, proposal: lineEdits(`{"line":0,"old":"a","new":"y"}`), refused: "no such line"},
		{name: "one line twice", base: abc, proposal: lineEdits(`{"line":2,"old":"b","new":"y"},{"line":2,"old":"b","new":"z"}`), refused: "f:2: two edits change the same place"},
		{name: "edited and deleted", base: abc, proposal: lineEdits(`{"line":2,"old":"b","new":"y"},{"line":2,"old":"b"}`), refused: "f:2: two edits"},
		{name: "two insertions at one place", base: abc, proposal: lineEdits(`{"line":2,"insert_after":"y"},{"line":3,"insert_before":"z"}`), refused: "two edits"},
		{name: "no old", base: abc, proposal: lineEdits(`{"line":2,"new":"y"}`), refused: `old is missing: it must be the line as it is now, "b"`},
		{name: "misspelt new would delete", base: abc, proposal: lineEdits(`{"line":2,"old":"b","knew":"y"}`), refused: "knew"},
		{name: "new and insertion", base: abc, proposal: lineEdits(`{"line":2,"old":"b","new":"y","insert_after":"z"}`), refused: "one of new"},
		{name: "no file", base: "-", proposal: lineEdits(`{"line":1,"old":"b","new":"y"}`), refused: "does not exist"},
		{name: "file left out", base: abc, proposal: `{"edits":[]}`, refused: `"file" is missing`},
		{name: "outside", base: abc, proposal: `{"file":"../f","edits":[]}`, refused: "out of the workspace"},
		{name: "JSON cut off", base: abc, proposal: "{\"file\":\"f\",\n\"edits\":[", refused: "ends too early"},
		{name: "JSON broken", base: abc, proposal: "{\"file\":\"f\",\n\"edits\":[}", refused: "line 2 of the proposal"},
		{name: "wrong type", base: abc, proposal: lineEdits(`{"line":"2","old":"b","new":"y"}`), refused: "should be int"},
		{name: "more behind it", base: abc, proposal: lineEdits(``) + "{}", refused: "more text after"},
	})
}

func TestEditLimit(t *testing.T) {
	var edits []string
	var base strings.Builder
	for i := range 31 {
		fmt.Fprintf(&base, "%d\n", i)
		edits = append(edits, fmt.Sprintf(`{"line":%d,"old":"%d","new":"x"}`, i+1, i))
	}
	src := of("f", base.String()).Source
	proposal := []byte(lineEdits(strings.Join(edits, ",")))
	if _, _, err := edit.ReadLines(proposal, src); err == nil || !strings.Contains(err.Error(), "more than 30 edits") {
		t.Errorf("31 edits: %v", err)
	}
	if p, _, err := (edit.Options{MaxEdits: 31}).Read(proposal, src); err != nil || len(p[0].Edits) != 31 {
		t.Errorf("31 allowed: %v", err)
	}
	if _, _, err := (edit.Options{MaxEdits: -1}).ReadLines(proposal, src); err != nil {
		t.Errorf("no limit: %v", err)
	}
}

func TestReadWhole(t *testing.T) {
	whole := func(data []byte, src edit.Source) (edit.Patch, []edit.Note, error) {
		return edit.ReadWhole("f", data, src)
	}
	runAll(t, whole, []reading{
		{name: "new file, bytes as they are", base: "-", proposal: "a\r\nb", want: "a\r\nb"},
		{name: "new content", base: "a\nb\n", proposal: "a\nB\n", want: "a\nB\n"},
		{name: "CRLF is kept", base: "a\r\nb\r\n", proposal: "a\nB\n", want: "a\r\nB\r\n", note: "CRLF"},
		{name: "unless it is the matter", base: "a\r\nb\r\n", proposal: "a\nb\n", want: "a\nb\n"},
		{name: "byte order mark is kept", base: "\ufeffa\n", proposal: "b\n", want: "\ufeffb\n", note: "byte order mark"},
		{name: "open end is kept", base: "a\nb", proposal: "a\nB\n", want: "a\nB", note: "without a newline"},
		{name: "unless it is the matter (W292)", base: "a\nb", proposal: "a\nb\n", want: "a\nb\n"},
		{name: "final newline is kept", base: "a\nb\n", proposal: "a\nB", want: "a\nB\n", note: "newline at the end"},
		{name: "mixed endings are left to the author", base: "a\r\nb\n", proposal: "a\r\nB\n", want: "a\r\nB\n"},
		{name: "emptied", base: "a\n", proposal: "", want: ""},
		{name: "the same", base: "a\n", proposal: "a\n", want: "a\n", note: "changes nothing"},
	})
	if _, _, err := edit.ReadWhole("/f", nil, of().Source); err == nil {
		t.Error("absolute path accepted")
	}
}

// TestPlainPaths: what says nothing in a path is left out, as diff -r ./a ./b writes it, and what leads elsewhere is not made to look as if it did not.
func TestPlainPaths(t *testing.T) {
	for said, want := range map[string]string{"./src/a.py": "src/a.py", "src//a.py": "src/a.py", "src/./a.py": "src/a.py", "././a.py": "a.py", "src/...": "src/..."} {
		p, _, err := edit.ReadWhole(said, []byte("x\n"), of().Source)
		if err != nil || len(p) != 1 || p[0].Path != want {
			t.Errorf("%s became %v, %v, want %s", said, p, err, want)
		}
	}
	for _, said := range []string{"", ".", "./", "/a", "//a", "../a", "./../a", "src/../../a", "src/../a", "src/", "a/.."} {
		if p, _, err := edit.ReadWhole(said, []byte("x\n"), of().Source); err == nil {
			t.Errorf("%q became %v", said, p)
		}
	}
}

func TestReadFindsTheForm(t *testing.T) {
	content, _ := json.Marshal("<<<<<<< SEARCH\ndiff --git a/f b/f\n")
	runAll(t, edit.Read, []reading{
		{name: "line edits", base: "a\n", proposal: lineEdits(`{"line":1,"old":"a","new":"b"}`), want: "b\n"},
		{name: "fenced", base: "a\n", proposal: "```json\n" + lineEdits(`{"line":1,"old":"a","new":"b"}`) + "\n```\n", want: "b\n"},
		{name: "operations", base: "a\n", proposal: `[{"operation":"delete","path":"f"}]`, want: "-"},
		{name: "whole file", base: "a\n", proposal: `{"path":"f","content":"b\n"}`, want: "b\n"},
		{name: "whole file that quotes other forms", base: "-", proposal: `[{"path":"f","content":` + string(content) + `}]`, want: "<<<<<<< SEARCH\ndiff --git a/f b/f\n"},
		{name: "whole files, one twice", base: "a\n", proposal: `[{"path":"f","content":"b\n"},{"path":"f","content":"c\n"}]`, refused: "twice"},
		{name: "whole file without content", base: "a\n", proposal: `{"path":"f","content":null}`, refused: "content"},
		{name: "blocks", base: "a\n", proposal: "f\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", want: "b\n"},
		{name: "unified", base: "a\n", proposal: "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", want: "b\n"},
		{name: "a diff that holds a block", base: "a\n", proposal: "--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n a\n+<<<<<<< SEARCH\n", want: "a\n<<<<<<< SEARCH\n"},
		{name: "prose", base: "a\n", proposal: "I would change the first line.", refused: "neither JSON"},
		{name: "nothing", base: "a\n", proposal: " \n", refused: "empty"},
		{name: "other JSON", base: "a\n", proposal: `{"answer":42}`, refused: "holds neither"},
		{name: "empty array", base: "a\n", proposal: `[]`, refused: "empty"},
		{name: "broken JSON", base: "a\n", proposal: `{"edits":`, refused: "JSON"},
	})
}

func TestReadersPassOnWhatTheSourceSays(t *testing.T) {
	broken := errors.New("disk on fire")
	src := func(string) (edit.File, error) { return edit.File{}, broken }
	for _, proposal := range []string{
		lineEdits(`{"line":1,"old":"a","new":"b"}`), `{"operation":"delete","path":"f"}`, `{"path":"f","content":"b\n"}`,
		"f\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n",
	} {
		if _, _, err := edit.Read([]byte(proposal), src); !errors.Is(err, broken) {
			t.Errorf("%q: %v", proposal, err)
		}
	}
}
