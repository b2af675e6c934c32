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
	start, end := sameEnds(was, is)
	return []edit.Edit{{Start: start, End: len(was) - end, New: bytes.Clone(is[start : len(is)-end])}}
}

// sameEnds is how much of two lists is the same at their beginning, and how much of the rest at their end.
func sameEnds[T comparable](a, b []T) (first, last int) {
	for first < min(len(a), len(b)) && a[first] == b[first] {
		first++
	}
	for last < min(len(a), len(b))-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	return first, last
}
