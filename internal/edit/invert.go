package edit

import (
	"bytes"
	"fmt"
)

// Invert gives the patch that takes the result of p back to what src holds: contents, modes, created and deleted files.
//
// A file whose Mode is 0 has permission bits that are not known (or none at all), which no patch can set again: changing
// its mode cannot be inverted and is an error; when it was deleted it comes back with [DefaultMode].
func (p Patch) Invert(src Source) (Patch, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	out := make(Patch, 0, len(p))
	for _, c := range p {
		base, err := src(c.Path)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", c.Path, err)
		}
		back, err := c.Invert(base)
		if err != nil {
			return nil, err
		}
		out = append(out, back)
	}
	return out, nil
}

// Invert gives the change that takes the result of c back to base; see [Patch.Invert].
func (c Change) Invert(base File) (Change, error) {
	after, err := c.Apply(base)
	if err != nil {
		return Change{}, err
	}
	switch c.Op {
	case Create:
		return Change{Path: c.Path, Op: Delete, Base: Sum(after.Data)}, nil
	case Delete:
		return creation(c.Path, base), nil
	case Modify:
	}
	back := Change{Path: c.Path, Op: Modify, Base: Sum(after.Data), Edits: backEdits(c.Edits, base.Data)}
	if c.Mode != 0 {
		if back.Mode = base.Mode.Perm(); back.Mode == 0 {
			return Change{}, fmt.Errorf("%s: its permission bits are not known, so that the change to %o could not be undone", c.Path, c.Mode)
		}
	}
	return back, nil
}

// backEdits gives the edits that undo edits. Those that touch become one, because two deletions side by side turn into two
// insertions at one place, which a change may not hold.
func backEdits(edits []Edit, base []byte) []Edit {
	var out []Edit
	shift := 0
	for _, e := range edits {
		start := e.Start + shift
		b := Edit{Start: start, End: start + len(e.New), New: bytes.Clone(base[e.Start:e.End])}
		shift += len(e.New) - (e.End - e.Start)
		if n := len(out); n > 0 && out[n-1].End == b.Start {
			out[n-1].End = b.End
			out[n-1].New = append(out[n-1].New, b.New...)
			continue
		}
		out = append(out, b)
	}
	return out
}

// creation is the change that makes the file f.
func creation(path string, f File) Change {
	c := Change{Path: path, Op: Create, Mode: f.Mode.Perm()}
	if len(f.Data) > 0 {
		c.Edits = []Edit{{New: bytes.Clone(f.Data)}}
	}
	return c
}
