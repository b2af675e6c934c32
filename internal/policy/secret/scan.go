package secret

import "bytes"

// scanner goes over a text once and tries the rules that can begin at each byte.
type scanner struct {
	text  []byte
	found []Finding

	jwtUntil int  // runs of token characters before this were searched for a JWT
	noPEMEnd bool // there is no end of a private key block from here on
}

func (s *scanner) add(rule string, start, end int) {
	if !s.inMark(start, end) {
		s.found = append(s.found, Finding{rule, start, end})
	}
}

func (s *scanner) scan() {
	for i := 0; i < len(s.text); i++ {
		switch s.text[i] {
		case '=':
			s.assignment(i)
		case ':':
			s.assignment(i)
			s.urlPassword(i)
		case ' ':
			s.flag(i)
			s.header(i)
		case '-':
			s.pem(i)
		case 'e':
			s.jwt(i)
		case '0':
			s.hexKey(i)
		case 'h':
			s.webhook(i)
		}
		for _, p := range byFirst[s.text[i]] {
			if end := s.prefixed(i, p); end > 0 {
				s.add(p.rule, i, end)
				i = end - 1
				break
			}
		}
	}
}

// has reports whether a literal stands at i.
func (s *scanner) has(i int, literal string) bool {
	return len(s.text)-i >= len(literal) && string(s.text[i:i+len(literal)]) == literal
}

// boundary reports whether a token can begin at i: after anything but a word character, or after an escape such as \n in
// a JSON string or %3D in a URL, which ends in one.
func (s *scanner) boundary(i int) bool {
	switch {
	case i == 0 || !isWord(s.text[i-1]):
		return true
	case i >= 2 && s.text[i-2] == '\\' && bytes.IndexByte([]byte("nrtbf"), s.text[i-1]) >= 0:
		return true
	case i >= 3 && s.text[i-3] == '%' && isHex(s.text[i-2]) && isHex(s.text[i-1]):
		return true
	}
	return false
}

// run is the end of the bytes from i on that are in a class, at most limit of them (0: no limit).
func (s *scanner) run(i int, in *class, limit int) int {
	end := len(s.text)
	if limit > 0 {
		end = min(end, i+limit)
	}
	for i < end && in[s.text[i]] {
		i++
	}
	return i
}

// inMark reports whether a range lies inside a mark that an earlier redaction left.
func (s *scanner) inMark(start, end int) bool {
	from := max(0, start-64)
	at := bytes.LastIndex(s.text[from:min(len(s.text), start+len(markStart))], []byte(markStart))
	if at < 0 || from+at > start {
		return false
	}
	n := bytes.IndexByte(s.text[from+at:min(len(s.text), from+at+64)], ']')
	return n >= 0 && end <= from+at+n+1
}

// class is a set of bytes.
type class [256]bool

func classOf(s string) *class {
	var c class
	for i := 0; i < len(s); i++ {
		c[s[i]] = true
	}
	return &c
}

const (
	digits = "0123456789"
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

var (
	tokenChars  = classOf(digits + lower + upper + "_-")
	dottedChars = classOf(digits + lower + upper + "_-.")
	wordChars   = classOf(digits + lower + upper + "_")
	base64Chars = classOf(digits + lower + upper + "+/=_-")
	bearerChars = classOf(digits + lower + upper + "._~+/=-")
	upperChars  = classOf(digits + upper)
	hexChars    = classOf(digits + "abcdefABCDEF")
	valueChars  = classOf(digits + lower + upper + "_-./+=~!@#%^&*?")
)

func isWord(c byte) bool { return wordChars[c] }
func isHex(c byte) bool  { return hexChars[c] }

// withoutEscapes is a text without the control sequences that colour it in a terminal (ECMA-48, CSI), which may stand in the
// middle of a token; at tells where a byte of it stood in the text.
func withoutEscapes(text []byte) (plain []byte, at func(int) int) {
	if bytes.IndexByte(text, 0x1b) < 0 {
		return text, func(i int) int { return i }
	}
	var offsets []int
	for i := 0; i < len(text); i++ {
		if text[i] == 0x1b && i+1 < len(text) && text[i+1] == '[' {
			end := i + 2
			for end < len(text) && end < i+32 && text[end] >= 0x20 && text[end] < 0x40 {
				end++
			}
			if end < len(text) && text[end] >= 0x40 && text[end] <= 0x7e {
				i = end
				continue
			}
		}
		plain = append(plain, text[i])
		offsets = append(offsets, i)
	}
	return plain, func(i int) int { return offsets[i] }
}
