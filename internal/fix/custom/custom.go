// Package custom answers "what does the project say of how it is worked on?": its notes on a check, and the paragraphs of its files for contributors that say how things are done. Whoever
// tells a model or an agent of them tells them as data: they come from the repository.
package custom

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"fettle/internal/check"
	"fettle/internal/pattern"
)

// What should be told of each, in bytes, at most.
const (
	MostNotes      = 3000
	MostConvention = 900
)

// maxFile is how long a file may be to be looked into.
const maxFile = 1 << 20

// Notes are what the repository says about a check, or else about its kind; empty: it says nothing.
func Notes(at check.Place, c check.Check) (string, error) {
	for _, name := range []string{c.Name, c.Kind()} {
		b, err := Read(at, ".fettle/prompts/"+name+".md")
		switch {
		case errors.Is(err, fs.ErrNotExist) || !fs.ValidPath(name):
		case err != nil:
			return "", fmt.Errorf("read the notes on %s: %w", c.Name, err)
		default:
			return string(b), nil
		}
	}
	return "", nil
}

// Convention is what one file says of how things are done.
type Convention struct {
	Path string
	Text string // an excerpt, not longer than MostConvention
}

// files are where projects write how they want to be worked on.
var files = []string{"AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md"}

// Conventions are what the project's files for contributors say, one after the other. One that says nothing of the kind, or the same as another, is
// left out, and so is what cannot be read: nobody is kept from working by it.
func Conventions(at check.Place) []Convention {
	var all []Convention
	for _, name := range files {
		b, err := Read(at, name)
		if err != nil || bytes.Contains(b, []byte{0}) || !utf8.Valid(b) {
			continue
		}
		text := excerpt(string(b))
		if text != "" && !slices.ContainsFunc(all, func(c Convention) bool { return c.Text == text }) {
			all = append(all, Convention{name, text})
		}
	}
	return all
}

// Read reads a file, also through links that stay in the repository: that AGENTS.md and CLAUDE.md are one is common.
func Read(at check.Place, name string) ([]byte, error) {
	info, err := fs.Stat(at.FS(), name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file", name)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s has more than %d KB", name, maxFile>>10)
	}
	return fs.ReadFile(at.FS(), name)
}

var tellsHow = pattern.New(`(?i)\b(must|never|always|do not|don't|prefer|avoid|use|keep|should|styles?|conventions?|naming|format|lint|error handling|tests?)\b`)

// excerpt is the paragraphs that say how things are done, whole ones, as long as there is room.
func excerpt(text string) string {
	var out []string
	size := 0
	for _, p := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		p = strings.Trim(p, "\n")
		if !tellsHow.MatchString(p) || size+len(p) > MostConvention-20 || strings.HasPrefix(p, "#") && !strings.Contains(p, "\n") {
			continue
		}
		out = append(out, p)
		size += len(p) + 2
	}
	return strings.Join(out, "\n\n")
}
