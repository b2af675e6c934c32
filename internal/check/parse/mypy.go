package parse

import (
	"encoding/json"
	"io"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parseMypy reads mypy's text, with or without columns and ends, and its --output json (an object a line). A note belongs
// to the error before it. After an error that prevents further checking, such as one of syntax, nothing else was checked.
func parseMypy(r io.Reader, o Options) (Report, error) {
	p := &mypy{newCollector(o, "mypy")}
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		p.line(line)
	}
	return p.report, in.failed()
}

type mypy struct{ *collector }

var (
	mypyLine = pattern.New(`^(\S.*?)(?::(\d+))?(?::(\d+))?(?::(\d+):(\d+))?: (error|warning|note): (.*?)(?:  \[([a-z0-9-]+)\])?$`)
	mypyStop = pattern.New(`^Found \d+ errors? in \d+ files? \(errors prevented further checking\)$`)
	mypyNone = pattern.New(`^mypy: (can't read file '.*': .*|error: .*)$`)
)

// mypyParts is the match of mypyLine, which is slow on lines of other programs.
func mypyParts(line string) []string {
	if !strings.Contains(line, ": error: ") && !strings.Contains(line, ": note: ") && !strings.Contains(line, ": warning: ") {
		return nil
	}
	return mypyLine.FindStringSubmatch(line)
}

type mypyRecord struct {
	File     string
	Line     int
	Column   int
	EndLine  int `json:"end_line"`
	EndCol   int `json:"end_column"`
	Message  string
	Hint     *string
	Code     *string
	Severity string
}

func (p *mypy) line(line string) {
	var r mypyRecord
	if strings.HasPrefix(line, "{") && json.Unmarshal([]byte(line), &r) == nil && r.Message != "" {
		p.json(r)
	} else if m := mypyNone.FindStringSubmatch(line); m != nil {
		p.add(diag.Diagnostic{Message: m[1], Masks: diag.MasksCheck})
	} else if m := mypyParts(line); m != nil {
		rng := at(number(m[2]), number(m[3]))
		if m[4] != "" {
			rng.End = diag.Position{Line: number(m[4]), Column: number(m[5]) + 1}
		}
		p.finding(m[6], diag.Diagnostic{File: p.places.file(m[1]), Range: rng, Message: m[7], Rule: m[8]})
	} else if mypyStop.MatchString(line) {
		for i := range p.report.Diagnostics {
			p.report.Diagnostics[i].Masks = diag.MasksCheck
		}
	}
}

// json is a record; its columns count from 0.
func (p *mypy) json(r mypyRecord) {
	d := diag.Diagnostic{File: p.places.file(r.File), Message: r.Message, Range: diag.Range{
		Start: diag.Position{Line: r.Line, Column: r.Column + 1},
		End:   diag.Position{Line: r.EndLine, Column: r.EndCol + 1},
	}}
	if r.Code != nil {
		d.Rule = *r.Code
	}
	if r.Hint != nil {
		d.Detail = *r.Hint
	}
	p.finding(r.Severity, d)
}

func (p *mypy) finding(kind string, d diag.Diagnostic) {
	if kind == "note" {
		if last := p.last(); last != nil && last.File == d.File {
			p.note("note: " + d.Message)
		}
		return
	}
	d.Severity = severity(kind)
	if d.Rule == "syntax" || strings.HasPrefix(d.Message, "INTERNAL ERROR") {
		d.Masks = diag.MasksCheck
	}
	p.add(d)
}
