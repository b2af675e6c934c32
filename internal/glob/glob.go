// Package glob matches slash paths below a folder against patterns with ** in them, as the keys of fettle.yaml and the rules of a policy have them.
package glob

import (
	"path"
	"strings"
)

// Match reports whether a slash path matches a glob. `**` stands for any number of folders, `*` and `?` for what is inside one
// name, `[…]` for one of its letters. A glob that ends in a slash means everything in that folder. A glob without any slash is
// matched against the whole path, so "*.go" means the root's files only.
func Match(glob, name string) bool {
	return MatchParts(Parts(glob), strings.Split(name, "/"))
}

// Parts are the names of a glob, folder by folder.
func Parts(glob string) []string {
	if strings.HasSuffix(glob, "/") {
		glob += "**"
	}
	return strings.Split(glob, "/")
}

// MatchParts is Match of parts. It goes through both lists once; where a `**` came last, a mismatch lets it swallow one more folder.
func MatchParts(glob, name []string) bool {
	g, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case g < len(glob) && glob[g] == "**":
			star, mark = g, n
			g++
		case g < len(glob) && Part(glob[g], name[n]):
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

// Part reports whether one name matches one part of a glob.
func Part(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return ok && err == nil
}
