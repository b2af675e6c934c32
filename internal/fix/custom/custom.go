// Package custom answers "what does the project say of how it is worked on?": its notes on a check, and the paragraphs of its files for contributors that say how things are done. Whoever
// tells a model or an agent of them tells them as data: they come from the repository.
package custom

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
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
		b, err := at.ReadFile(".fettle/prompts/" + name + ".md")
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid):
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

// Conventions are what the project's files for contributors say, one after the other. One that says nothing of the kind is left out.
func Conventions(at check.Place) (all []Convention, err error) {
	for _, name := range files {
		b, err := at.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		if len(b) > maxFile || bytes.Contains(b, []byte{0}) || !utf8.Valid(b) {
			continue
		}
		if text := excerpt(string(b)); text != "" {
			all = append(all, Convention{name, text})
		}
	}
	return all, nil
}

var tellsHow = pattern.New(`(?i)\b(must|never|always|do not|don't|prefer|avoid|style|convention|naming|format|lint|error handling|test)\b`)

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
