package parse

import (
	"io"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

var (
	blackWould  = pattern.New(`^would reformat (.+)$`)
	blackError  = pattern.New(`^\w*Error: \S`)
	blackCannot = pattern.New(`^error: cannot (?:format|parse):? (\S.*?): ?(?:Cannot parse[^:]*: |INTERNAL ERROR: |)?(?:(\d+):(\d+):? ?)?(.*)$`)
)

// parseBlack reads black --check: "would reformat FILE", and "error: cannot format FILE: …" for a file it cannot parse.
func parseBlack(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "black")
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		if m := blackWould.FindStringSubmatch(line); m != nil {
			c.add(diag.Diagnostic{File: c.places.file(m[1]), Rule: "format", Message: "not formatted", Fixable: true})
		} else if m := blackCannot.FindStringSubmatch(line); m != nil {
			said := m[4]
			if said == "" {
				said = "cannot be parsed"
			}
			c.add(diag.Diagnostic{File: c.places.file(m[1]), Range: at(number(m[2]), number(m[3])), Rule: "syntax", Message: said, Masks: diag.MasksFile})
		} else if d := c.last(); d != nil && d.Rule == "syntax" && blackError.MatchString(line) {
			d.Message = shorten(line, maxMessage)
		}
	}
	return c.report, in.failed()
}
