package parse

import (
	"encoding/json"
	"io"

	"fettle/internal/diag"
)

// parseESLint reads ESLint's JSON (--format json): one list, an object for each file. A file that cannot be parsed shows
// that and nothing else. Columns are as ESLint counts them, in UTF-16 units.
func parseESLint(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "eslint")
	m := newMixed(r)
	err := m.read(func(string) {}, func(dec *json.Decoder, start byte) error {
		if start != '[' {
			return decode(dec, func(json.RawMessage) {})
		}
		return array(dec, func() error {
			m.record()
			return decode(dec, c.eslint)
		})
	})
	return c.report, err
}

type eslintFile struct {
	FilePath string
	Messages []struct {
		RuleID    *string `json:"ruleId"`
		Severity  int
		Fatal     bool
		Message   string
		Line      int
		Column    int
		EndLine   int
		EndColumn int
		Fix       json.RawMessage
	}
}

func (c *collector) eslint(f eslintFile) {
	for _, m := range f.Messages {
		d := diag.Diagnostic{File: c.places.file(f.FilePath), Message: m.Message, Fixable: present(m.Fix), Range: diag.Range{
			Start: diag.Position{Line: m.Line, Column: m.Column}, End: diag.Position{Line: m.EndLine, Column: m.EndColumn},
		}}
		if m.RuleID != nil {
			d.Rule = *m.RuleID
		}
		if m.Severity == 1 {
			d.Severity = diag.Warning
		}
		if m.Fatal {
			d.Masks = diag.MasksFile
		}
		c.add(d)
	}
}
