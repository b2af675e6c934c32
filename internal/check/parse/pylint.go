package parse

import (
	"cmp"
	"encoding/json"
	"io"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parsePylint reads pylint's text, also as --output-format=parseable, and its json and json2. A finding's rule is its symbol, which is
// what people write to turn it off.
func parsePylint(r io.Reader, o Options) (Report, error) {
	p := &pylint{newCollector(o, "pylint")}
	m := newMixed(r)
	list := func(dec *json.Decoder) error {
		return array(dec, func() error {
			m.record()
			return decode(dec, p.record)
		})
	}
	err := m.read(p.line, func(dec *json.Decoder, start byte) error {
		if start == '[' {
			return list(dec)
		}
		return object(dec, func(key string) error {
			if key != "messages" {
				return errSkip
			}
			return list(dec)
		})
	})
	return p.report, err
}

type pylint struct{ *collector }

var (
	pylintLine      = pattern.New(`^(\S.*?):(\d+):(\d+): ([CEFIRW])(\d{4}): (.*?)(?: \(([a-z][a-z0-9-]*)\))?$`)
	pylintParseable = pattern.New(`^(\S.*?):(\d+): \[([CEFIRW])(\d{4})\(([a-z][a-z0-9-]*)\), .*?\] (.*)$`)
)

// pylintKinds are the severities of pylint's letters; others are errors.
var pylintKinds = map[string]diag.Severity{"W": diag.Warning, "C": diag.Info, "R": diag.Info, "I": diag.Info}

// line reads a line of the text, whose columns count from 0.
func (p *pylint) line(line string) {
	if m := pylintLine.FindStringSubmatch(line); m != nil {
		p.put(diag.Diagnostic{File: p.places.file(m[1]), Range: at(number(m[2]), number(m[3])+1), Severity: pylintKinds[m[4]], Rule: cmp.Or(m[7], m[4]+m[5]), Message: m[6]})
	} else if m := pylintParseable.FindStringSubmatch(line); m != nil {
		p.put(diag.Diagnostic{File: p.places.file(m[1]), Range: at(number(m[2]), 0), Severity: pylintKinds[m[3]], Rule: m[5], Message: m[6]})
	}
}

type pylintRecord struct {
	Type      string
	Path      string
	Line      int
	Column    int
	EndLine   int
	EndColumn int
	Symbol    string
	Message   string
}

func (p *pylint) record(r pylintRecord) {
	if r.Path == "" && r.Message == "" {
		return
	}
	p.put(diag.Diagnostic{File: p.places.file(r.Path), Severity: severity(r.Type), Rule: r.Symbol, Message: r.Message, Range: diag.Range{
		Start: diag.Position{Line: r.Line, Column: r.Column + 1},
		End:   diag.Position{Line: r.EndLine, Column: r.EndColumn + 1},
	}})
}

// put adds a finding. A file that does not parse shows nothing else.
func (p *pylint) put(d diag.Diagnostic) {
	if unparsed(d.Rule) {
		d.Masks = diag.MasksFile
	}
	p.add(d)
}
