package check

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// ValidGlob reports what is wrong with a glob, or nil.
func ValidGlob(glob string) error {
	if glob == "" {
		return errors.New("an empty glob matches nothing")
	}
	if strings.HasPrefix(glob, "/") || slices.Contains(strings.Split(glob, "/"), "..") {
		return fmt.Errorf("the glob %q leaves the repository", glob)
	}
	for part := range strings.SplitSeq(glob, "/") {
		if _, err := path.Match(part, ""); err != nil {
			return fmt.Errorf("the glob %q is malformed: brackets are not closed, or a backslash escapes nothing", glob)
		}
	}
	return nil
}

// MatchGlob reports whether a slash path matches a glob. `**` stands for any number of folders, `*` and `?` for what is
// inside one name, `[…]` for one of its letters. A glob that ends in a slash means everything in that folder. A glob
// without any slash is matched against the whole path, so "*.go" means the root's files only.
func MatchGlob(glob, name string) bool {
	return matchParts(globParts(glob), strings.Split(name, "/"))
}

func globParts(glob string) []string {
	if strings.HasSuffix(glob, "/") {
		glob += "**"
	}
	return strings.Split(glob, "/")
}

// matchParts goes through both lists once; where a `**` came last, a mismatch lets it swallow one more folder.
func matchParts(glob, name []string) bool {
	g, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case g < len(glob) && glob[g] == "**":
			star, mark = g, n
			g++
		case g < len(glob) && matchPart(glob[g], name[n]):
			g++
			n++
		case star >= 0:
			mark++
			g, n = star+1, mark
		default:
			return false
		}
	}
	for g < len(glob) && glob[g] == "**" {
		g++
	}
	return g == len(glob)
}

func matchPart(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return ok && err == nil
}

// Concerns reports whether the file can change the check's answer.
func (c Check) Concerns(file string) bool {
	return len(c.Files) == 0 || c.reads(file) || slices.ContainsFunc(c.Files, func(g string) bool { return MatchGlob(g, file) })
}

// ConcernsIn reports whether any file that lies in this very folder (a slash path, "." for the root) could change the check's
// answer.
func (c Check) ConcernsIn(folder string) bool {
	if len(c.Files) == 0 || c.readsIn(folder) {
		return true
	}
	var parts []string
	if folder != "." {
		parts = strings.Split(folder, "/")
	}
	return slices.ContainsFunc(c.Files, func(g string) bool { return reaches(globParts(g), parts) })
}

// reaches reports whether a glob can match a file in a folder.
func reaches(glob, folder []string) bool {
	last := len(glob) - 1
	if glob[last] != "**" {
		return matchParts(glob[:last], folder)
	}
	return matchParts(glob, append(slices.Clone(folder), "any name")) || last > 0 && reaches(glob[:last], folder)
}
