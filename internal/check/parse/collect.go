package parse

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"fettle/internal/diag"
)

// What a report may hold, however much the tool printed.
const (
	maxFindings = 20_000
	maxTests    = 500_000
	maxMessage  = 2 << 10 // bytes of one message
	maxDetail   = 8 << 10 // bytes of one finding's longer text
	maxDetails  = 16 << 20
	maxFrames   = 64
)

// collector gathers a report: it fills in what every finding has and keeps everything within bounds.
type collector struct {
	o      Options
	places places
	tool   string
	report Report
	tests  map[string]int // index into report.Tests by id
	detail int            // bytes of all longer texts
	fixes  int            // bytes of all fixes that findings carry

	classes map[string]string // files of Java classes, see javaFile
}

func newCollector(o Options, tool string) *collector {
	return &collector{o: o, places: o.places(), tool: tool, tests: map[string]int{}}
}

func (c *collector) add(d diag.Diagnostic) {
	if len(c.report.Diagnostics) >= maxFindings {
		return
	}
	d.Check = c.o.Check
	if d.Tool == "" {
		d.Tool = c.tool
	}
	d.Message = shorten(strings.TrimSpace(cleanText(d.Message)), maxMessage)
	d.Detail = shorten(strings.Trim(cleanText(d.Detail), "\n"), maxDetail)
	if c.detail += len(d.Detail); c.detail > maxDetails {
		d.Detail = ""
	}
	d.Rule = valid(d.Rule)
	d.Test = valid(d.Test)
	d.Range = sane(d.Range)
	if len(d.Frames) > maxFrames {
		d.Frames = d.Frames[:maxFrames]
	}
	c.report.Diagnostics = append(c.report.Diagnostics, d)
}

// test records how a test came out. One that ran several times failed if it failed once, and ran if it ran once.
func (c *collector) test(id string, outcome Outcome, took time.Duration) {
	id = valid(id)
	i, seen := c.tests[id]
	if !seen {
		if len(c.report.Tests) < maxTests {
			c.tests[id] = len(c.report.Tests)
			c.report.Tests = append(c.report.Tests, Test{ID: id, Outcome: outcome, Duration: took})
		}
		return
	}
	t := &c.report.Tests[i]
	t.Duration += took
	if outcome == Fail || t.Outcome == Skip {
		t.Outcome = outcome
	}
}

// last is the finding added last, to attach to it what the tool says of it later; nil when there is none.
func (c *collector) last() *diag.Diagnostic {
	if n := len(c.report.Diagnostics); n > 0 {
		return &c.report.Diagnostics[n-1]
	}
	return nil
}

// note adds a line to the longer text of the finding added last.
func (c *collector) note(line string) {
	if d := c.last(); d != nil && len(d.Detail)+len(line) < maxDetail && c.detail+len(line) < maxDetails {
		c.detail += len(line) + 1
		d.Detail = strings.TrimPrefix(d.Detail+"\n"+valid(line), "\n")
	}
}

// found reports whether there is any finding.
func (c *collector) found() bool { return len(c.report.Diagnostics) > 0 }

// sane makes a range that the data can hold: nothing negative, no end before the start.
func sane(r diag.Range) diag.Range {
	fix := func(p diag.Position) diag.Position {
		if p.Line <= 0 {
			return diag.Position{}
		}
		return diag.Position{Line: p.Line, Column: max(p.Column, 0)}
	}
	r.Start, r.End = fix(r.Start), fix(r.End)
	if r.End.Line < r.Start.Line || r.Start.Line == 0 {
		r.End = diag.Position{}
	}
	return r
}

func at(line, column int) diag.Range {
	return diag.Range{Start: diag.Position{Line: line, Column: column}}
}

// number reads a line or column; what is none, or does not fit, is unknown.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1<<31-1 {
		return 0
	}
	return n
}

// valid is text for people: bytes that are not UTF-8 become U+FFFD.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// shorten keeps the beginning and the end of a text that has more than n bytes.
func shorten(s string, n int) string {
	if len(s) <= n {
		return valid(s)
	}
	const gap = "\n…\n"
	head, tail := s[:n*3/4], s[len(s)-(n/4-len(gap)):]
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	for range utf8.UTFMax {
		if r, size := utf8.DecodeLastRuneInString(head); r != utf8.RuneError || size != 1 {
			break
		}
		head = head[:len(head)-1]
	}
	return valid(head + gap + tail)
}

// seconds is a duration as tools print it; nonsense is none.
func seconds(s float64) time.Duration {
	if !(s > 0 && s < 1e6) {
		return 0
	}
	return time.Duration(s * float64(time.Second))
}
