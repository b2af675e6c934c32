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
		text = replacePaths(text, r.home, func([]byte) int { return 0 })
	}
	for _, parent := range []string{"/home/", "/Users/", `C:\Users\`, `C:\\Users\\`} {
		text = replacePaths(text, parent, userName)
	}
	return text
}

// userName is the length of the folder name that begins here.
func userName(rest []byte) int {
	n := 0
	for n < len(rest) && n < 64 && (dottedChars[rest[n]] || rest[n] >= 0x80) {
		n++
	}
	return n
}

// replacePaths replaces a folder, and as much more of its name as more says, where it begins a path and is whole.
func replacePaths(text []byte, folder string, more func(rest []byte) int) []byte {
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
		if !beginsPath(text, start) || end < len(text) && dottedChars[text[end]] {
			continue
		}
		out = append(append(out, text[done:start]...), '~')
		done, at = end, end
	}
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}

// beginsPath reports whether what stands at i is not the middle of a longer path or a URL's path.
func beginsPath(text []byte, i int) bool {
	return i == 0 || !dottedChars[text[i-1]] && text[i-1] != '/' || bytes.HasSuffix(text[:i], []byte("file://"))
}
