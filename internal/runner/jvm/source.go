package jvm

import (
	"context"
	"strconv"
	"unicode/utf8"

	"fettle/internal/edit"
	"fettle/internal/syntax"
)

func itoa(n int) string { return strconv.Itoa(n) }

// source is one of the project's sources.
type source struct {
	path  string // slash path from the root
	key   string // "com/x/Calc.java"
	data  []byte
	tree  *syntax.Tree // nil when it could not be read
	test  bool
	whole bool // the grammar knows all that stands in it
}

// readSource reads a source as the grammar sees it. One that is too large is left as it is.
func readSource(ctx context.Context, path, key string, data []byte) (*source, error) {
	s := &source{path: path, key: key, data: data}
	tree, err := syntax.Parse(ctx, syntax.Java, data)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return s, nil
	}
	s.tree, s.whole = tree, !tree.Root().HasError()
	return s, nil
}

// woven is the text with what counts steps.
func (s *source) woven() string {
	if !s.whole {
		return string(s.data)
	}
	return splice(s.tree.Source(), 0, len(s.data), steps(s.tree.Root()))
}

// traced is the text with what counts steps and what tells where it goes.
func (s *source) traced(p *probes) string {
	if !s.whole {
		return string(s.data)
	}
	return splice(s.tree.Source(), 0, len(s.data), append(steps(s.tree.Root()), p.weave(s.path, s.tree.Root())...))
}

// wovenAfter is the text after some edits, with what counts steps where the grammar can see it.
func wovenAfter(ctx context.Context, text []byte) (string, error) {
	s, err := readSource(ctx, "", "", text)
	if err != nil {
		return "", err
	}
	return s.woven(), nil
}

// asText is a source as the compiler is handed it: what is no UTF-8 is taken for Latin-1, which gives every byte a letter.
func asText(b string) string {
	if utf8.ValidString(b) {
		return b
	}
	r := make([]rune, len(b))
	for i := range len(b) {
		r[i] = rune(b[i])
	}
	return string(r)
}

// byteOf is the byte at which a letter of [asText] stands, letters counted as Java does: in units of UTF-16.
func byteOf(b string, unit int) int {
	if !utf8.ValidString(b) {
		return min(unit, len(b))
	}
	units := 0
	for i, r := range b {
		if units >= unit {
			return i
		}
		if units++; r > 0xffff {
			units++
		}
	}
	return len(b)
}

// bodies reports whether all edits of a change lie in bodies of functions: then no other file has to be compiled again.
func (s *source) bodies(edits []edit.Edit) bool {
	for _, e := range edits {
		inside := false
		for n := range s.tree.Root().Find("method_declaration", "constructor_declaration") {
			body := n.Child("body")
			inside = inside || !body.IsZero() && body.Start() < e.Start && e.End < body.End()
		}
		if !inside {
			return false
		}
	}
	return true
}
