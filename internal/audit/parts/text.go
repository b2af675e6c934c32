package parts

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// Bare is a text without white space, and with one kind of quotes.
func Bare(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), ""), "'", `"`)
}

// Mentions reports whether a word stands in a text.
func Mentions(text []byte, word string) bool {
	if len(word) < 2 {
		return false
	}
	for rest := text; ; {
		i := bytes.Index(rest, []byte(word))
		if i < 0 {
			return false
		}
		before, after := i > 0 && IsWord(rest[i-1]), i+len(word) < len(rest) && IsWord(rest[i+len(word)])
		if !before && !after {
			return true
		}
		rest = rest[i+len(word):]
	}
}

// IsWord reports whether a byte may stand in a word.
func IsWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// folderFiles stand for the folder that they are in.
var folderFiles = []string{"__init__.py", "index.js", "index.mjs", "index.cjs", "index.ts", "index.tsx", "mod.rs"}

// Stem is what others call a file of code by: its name without endings, or that of its folder where it stands for all of that.
func Stem(name string) string {
	base := path.Base(name)
	if dir := path.Dir(name); dir != "." && slices.Contains(folderFiles, base) {
		return path.Base(dir)
	}
	if i := strings.IndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	return base
}
