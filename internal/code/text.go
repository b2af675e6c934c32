package code

import "strings"

// Word is where a name stands in code as a word of its own, from a byte on; -1: nowhere.
func Word(text, name string, from int) int {
	for {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return -1
		}
		i += from
		if !wordAt(text, i-1) && !wordAt(text, i+len(name)) {
			return i
		}
		from = i + 1
	}
}

func wordAt(s string, i int) bool {
	return i >= 0 && i < len(s) && (s[i] == '_' || '0' <= s[i] && s[i] <= '9' || 'a' <= s[i]|0x20 && s[i]|0x20 <= 'z' || s[i] >= 0x80)
}

// Lines are the bytes of the whole lines that some bytes stand on, the last one's ending included.
func Lines(src string, start, end int) (from, to int) {
	from, to = strings.LastIndexByte(src[:start], '\n')+1, len(src)
	if i := strings.IndexByte(src[end:], '\n'); i >= 0 {
		to = end + i + 1
	}
	return from, to
}
