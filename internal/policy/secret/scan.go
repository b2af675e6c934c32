package secret

import "bytes"

// scanner goes over a text once and tries the rules that can begin at each byte.
type scanner struct {
	text  []byte
	found []Finding
	seams []span // between pieces that are one text

	dash     int // where the flag begins that the text before i may be in; -1 if there is none
	tabled   int // before this, tables were read
	depth    int // how often the text was unpacked
	keyed    int // before this, keys that are written as JSON were read
	taken    int // before this, long values were taken whole
	jwtUntil int // runs of token characters before this were searched for a JWT
}

// add notes a secret, unless it lies in a mark that an earlier redaction left. A mark is taken whole or not at all: half of one says nothing any more.
func (s *scanner) add(rule string, start, end int) {
	first, last := s.markAround(start), s.markAround(end-1)
	if first.start < first.end && end <= first.end {
		return
	}
	if first.start < first.end {
		start = first.start
	}
	s.found = append(s.found, Finding{rule, start, max(end, last.end)})
}

func (s *scanner) scan() {
	text := s.text
	for i := 0; i < len(text); {
		c := text[i]
		if wordChars[c] {
			i = s.word(i)
			continue
		}
		if signs[c] && (c != ' ' || s.dash >= 0 || i > 0 && spacedWords[text[i-1]]) {
			s.sign(i, c)
		}
		i++
	}
}

// signs are the characters other than those of words at which a rule begins.
var signs = classOf("=:>*, -~|\"'`\\")

// sign tries the rules that begin at a sign.
func (s *scanner) sign(i int, c byte) {
	switch c {
	case '=':
		s.assignment(i)
	case ':':
		s.assignment(i)
		if s.has(i+1, "/") {
			s.urlPassword(i)
		} else {
			s.numbered(i)
			s.putty(i)
		}
	case '>':
		s.element(i)
	case '*':
		s.ppp(i)
	case ',':
		s.argument(i)
		s.commas(i)
	case ' ':
		if s.dash >= 0 {
			s.flag(i)
			s.dash = -1
		}
		s.spaced(i)
	case '-':
		if i == 0 || isSpace(s.text[i-1]) {
			s.dash = i
			s.attached(i)
		}
		s.pem(i)
		s.mailchimp(i)
	case '"', '\'', '`', '\\':
		s.seam(i)
	case '~':
		s.azure(i)
	case '|':
		s.facebook(i)
		s.bar(i)
	}
}

// spaced tries the rules that begin at the space behind a word, by the word's last letter.
func (s *scanner) spaced(i int) {
	if i == 0 {
		return
	}
	switch s.text[i-1] | 0x20 {
	case 'c':
		s.basic(i)
	case 'r':
		s.bearer(i)
	case 'd':
		s.netrc(i)
	case 'g':
		s.secureString(i)
	}
}

// word tries the rules for tokens at i, where a word begins, and returns where to go on: after the token or the word. A word that
// begins with an escape, such as \n in a JSON string or %3D in a URL, is looked at once more after it.
func (s *scanner) word(i int) int {
	text, end := s.text, i+1 // the one of all loops that has to be fast
	if end+1 < len(text) && beginnings.has(text[i], text[end], text[end+1]) {
		if after := s.begins(i); after > i {
			return after
		}
	}
	if i > 0 {
		switch {
		case text[i-1] == '\\' && bytes.IndexByte([]byte("nrtbf"), text[i]) >= 0:
			return end
		case text[i-1] == '%' && end < len(text) && isHex(text[i]) && isHex(text[end]):
			return end + 1
		}
	}
	for end < len(text) && wordChars[text[end]] {
		end++
	}
	if end < len(text) && blanks[text[end]] && sayings.end(text, end) {
		s.told(end)
	}
	if end-i >= leastEncoded || end < len(text) && (text[end] == '+' || text[end] == '/') {
		return s.long(i, end)
	}
	return end
}

// long tries the rules for long words, and those that go on behind a sign of base64; it returns where to go on.
func (s *scanner) long(i, end int) int {
	if opensText[s.text[i]] {
		if after := s.encoded(i); after > end {
			return after
		}
	}
	if end-i > shortestGlued {
		if after := s.gluedTo(i, end); after > 0 {
			return after
		}
	}
	return end
}

// gluedTo finds a token that stands behind other letters of a word (key_ghp_…, from i to end), if it is of a kind that is told there, too. It returns the token's end, or 0.
func (s *scanner) gluedTo(i, end int) int {
	for at := i + 1; at < end; at++ {
		n := bytes.IndexByte(s.text[at:end], '_')
		if n < 0 {
			return 0
		}
		at += n
		for k := range glued {
			p := &glued[k]
			from := at + 1 - len(p.text)
			if from <= i || !s.has(from, p.text) {
				continue
			}
			if after := s.prefixed(from, p); after > 0 && random(s.text[at+1:after]) >= 0.3 { // names have less than a quarter
				s.add(p.rule, from, after)
				return after
			}
		}
	}
	return 0
}

// begins is the end of a token with a known beginning at i, or 0; at i are three bytes of the beginnings.
func (s *scanner) begins(i int) int {
	switch s.text[i] {
	case 'e':
		s.jwt(i)
	case '0':
		s.hexKey(i)
	case 'h', 'w', 'd':
		s.webhook(i)
	case 'M', 'N', 'O':
		s.discord(i)
	}
	for at := byBeginning.first[issuersAt([3]byte(s.text[i:i+3]))]; at != 0; at = byBeginning.links[at].next {
		p := byBeginning.links[at].kind
		if end := s.prefixed(i, p); end > 0 {
			s.add(p.rule, i, end)
			return end
		}
	}
	return 0
}

// has reports whether a literal stands at i.
func (s *scanner) has(i int, literal string) bool {
	return len(s.text)-i >= len(literal) && string(s.text[i:i+len(literal)]) == literal
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

// span is a range of a text; End is not included.
type span struct{ start, end int }

// markAround is where the mark stands that i is in, its first byte included; nothing if there is none.
func (s *scanner) markAround(i int) span {
	from := max(0, i-longestMark)
	at := bytes.LastIndex(s.text[from:min(len(s.text), i+len(markStart))], []byte(markStart))
	if at < 0 || from+at > i {
		return span{}
	}
	if end := from + at + markAt(s.text[from+at:]); end > i {
		return span{from + at, end}
	}
	return span{}
}

// longestMark is more bytes than any mark has.
const longestMark = 64

// markAt is the length of the mark that a text begins with, or 0.
func markAt(text []byte) int {
	if !bytes.HasPrefix(text, []byte(markStart)) {
		return 0
	}
	n := bytes.IndexByte(text[:min(len(text), longestMark)], ']') + 1
	if n == 0 || !isMark(text[:n]) {
		return 0
	}
	return n
}

// isMark reports a text that has the form of a mark to its letter: whatever else begins like one could be a secret in disguise.
func isMark(text []byte) bool {
	rule, hash, ok := bytes.Cut(bytes.TrimSuffix(bytes.TrimPrefix(text, []byte(markStart)), []byte("]")), []byte(":"))
	if !ok || len(rule) == 0 || len(rule) > 40 || len(hash) != 8 {
		return false
	}
	for _, c := range rule {
		if c != '-' && (c < 'a' || c > 'z') {
			return false
		}
	}
	for _, c := range hash {
		if !hexDigits[c] {
			return false
		}
	}
	return true
}

var hexDigits = classOf("0123456789abcdef")

// class is a set of bytes.
type class [256]bool

func classOf(s string) (c class) {
	for i := 0; i < len(s); i++ {
		c[s[i]] = true
	}
	return c
}

const (
	digits = "0123456789"
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

var (
	tokenChars      = classOf(digits + lower + upper + "_-")
	dottedChars     = classOf(digits + lower + upper + "_-.")
	wordChars       = classOf(digits + lower + upper + "_")
	base64Chars     = classOf(digits + lower + upper + "+/=_-")
	bearerChars     = classOf(digits + lower + upper + "._~+/=-")
	upperChars      = classOf(digits + upper)
	alnumChars      = classOf(digits + lower + upper)
	upperTokenChars = classOf(digits + upper + "-")
	hexDashChars    = classOf(digits + "abcdef-")
	hexChars        = classOf(digits + "abcdefABCDEF")
	valueChars      = classOf(digits + lower + upper + "_-./+=~!@#%^&*?")
	cookieChars     = classOf(digits + lower + upper + "_-.%+/=~")
	lowerChars      = classOf(digits + lower)
	numberChars     = classOf(digits)
)

func isWord(c byte) bool { return wordChars[c] }
func isHex(c byte) bool  { return hexChars[c] }

// withoutEscapes is a text without the control sequences that colour it in a terminal (ECMA-48, CSI), which may stand in the
// middle of a token; at tells where a byte of it stood in the text. A mark after a lone escape is no such sequence, though it begins with a bracket.
func withoutEscapes(text []byte) (plain []byte, at func(int) int) {
	if bytes.IndexByte(text, 0x1b) < 0 {
		return text, func(i int) int { return i }
	}
	var offsets []int
	for i := 0; i < len(text); i++ {
		if text[i] == 0x1b && i+1 < len(text) && text[i+1] == '[' && markAt(text[i+1:]) == 0 {
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
