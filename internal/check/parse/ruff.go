package parse

import (
	"encoding/json"
	"io"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parseRuff reads what ruff check prints, as JSON (one list, or an object a line), in its full or in its concise text, and
// the text of ruff format --check. A file with a syntax error shows nothing else.
func parseRuff(r io.Reader, o Options) (Report, error) {
	p := &ruff{collector: newCollector(o, "ruff")}
	m := newMixed(r)
	err := m.read(p.line, func(dec *json.Decoder, start byte) error {
		if start == '{' {
			return decode(dec, p.record)
		}
		return array(dec, func() error {
			m.record()
			return decode(dec, p.record)
		})
	})
	return p.report, err
}

type ruff struct {
	*collector
	rule, said string // of a finding in the full text whose place has not come yet
	fixable    bool
}

type ruffRecord struct {
	Code     *string
	Name     string
	Filename string
	Message  string
	Severity string
	Location ruffPlace
	End      ruffPlace `json:"end_location"`
	Fix      *struct{ Applicability string }
}

type ruffPlace struct{ Row, Column int }

func (p *ruff) record(r ruffRecord) {
	if r.Filename == "" && r.Message == "" {
		return
	}
	d := diag.Diagnostic{File: p.places.file(r.Filename), Message: r.Message, Severity: severity(r.Severity), Range: diag.Range{
		Start: diag.Position{Line: r.Location.Row, Column: r.Location.Column},
		End:   diag.Position{Line: r.End.Row, Column: r.End.Column},
	}}
	if r.Fix != nil {
		d.Fixable = strings.EqualFold(r.Fix.Applicability, "safe")
	}
	rule := r.Name
	if r.Code != nil {
		rule = *r.Code
	}
	p.put(d, rule)
}

func (p *ruff) put(d diag.Diagnostic, rule string) {
	switch {
	case rule == "" && strings.HasPrefix(d.Message, "SyntaxError"):
		rule, d.Masks = "invalid-syntax", diag.MasksFile
	case unparsed(rule):
		d.Masks = diag.MasksFile
	case rule == "unformatted":
		d.Fixable = true
	}
	d.Rule = rule
	p.add(d)
}

// unparsed reports whether a rule is the one for files that cannot be parsed or read, which show nothing else.
func unparsed(rule string) bool {
	switch rule {
	case "invalid-syntax", "syntax-error", "parse-error", "E999", "E902":
		return true
	}
	return false
}

var (
	ruffConcise = pattern.New(`^(\S.*?):(\d+):(\d+): (?:([A-Z]+\d+|[a-z]+(?:-[a-z0-9]+)+)(:)? )?(\[\*\] )?(.*)$`)
	ruffTitle   = pattern.New(`^([A-Z]+\d+|[a-z]+(?:-[a-z0-9]+)*)(:| \[\*\]|) (\[\*\] )?(.+)$`)
	ruffPlaceAt = pattern.New(`^\s*--> (.+?):(\d+):(\d+)$`)
	ruffWould   = pattern.New(`^Would reformat: (.+)$`)
	ruffFailed  = pattern.New(`^error: Failed to (?:parse|format|lint) (.+?):(?:(\d+):(\d+): ?| )(.*)$`)
)

// line reads a line of ruff's text.
func (p *ruff) line(line string) {
	if m := ruffPlaceAt.FindStringSubmatch(line); m != nil {
		if p.said != "" {
			p.put(diag.Diagnostic{File: p.places.file(m[1]), Range: at(number(m[2]), number(m[3])), Message: p.said, Fixable: p.fixable}, p.rule)
		}
		p.said = ""
		return
	}
	p.said = ""
	if m := ruffWould.FindStringSubmatch(line); m != nil {
		p.put(diag.Diagnostic{File: p.places.file(m[1]), Message: "File would be reformatted"}, "unformatted")
	} else if m := ruffFailed.FindStringSubmatch(line); m != nil {
		p.put(diag.Diagnostic{File: p.places.file(m[1]), Range: at(number(m[2]), number(m[3])), Message: m[4]}, "invalid-syntax")
	} else if m := ruffConcise.FindStringSubmatch(line); m != nil && (m[4] != "" || strings.HasPrefix(m[7], "SyntaxError")) {
		p.put(diag.Diagnostic{File: p.places.file(m[1]), Range: at(number(m[2]), number(m[3])), Message: m[7], Fixable: m[6] != ""}, m[4])
	} else if m := ruffTitle.FindStringSubmatch(line); m != nil {
		p.rule, p.said, p.fixable = m[1], m[4], strings.Contains(m[2]+m[3], "[*]")
	}
}
