package check

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/glob"
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

// Concerns reports whether the file can change the check's answer.
func (c Check) Concerns(file string) bool {
	return len(c.Files) == 0 || c.reads(file) || slices.ContainsFunc(c.Files, func(g string) bool { return glob.Match(g, file) })
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
	return slices.ContainsFunc(c.Files, func(g string) bool { return reaches(glob.Parts(g), parts) })
}

// reaches reports whether a glob can match a file in a folder.
func reaches(parts, folder []string) bool {
	last := len(parts) - 1
	if parts[last] != "**" {
		return glob.MatchParts(parts[:last], folder)
	}
	return glob.MatchParts(parts, append(slices.Clone(folder), "any name")) || last > 0 && reaches(parts[:last], folder)
}
