package search

import (
	"bytes"
	"go/format"

	"fettle/internal/edit"
	"fettle/internal/syntax"
)

// tidy lays a patch of Go files out as gofmt does, where the file was so before.
func tidy(p *proposal) edit.Patch {
	if p.site.File.Lang != syntax.Go || len(p.patch) != 1 {
		return p.patch
	}
	was := []byte(p.site.File.Source)
	if clean, err := format.Source(was); err != nil || !bytes.Equal(clean, was) {
		return p.patch
	}
	after, ok := apply(string(was), p.edits)
	if !ok {
		return p.patch
	}
	is, err := format.Source([]byte(after))
	if err != nil {
		return p.patch
	}
	start, end := 0, 0
	for start < len(was) && start < len(is) && was[start] == is[start] {
		start++
	}
	for end < len(was)-start && end < len(is)-start && was[len(was)-1-end] == is[len(is)-1-end] {
		end++
	}
	c := p.patch[0]
	c.Edits = []edit.Edit{{Start: start, End: len(was) - end, New: bytes.Clone(is[start : len(is)-end])}}
	return edit.Patch{c}
}
