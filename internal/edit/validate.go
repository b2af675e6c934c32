package edit

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Validate reports whether the patch is well formed: clean relative slash paths, sorted and unique, none of them inside
// another file of the patch; edits in order and without overlap; bases and modes that fit what each change does.
// It looks at no file; see [Patch.Apply] for the rest.
func (p Patch) Validate() error {
	stays := make(map[string]bool, len(p))
	for i, c := range p {
		if err := c.Validate(); err != nil {
			return err
		}
		if i > 0 && c.Path <= p[i-1].Path {
			if c.Path == p[i-1].Path {
				return fmt.Errorf("%q: the patch holds two changes to this file", c.Path)
			}
			return fmt.Errorf("%q: the changes are not sorted by path (it comes after %q)", c.Path, p[i-1].Path)
		}
		if c.Op != Delete {
			stays[c.Path] = true
		}
	}
	for file := range stays {
		for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
			if stays[dir] {
				return fmt.Errorf("%q: the patch makes %q a file and a folder at once", file, dir)
			}
		}
	}
	return nil
}

// Validate reports whether the change is well formed, without looking at the file.
func (c Change) Validate() error {
	if err := validPath(c.Path); err != nil {
		return fmt.Errorf("%q: %w", c.Path, err)
	}
	if c.Mode&^fs.ModePerm != 0 {
		return fmt.Errorf("%q: mode %v holds more than permission bits", c.Path, c.Mode)
	}
	if err := c.validOp(); err != nil {
		return fmt.Errorf("%q: %w", c.Path, err)
	}
	for i, e := range c.Edits {
		if err := e.follows(c.Edits[:i]); err != nil {
			return fmt.Errorf("%q: edit %d: %w", c.Path, i+1, err)
		}
	}
	return nil
}

func (c Change) validOp() error {
	switch c.Op {
	case Modify:
		if !c.Base.valid() {
			return fmt.Errorf("a modification names no valid base (%q)", c.Base)
		}
		if len(c.Edits) == 0 && c.Mode == 0 {
			return errors.New("a modification without edits or a mode changes nothing")
		}
	case Delete:
		if !c.Base.valid() {
			return fmt.Errorf("a deletion names no valid base (%q)", c.Base)
		}
		if len(c.Edits) > 0 || c.Mode != 0 {
			return errors.New("a deletion has neither edits nor a mode")
		}
	case Create:
		if c.Base != "" {
			return errors.New("a creation has no base")
		}
		if len(c.Edits) > 1 || len(c.Edits) == 1 && (c.Edits[0].Start != 0 || c.Edits[0].End != 0) {
			return errors.New("a creation holds its content as one insertion at 0")
		}
	default:
		return fmt.Errorf("unknown operation %q", c.Op)
	}
	return nil
}

// follows reports whether e may come after the edits before it, of which the last one decides.
// Two insertions at one place are refused, because only their order in the list would say which text comes first.
func (e Edit) follows(before []Edit) error {
	if e.Start < 0 || e.End < e.Start {
		return fmt.Errorf("bytes %d to %d are no range", e.Start, e.End)
	}
	if len(before) == 0 {
		return nil
	}
	last := before[len(before)-1]
	if e.Start < last.End {
		return fmt.Errorf("bytes %d to %d overlap or come before the previous edit (%d to %d)", e.Start, e.End, last.Start, last.End)
	}
	if e.Start == last.Start && e.End == last.End {
		return fmt.Errorf("a second insertion at byte %d", e.Start)
	}
	return nil
}

func (h Hash) valid() bool {
	return len(h) == 64 && strings.Trim(string(h), "0123456789abcdef") == ""
}

func validPath(p string) error {
	switch {
	case p == "":
		return errors.New("the path is empty")
	case strings.ContainsRune(p, 0):
		return errors.New("the path holds a NUL byte")
	case path.IsAbs(p):
		return errors.New("the path is absolute; it must be relative to the root of the workspace")
	case p == ".." || strings.HasPrefix(path.Clean(p), "../"):
		return errors.New("the path leads out of the workspace")
	case path.Clean(p) != p || p == ".":
		return fmt.Errorf("the path is not in its clean form %q", path.Clean(p))
	}
	return nil
}
