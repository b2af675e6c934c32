package path

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const gitReason = "File matches forbidden pattern '.git/*'"

// fold is what a file system that ignores case, width and invisible code points would compare: the ignorable code points
// removed, compatibility forms resolved (NFKC), and letters in lower case. Going through upper case first also folds the
// letters that have only one of the two ("ı" becomes "i").
func fold(name string) string {
	if plainASCII(name) {
		return strings.ToLower(name)
	}
	name = strings.Map(dropIgnorable, name)
	name = norm.NFKC.String(name)
	name = strings.Map(func(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }, name)
	// Once more: a capital may have had a compatibility form of its own, and resolving it may have set one free.
	return strings.Map(dropIgnorable, strings.ToLower(norm.NFKC.String(name)))
}

// Fold is the form of a path under which file systems that ignore case and width would find the same file. Two paths with
// one fold must not both be written.
func Fold(p string) string { return fold(p) }

func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// dropIgnorable removes the code points that HFS+ ignores in names, as git's utf8.c (next_hfs_char) lists them, and others
// without a shape of their own: soft hyphen, combining dot above (left over by "İ"), word joiner, variation selectors, tags.
func dropIgnorable(r rune) rune {
	switch {
	case 0x200c <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e, 0x206a <= r && r <= 0x206f, r == 0xfeff: // git's list
		return -1
	case r == 0xad, r == 0x307, r == 0x34f, r == 0x200b, 0x2060 <= r && r <= 0x2064,
		0xfe00 <= r && r <= 0xfe0f, 0xe0000 <= r && r <= 0xe0fff:
		return -1
	}
	return r
}

// gitName is what NTFS and HFS+ make of a name: folded, without a stream (".git::$INDEX_ALLOCATION") and without the dots and
// spaces that Windows drops.
func gitName(name string) string {
	s, _, _ := strings.Cut(fold(decode(name)), ":")
	return strings.TrimRight(s, ". ")
}

// isGit reports whether a name stands for git's own folder, or for the file in its place in a linked working tree. The short
// names are those of git's is_ntfs_dotgit: "git~1" and its successors.
func isGit(name string) bool {
	s := gitName(name)
	number, isShort := strings.CutPrefix(s, "git~")
	return s == ".git" || isShort && strings.Trim(number, "0123456789") == ""
}
