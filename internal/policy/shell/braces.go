package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// mostBraces is how many words may be made of one, and mostParts of how many parts they may be all together.
const (
	mostBraces = 256
	mostParts  = 8 * mostBraces
)

// braces are the words that brace expansion makes of one. As in bash, it comes before anything else. Words of which there are too
// many to be judged one by one are not read.
func (s *shell) braces(w *syntax.Word) []*syntax.Word {
	if !hasBrace(w) {
		return []*syntax.Word{w}
	}
	c := &syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)}
	if !syntax.SplitBraces(c) {
		return []*syntax.Word{w}
	}
	if n, parts := size(c.Parts); n > mostBraces || parts > mostParts {
		s.opaque("braces make more words than can be read")
		return []*syntax.Word{{Parts: []syntax.WordPart{&syntax.ExtGlob{}}}}
	}
	return product(c.Parts)
}

// alternatives are the patterns that one stands for which a program reads itself: "{a,b}.go" is two. Of those beyond the most, the first are given.
func alternatives(pattern string, most int) []string {
	begin := strings.IndexByte(pattern, '{')
	if begin < 0 {
		return []string{pattern}
	}
	end, deep, from := -1, 0, begin+1
	var parts []string
	for i := begin; i < len(pattern) && end < 0; i++ {
		switch c := pattern[i]; {
		case c == '{':
			deep++
		case c == ',' && deep == 1:
			parts, from = append(parts, pattern[from:i]), i+1
		case c == '}':
			if deep--; deep == 0 {
				parts, end = append(parts, pattern[from:i]), i
			}
		}
	}
	if end < 0 {
		return []string{pattern}
	}
	var all []string
	for _, part := range parts {
		if len(all) >= most {
			break
		}
		all = append(all, alternatives(pattern[:begin]+part+pattern[end+1:], most-len(all))...)
	}
	return all
}

func hasBrace(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if lit, ok := p.(*syntax.Lit); ok && strings.Contains(lit.Value, "{") {
			return true
		}
	}
	return false
}

// size is how many words brace expansion makes, and of how many parts; neither is counted far beyond what is too many.
func size(parts []syntax.WordPart) (words, all int) {
	words, length := 1, 0
	for _, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			length++
			continue
		}
		n, longest := 0, 0
		for _, e := range elements(b) {
			k, parts := size(e.Parts)
			n, longest = n+k, max(longest, parts)
		}
		words, length = words*max(n, 1), length+longest
		if words > mostBraces || length > mostParts {
			return mostBraces + 1, mostParts + 1
		}
	}
	return words, words * max(length, 1)
}

// product is every way to choose one element of each brace expression, in bash's order.
func product(parts []syntax.WordPart) []*syntax.Word {
	words := []*syntax.Word{{}}
	for _, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			for _, w := range words {
				w.Parts = append(w.Parts, p)
			}
			continue
		}
		var choices []*syntax.Word
		for _, e := range elements(b) {
			choices = append(choices, product(e.Parts)...)
		}
		var next []*syntax.Word
		for _, w := range words {
			for _, c := range choices {
				next = append(next, &syntax.Word{Parts: append(append([]syntax.WordPart(nil), w.Parts...), c.Parts...)})
			}
		}
		words = next
	}
	return words
}

// elements are the alternatives of a brace expression. Of a long sequence of numbers a few are enough to be judged, and those that
// mean something of their own.
func elements(b *syntax.BraceExp) []*syntax.Word {
	if !b.Sequence || len(b.Elems) < 2 {
		return b.Elems
	}
	from, to := b.Elems[0].Lit(), b.Elems[1].Lit()
	first, err1 := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err1 == nil && err2 == nil {
		return numbers(b, first, last)
	}
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

func numbers(b *syntax.BraceExp, first, last int) []*syntax.Word {
	const most = 16
	low, high := min(first, last), max(first, last)
	out := []*syntax.Word{b.Elems[0]}
	between := []int{-1, 0, 1}
	if high-low < most && low > -1<<30 {
		between = nil
		for n := low; n <= high; n++ {
			between = append(between, n)
		}
	}
	for _, n := range between {
		if low < n && n < high {
			out = append(out, &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: strconv.Itoa(n)}}})
		}
	}
	return append(out, b.Elems[1])
}
