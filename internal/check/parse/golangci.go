package parse

import (
	"encoding/json"
	"io"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parseGolangci reads the JSON report of golangci-lint, versions 1 and 2 (run with --output.json.path=stdout), and passes
// over the text around it; where there is none, what it prints for people, which is the same in both. Code that does not
// type-check hides what the linters would say.
func parseGolangci(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "golangci-lint")
	m := newMixed(r)
	var complaints []string
	var text golangciText
	reported := false
	err := m.read(func(line string) {
		if g := golangciComplaint.FindStringSubmatch(line); g != nil && len(complaints) < 10 {
			complaints = append(complaints, strings.ReplaceAll(g[1]+g[2], `\"`, `"`))
		}
		text.line(line)
	}, func(dec *json.Decoder, _ byte) error {
		return object(dec, func(key string) error {
			m.record()
			if key != "Issues" {
				return errSkip
			}
			reported = true
			return array(dec, func() error {
				m.record()
				return decode(dec, c.golangci)
			})
		})
	})
	if !reported {
		for _, i := range text.issues {
			c.golangci(i)
		}
	}
	if !c.found() {
		for _, said := range complaints {
			c.add(diag.Diagnostic{Message: said, Masks: diag.MasksCheck})
		}
	}
	return c.report, err
}

// golangciComplaint is how it says that it could not do its work.
var golangciComplaint = pattern.New(`^(?:.*\blevel=(?:error|fatal) msg="(.*)"|Error: (.*))$`)

var (
	golangciLine   = pattern.New(`^([^\s:](?:[^:\t]|:[\\/])*\.\w+):(\d+)(?::(\d+)?)?: (.*)$`)
	golangciLinter = pattern.New(`^(.*\S) \(([a-z][\w-]*)\)$`)
)

// golangciText gathers findings from what is printed for people: "file:line:column: text (linter)" and below it the line of
// source with a caret. What the compiler says stands on several lines behind the header of its package, the last of which
// names typecheck.
type golangciText struct {
	issues []golangciIssue
	under  bool // below such a header
}

func (t *golangciText) line(line string) {
	m := golangciLine.FindStringSubmatch(line)
	if m == nil || len(t.issues) >= maxFindings {
		return
	}
	var i golangciIssue
	i.Pos.Filename, i.Pos.Line, i.Pos.Column, i.Text = m[1], number(m[2]), number(m[3]), strings.TrimPrefix(m[4], ": ")
	if l := golangciLinter.FindStringSubmatch(i.Text); l != nil {
		i.Text, i.FromLinter = l[1], l[2]
	}
	switch {
	case strings.HasPrefix(i.Text, "# "):
		t.under = true
		return
	case t.under:
		t.under = i.FromLinter == ""
		i.FromLinter = "typecheck"
	}
	t.issues = append(t.issues, i)
}

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
