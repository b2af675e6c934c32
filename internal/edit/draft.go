package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// draft collects what a proposal does to each file while it is read, and becomes a patch when all of it fits.
type draft struct {
	src   Source
	files map[string]*draftFile
	notes []Note
}

// draftFile is one file of a draft. Its edits are held against each other only at the end, so that they may come in any order.
type draftFile struct {
	path  string
	base  File
	text  text // of base
	op    Op
	mode  fs.FileMode // permission bits afterwards; 0 keeps them
	edits []Edit
	count int // parts of the proposal that were about this file
}

func newDraft(src Source) *draft { return &draft{src: src, files: map[string]*draftFile{}} }

// plainPath takes out of a path what says nothing: ./src//a.py is src/a.py. Whatever leads elsewhere stays as it is, and is refused.
func plainPath(p string) string {
	if p == "" || path.IsAbs(p) || strings.HasSuffix(p, "/") || slices.Contains(strings.Split(p, "/"), "..") {
		return p
	}
	return path.Clean(p)
}

// open gives the file with that path for an operation. A file may be opened again for the same modification only.
func (d *draft) open(name string, op Op) (*draftFile, error) {
	name = plainPath(name)
	if f := d.files[name]; f != nil {
		if op == Modify && f.op == Modify {
			return f, nil
		}
		return nil, reject(name, 0, "the proposal would both %s and %s this file", f.op, op)
	}
	if err := validPath(name); err != nil {
		return nil, reject(name, 0, "%v", err)
	}
	base, err := d.src(name)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	switch {
	case op == Create && base.Exists:
		return nil, reject(name, 0, "the file should be created, but it exists already")
	case op != Create && !base.Exists:
		return nil, reject(name, 0, "the file does not exist")
	}
	f := &draftFile{path: name, base: base, text: newText(base.Data), op: op}
	d.files[name] = f
	return f, nil
}

func (d *draft) note(path string, line int, format string, args ...any) {
	d.notes = append(d.notes, Note{Path: path, Line: line, Text: fmt.Sprintf(format, args...)})
}

// patch gives the whole, or the reason why it cannot be one.
func (d *draft) patch() (Patch, []Note, error) {
	var p Patch
	for _, path := range slices.Sorted(maps.Keys(d.files)) {
		c, err := d.files[path].change()
		if err != nil {
			return nil, nil, err
		}
		if c.Op == Modify && len(c.Edits) == 0 && c.Mode == 0 {
			d.note(path, 0, "the proposal changes nothing here")
			continue
		}
		p = append(p, c)
	}
	if err := p.Validate(); err != nil {
		return nil, nil, reject("", 0, "%v", err)
	}
	return p, d.notes, nil
}

// change puts the file's edits in order, refuses those that meet, and leaves out those that change nothing.
func (f *draftFile) change() (Change, error) {
	c := Change{Path: f.path, Op: f.op, Mode: f.mode}
	if f.op != Create {
		c.Base = Sum(f.base.Data)
	}
	if f.op == Modify && c.Mode == f.base.Mode.Perm() {
		c.Mode = 0
	}
	slices.SortStableFunc(f.edits, func(a, b Edit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	for i, e := range f.edits {
		if i > 0 && (e.Start < f.edits[i-1].End || e.Start == f.edits[i-1].Start && e.End == f.edits[i-1].End) {
			return c, reject(f.path, f.lineOf(e.Start), "two edits change the same place (the other begins at line %d); make them one", f.lineOf(f.edits[i-1].Start))
		}
		if f.op == Modify && bytes.Equal(f.base.Data[e.Start:e.End], e.New) {
			continue
		}
		c.Edits = append(c.Edits, e)
	}
	return c, nil
}

// lineOf is the line, from 1, that the byte is in.
func (f *draftFile) lineOf(offset int) int { return f.text.at(offset) + 1 }
