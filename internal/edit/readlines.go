package edit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// lineFile is the line edits of one file.
type lineFile struct {
	File  string     `json:"file"`
	Edits []lineEdit `json:"edits"`
}

// lineEdit replaces, deletes, or inserts beside one line. Pointers tell what is absent from what is empty.
type lineEdit struct {
	Line   int     `json:"line"`
	Old    *string `json:"old"`
	New    *string `json:"new"`
	Before *string `json:"insert_before"`
	After  *string `json:"insert_after"`
}

// ReadLines reads line edits: {"file": …, "edits": [{"line": 3, "old": "x = 1", "new": "x = 2"}]}, or an array of these. Lines count
// from 1 in the file as it is now, whatever the other edits do; the edits may come in any order.
//
//   - old must be the line as it is, to the last blank, without its ending.
//   - new may hold several lines. An absent or null new deletes the line with its ending; "" leaves an empty line.
//   - {"line": 3, "insert_before": "text"} and {"line": 3, "insert_after": "text"} insert lines and leave line 3 alone; old may be given, and
//     is then checked. In a file without lines, line 0 with insert_after inserts the first.
//
// New lines get the ending of the line they replace, inserted ones that of most lines. Two edits of one line, more edits than
// [Options.MaxEdits], and unknown keys (a misspelt "new" would delete) are refused.
func (o Options) ReadLines(data []byte, src Source) (Patch, []Note, error) {
	files, err := decode[lineFile](data)
	if err != nil {
		return nil, nil, err
	}
	d := newDraft(src)
	for _, lf := range files {
		if lf.File == "" {
			return nil, nil, reject("", 0, `"file" is missing`)
		}
		f, err := d.open(lf.File, Modify)
		if err != nil {
			return nil, nil, err
		}
		for _, e := range lf.Edits {
			if err := o.count(f); err != nil {
				return nil, nil, err
			}
			if err := f.lineEdit(e); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, f := range d.files {
		f.keepEnd()
	}
	return d.patch()
}

// keepEnd leaves a file without a final newline as one when its last lines are deleted: the ending of the line before them goes
// too.
func (f *draftFile) keepEnd() {
	t := f.text
	n := t.lines()
	gone := func(i int) int {
		return slices.IndexFunc(f.edits, func(e Edit) bool { return e.Start == t.starts[i] && e.End == t.starts[i+1] && len(e.New) == 0 })
	}
	if n == 0 || t.ending(n-1) != "" || gone(n-1) < 0 {
		return
	}
	first := n - 1
	for first > 0 && gone(first-1) >= 0 {
		first--
	}
	if first > 0 {
		f.edits[gone(first)].Start -= len(t.ending(first - 1))
	}
}

// count takes account of one more part of a proposal for the file.
func (o Options) count(f *draftFile) error {
	f.count++
	limit := cmp.Or(o.MaxEdits, DefaultMaxEdits)
	if limit > 0 && f.count > limit {
		return reject(f.path, 0, "more than %d edits for one file; propose fewer, or raise the limit", limit)
	}
	return nil
}

func (f *draftFile) lineEdit(e lineEdit) error {
	t := f.text
	inserting := e.Before != nil || e.After != nil
	if inserting && (e.New != nil || e.Before != nil && e.After != nil) {
		return reject(f.path, e.Line, "an edit has one of new, insert_before and insert_after")
	}
	if e.Line == 0 && t.lines() == 0 && e.After != nil && e.Old == nil {
		f.edits = append(f.edits, t.insert(0, atLeastOne(*e.After)))
		return nil
	}
	if e.Line < 1 || e.Line > t.lines() {
		return reject(f.path, e.Line, "there is no such line; the file has %d", t.lines())
	}
	i := e.Line - 1
	if e.Old == nil && !inserting {
		return reject(f.path, e.Line, "old is missing: it must be the line as it is now, %q", t.line(i))
	}
	if e.Old != nil && *e.Old != t.line(i) {
		return reject(f.path, e.Line, "the line is not what the edit expects\n  expected: %q\n  found:    %q", *e.Old, t.line(i))
	}
	switch {
	case e.Before != nil:
		f.edits = append(f.edits, t.insert(i, atLeastOne(*e.Before)))
	case e.After != nil:
		f.edits = append(f.edits, t.insert(i+1, atLeastOne(*e.After)))
	case e.New != nil:
		f.edits = append(f.edits, t.content(i, *e.New))
	default:
		f.edits = append(f.edits, Edit{Start: t.starts[i], End: t.starts[i+1]})
	}
	return nil
}

// content gives the edit that replaces what is in line i, and leaves its ending.
func (t text) content(i int, with string) Edit {
	start := t.starts[i]
	return Edit{Start: start, End: start + len(t.line(i)), New: []byte(withEndings(with, t.endingOf(i, i+1)))}
}

// atLeastOne gives the lines of s; an empty s is one empty line.
func atLeastOne(s string) []string {
	if lines := splitLines(s); len(lines) > 0 {
		return lines
	}
	return []string{""}
}

// decode reads one T or an array of them, and nothing beside that.
func decode[T any](data []byte) ([]T, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var many []T
	var err error
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		err = d.Decode(&many)
	} else {
		many = make([]T, 1)
		err = d.Decode(&many[0])
	}
	if err != nil {
		return nil, jsonError(data, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, reject("", lineAt(data, d.InputOffset()), "there is more text after the JSON value; several values go into one array")
	}
	if len(many) == 0 {
		return nil, reject("", 0, "the proposal is empty")
	}
	return many, nil
}

func jsonError(data []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return reject("", lineAt(data, syntax.Offset), "not valid JSON: %v", err)
	case errors.As(err, &kind):
		return reject("", lineAt(data, kind.Offset), "%q should be %s, not %s", kind.Field, kind.Type, kind.Value)
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return reject("", lineAt(data, int64(len(data))), "the JSON ends too early")
	}
	return reject("", 0, "%s", strings.TrimPrefix(fmt.Sprint(err), "json: "))
}

// lineAt is the line, from 1, of a byte of the proposal.
func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n"))
}
