package parse

import (
	"io"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

var isortLine = pattern.New(`^ERROR: (.+) Imports are incorrectly sorted and/or formatted\.$`)

// parseIsort reads isort --check-only: a line "ERROR: FILE Imports are incorrectly sorted and/or formatted."
func parseIsort(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "isort")
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		if m := isortLine.FindStringSubmatch(line); m != nil {
			c.add(diag.Diagnostic{File: c.places.file(m[1]), Rule: "imports", Message: "imports are incorrectly sorted or formatted", Fixable: true})
		}
	}
	return c.report, in.failed()
}
