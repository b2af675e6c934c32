package parse

import (
	"encoding/json"
	"io"
	"strings"
	"time"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parseJest reads the report of jest --json --outputFile, and vitest's of the same shape (--reporter=json).
//
// A suite that could not be run (it, or what it imports, does not parse or cannot be found; a hook around all its tests
// failed) is a finding of its own and hides its tests.
func parseJest(r io.Reader, o Options) (Report, error) { return readJest(r, o, "jest") }

func parseVitest(r io.Reader, o Options) (Report, error) { return readJest(r, o, "vitest") }

func readJest(r io.Reader, o Options, tool string) (Report, error) {
	c := newCollector(o, tool)
	m := newMixed(r)
	err := m.read(func(string) {}, func(dec *json.Decoder, start byte) error {
		if start != '{' {
			return decode(dec, func(json.RawMessage) {})
		}
		return object(dec, func(key string) error {
			m.record()
			if key != "testResults" {
				return errSkip
			}
			return array(dec, func() error {
				m.record()
				return decode(dec, c.jestSuite)
			})
		})
	})
	return c.report, err
}

type jestSuite struct {
	Name, Status, Message string
	Assertions            []jestTest `json:"assertionResults"`
}

type jestTest struct {
	Ancestors []string `json:"ancestorTitles"`
	Title     string
	Status    string
	Duration  float64  // milliseconds
	Failures  []string `json:"failureMessages"`
	Location  *struct{ Line, Column int }
}

func (c *collector) jestSuite(s jestSuite) {
	file := c.places.file(s.Name)
	failed := false
	for _, t := range s.Assertions {
		id := jsTestID(file, append(t.Ancestors, t.Title)...)
		outcome := Skip // pending, todo, disabled
		switch t.Status {
		case "passed":
			outcome = Pass
		case "failed":
			outcome = Fail
		}
		c.test(id, outcome, milliseconds(t.Duration))
		if outcome == Fail {
			failed = true
			c.jestFailure(file, id, t)
		}
	}
	if s.Status == "failed" && !failed {
		c.jestBrokenSuite(file, s.Message)
	}
}

// jsTestID is a test's id: its file, then the names of what it stands in and its own.
func jsTestID(file string, names ...string) string {
	id := strings.Join(names, " > ")
	if file != "" {
		id = file + "::" + id
	}
	return id
}

func milliseconds(n float64) time.Duration { return seconds(n / 1000) }

func (c *collector) jestFailure(file, id string, t jestTest) {
	text := c.jsFailure(strings.Join(t.Failures, "\n\n"))
	d := diag.Diagnostic{Test: id, File: file, Dir: dirOf(file), Message: text.message, Detail: text.detail, Frames: text.frames}
	if t.Location != nil {
		d.Range = at(t.Location.Line, 0)
	}
	switch d.Message {
	case "STACK_TRACE_ERROR": // vitest's stack of a test that took too long, instead of the reason
		d.Message = "the test did not end in time"
		d.Detail = strings.Replace(d.Detail, "Error: STACK_TRACE_ERROR", d.Message, 1)
	case "":
		d.Message = t.Title + " failed without a word"
	}
	c.locate(&d)
	c.add(d)
}

var (
	jestTitle = pattern.New(`^\s*● `)
	// The place of a syntax error, as Babel, esbuild, and ts-jest write it.
	jsSyntaxAt = []*pattern.Pattern{
		pattern.New(`^\s*(?:SyntaxError: )?(/\S.*?|[\w.@-]\S*?): (.+?) \((\d+):(\d+)\)$`),
		pattern.New(`^\s*(/\S.*?|[\w.@-]\S*?):(\d+):(\d+): ERROR: (.+)$`),
		pattern.New(`^\s*(/\S.*?|[\w.@-]\S*?):(\d+):(\d+) - error (.+)$`),
	}
)

// The same as oxc writes it, on two lines.
var (
	oxcSays  = pattern.New(`^\[PARSE_ERROR\] (.+)$`)
	oxcPlace = pattern.New(`^\s*╭─\[ (\S.*?):(\d+):(\d+) \]$`)
)

// jestBrokenSuite is a suite that could not be run.
func (c *collector) jestBrokenSuite(file, message string) {
	said := cleanText(message)
	if _, details, ok := strings.Cut(said, "\n    Details:\n"); ok {
		said = details // after a page of advice
	}
	lines := strings.Split(said, "\n")
	for len(lines) > 0 && (strings.TrimSpace(lines[0]) == "" || jestTitle.MatchString(lines[0])) {
		lines = lines[1:]
	}
	text := c.jsFailure(strings.Join(lines, "\n"))
	d := diag.Diagnostic{File: file, Dir: dirOf(file), Masks: diag.MasksDir, Message: text.message, Detail: text.detail, Frames: text.frames}
	if d.Message == "" {
		d.Message = "the tests of this file could not be run"
	}
	c.locate(&d)
	for i, line := range lines {
		if m := oxcSays.FindStringSubmatch(line); m != nil && i+1 < len(lines) {
			d.Message = m[1]
			if at := oxcPlace.FindStringSubmatch(lines[i+1]); at != nil && c.places.own(at[1]) != "" {
				d.File, d.Range = c.places.own(at[1]), diag.Range{Start: diag.Position{Line: number(at[2]), Column: number(at[3])}}
			}
			break
		}
		if f, r, what := c.jsSyntaxError(line); f != "" {
			d.File, d.Range, d.Message = f, r, what
			break
		}
	}
	c.add(d)
}

// jsSyntaxError reads a line that says where a file does not parse. Columns count from 0 there.
func (c *collector) jsSyntaxError(line string) (file string, r diag.Range, what string) {
	for i, re := range jsSyntaxAt {
		m := re.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		row, column, said := m[2], m[3], m[4]
		if i == 0 {
			row, column, said = m[3], m[4], m[2]
		}
		if f := c.places.own(m[1]); f != "" {
			r = at(number(row), number(column)+1)
			if i == 2 {
				r = at(number(row), number(column)) // TypeScript counts from 1
			}
			return f, r, said
		}
	}
	return "", diag.Range{}, ""
}
