package secret

import (
	"bytes"
	"encoding/base64"
)

// encoded finds a text in base64 that has a secret in it, such as a file of variables that a pipeline unpacks; it begins at i. What it is cannot be told from it without reading it, so all of it
// is the secret. Few other words are a text when they are decoded, which the first of it tells. It is the end of what was read, or 0.
func (s *scanner) encoded(i int) int {
	if s.depth >= maxDepth || i > 0 && plainBase64Chars[s.text[i-1]] { // the middle of one that was looked at
		return 0
	}
	end := s.run(i, &plainBase64Chars, maxEncodedText)
	if end-i < leastEncoded || !readable(s.text[i:i+leastEncoded]) {
		return 0
	}
	packed := s.text[i:end]
	if width := end - i; (width == 76 || width == 64) && end == s.run(i, &plainBase64Chars, 0) { // in lines
		packed = bytes.Clone(packed)
		for next := s.skipBreak(end); next > end && len(packed) < maxEncodedText; next = s.skipBreak(end) {
			stop := s.run(next, &plainBase64Chars, width)
			packed = append(packed, s.text[next:stop]...)
			end = stop
			if stop-next < width {
				break
			}
		}
	}
	packed = bytes.TrimRight(packed, "=")
	text := make([]byte, base64.RawStdEncoding.DecodedLen(len(packed)))
	n, _ := base64.RawStdEncoding.Decode(text, packed[:len(packed)-len(packed)%4]) // what is cut off, as in a log, is read as far as it goes
	inner := scanner{text: bytes.ReplaceAll(text[:n], []byte{0}, nil), dash: -1, depth: s.depth + 1}
	inner.scan()
	if len(inner.found) > 0 {
		s.add("base64", i, s.run(end, &padding, 2))
	}
	return end
}

const (
	leastEncoded   = 24
	maxEncodedText = 64 << 10
	maxDepth       = 3 // as often as a text is unpacked that was itself packed
)

var (
	plainBase64Chars = classOf(digits + lower + upper + "+/")
	padding          = classOf("=")
)

// readable reports base64 of what a person can read, also in UTF-16, as PowerShell is given it.
func readable(packed []byte) bool {
	var buf [leastEncoded]byte
	n, err := base64.RawStdEncoding.Decode(buf[:], packed)
	if err != nil {
		return false
	}
	for i, c := range buf[:n] {
		if (c < ' ' || c > '~') && (c != 0 || i%2 == 0) && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// opensText are the characters that base64 of ASCII begins with.
var opensText = func() (c class) {
	for b := byte(' '); b <= '~'; b++ {
		c[base64.StdEncoding.EncodeToString([]byte{b, 0, 0})[0]] = true
	}
	return c
}()
