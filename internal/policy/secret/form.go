package secret

import (
	"strconv"
	"strings"
)

// form is what follows the beginning of a token where that has parts: between spaces, a class of characters with how many of it (w14, t16-64), or what stands there
// itself. It is read where such a beginning has been found, which is seldom, and not when the program starts.
type form string

const uuid form = "h8 - h4 - h4 - h4 - h12"

// formClass is the class of characters by the letter that forms give it, or nil.
func formClass(letter byte) *class {
	switch letter {
	case 'w':
		return &alnumChars
	case 'l':
		return &lowerChars
	case 'u':
		return &upperChars
	case 'h':
		return &hexDigits
	case 'd':
		return &numberChars
	case 't':
		return &tokenChars
	}
	return nil
}

// formed is the end of what has a form and begins at i; 0 if that has not, or goes on.
func (s *scanner) formed(i int, f form) int {
	for part := range strings.FieldsSeq(string(f)) {
		chars := formClass(part[0])
		if chars == nil {
			if !s.has(i, part) {
				return 0
			}
			i += len(part)
			continue
		}
		fewest, most, ranged := strings.Cut(part[1:], "-")
		if !ranged {
			most = fewest
		}
		least, _ := strconv.Atoi(fewest) // the forms are constants, and a test holds that each finds what it is for
		limit, _ := strconv.Atoi(most)
		end := s.run(i, chars, limit)
		if end-i < least {
			return 0
		}
		i = end
	}
	if i < len(s.text) && wordChars[s.text[i]] {
		return 0
	}
	return i
}
