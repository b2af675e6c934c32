package edit

import (
	"bytes"
	"fmt"
	"io/fs"
)

// DefaultMode is the permission bits of a created file whose change names none.
const DefaultMode fs.FileMode = 0o644

// Apply gives the file as it is after the change. A Delete gives the zero File. The base is left as it is and shares no
// memory with the result unless the content stays the same.
// The error is a [*MismatchError] when base is not the content that the change was made for.
func (c Change) Apply(base File) (File, error) {
	if err := c.Validate(); err != nil {
		return File{}, err
	}
	if err := c.expect(base); err != nil {
		return File{}, err
	}
	switch c.Op {
	case Delete:
		return File{}, nil
	case Create:
		after := File{Mode: DefaultMode, Exists: true}
		if c.Mode != 0 {
			after.Mode = c.Mode
		}
		if len(c.Edits) == 1 {
			after.Data = bytes.Clone(c.Edits[0].New)
		}
		return after, nil
	case Modify:
	}
	return c.modify(base)
}

func (c Change) modify(base File) (File, error) {
	after := base
	if c.Mode != 0 {
		after.Mode = base.Mode&^fs.ModePerm | c.Mode
	}
	if n := len(c.Edits); n > 0 {
		if end := c.Edits[n-1].End; end > len(base.Data) {
			return File{}, fmt.Errorf("%s: an edit ends at byte %d, but the file has only %d", c.Path, end, len(base.Data))
		}
		after.Data = splice(base.Data, c.Edits)
	}
	return after, nil
}

// expect checks that base is what the change was made for.
func (c Change) expect(base File) error {
	var have Hash
	if base.Exists {
		have = Sum(base.Data)
	}
	if have != c.Base {
		return &MismatchError{Path: c.Path, Want: c.Base, Have: have}
	}
	return nil
}

// splice carries out edits that are in order, without overlap, and inside data.
func splice(data []byte, edits []Edit) []byte {
	size := len(data)
	for _, e := range edits {
		size += len(e.New) - (e.End - e.Start)
	}
	out := make([]byte, 0, size)
	at := 0
	for _, e := range edits {
		out = append(out, data[at:e.Start]...)
		out = append(out, e.New...)
		at = e.End
	}
	return append(out, data[at:]...)
}

// Apply gives every touched file as it is after the patch; a deleted one is the zero File. Everything is checked before
// anything is given back: on an error there is no result at all.
func (p Patch) Apply(src Source) (map[string]File, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	out := make(map[string]File, len(p))
	for _, c := range p {
		base, err := src(c.Path)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", c.Path, err)
		}
		if out[c.Path], err = c.Apply(base); err != nil {
			return nil, err
		}
	}
	return out, nil
}
