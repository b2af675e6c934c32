package parse

import (
	"encoding/json"
	"io"
	"net/url"
	"strings"

	"fettle/internal/diag"
)

// parseSARIF reads SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), result by result. Results that the
// tool was told to suppress, and those that say that something is fine, are left out.
func parseSARIF(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "")
	m := newMixed(r)
	err := m.read(func(string) {}, func(dec *json.Decoder, _ byte) error {
		return object(dec, func(key string) error {
			m.record()
			if key != "runs" {
				return errSkip
			}
			return array(dec, func() error {
				run := &sarifRun{collector: c, m: m, first: len(c.report.Diagnostics), unit: diag.UTF16}
				err := run.read(dec)
				run.settle()
				return err
			})
		})
	})
	return c.report, err
}

// sarifRun is one run of one tool. Its results may stand before the rules and artifacts that they point to, so what they
// point to is settled at its end.
type sarifRun struct {
	*collector
	m         *mixed
	first     int // index of its first finding
	refs      []sarifRef
	name      string
	rules     []sarifRule
	byID      map[string]int
	artifacts []sarifLocation
	bases     map[string]sarifLocation
	unit      diag.Unit // of columns and offsets
}

// sarifRef is what a result points to.
type sarifRef struct {
	rule  int
	level bool // the result has its own level
	place sarifLocation
	fixes []sarifFix
}

type sarifLocation struct {
	URI       string `json:"uri"`
	URIBaseID string `json:"uriBaseId"`
	Index     *int   `json:"index"`
}

type sarifText struct {
	Text, ID  string
	Arguments []string
}

type sarifRule struct {
	ID            string
	Name          string
	Default       struct{ Level string } `json:"defaultConfiguration"`
	MessageString map[string]sarifText   `json:"messageStrings"`
}

type sarifResult struct {
	RuleID    string
	RuleIndex *int
	Rule      struct {
		ID    string
		Index *int
	}
	Kind, Level  string
	Message      sarifText
	Suppressions []struct{ Status string }
	Baseline     string            `json:"baselineState"`
	Fixes        []json.RawMessage // of sarifFix
	Locations    []struct {
		Physical struct {
			Artifact sarifLocation `json:"artifactLocation"`
			Region   struct{ StartLine, StartColumn, EndLine, EndColumn int }
		} `json:"physicalLocation"`
	}
}

func (s *sarifRun) read(dec *json.Decoder) error {
	return object(dec, func(key string) error {
		s.m.record()
		switch key {
		case "results":
			return array(dec, func() error {
				s.m.record()
				return decode(dec, s.result)
			})
		case "tool":
			return s.tool(dec)
		case "artifacts":
			return array(dec, func() error {
				s.m.record()
				return decode(dec, func(a struct{ Location sarifLocation }) {
					if len(s.artifacts) < maxTests {
						s.artifacts = append(s.artifacts, a.Location)
					}
				})
			})
		case "originalUriBaseIds":
			return decode(dec, func(b map[string]sarifLocation) { s.bases = b })
		case "columnKind":
			return decode(dec, func(kind string) {
				if kind == "unicodeCodePoints" {
					s.unit = diag.Characters
				}
			})
		}
		return errSkip
	})
}

func (s *sarifRun) tool(dec *json.Decoder) error {
	return object(dec, func(key string) error {
		if key != "driver" {
			return errSkip
		}
		return object(dec, func(key string) error {
			s.m.record()
			switch key {
			case "name":
				return decode(dec, func(name string) { s.name = name })
			case "rules":
				return array(dec, func() error {
					s.m.record()
					return decode(dec, s.rule)
				})
			}
			return errSkip
		})
	})
}

func (s *sarifRun) rule(r sarifRule) {
	if s.byID == nil {
		s.byID = map[string]int{}
	}
	if len(s.rules) < maxFindings {
		s.byID[r.ID] = len(s.rules)
		s.rules = append(s.rules, r)
	}
}

func (s *sarifRun) result(r sarifResult) {
	if len(s.report.Diagnostics) >= maxFindings || r.suppressed() {
		return
	}
	d := diag.Diagnostic{Rule: r.RuleID, Message: r.Message.Text, Severity: sarifLevel(r.Level), Fixable: len(r.Fixes) > 0}
	if d.Rule == "" {
		d.Rule = r.Rule.ID
	}
	ref := sarifRef{rule: -1, level: r.Level != "", fixes: carried[sarifFix](s.collector, r.Fixes)}
	for _, i := range []*int{r.RuleIndex, r.Rule.Index} {
		if i != nil {
			ref.rule = *i
		}
	}
	if r.Message.Text == "" {
		d.Message = r.Message.ID
		d.Detail = strings.Join(r.Message.Arguments, "\n")
	}
	if len(r.Locations) > 0 {
		p := r.Locations[0].Physical
		ref.place = p.Artifact
		d.Range = diag.Range{
			Start: diag.Position{Line: p.Region.StartLine, Column: p.Region.StartColumn},
			End:   diag.Position{Line: p.Region.EndLine, Column: p.Region.EndColumn},
		}
		if d.Range.End.Line == 0 && d.Range.End.Column > 0 {
			d.Range.End.Line = d.Range.Start.Line // §3.30.7: an absent endLine is the startLine
		}
	}
	s.add(d)
	s.refs = append(s.refs, ref)
}

func (r sarifResult) suppressed() bool {
	for _, s := range r.Suppressions {
		if s.Status == "" || s.Status == "accepted" { // §3.27.23: suppressed unless one is under review or rejected
			continue
		}
		return false
	}
	fine := r.Kind == "pass" || r.Kind == "notApplicable" || r.Kind == "informational"
	return len(r.Suppressions) > 0 || fine || r.Level == "none" || r.Baseline == "absent"
}

func sarifLevel(level string) diag.Severity {
	switch level {
	case "error":
		return diag.Error
	case "note":
		return diag.Info
	}
	return diag.Warning // §3.27.10
}

// settle fills in what the run's results point to.
func (s *sarifRun) settle() {
	for i, ref := range s.refs {
		d := &s.report.Diagnostics[s.first+i]
		d.Tool = s.name
		rule, ok := s.ruleOf(ref, d.Rule)
		if ok {
			if d.Rule == "" {
				d.Rule = valid(rule.ID)
			}
			if !ref.level && rule.Default.Level != "" {
				d.Severity = sarifLevel(rule.Default.Level)
			}
			if m, named := rule.MessageString[d.Message]; named && m.Text != "" {
				d.Message = valid(sarifMessage(m.Text, strings.Split(d.Detail, "\n")))
				d.Detail = ""
			}
		}
		d.File = s.file(ref.place)
		d.Suggestions = s.suggestions(ref.fixes)
		if unparsed(d.Rule) {
			d.Masks = diag.MasksFile
		}
	}
}

func (s *sarifRun) ruleOf(ref sarifRef, id string) (sarifRule, bool) {
	if ref.rule >= 0 && ref.rule < len(s.rules) {
		return s.rules[ref.rule], true
	}
	for id != "" { // §3.27.5: "CA1000/1" is a rule below CA1000
		if i, ok := s.byID[id]; ok {
			return s.rules[i], true
		}
		i := strings.LastIndexByte(id, '/')
		if i < 0 {
			break
		}
		id = id[:i]
	}
	return sarifRule{}, false
}

// sarifMessage puts the arguments in the place of {0}, {1}, … (§3.11.5).
func sarifMessage(text string, arguments []string) string {
	var pairs []string
	for i, a := range arguments {
		if i < 10 {
			pairs = append(pairs, "{"+string(rune('0'+i))+"}", a)
		}
	}
	return strings.NewReplacer(append(pairs, "{{", "{", "}}", "}")...).Replace(text)
}

// file is where an artifact lies: its URI, on the base that it names, or that of the run's artifact it points to.
func (s *sarifRun) file(l sarifLocation) string {
	if l.URI == "" && l.Index != nil && *l.Index >= 0 && *l.Index < len(s.artifacts) {
		l = s.artifacts[*l.Index]
	}
	uri := l.URI
	for range 8 { // bases may lie on bases
		base, ok := s.bases[l.URIBaseID]
		if !ok || strings.Contains(uri, ":/") {
			break
		}
		uri, l = strings.TrimSuffix(base.URI, "/")+"/"+uri, base
		if base.URI == "" {
			uri = strings.TrimPrefix(uri, "/")
		}
	}
	u, err := url.Parse(uri)
	switch {
	case uri == "" || err == nil && u.Scheme != "" && u.Scheme != "file" && len(u.Scheme) > 1:
		return ""
	case err != nil || len(u.Scheme) == 1: // a bare path with a percent sign, or C:/x
		return s.places.file(uri)
	}
	p := u.Path
	if len(p) > 2 && p[0] == '/' && p[2] == ':' { // file:///C:/x
		p = p[1:]
	}
	return s.places.file(p)
}
