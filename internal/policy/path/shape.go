package path

import (
	"fmt"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"fettle/internal/percent"
)

// hidden reports a character that a terminal acts on or that hides or reorders what follows: the C0 and C1 controls, line and
// paragraph separators, and the direction overrides, embeddings and isolates ("Trojan Source", CVE-2021-42574).
func hidden(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' ||
		'\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}

// dots reports whether a name is, or some system may read it as, "..": in another width, percent-encoded (twice, too),
// with a path parameter ("..;"), or with ignored dots and spaces behind it.
func dots(name string) bool {
	s, _, _ := strings.Cut(spelled(name), ";")
	s = strings.TrimRight(s, " ")
	return len(s) >= 2 && strings.Trim(s, ". ") == ""
}

// spelled is a name as whoever is most willing to understand it reads it.
func spelled(name string) string { return fold(strings.Map(slash, decode(name))) }

// slash is the separator that a character is drawn as. Of these NFKC knows those of another width alone.
func slash(r rune) rune {
	switch r {
	case '\u2044', '\u2215', '\u2571', '\u27cb', '\u29f8': // fraction slash, division slash, box, rising diagonal, big solidus
		return '/'
	case '\u2216', '\u2572', '\u27cd', '\u29f5', '\u29f9': // set minus, box, falling diagonal, reverse solidus operator, big reverse solidus
		return '\\'
	}
	return r
}

// decode resolves percent-encoding, once and once more for what was encoded twice. A name that is not encoded stays.
func decode(name string) string {
	for range 2 {
		if !strings.Contains(name, "%") {
			return name
		}
		name = shortest(percent.Decode(name))
	}
	return name
}

// shortest has each ASCII character that was written in more bytes than UTF-8 allows (0xC0 0xAF for a slash) as the byte that it is to who does not mind.
func shortest(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	plain := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c, n := overlong(s[i:])
		if n == 0 {
			c, n = s[i], 1
		}
		plain = append(plain, c)
		i += n - 1
	}
	return string(plain)
}

// overlong is the ASCII character that a text begins with, and its bytes, if they are too many; none if it begins otherwise.
func overlong(s string) (c byte, n int) {
	n = bits.LeadingZeros8(^s[0]) // the first byte says how many there are
	if n < 2 || n > 6 || n > len(s) {
		return 0, 0
	}
	char := uint32(s[0] & (0x7f >> n))
	for _, more := range []byte(s[1:n]) {
		if more&0xc0 != 0x80 {
			return 0, 0
		}
		char = char<<6 | uint32(more&0x3f)
	}
	if char >= utf8.RuneSelf {
		return 0, 0
	}
	return byte(char), n
}

// shape judges how one name of a path is spelled.
func shape(name string) (Rule, string) {
	plain := spelled(name)
	switch {
	case len(name) > maxName:
		return Long, fmt.Sprintf("A name in the file path is longer than %d bytes", maxName)
	case strings.HasPrefix(plain, "../") || strings.HasPrefix(plain, `..\`):
		return Traversal, outside
	case strings.ContainsAny(plain, `/\`) || strings.ContainsRune(plain, 0):
		return Separator, "File path contains a backslash, or an encoded separator or what looks like one"
	case isGit(name):
		return Git, gitReason
	case strings.Contains(plain, ":"):
		return Separator, "File path contains a colon, which names a drive or a stream on Windows"
	case strings.TrimRight(name, ". ") != name:
		return Device, "A name in the file path ends in a dot or a space, which Windows drops"
	case device(plain):
		return Device, "A name in the file path is a device on Windows"
	case short(plain):
		return Device, "A name in the file path is a short (8.3) name on Windows, which may stand for another"
	}
	return "", ""
}

// device reports the names Windows reserves in every folder, whatever extension follows (learn.microsoft.com: Naming Files,
// Paths, and Namespaces).
func device(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	base = strings.TrimRight(base, " ")
	switch base {
	case "con", "prn", "aux", "nul", "conin$", "conout$", "clock$":
		return true
	}
	return len(base) == 4 && (base[:3] == "com" || base[:3] == "lpt") && '0' <= base[3] && base[3] <= '9'
}

// short reports a generated 8.3 name: at most eight characters that end in a tilde and a number, at most three after a dot.
func short(name string) bool {
	base, ext, _ := strings.Cut(name, ".")
	stem, number, ok := strings.Cut(base, "~")
	return ok && stem != "" && number != "" && len(base) <= 8 && len(ext) <= 3 &&
		strings.Trim(number, "0123456789") == ""
}
