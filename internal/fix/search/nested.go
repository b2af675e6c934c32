package search

import "strings"

// nested goes through a text of code, outside of quotes: each sign, and within how many brackets what follows it stands. It ends where each says so.
func nested(text string, each func(at int, sign byte, depth int) (more bool)) {
	depth, quoted := 0, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted != 0 && c == '\\':
			i++
			continue
		case quoted != 0:
			if c == quoted {
				quoted = 0
			}
			continue
		case c == '"' || c == '\'' || c == '`':
			quoted = c
			continue
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
		if !each(i, c, depth) {
			return
		}
	}
}
