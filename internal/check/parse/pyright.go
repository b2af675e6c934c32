package parse

import (
	"encoding/json"
	"io"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parsePyright reads pyright's text, and its --outputjson. What stands below the first line of a message says why.
func parsePyright(r io.Reader, o Options) (Report, error) {
	p := &pyright{collector: newCollector(o, "pyright")}
	m := newMixed(r)
	err := m.read(p.line, func(dec *json.Decoder, _ byte) error {
		return object(dec, func(key string) error {
			if key != "generalDiagnostics" {
				return errSkip
			}
			return array(dec, func() error {
				m.record()
				return decode(dec, p.record)
			})
		})
	})
	return p.report, err
}

type pyright struct {
	*collector
	open bool // lines may follow that belong to the finding added last
}

var (
	pyrightLine = pattern.New(`^\s+(\S.*?):(\d+):(\d+) - (error|warning|information): (.*)$`)
	pyrightRule = pattern.New(`^(.*) \((report[A-Z]\w*)\)$`)
)

// line reads a line of the text: the rule stands at the end of a finding's last line.
func (p *pyright) line(line string) {
	m := pyrightLine.FindStringSubmatch(line)
	switch {
	case m != nil:
		message, rule := ruled(m[5])
		p.add(diag.Diagnostic{File: p.places.file(m[1]), Range: at(number(m[2]), number(m[3])), Severity: severity(m[4]), Message: message, Rule: rule})
		p.open = rule == ""
	case p.open && strings.HasPrefix(line, "  "):
		said, rule := ruled(line)
		p.note(plainBlanks(strings.TrimPrefix(said, "  ")))
		p.last().Rule = rule
		p.open = rule == ""
	default:
		p.open = false
	}
}

// ruled takes the rule off the end of a line.
func ruled(line string) (said, rule string) {
	if m := pyrightRule.FindStringSubmatch(line); m != nil {
		return m[1], m[2]
	}
	return line, ""
}

// plainBlanks are for the no-break spaces with which pyright indents.
func plainBlanks(s string) string { return strings.ReplaceAll(s, "\u00a0", " ") }

type pyrightRecord struct {
	File     string
	Severity string
	Message  string
	Rule     string
	Range    struct{ Start, End pyrightPlace }
}

// pyrightPlace counts from 0.
type pyrightPlace struct{ Line, Character int }

func (p pyrightPlace) position() diag.Position {
	return diag.Position{Line: p.Line + 1, Column: p.Character + 1}
}

func (p *pyright) record(r pyrightRecord) {
	if r.File == "" && r.Message == "" {
		return
	}
	message, why, _ := strings.Cut(plainBlanks(r.Message), "\n")
	p.add(diag.Diagnostic{
		File: p.places.file(r.File), Severity: severity(r.Severity), Message: message, Detail: why, Rule: r.Rule,
		Range: diag.Range{Start: r.Range.Start.position(), End: r.Range.End.position()},
	})
}
