// Package likeness answers "does a mended source do what the reference does?": by its text, or by what both answer to inputs made from those of the tests.
package likeness

import (
	"context"
	"strconv"
	"strings"

	"fettle/scripts/benchrepair/rows"
)

// Like is how a mended source compares with the reference.
type Like string

// The likenesses.
const (
	SameText      Like = "text"      // the same but for blanks, parentheses and comments
	SameBehaviour Like = "behaviour" // another text, which does the same on every generated input
	ReadSame      Like = "read"      // another text that cannot be tried so; a person found it to do the same
	Otherwise     Like = "other"     // it does something else on an input that the program is meant for
	Unread        Like = "unread"    // another text that cannot be tried so, and nobody has read yet
)

// Same reports whether the source does what the reference does, as far as is known.
func (l Like) Same() bool { return l == SameText || l == SameBehaviour || l == ReadSame }

// Fewest inputs that say something.
const Fewest = 30

// Text reports whether two sources are the same but for blanks, parentheses, and comments that fill a line.
func Text(a, b string) bool { return plain(a) == plain(b) }

// Behaviour tries a mended source beside the reference. It says on how many inputs both gave an answer, and the first on which they differ.
func Behaviour(ctx context.Context, row rows.Row, after string) (like Like, inputs int, differs string, err error) {
	inputs, differs, err = compare(ctx, row, after)
	switch {
	case err != nil:
		return "", 0, "", err
	case differs != "":
		return Otherwise, inputs, differs, nil
	case inputs < Fewest:
		return Unread, inputs, "", nil
	}
	return SameBehaviour, inputs, "", nil
}

// plain is a program without blanks, parentheses, and comments that fill a line.
func plain(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		body := strings.NewReplacer("(", "", ")", "", " ", "", ";", "", "\t", "").Replace(strings.TrimSpace(line))
		if body != "" && !strings.HasPrefix(body, "//") && !strings.HasPrefix(body, "#") {
			out = append(out, strconv.Itoa(indent)+body)
		}
	}
	return strings.Join(out, "\n")
}
