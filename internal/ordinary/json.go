package ordinary

import "strings"

// JSON is a text without what people's settings, and compilers', may have besides JSON: a mark of Unicode, comments, commas behind the last.
func JSON(data []byte) []byte {
	text := strings.TrimPrefix(string(data), "\ufeff")
	out := make([]byte, 0, len(text))
	comma := -1 // where a comma stands behind which nothing came yet
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch c := text[i]; {
		case c == '"':
			j := 1
			for j < len(rest) && rest[j] != '"' {
				if rest[j] == '\\' {
					j++
				}
				j++
			}
			j = min(j+1, len(rest))
			out, comma = append(out, rest[:j]...), -1
			i += j - 1
		case strings.HasPrefix(rest, "//"):
			i += strings.IndexByte(rest+"\n", '\n') - 1
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				return out
			}
			i += end + 1
		case c == ',':
			comma = len(out)
			out = append(out, c)
		case strings.IndexByte(" \t\r\n", c) >= 0:
			out = append(out, c)
		default:
			if (c == '}' || c == ']') && comma >= 0 {
				out[comma] = ' '
			}
			out, comma = append(out, c), -1
		}
	}
	return out
}
