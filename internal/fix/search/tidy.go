package search

import (
	"bytes"
	"go/format"
	"slices"

	"fettle/internal/edit"
	"fettle/internal/syntax"
)

// tidy lays a patch of Go files out as gofmt does, where a file was so before.
func (u *unit) tidy(patch edit.Patch) edit.Patch {
	out := slices.Clone(patch)
	for i, c := range out {
		if f := u.files[c.Path]; f != nil && f.Lang == syntax.Go {
			out[i].Edits = formatted(f.Source, c.Edits)
		}
	}
	return out
}

// formatted are edits of a Go source as one edit after which it is laid out as gofmt does; the edits themselves where it was not so before, or is none then.
func formatted(src string, edits []edit.Edit) []edit.Edit {
	was := []byte(src)
	if clean, err := format.Source(was); err != nil || !bytes.Equal(clean, was) {
		return edits
	}
	after, ok := apply(src, edits)
	if !ok {
		return edits
	}
	is, err := format.Source([]byte(after))
	if err != nil {
		return edits
	}
	start, end := 0, 0
	for start < len(was) && start < len(is) && was[start] == is[start] {
		start++
	}
	for end < len(was)-start && end < len(is)-start && was[len(was)-1-end] == is[len(is)-1-end] {
		end++
	}
	return []edit.Edit{{Start: start, End: len(was) - end, New: bytes.Clone(is[start : len(is)-end])}}
}
