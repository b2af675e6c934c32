package parse

import (
	"io"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

var (
	tscPlain  = pattern.New(`^(\S.*?)\((\d+),(\d+)\): (error|warning|message) (TS\d+): (.*)$`)
	tscPretty = pattern.New(`^(\S.*?):(\d+):(\d+) - (error|warning|message) (TS\d+): (.*)$`)
	tscGlobal = pattern.New(`^(error|warning) (TS\d+): (.*)$`)
	tscSyntax = pattern.New(`^TS1\d{3}$`)
)

// parseTsc reads what the TypeScript compiler says, pretty or not, with the lines below a finding that explain it; vue-tsc
// and others that print the same are read as well.
//
// The compiler looks for type errors only when every file can be parsed: errors of syntax alone (TS1000 to TS1999) hide all
// others. Where errors of both kinds come together, as from a build of several projects, they hide those of their own file.
func parseTsc(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "tsc")
	in := newLines(r)
	explains := false
	for line, ok := in.next(); ok; line, ok = in.next() {
		switch {
		case c.tsc(line):
			explains = true
		case explains && strings.HasPrefix(line, "  ") && strings.TrimSpace(line) != "":
			c.note(line)
		default:
			explains = false
		}
	}
	c.tscMasks()
	return c.report, in.failed()
}

// tsc reads the first line of a finding.
func (c *collector) tsc(line string) bool {
	m := tscPlain.FindStringSubmatch(line)
	if m == nil {
		m = tscPretty.FindStringSubmatch(line)
	}
	switch g := tscGlobal.FindStringSubmatch(line); {
	case m != nil:
		c.add(diag.Diagnostic{File: c.places.file(m[1]), Range: at(number(m[2]), number(m[3])), Severity: severity(m[4]), Rule: m[5], Message: m[6]})
	case g != nil:
		c.add(diag.Diagnostic{Severity: severity(g[1]), Rule: g[2], Message: g[3]})
	default:
		return false
	}
	return true
}

func (c *collector) tscMasks() {
	masks := diag.MasksCheck
	for _, d := range c.report.Diagnostics {
		if d.File != "" && !tscSyntax.MatchString(d.Rule) {
			masks = diag.MasksFile
		}
	}
	for i, d := range c.report.Diagnostics {
		if d.File != "" && tscSyntax.MatchString(d.Rule) {
			c.report.Diagnostics[i].Masks = masks
		}
	}
}
