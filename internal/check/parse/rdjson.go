package parse

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"fettle/internal/diag"
)

// parseRDJSON reads the Reviewdog Diagnostic Format in both of its forms: rdjson, one object with a list, and rdjsonl, an
// object a line. Its lines and columns count from 1, its columns are bytes of UTF-8 and its ranges end before their end,
// as ours are. Source: https://github.com/reviewdog/reviewdog/blob/master/proto/rdf/reviewdog.proto
func parseRDJSON(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "")
	m := newMixed(r)
	err := m.read(func(string) {}, func(dec *json.Decoder, start byte) error {
		if start != '{' {
			return array(dec, func() error { // some tools print a bare list
				m.record()
				return (&rdResult{collector: c, m: m, first: len(c.report.Diagnostics)}).read(dec)
			})
		}
		return (&rdResult{collector: c, m: m, first: len(c.report.Diagnostics)}).read(dec)
	})
	return c.report, err
}

// rdResult is a DiagnosticResult, or a Diagnostic: the fields of both do not clash. What a result says of all its
// diagnostics may stand behind them, so it is settled at the end.
type rdResult struct {
	*collector
	m      *mixed
	first  int   // index of its first finding
	open   []int // indexes of its findings without a severity
	list   bool
	single rdDiagnostic
}

type rdDiagnostic struct {
	Message     string
	Location    rdLocation
	Severity    rdSeverity
	Source      rdSource
	Code        rdCode
	Suggestions []json.RawMessage // of rdSuggestion
}

type rdLocation struct {
	Path  string
	Range rdRange
}

type rdSuggestion struct {
	Range rdRange
	Text  string
}

type rdSource struct{ Name string }

type rdCode struct{ Value string }

type rdRange struct{ Start, End rdPosition }

type rdPosition struct{ Line, Column int }

// rdSeverity is the name of a severity; JSON of protocol buffers may have its number instead.
type rdSeverity string

func (s *rdSeverity) UnmarshalJSON(b []byte) error {
	switch text := strings.Trim(string(b), `"`); text {
	case "1":
		*s = "ERROR"
	case "2":
		*s = "WARNING"
	case "3":
		*s = "INFO"
	case "0", "null", "UNKNOWN_SEVERITY":
		*s = ""
	default:
		*s = rdSeverity(text)
	}
	return nil
}

func (r *rdResult) read(dec *json.Decoder) error {
	err := object(dec, func(key string) error {
		r.m.record()
		s := &r.single
		switch key {
		case "diagnostics":
			r.list = true
			return array(dec, func() error {
				r.m.record()
				return decode(dec, r.finding)
			})
		case "message":
			return decode(dec, func(v string) { s.Message = v })
		case "location":
			return decode(dec, func(v rdLocation) { s.Location = v })
		case "severity":
			return decode(dec, func(v rdSeverity) { s.Severity = v })
		case "source":
			return decode(dec, func(v rdSource) { s.Source = v })
		case "code":
			return decode(dec, func(v rdCode) { s.Code = v })
		case "suggestions":
			return decode(dec, func(v []json.RawMessage) { s.Suggestions = v })
		}
		return errSkip
	})
	if err == nil && !r.list {
		r.finding(r.single)
	}
	r.settle()
	return err
}

// finding adds a diagnostic. One without a message and a place is an object of something else.
func (r *rdResult) finding(v rdDiagnostic) {
	if v.Message == "" && v.Location.Path == "" {
		return
	}
	d := diag.Diagnostic{
		File: r.places.file(v.Location.Path), Message: v.Message, Rule: v.Code.Value, Tool: v.Source.Name,
		Range: v.Location.Range.diag(), Fixable: len(v.Suggestions) > 0,
	}
	if v.Severity != "" {
		d.Severity = severity(string(v.Severity))
	} else if len(r.report.Diagnostics) < maxFindings {
		r.open = append(r.open, len(r.report.Diagnostics))
	}
	var b strings.Builder
	var fixes []diag.Suggestion
	for _, s := range carried[rdSuggestion](r.collector, v.Suggestions) {
		if b.Len() <= maxDetail {
			b.WriteString(s.String())
		}
		fixes = append(fixes, diag.Suggestion{Replacements: []diag.Replacement{s.replacement(d.File)}})
	}
	d.Detail, d.Suggestions = b.String(), sound(fixes)
	if unparsed(d.Rule) {
		d.Masks = diag.MasksFile
	}
	r.add(d)
}

// String is the suggestion for people.
func (s rdSuggestion) String() string {
	from, to := s.Range.Start, s.Range.End
	if to == (rdPosition{}) {
		to = from
	}
	if s.Text == "" {
		return fmt.Sprintf("suggested: remove %d:%d-%d:%d\n", from.Line, from.Column, to.Line, to.Column)
	}
	return fmt.Sprintf("suggested for %d:%d-%d:%d: %s\n", from.Line, from.Column, to.Line, to.Column, strings.TrimSuffix(s.Text, "\n"))
}

// replacement is what the suggestion does to the diagnostic's file. A range without an end is a point where it has a column,
// else a line.
func (s rdSuggestion) replacement(file string) diag.Replacement {
	r := s.Range.diag()
	if r.End == (diag.Position{}) {
		r.End = r.Start
	}
	return diag.Replacement{File: file, Range: r, Text: s.Text}
}

// settle gives what the result says of all its diagnostics to those that say nothing themselves.
func (r *rdResult) settle() {
	for _, i := range r.open {
		if i < len(r.report.Diagnostics) && r.single.Severity != "" {
			r.report.Diagnostics[i].Severity = severity(string(r.single.Severity))
		}
	}
	for i := r.first; i < len(r.report.Diagnostics); i++ {
		if d := &r.report.Diagnostics[i]; d.Tool == "" {
			d.Tool = valid(r.single.Source.Name)
		}
	}
}

func (r rdRange) diag() diag.Range {
	return diag.Range{
		Start: diag.Position{Line: r.Start.Line, Column: r.Start.Column},
		End:   diag.Position{Line: r.End.Line, Column: r.End.Column},
	}
}
