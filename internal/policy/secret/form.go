package secret

import (
	"strconv"
	"strings"
)

// form is what follows the beginning of a token where that has parts: how many characters of which class, and what stands between.
type form []part

type part struct {
	literal     string // stands there as it is; empty: characters of the class
	chars       *class
	least, most int
}

// formClasses are the classes of characters by the letters that forms give them.
var formClasses = map[byte]*class{'w': &alnumChars, 'l': &lowerChars, 'u': &upperChars, 'h': &hexDigits, 'd': &numberChars, 't': &tokenChars}

var uuid = formOf("h8 - h4 - h4 - h4 - h12")

// formOf reads a form: parts between spaces, each a class with how many of it (w14, t16-64), or what stands there itself.
func formOf(text string) *form {
	var f form
	for word := range strings.FieldsSeq(text) {
		chars := formClasses[word[0]]
		if chars == nil {
			f = append(f, part{literal: word})
			continue
		}
		least, most, ranged := strings.Cut(word[1:], "-")
		p := part{chars: chars}
		p.least, _ = strconv.Atoi(least) // the forms are constants, and a test holds that each finds what it is for
		p.most = p.least
		if ranged {
			p.most, _ = strconv.Atoi(most)
		}
		f = append(f, p)
	}
	return &f
}

// formed is the end of what has a form and begins at i; 0 if that has not, or goes on.
func (s *scanner) formed(i int, f form) int {
	for _, p := range f {
		if p.literal != "" {
			if !s.has(i, p.literal) {
				return 0
			}
			i += len(p.literal)
			continue
		}
		end := s.run(i, p.chars, p.most)
		if end-i < p.least {
			return 0
		}
		i = end
	}
	if i < len(s.text) && wordChars[s.text[i]] {
		return 0
	}
	return i
}
