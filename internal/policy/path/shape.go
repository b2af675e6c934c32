package path

import (
	"fmt"
	"strings"
	"unicode"

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
	s := fold(decode(name))
	s, _, _ = strings.Cut(s, ";")
	s = strings.TrimRight(s, " ")
	return len(s) >= 2 && strings.Trim(s, ". ") == ""
}

// decode resolves percent-encoding, once and once more for what was encoded twice. A name that is not encoded stays.
func decode(name string) string {
	for range 2 {
		if !strings.Contains(name, "%") {
			return name
		}
		name = percent.Decode(name)
	}
	return name
}

// shape judges how one name of a path is spelled.
func shape(name string) (Rule, string) {
	plain := fold(decode(name))
	switch {
	case len(name) > maxName:
		return Long, fmt.Sprintf("A name in the file path is longer than %d bytes", maxName)
	case strings.HasPrefix(plain, "../") || strings.HasPrefix(plain, `..\`):
		return Traversal, outside
	case strings.ContainsAny(plain, `/\`) || strings.ContainsRune(plain, 0):
		return Separator, "File path contains an encoded separator or a backslash"
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
