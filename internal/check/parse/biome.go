package parse

import (
	"io"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

var biomeLine = pattern.New(`^::(error|warning|notice|debug) (.*?)::(.*)$`)

// parseBiome reads the workflow commands that biome --reporter=github prints: the form of its findings that its authors keep
// stable. A file that cannot be parsed may show more once it can.
func parseBiome(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "biome")
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		if m := biomeLine.FindStringSubmatch(line); m != nil {
			c.biome(m[1], m[2], m[3])
		}
	}
	return c.report, in.failed()
}

// What GitHub's workflow commands escape in a message, and in a property.
var (
	commandText     = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%")
	commandProperty = strings.NewReplacer("%3A", ":", "%2C", ",", "%0D", "\r", "%0A", "\n", "%25", "%")
)

func (c *collector) biome(level, properties, message string) {
	p := map[string]string{}
	for one := range strings.SplitSeq(properties, ",") {
		key, value, _ := strings.Cut(one, "=")
		p[key] = commandProperty.Replace(value)
	}
	d := diag.Diagnostic{
		File: c.places.file(p["file"]), Rule: p["title"], Message: commandText.Replace(message), Severity: severity(level),
		Range: diag.Range{
			Start: diag.Position{Line: number(p["line"]), Column: number(p["col"])},
			End:   diag.Position{Line: number(p["endLine"]), Column: number(p["endColumn"])},
		},
	}
	switch {
	case d.Rule == "format":
		d.Range, d.Fixable = diag.Range{}, true // it is about the whole file
		d.Message = "the file is not formatted as biome would"
	case strings.HasPrefix(d.Rule, "assist/"):
		d.Fixable = true
	case d.Rule == "parse":
		d.Masks = diag.MasksFile
	}
	c.add(d)
}
