package lang

import (
	"path"
	"strings"
	"sync"
)

// rules says which paths are something: by the name of the file, by the name of a folder on the way, or by both.
type rules struct {
	names   []string // globs (path.Match) for the file's own name
	folders []string // globs for any folder on the way to the file, at any depth
	under   []string // prefixes of the path from the root or from any folder: ".github/workflows/"

	exact map[string]bool // of names, when they are indexed: those that are no globs; names holds the others then
}

// indexed are the same rules for long lists of names: a file is asked about thousands of times. The index is made when it is first asked, as not every
// program that has the rules in it asks.
func indexed(r rules) func() rules {
	return sync.OnceValue(func() rules {
		var globs []string
		r.exact = make(map[string]bool, len(r.names))
		for _, n := range r.names {
			if strings.ContainsAny(n, `*?[\`) {
				globs = append(globs, n)
			} else {
				r.exact[n] = true
			}
		}
		r.names = globs
		return r
	})
}

func (r rules) match(file string) bool {
	base := path.Base(file)
	if r.exact[base] {
		return true
	}
	for _, g := range r.names {
		if glob(g, base) {
			return true
		}
	}
	for _, u := range r.under {
		if strings.HasPrefix(file, u) || strings.Contains(file, "/"+u) {
			return true
		}
	}
	for rest := file; ; {
		folder, after, more := strings.Cut(rest, "/")
		if !more {
			return false
		}
		for _, g := range r.folders {
			if glob(g, folder) {
				return true
			}
		}
		rest = after
	}
}

// glob is path.Match for our own patterns, which are never malformed. Nearly all of them differ from nearly all names in the
// first character, which is worth asking first: trees have many files.
func glob(pattern, name string) bool {
	switch c := pattern[0]; {
	case c == '*' && !strings.ContainsAny(pattern[1:], `*?[\`):
		return strings.HasSuffix(name, pattern[1:])
	case !strings.ContainsRune(`*?[\`, rune(c)) && (name == "" || name[0] != c):
		return false
	}
	ok, _ := path.Match(pattern, name)
	return ok
}
