package secret

import (
	"bytes"
	"path/filepath"
	"strings"
)

// homeOf is the home folder in an environment, unless it is none of a person's own.
func homeOf(env []string) string {
	home := ""
	for _, kv := range env {
		if value, ok := strings.CutPrefix(kv, "HOME="); ok {
			home = filepath.Clean(value)
		}
	}
	if !filepath.IsAbs(home) || filepath.Dir(home) == home {
		return ""
	}
	return home
}

// stripHome replaces home folders at the beginning of paths by "~": the user's own, and any below where systems keep them.
func (r *Redactor) stripHome(text []byte) []byte {
	if r.home != "" {
		text = replacePaths(text, r.home, nothingMore, tilde)
	}
	for _, parent := range []string{"/home/", "/Users/", `C:\Users\`, `C:\\Users\\`} {
		text = replacePaths(text, parent, userName, tilde)
	}
	return text
}

func nothingMore([]byte) int { return 0 }

func tilde([]byte) (string, int) { return "~", 0 }

// userName is the length of the folder name that begins here.
func userName(rest []byte) int {
	n := 0
	for n < len(rest) && n < 64 && (dottedChars[rest[n]] || rest[n] >= 0x80) {
		n++
	}
	return n
}

// replacePaths replaces a folder, and as much more of its name as more says, where it begins a path and is whole: by what by says, who is told what follows, and how much of that is left out.
func replacePaths(text []byte, folder string, more func(rest []byte) int, by func(rest []byte) (string, int)) []byte {
	var out []byte
	done := 0
	for at := 0; ; {
		n := bytes.Index(text[at:], []byte(folder))
		if n < 0 {
			break
		}
		start := at + n
		end := start + len(folder)
		at = end
		grown := more(text[end:])
		if folder[len(folder)-1] == '/' || folder[len(folder)-1] == '\\' {
			if grown == 0 {
				continue
			}
		}
		end += grown
		if !beginsPath(text, start) || nameGoesOn(text[end:]) {
			continue
		}
		name, gone := by(text[end:])
		out = append(append(out, text[done:start]...), name...)
		done = end + gone
		at = done
	}
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}

// nameGoesOn reports whether a folder's name does not end before this. A dot may be the end of a sentence.
func nameGoesOn(rest []byte) bool {
	if len(rest) > 0 && rest[0] == '.' {
		rest = rest[1:]
	}
	return len(rest) > 0 && dottedChars[rest[0]]
}

// beginsPath reports whether what stands at i is not the middle of a longer path or a URL's path. A flag of one letter may have it without a space: -I/usr/include.
func beginsPath(text []byte, i int) bool {
	if i >= 2 && text[i-2] == '-' && isLetter(text[i-1]) {
		return i == 2 || !dottedChars[text[i-3]]
	}
	return i == 0 || !dottedChars[text[i-1]] && text[i-1] != '/' || bytes.HasSuffix(text[:i], []byte("file://"))
}
