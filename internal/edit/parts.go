package edit

import (
	"bytes"
	"slices"
	"strings"
)

// Part is one thing that a proposal does to one file, in whatever form it came: exactly one of Old with New, Old or Line with Before or After, Content, and Delete.
type Part struct {
	Path    string
	Line    int     // where Old stands, from 1; 0: nobody says
	Old     *string // what is there: lines, or a piece of one
	New     *string // what should be there instead; "" takes it away, and the lines that it was all of
	Before  *string // lines that are put before the place
	After   *string // lines that are put behind it
	Content *string // all of the file
	Delete  bool    // the file goes
	Lines   bool    // Old is whole lines and nothing smaller
}

// ReadParts reads parts with the default options; see [Options.ReadParts].
func ReadParts(parts []Part, src Source) (Patch, []Note, error) {
	return Options{}.ReadParts(parts, src)
}

// ReadParts makes a patch of parts, all of them or none. Every part is searched in the file as it is now.
//
// Old is first looked for as whole lines: at Line, where that is said, or else in the one place where they stand. If no line is that text, it is looked for as a piece of a line, in the
// line that is said or in all of the file, where it must stand once and may not begin or end within a word. Only if it is nowhere, lines are compared by their words alone; that has to find
// one place, and a Note says so. Text that stands in several places is refused unless Line says which is meant.
//
// An empty Old is for a file that is empty or does not exist. Of a whole file what its author could not see is kept, as [ReadWhole] does.
func (o Options) ReadParts(parts []Part, src Source) (Patch, []Note, error) {
	if len(parts) == 0 {
		return nil, nil, reject("", 0, "the proposal is empty")
	}
	d := newDraft(src)
	for _, p := range parts {
		if err := o.part(d, p); err != nil {
			return nil, nil, err
		}
	}
	return d.patch()
}

func (o Options) part(d *draft, p Part) error {
	inserts := p.Before != nil || p.After != nil
	ways := 0
	for _, way := range []bool{p.New != nil, p.Before != nil, p.After != nil, p.Content != nil, p.Delete} {
		if way {
			ways++
		}
	}
	switch {
	case ways != 1:
		return reject(p.Path, p.Line, "an edit replaces text, inserts before or after a line, gives all of the file, or deletes it: one of these")
	case p.Delete:
		_, err := d.open(p.Path, Delete)
		return err
	case p.Content != nil:
		return d.whole(p.Path, []byte(*p.Content))
	case p.New != nil && p.Old == nil:
		return reject(p.Path, p.Line, "the edit does not say what it replaces: give the lines as they are now")
	}
	if !inserts && *p.Old == "" && d.files[p.Path] == nil {
		if f, err := d.open(p.Path, Create); err == nil {
			f.create([]byte(*p.New))
			return nil
		}
	}
	f, err := d.open(p.Path, Modify)
	if err != nil {
		return err
	}
	if err := o.count(f); err != nil {
		return err
	}
	if inserts {
		return d.insertion(f, p)
	}
	if *p.Old == "" {
		return d.block(f, "", *p.New, true)
	}
	e, err := d.piece(f, p)
	if err != nil {
		return err
	}
	f.tighten(e)
	return nil
}

// insertion puts lines before or behind the lines that Old is, or that Line says.
func (d *draft) insertion(f *draftFile, p Part) error {
	first, n := p.Line-1, 1
	switch {
	case p.Old != nil && strings.TrimSpace(*p.Old) != "":
		lines := splitLines(*p.Old)
		at, found, err := d.lines(f, p.Line, lines)
		if err != nil {
			return err
		}
		if !found {
			return reject(f.path, p.Line, "the lines beside which the insertion should stand are not in the file (they begin %q)", lines[0])
		}
		first, n = at, len(lines)
	case p.Line == 0 && f.text.lines() == 0:
		first, n = 0, 0
	case p.Line < 1 || p.Line > f.text.lines():
		return reject(f.path, p.Line, "there is no such line; the file has %d", f.text.lines())
	}
	if p.Before != nil {
		f.edits = append(f.edits, f.text.insert(first, atLeastOne(*p.Before)))
		return nil
	}
	f.edits = append(f.edits, f.text.insert(first+n, atLeastOne(*p.After)))
	return nil
}

// lines finds whole lines: at the line that is said, from 1, or in the one place where they stand.
func (d *draft) lines(f *draftFile, said int, lines []string) (at int, found bool, err error) {
	all := f.text.findAll(len(lines), func(i, k int) bool { return f.text.line(i) == lines[k] })
	switch {
	case len(lines) == 0 || len(all) == 0:
		return 0, false, nil
	case said > 0 && slices.Contains(all, said-1):
		return said - 1, true, nil
	case len(all) > 1:
		return 0, false, f.ambiguous(all)
	}
	if said > 0 {
		d.note(f.path, all[0]+1, "the text for line %d was found at line %d", said, all[0]+1)
	}
	return all[0], true, nil
}

// piece gives the edit that puts New where Old stands.
func (d *draft) piece(f *draftFile, p Part) (Edit, error) {
	old, fresh := splitLines(*p.Old), splitLines(*p.New)
	at, found, err := d.lines(f, p.Line, old)
	if err != nil {
		return Edit{}, err
	}
	if found {
		return f.text.replace(at, at+len(old), fresh), nil
	}
	if p.Lines {
		return d.findWords(f, old, fresh)
	}
	if start, end, ok := f.within(p.Line-1, old); ok {
		return d.replaceBytes(f, start, end, *p.Old, *p.New)
	}
	e, found, err := d.findBytes(f, *p.Old, *p.New)
	if err != nil {
		return Edit{}, err
	}
	if !found {
		return d.findWords(f, old, fresh)
	}
	if line, cut := f.cutsWord(*p.Old); cut {
		return Edit{}, reject(f.path, line+1, "the text to be replaced stands only within a longer word; give the whole line")
	}
	if p.Line > 0 {
		d.note(f.path, f.lineOf(e.Start), "the text for line %d was found at line %d", p.Line, f.lineOf(e.Start))
	}
	return e, nil
}

// within finds one line's text as the only such piece of line i, words whole.
func (f *draftFile) within(i int, old []string) (start, end int, ok bool) {
	if i < 0 || i >= f.text.lines() || len(old) != 1 || old[0] == "" {
		return 0, 0, false
	}
	at := indexAll([]byte(f.text.line(i)), []byte(old[0]))
	if len(at) != 1 {
		return 0, 0, false
	}
	start = f.text.starts[i] + at[0]
	end = start + len(old[0])
	return start, end, !splitsWord(f.base.Data, start) && !splitsWord(f.base.Data, end)
}

// cutsWord reports whether text that stands in one place begins or ends there within a word, and on which line.
func (f *draftFile) cutsWord(old string) (line int, cut bool) {
	for _, eol := range []string{"\n", "\r\n"} {
		needle := []byte(withEndings(old, eol))
		if i := bytes.Index(f.base.Data, needle); i >= 0 {
			return f.text.at(i), splitsWord(f.base.Data, i) || splitsWord(f.base.Data, i+len(needle))
		}
	}
	return 0, false
}

// splitsWord reports whether there are letters of a word on both sides of a byte.
func splitsWord(data []byte, at int) bool {
	return at > 0 && at < len(data) && wordByte(data[at-1]) && wordByte(data[at])
}

func wordByte(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
