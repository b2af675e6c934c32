package parse

import (
	"io"
	"path"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

var (
	prettierSyntax = pattern.New(`^\[error\] (\S.*?): (\w*Error: .*?)(?: \((\d+):(\d+)\))?$`)
	prettierTotal  = pattern.New(`^(?:Code style issues|Ignored unknown option|Invalid|Run Prettier|.* is deprecated)`)
)

// parsePrettier reads what prettier --check says, and the bare names that --list-different prints. A file that cannot be
// parsed comes with a place, and shows nothing else.
func parsePrettier(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "prettier")
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		switch rest, warned := strings.CutPrefix(line, "[warn] "); {
		case warned:
			if !prettierTotal.MatchString(rest) {
				c.unformatted(rest)
			}
		case strings.HasPrefix(line, "[error]"):
			c.prettierError(line)
		case prettierName(line):
			c.unformatted(line)
		}
	}
	return c.report, in.failed()
}

// prettierName reports whether a line can be nothing but the name of a file that prettier formats.
func prettierName(line string) bool {
	if line == "" || strings.ContainsAny(line, " \t:\"'()[]{}") {
		return false
	}
	switch strings.ToLower(path.Ext(line)) {
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".json", ".jsonc", ".json5", ".css", ".scss", ".less", ".html",
		".vue", ".svelte", ".md", ".mdx", ".yaml", ".yml", ".graphql", ".gql", ".hbs", ".astro":
		return true
	}
	return false
}

func (c *collector) unformatted(name string) {
	file := c.places.file(name)
	if file == "" || c.o.Exists != nil && !c.o.Exists(file) {
		return
	}
	c.add(diag.Diagnostic{File: file, Rule: "unformatted", Message: "the file is not formatted as prettier would", Fixable: true})
}

// prettierError is a file that prettier cannot read, or a line of the excerpt below it.
func (c *collector) prettierError(line string) {
	if m := prettierSyntax.FindStringSubmatch(line); m != nil {
		if file := c.places.file(m[1]); file != "" {
			c.add(diag.Diagnostic{File: file, Range: at(number(m[3]), number(m[4])), Message: m[2], Masks: diag.MasksFile})
			return
		}
	}
	if d := c.last(); d != nil && d.Masks == diag.MasksFile {
		c.note(strings.TrimPrefix(strings.TrimPrefix(line, "[error]"), " "))
	}
}
