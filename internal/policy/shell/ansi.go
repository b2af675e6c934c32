package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// ansi resolves the escapes of $'…', and of echo -e and printf, which are nearly the same (Bash Reference Manual 3.1.2.4).
func ansi(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch c := text[i]; c {
		case 'a', 'b', 'e', 'E', 'f', 'n', 'r', 't', 'v':
			b.WriteByte("\a\b\x1b\x1b\f\n\r\t\v"[strings.IndexByte("abeEfnrtv", c)])
		case 'x', 'u', 'U':
			n, used := digits(text[i+1:], 16, map[byte]int{'x': 2, 'u': 4, 'U': 8}[c])
			if used == 0 {
				b.WriteString(text[i-1 : i+1])
				break
			}
			if c == 'x' {
				b.WriteByte(byte(n))
			} else {
				b.WriteString(string(utf8.AppendRune(nil, rune(n))))
			}
			i += used
		case '0', '1', '2', '3', '4', '5', '6', '7':
			width := 3
			if c == '0' {
				width = 4 // \0nnn, as echo has it
			}
			n, used := digits(text[i:], 8, width)
			b.WriteByte(byte(n))
			i += used - 1
		case 'c':
			if i+1 < len(text) {
				i++
				b.WriteByte(text[i] & 0x1f)
			}
		case '\\', '\'', '"', '?':
			b.WriteByte(c)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}

// digits reads a number of at most so many digits, and how many there were.
func digits(s string, base, most int) (n int64, used int) {
	for used < most && used < len(s) {
		if _, err := strconv.ParseInt(s[used:used+1], base, 64); err != nil {
			break
		}
		used++
	}
	n, _ = strconv.ParseInt(s[:used], base, 64)
	return n, used
}
