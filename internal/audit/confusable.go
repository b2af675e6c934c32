package audit

import (
	"fmt"
	"strings"
	"unicode"

	"fettle/internal/phrase"
	"fettle/internal/syntax"
)

// confusables looks for words of code that mix letters which look alike, of Latin and of another script: such a word looks like one that it is not.
func confusables(_ *patchView, f *fileView) []Finding {
	if syntax.LangOf(f.path) == "" || !f.text() {
		return nil
	}
	had := make(map[string]bool)
	for word := range strings.FieldsFuncSeq(string(f.before), notWord) {
		had[word] = true
	}
	var all []Finding
	number := 0
	for l := range strings.Lines(string(f.after)) {
		number++
		for word := range strings.FieldsFuncSeq(l, notWord) {
			if !had[word] && mixed(word) {
				had[word] = true
				all = append(all, Finding{Line: number, Effect: Ask, Evidence: fmt.Sprintf("%q mixes letters of two scripts, %+q: it looks like another word", phrase.Clip(word), phrase.Clip(word))})
			}
		}
	}
	return all
}

func notWord(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// mixed reports whether a word has letters of Latin, and of a script with letters that look the same.
func mixed(word string) bool {
	latin, other := false, false
	for _, r := range word {
		latin = latin || unicode.Is(unicode.Latin, r)
		other = other || unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee) && r != 'µ' && r != 'μ' && r != 'Δ' && r != 'Ω' && r != 'π'
	}
	return latin && other
}
