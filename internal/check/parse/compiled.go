package parse

import (
	"io"
	"slices"
	"strings"

	"fettle/internal/diag"
)

// spoken is how a compiler's errors are told among lines of others.
type spoken struct {
	parse  func(io.Reader, Options) (Report, error)
	begins func(line string) bool
	headed bool // they stand right below the name of their package
	below  int  // lines below an error that may explain it
}

var compilers = []spoken{
	{parse: parseJavac, below: 4, begins: func(line string) bool { // the line, a caret, the symbol and its place
		m := javacLine.FindStringSubmatch(line)
		return m != nil && m[3] == "error"
	}},
	{parse: parseGoBuild, headed: true, begins: func(line string) bool { return goPlace(line) != nil }},
	{parse: parseTsc, below: 2, begins: func(line string) bool { return tscPlain.MatchString(line) || tscPretty.MatchString(line) }},
}

// Compiled reads what compilers say somewhere in the output of a command that nobody knows, such as a script that builds before it tests: the
// errors whose files are there. Of the rest it reads nothing, so that what a program prints by itself is taken for no compiler's word.
func Compiled(printed string, o Options) []diag.Diagnostic {
	for _, c := range compilers {
		if said := c.lines(printed); said != "" {
			report, err := c.parse(strings.NewReader(said), o)
			if err != nil {
				continue
			}
			found := slices.DeleteFunc(report.Diagnostics, func(d diag.Diagnostic) bool {
				return d.File == "" || d.Severity != diag.Error || o.Exists != nil && !o.Exists(d.File)
			})
			if len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// lines are those of an output that the compiler printed, as far as its form tells.
func (c spoken) lines(printed string) string {
	var out strings.Builder
	below, header := 0, ""
	for line := range strings.Lines(printed) {
		text := strings.TrimRight(line, "\r\n")
		if c.headed && goHeader.MatchString(text) {
			header = text + "\n"
			continue
		}
		switch begins := (!c.headed || header != "") && c.begins(text); {
		case begins:
			out.WriteString(header)
			below = c.below
		case below > 0:
			below--
		default:
			header = ""
			continue
		}
		out.WriteString(text + "\n")
	}
	return out.String()
}
