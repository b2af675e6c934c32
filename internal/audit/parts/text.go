package parts

import (
	"bytes"
	"strings"
)

// Bare is a text without white space, and with one kind of quotes.
func Bare(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), ""), "'", `"`)
}

// Mentions reports whether a word stands in a text.
func Mentions(text []byte, word string) bool {
	if len(word) < 2 {
		return false
	}
	for rest := text; ; {
		i := bytes.Index(rest, []byte(word))
		if i < 0 {
			return false
		}
		before, after := i > 0 && IsWord(rest[i-1]), i+len(word) < len(rest) && IsWord(rest[i+len(word)])
		if !before && !after {
			return true
		}
		rest = rest[i+len(word):]
	}
}

// IsWord reports whether a byte may stand in a word.
func IsWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}
