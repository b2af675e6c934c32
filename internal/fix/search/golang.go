package search

import (
	"bytes"
	"go/format"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/syntax"
)

// errorCheck returns an error that was assigned and then forgotten: Go's own way of failing.
func errorCheck(s *site, try func(change)) {
	if s.File.Lang != syntax.Go || s.Role != code.Assign || !s.isStatement() {
		return
	}
	for _, t := range s.All(code.Target) {
		if t.Role != code.Name || t.Name == "_" || !s.isError(t) {
			continue
		}
		if next := s.Next(); next.Is(code.If) && mentions(next.Kid(code.Cond).Text(), t.Name) {
			continue
		}
		ret, ok := failure(s.Function(), t.Name)
		if !ok {
			return
		}
		indent := s.Indent()
		try(insert(s.End, "\n"+indent+s.guard(t.Name+" != nil", ret, indent), 1, "the error of %s was not looked at", quote(s.Kid(code.Value).Text())))
	}
}

func (s *site) isError(t *code.Node) bool {
	if known := s.of(t); len(known.names) > 0 {
		return known.names[0] == "error"
	}
	return t.Name == "err"
}

// failure is the return statement that hands an error on, with zero values for the other results.
func failure(fn *code.Node, err string) (string, bool) {
	var out []string
	types := code.GoResults(fn.Type)
	if len(types) == 0 || types[len(types)-1] != "error" {
		return "", false
	}
	for _, t := range types[:len(types)-1] {
		out = append(out, code.GoZero(t))
	}
	return "return " + strings.Join(append(out, err), ", "), true
}

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
