// Package percent encodes and decodes what URLs cannot hold as it is, "%2F" for "/" (RFC 3986, section 2.1). [net/url] does so too, but brings
// the addresses of networks along, which a program that starts for every tool call has to carry.
package percent

import (
	"strconv"
	"strings"
)

// Decode replaces every well-formed %XX by its byte. What is not well formed stays as it is, as many readers have it.
func Decode(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	plain := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if n, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				plain = append(plain, byte(n))
				i += 2
				continue
			}
		}
		plain = append(plain, text[i])
	}
	return string(plain)
}

// Path is a text as one part of a URL's path, as [net/url.PathEscape] has it.
func Path(text string) string { return encode(text, "-_.~$&+=:@") }

// Query is a text as a value in a URL's query, as [net/url.QueryEscape] has it: a blank is "+".
func Query(text string) string { return strings.ReplaceAll(encode(text, "-_.~ "), " ", "+") }

// encode leaves letters, digits and the plain ones as they are.
func encode(text, plain string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(text) {
		if '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || strings.IndexByte(plain, c) >= 0 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}
