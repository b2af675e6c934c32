package parse

import (
	"io"
	"strings"

	"fettle/internal/diag"
)

// parseGofmt reads gofmt -l and goimports -l: the name of a file on each line, and a line "file:line:col: message" for each
// syntax error, which keeps the file from being formatted.
func parseGofmt(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "gofmt")
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		if m := goPlace(line); m != nil {
			c.add(diag.Diagnostic{File: c.places.file(m[2]), Range: at(number(m[3]), number(m[4])), Message: m[5], Rule: "syntax", Masks: diag.MasksFile})
			continue
		}
		if !strings.HasSuffix(line, ".go") || strings.Contains(line, ": ") || strings.HasPrefix(line, " ") {
			continue
		}
		if f := c.places.file(line); f != "" {
			c.add(diag.Diagnostic{File: f, Message: "not formatted", Rule: "format", Fixable: true})
		}
	}
	return c.report, in.failed()
}
