package parse

import (
	"encoding/json"
	"io"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parseGolangci reads the JSON report of golangci-lint, versions 1 and 2 (run with --output.json.path=stdout), and passes
// over the text around it. Code that does not type-check hides what the linters would say.
func parseGolangci(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "golangci-lint")
	m := newMixed(r)
	var complaints []string
	err := m.read(func(line string) {
		if g := golangciComplaint.FindStringSubmatch(line); g != nil && len(complaints) < 10 {
			complaints = append(complaints, strings.ReplaceAll(g[1]+g[2], `\"`, `"`))
		}
	}, func(dec *json.Decoder, _ byte) error {
		return object(dec, func(key string) error {
			m.record()
			if key != "Issues" {
				return errSkip
			}
			return array(dec, func() error {
				m.record()
				return decode(dec, c.golangci)
			})
		})
	})
	if !c.found() {
		for _, said := range complaints {
			c.add(diag.Diagnostic{Message: said, Masks: diag.MasksCheck})
		}
	}
	return c.report, err
}

// golangciComplaint is how it says that it could not do its work.
var golangciComplaint = pattern.New(`^(?:.*\blevel=(?:error|fatal) msg="(.*)"|Error: (.*))$`)

type golangciIssue struct {
	FromLinter string
	Text       string
	Severity   string
	Pos        struct {
		Filename     string
		Line, Column int
	}
	LineRange      struct{ From, To int }
	Replacement    json.RawMessage // version 1
	SuggestedFixes json.RawMessage // version 2
}

func (c *collector) golangci(i golangciIssue) {
	if i.FromLinter == "" && i.Text == "" {
		return
	}
	d := diag.Diagnostic{
		File: c.places.file(i.Pos.Filename), Range: at(i.Pos.Line, i.Pos.Column), Rule: i.FromLinter,
		Message: i.Text, Severity: severity(i.Severity), Fixable: present(i.Replacement) || present(i.SuggestedFixes),
	}
	if i.LineRange.To > i.Pos.Line {
		d.Range.End.Line = i.LineRange.To
	}
	if i.FromLinter == "typecheck" {
		c.typecheck(d)
		return
	}
	c.add(d)
}

// typecheck is code that does not compile. One issue can hold all that the compiler said, line by line.
func (c *collector) typecheck(d diag.Diagnostic) {
	d.Masks = diag.MasksCheck
	whole := true
	for line := range strings.Lines(d.Message) {
		if m := goPlace(strings.TrimRight(line, "\n")); m != nil && strings.Contains(d.Message, "\n") {
			one := d
			one.File, one.Range, one.Message = c.places.file(m[2]), at(number(m[3]), number(m[4])), m[5]
			c.add(one)
			whole = false
		}
	}
	if whole {
		c.add(d)
	}
}

// present reports whether a JSON value is there and holds something.
func present(v json.RawMessage) bool {
	switch strings.TrimSpace(string(v)) {
	case "", "null", "[]", "{}":
		return false
	}
	return true
}
