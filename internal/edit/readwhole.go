package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// ReadWhole reads a whole file's new content. A file that does not exist is created with exactly these bytes. Of one that exists, what
// the author could not see is kept, and a Note says so: its line endings, byte order mark, and whether it ends with a newline;
// unless nothing but these would change, for then they are what the proposal is about.
func ReadWhole(path string, content []byte, src Source) (Patch, []Note, error) {
	d := newDraft(src)
	if err := d.whole(path, content); err != nil {
		return nil, nil, err
	}
	return d.patch()
}

func (d *draft) whole(path string, content []byte) error {
	path = plainPath(path)
	if err := validPath(path); err != nil {
		return reject(path, 0, "%v", err)
	}
	base, err := d.src(path)
	if err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	if !base.Exists {
		f, err := d.open(path, Create)
		if err != nil {
			return err
		}
		f.create(content)
		return nil
	}
	if d.files[path] != nil {
		return reject(path, 0, "the proposal holds this file twice")
	}
	f, err := d.open(path, Modify)
	if err != nil {
		return err
	}
	kept, why := keepForm(base.Data, content)
	if bytes.Equal(kept, base.Data) {
		kept, why = content, nil
	}
	for _, w := range why {
		d.note(path, 0, "%s", w)
	}
	f.edits = diffLines(base.Data, kept)
	return nil
}

func (f *draftFile) create(content []byte) {
	if len(content) > 0 {
		f.edits = []Edit{{New: bytes.Clone(content)}}
	}
}

// keepForm gives content the form of base, and says what it did.
func keepForm(base, content []byte) (kept []byte, why []string) {
	if isBinary(base) || isBinary(content) || len(base) == 0 || len(content) == 0 {
		return content, nil
	}
	s := string(content)
	if bytes.HasPrefix(base, []byte(byteOrderMark)) && !strings.HasPrefix(s, byteOrderMark) {
		s = byteOrderMark + s
		why = append(why, "kept the byte order mark")
	}
	t := newText(base)
	if t.uniform() && s != withEndings(s, t.eol) {
		s = withEndings(s, t.eol)
		why = append(why, "kept the line endings ("+eolName(t.eol)+")")
	}
	body, end := cutEnding(s)
	switch had := bytes.HasSuffix(base, []byte("\n")); {
	case had && end == "":
		s += t.eol
		why = append(why, "kept the newline at the end of the file")
	case !had && end != "":
		s = body
		why = append(why, "kept the end of the file without a newline")
	}
	return []byte(s), why
}

// uniform says that every line that has an ending has the same.
func (t text) uniform() bool {
	crlf := bytes.Count(t.data, []byte("\r\n"))
	return crlf == 0 && t.eol == "\n" && bytes.ContainsRune(t.data, '\n') || crlf > 0 && crlf == bytes.Count(t.data, []byte("\n"))
}

func eolName(eol string) string {
	if eol == "\r\n" {
		return "CRLF"
	}
	return "LF"
}

// wholeFile is a whole file as JSON.
type wholeFile struct {
	Path    string  `json:"path"`
	Content *string `json:"content"`
}

// readJSON finds out which JSON form data has by the keys of its first object.
func (o Options) readJSON(data []byte, src Source) (Patch, []Note, error) {
	var first map[string]json.RawMessage
	var many []map[string]json.RawMessage
	if err := json.Unmarshal(data, &first); err != nil {
		if arrayErr := json.Unmarshal(data, &many); arrayErr != nil {
			if bytes.TrimSpace(data)[0] == '[' {
				err = arrayErr
			}
			return nil, nil, jsonError(data, err)
		}
		if len(many) == 0 {
			return nil, nil, reject("", 0, "the proposal is empty")
		}
		first = many[0]
	}
	has := func(key string) bool { _, ok := first[key]; return ok }
	switch {
	case has("edits"):
		return o.ReadLines(data, src)
	case has("operation"), has("search_block"):
		return o.ReadBlocks(data, src)
	case has("path") && has("content"):
		return readWholeJSON(data, src)
	}
	return nil, nil, reject("", 1, `the JSON holds neither "edits" (line edits) nor "operation" (file operations) nor "path" with "content" (a whole file)`)
}

func readWholeJSON(data []byte, src Source) (Patch, []Note, error) {
	files, err := decode[wholeFile](data)
	if err != nil {
		return nil, nil, err
	}
	d := newDraft(src)
	for _, f := range files {
		if f.Content == nil {
			return nil, nil, reject(f.Path, 0, `"content" is missing`)
		}
		if err := d.whole(f.Path, []byte(*f.Content)); err != nil {
			return nil, nil, err
		}
	}
	return d.patch()
}
