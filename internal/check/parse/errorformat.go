package parse

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fettle/internal/diag"

	"github.com/reviewdog/errorformat"
	"github.com/reviewdog/errorformat/fmts"
)

// parseErrorformat reads any tool's text by Vim's errorformat (see :help errorformat) in o.Pattern: one format a line, or
// the name of a ready one ("eslint", "tsc", …).
func parseErrorformat(r io.Reader, o Options) (_ Report, err error) {
	format, err := compilePattern(o.Pattern)
	if err != nil {
		return Report{}, err
	}
	c := newCollector(o, "")
	if len(o.Pattern) == 1 && readyPattern(o.Pattern[0]) != nil {
		c.tool = o.Pattern[0]
	}
	in := &matching{in: newLines(r), format: format}
	defer func() {
		if bad := recover(); bad != nil {
			err = fmt.Errorf("errorformat %q cannot read this output: %v", o.Pattern, bad)
		}
	}()
	scan := format.NewScanner(in)
	for scan.Scan() {
		if e := scan.Entry(); e.Valid && (e.Filename != "" || e.Text != "") {
			c.entry(e)
		}
	}
	return c.report, in.in.failed()
}

// CheckPattern reports what is wrong with the lines of an errorformat.
func CheckPattern(pattern []string) error {
	_, err := compilePattern(pattern)
	return err
}

// compilePattern never panics, though the library does on a pattern that stops in the middle of an item.
func compilePattern(pattern []string) (_ *errorformat.Errorformat, err error) {
	if len(pattern) == 0 {
		return nil, errors.New("an errorformat needs at least one pattern")
	}
	var lines []string
	for _, p := range pattern {
		switch ready := readyPattern(p); {
		case ready != nil:
			lines = append(lines, ready...)
		case !strings.Contains(p, "%"):
			return nil, fmt.Errorf("pattern %q has no %% item, and no ready errorformat has this name", p)
		default:
			lines = append(lines, p)
		}
	}
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("errorformat %q stops in the middle of an item", pattern)
		}
	}()
	format, err := errorformat.NewErrorformat(lines)
	if err != nil {
		return nil, fmt.Errorf("errorformat %q: %w", pattern, err)
	}
	return format, nil
}

// readyPattern are the lines of a ready errorformat.
func readyPattern(name string) []string {
	if f := fmts.DefinedFmts()[name]; f != nil {
		return f.Errorformat
	}
	return nil
}

// matching hands on the lines that some pattern matches, and an empty line for those between: the library remembers each
// line it was given, and must not be given 100 MB of noise.
type matching struct {
	in     *lines
	format *errorformat.Errorformat
	rest   string
	quiet  bool // an empty line was the last
	given  int  // bytes
}

const (
	longestMatch = 60 << 10 // bytes of a line that the library can read
	maxGiven     = 24 << 20 // bytes that the library has to remember, entries included
)

func (m *matching) Read(b []byte) (int, error) {
	for m.rest == "" {
		line, ok := m.in.next()
		if !ok || m.given > maxGiven {
			return 0, io.EOF
		}
		switch {
		case len(line) < longestMatch && m.matches(line):
			m.rest, m.quiet = line+"\n", false
		case !m.quiet:
			m.rest, m.quiet = "\n", true
		default:
			continue
		}
		m.given += len(m.rest) + 256
	}
	n := copy(b, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

func (m *matching) matches(line string) bool {
	for _, f := range m.format.Efms {
		if f.Match(line) != nil {
			return true
		}
	}
	return false
}

func (c *collector) entry(e *errorformat.Entry) {
	d := diag.Diagnostic{File: c.places.file(e.Filename), Message: e.Text, Range: diag.Range{
		Start: diag.Position{Line: e.Lnum, Column: e.Col},
		End:   diag.Position{Line: e.EndLnum, Column: e.EndCol},
	}}
	if len(e.Lines) > 1 {
		d.Detail = strings.Join(e.Lines, "\n")
	}
	if e.Nr > 0 {
		d.Rule = strconv.Itoa(e.Nr)
	}
	switch e.Type {
	case 'w', 'W':
		d.Severity = diag.Warning
	case 'i', 'I', 'n', 'N':
		d.Severity = diag.Info
	}
	c.add(d)
}
