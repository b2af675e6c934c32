package parse

import (
	"slices"
	"strings"

	"fettle/internal/diag"
)

// compilers read what a compiler says among lines of others.
var compilers = []Format{
	{Name: "javac", Parse: parseJavac},
	{Name: "gobuild", Parse: parseGoBuild},
	{Name: "tsc", Parse: parseTsc},
}

// Compiled reads what compilers say somewhere in the output of a command that nobody knows, such as a script that builds before it tests: the
// errors whose files are there. Of the rest it reads nothing, so that what a program prints by itself is taken for no compiler's word.
func Compiled(printed string, o Options) []diag.Diagnostic {
	for _, f := range compilers {
		if said := spoken(f.Name, printed); said != "" {
			report, err := f.Parse(strings.NewReader(said), o)
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

// spoken are the lines of an output that a compiler printed, as far as its form tells: it names them as errors, or has a header for them.
func spoken(compiler, printed string) string {
	var out strings.Builder
	below, header := 0, ""
	for line := range strings.Lines(printed) {
		text := strings.TrimRight(line, "\r\n")
		begins := false
		switch compiler {
		case "javac":
			m := javacLine.FindStringSubmatch(text)
			begins = m != nil && m[3] == "error"
		case "gobuild":
			if goHeader.MatchString(text) {
				header = text
				continue
			}
			if begins = header != "" && goPlace(text) != nil; begins {
				out.WriteString(header + "\n")
			} else {
				header = "" // only what stands right below it
			}
		case "tsc":
			begins = tscPlain.MatchString(text) || tscPretty.MatchString(text)
		}
		switch {
		case begins:
			below = linesBelow[compiler]
		case below == 0:
			continue
		default:
			below--
		}
		out.WriteString(text + "\n")
	}
	return out.String()
}

// linesBelow are how many lines below an error may explain it: javac shows the line, a caret, the symbol and its place.
var linesBelow = map[string]int{"javac": 4, "tsc": 2}
