package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// braces are the words that brace expansion makes of one. As in bash, it comes before anything else.
func braces(w *syntax.Word) []*syntax.Word {
	if !hasBrace(w) {
		return []*syntax.Word{w}
	}
	c := &syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)}
	if !syntax.SplitBraces(c) {
		return []*syntax.Word{w}
	}
	const most = 256
	return product(c.Parts, most)
}

func hasBrace(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if lit, ok := p.(*syntax.Lit); ok && strings.Contains(lit.Value, "{") {
			return true
		}
	}
	return false
}

// product is every way to choose one element of each brace expression, in bash's order.
func product(parts []syntax.WordPart, most int) []*syntax.Word {
	words := []*syntax.Word{{}}
	for _, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		choices := [][]syntax.WordPart{{p}}
		if ok {
			choices = choices[:0]
			for _, e := range elements(b) {
				for _, w := range product(e.Parts, most) {
					choices = append(choices, w.Parts)
				}
			}
		}
		var next []*syntax.Word
		for _, w := range words {
			for _, c := range choices {
				if len(next) == most {
					break
				}
				next = append(next, &syntax.Word{Parts: append(append([]syntax.WordPart(nil), w.Parts...), c...)})
			}
		}
		words = next
	}
	return words
}

// elements are the alternatives of a brace expression. Of a sequence the first and the last are enough to be judged, unless it
// is one of letters, which may spell something.
func elements(b *syntax.BraceExp) []*syntax.Word {
	if !b.Sequence || len(b.Elems) < 2 {
		return b.Elems
	}
	from, to := b.Elems[0].Lit(), b.Elems[1].Lit()
	if len(from) != 1 || len(to) != 1 {
		return b.Elems[:2]
	}
	var out []*syntax.Word
	step := 1
	if from[0] > to[0] {
		step = -1
	}
	for c := int(from[0]); ; c += step {
		out = append(out, &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: string(rune(c))}}})
		if c == int(to[0]) {
			return out
		}
	}
}
