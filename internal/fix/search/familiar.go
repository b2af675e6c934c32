package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// asElsewhere is how much likelier a patch is of which every word follows its neighbours in the same file elsewhere, or all of it in a file beside it: len(L2) == 1 where len(L1) == 1 stands a few lines
// above. Code repeats itself, and what is wrong in it less so than what is right: Ray et al., On the "Naturalness" of Buggy Code, 2016.
const asElsewhere = 1.75

// inARow is how many words are looked at in a row.
const inARow = 3

// token matches a name, a number, a text, or a sign of a program.
var token = pattern.New(`[\pL_$][\pL\pN_$]*|\pN[\pL\pN_.]*|"(\\.|[^"\\\n])*"|'(\\.|[^'\\\n])*'|[=!]==|[-+*/%<>=!:|&^]=|&&|\|\||\+\+|--|[-=]>|\*\*|\?\?|[^\pL\pN\s]`)

// words are those of a text.
func words(text string) []string { return token.FindAllString(text, -1) }

// spaced puts words into one text, with a space around each.
func spaced(words []string) string { return " " + strings.Join(words, " ") + " " }

// readsAsElsewhere reports whether the words that a patch puts in, or brings together, do follow one another in what the file was.
func (x *hit) readsAsElsewhere() bool {
	if x.second != nil {
		return false
	}
	src := x.site.File.Source
	after, ok := apply(src, x.edits)
	if !ok {
		return false
	}
	first, last := x.span()
	start, end := code.Lines(src, first, last)
	is, was := words(after[start:end+len(after)-len(src)]), words(src[start:end])
	from, same := sameEnds(is, was)
	to := len(is) - same // of the words that are other ones: from from, up to to
	if from == to {
		return false // it only takes away
	}
	if len(x.edits) == 1 && x.site.unit.saidAround(x.site.File, strings.TrimSpace(string(x.edits[0].New))) {
		return true
	}
	all, known := x.site.unit.spoken(x.site.File), 0
	for i := max(0, from-inARow+1); i < min(to, len(is)-inARow+1); i++ {
		if !strings.Contains(all, spaced(is[i:i+inARow])) {
			return false
		}
		known++
	}
	return known > 0
}

// saidAround reports whether a file's neighbours have a text of several words as it is.
func (u *unit) saidAround(f *code.File, text string) bool {
	return len(words(text)) > inARow && slices.ContainsFunc(u.neighbours(f), func(n *code.File) bool { return strings.Contains(n.Source, text) })
}

// spoken are the words of a file in one text.
func (u *unit) spoken(f *code.File) string {
	p := u.pool(f)
	if p.spoken == "" {
		p.spoken = spaced(words(f.Source))
	}
	return p.spoken
}
