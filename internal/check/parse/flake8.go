package parse

import (
	"io"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

var flake8Line = pattern.New(`^(\S.*?):(\d+):(?:(\d+):)? ([A-Z]{1,3}\d{1,4}) (.*)$`)

// parseFlake8 reads flake8's default format, which pycodestyle and pyflakes plug-ins share. A file that does not parse
// (E999) or cannot be read (E902) shows little else.
func parseFlake8(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "flake8")
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		m := flake8Line.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		d := diag.Diagnostic{File: c.places.file(m[1]), Range: at(number(m[2]), number(m[3])), Rule: m[4], Message: m[5]}
		if unparsed(m[4]) {
			d.Masks = diag.MasksFile
		}
		c.add(d)
	}
	return c.report, in.failed()
}
