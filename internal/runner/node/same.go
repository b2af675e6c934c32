package node

import "strings"

// squeezed is a source without what makes no difference between two candidates: comments, and how white space is spelled. What stands
// in strings and templates stays; where it is not sure, too much stays, and two that are the same are taken for different ones.
func squeezed(src string) string {
	var b strings.Builder
	b.Grow(len(src))
	gap, remark := byte(0), false
	flush := func(next byte) {
		idle := remark && gap == ' ' && strings.IndexByte(";,)", next) >= 0 // blanks around a remark behind which the statement ends
		if gap != 0 && b.Len() > 0 && !idle {
			b.WriteByte(gap)
		}
		gap, remark = 0, false
	}
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '\n':
			gap = '\n' // a line's end can end a statement
			i++
		case c == ' ' || c == '\t' || c == '\r':
			if gap == 0 {
				gap = ' '
			}
			i++
		case strings.HasPrefix(src[i:], "//"), strings.HasPrefix(src[i:], "/*"):
			n := comment(src[i:])
			if src[i+1] == '*' {
				remark = true
				if strings.Contains(src[i:i+n], "\n") {
					gap = '\n'
				} else if gap == 0 {
					gap = ' '
				}
			}
			i += n
		case c == '"' || c == '\'' || c == '`':
			flush(c)
			n := literal(src[i:])
			b.WriteString(src[i : i+n])
			i += n
		default:
			flush(c)
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// comment is the length of the comment that a text begins with; of one to the line's end, without that.
func comment(s string) int {
	if s[1] == '/' {
		if n := strings.IndexByte(s, '\n'); n >= 0 {
			return n
		}
		return len(s)
	}
	if n := strings.Index(s[2:], "*/"); n >= 0 {
		return n + 4
	}
	return len(s)
}

// literal is the length of the string, or template, that a text begins with. One in quotes ends with its line at the latest: what looked
// like a quote may have been part of a regular expression.
func literal(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		case '\n':
			if s[0] != '`' {
				return i
			}
		}
	}
	return len(s)
}
