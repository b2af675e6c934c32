package git

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// slugLength is how many characters of a title a branch name shows.
const slugLength = 40

// Slug makes a title fit for a part of a branch name: its letters and digits, of any script, in lower case, with one hyphen
// for whatever stands between words; at most 40 characters, cut between words where that keeps at least half.
// Nothing of the title is taken for a prefix and dropped. A title without any letter or digit gives "untitled". Equal
// titles give equal slugs: [Repo.FreeBranch] tells them apart.
func Slug(title string) string {
	var out []rune
	gap := false
	for _, c := range norm.NFC.String(strings.ToLower(title)) {
		switch {
		case unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c) && len(out) > 0 && !gap:
			if gap && len(out) > 0 {
				out = append(out, '-')
			}
			gap = false
			out = append(out, c)
		case c == '\'' || c == '’': // "don't" is one word
		default:
			gap = true
		}
	}
	if len(out) == 0 {
		return "untitled"
	}
	return string(shorten(out))
}

// shorten cuts a slug to its length, between words if that leaves enough of it, and never between a letter and its marks.
func shorten(s []rune) []rune {
	if len(s) <= slugLength {
		return s
	}
	end := slugLength
	for end > 1 && unicode.IsMark(s[end]) {
		end--
	}
	for at := end; at >= slugLength/2; at-- {
		if s[at] == '-' {
			return s[:at]
		}
	}
	return s[:end]
}
