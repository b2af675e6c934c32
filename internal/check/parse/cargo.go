package parse

import (
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parseCargo reads cargo check, build and clippy: their messages as JSON (--message-format=json), the same as text, and what
// cargo itself complains of. What the compiler calls an error hides what it has not come to; so does a denied lint in a
// library, because nothing that depends on it is looked at.
func parseCargo(r io.Reader, o Options) (Report, error) {
	c := newCargo(newCollector(o, "cargo"))
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		if !c.message(line) {
			c.text.line(line)
		}
	}
	c.end()
	return c.report, in.failed()
}

// cargo reads one command of cargo.
type cargo struct {
	*collector
	errorsOnly bool // warnings are another check's business
	text       rustText
	seen       map[string]bool
	programs   map[string]rustTarget // what was built, by the program's path
	libraries  map[string]rustTarget // and by the library's name
	own        *diag.Diagnostic      // what cargo itself complained of first
}

// rustTarget is what cargo builds: a library, a program, a file of integration tests.
type rustTarget struct {
	name string // as Rust code names it: dashes are underscores
	dir  string // the package's folder from the root; empty: unknown
	doc  bool   // the examples in a library's documentation
}

func newCargo(c *collector) *cargo {
	g := &cargo{collector: c, seen: map[string]bool{}, programs: map[string]rustTarget{}, libraries: map[string]rustTarget{}}
	g.text = rustText{done: g.fault, file: c.rustFile}
	return g
}

// cargoMessage is one line of JSON: https://doc.rust-lang.org/cargo/reference/external-tools.html#json-messages
type cargoMessage struct {
	Reason   string
	Manifest string `json:"manifest_path"`
	Target   struct {
		Kind []string
		Name string
	}
	Executable string
	Message    rustMessage
}

// rustMessage is a diagnostic of the compiler: https://doc.rust-lang.org/rustc/json.html
type rustMessage struct {
	Message  string
	Code     struct{ Code string }
	Level    string
	Spans    []rustSpan
	Children []rustMessage
	Rendered string
}

type rustSpan struct {
	File          string `json:"file_name"`
	Line          int    `json:"line_start"`
	Column        int    `json:"column_start"`
	EndLine       int    `json:"line_end"`
	EndColumn     int    `json:"column_end"`
	Primary       bool   `json:"is_primary"`
	Label         string
	Applicability string `json:"suggestion_applicability"`
	Text          []struct{ Text string }
	Expansion     *struct{ Span rustSpan }
}

// message reads a line of JSON; false when it is none of cargo's.
func (c *cargo) message(line string) bool {
	if !strings.HasPrefix(line, `{"reason":"`) {
		return false
	}
	var m cargoMessage
	if json.Unmarshal([]byte(line), &m) != nil {
		return false
	}
	switch m.Reason {
	case "compiler-artifact":
		c.built(m)
	case "compiler-message":
		c.compiler(m)
	}
	return true
}

// built remembers where a target lies, so that its tests can be told from those of others.
func (c *cargo) built(m cargoMessage) {
	t := rustTarget{name: rustName(m.Target.Name), dir: dirOf(c.places.file(m.Manifest))}
	if len(c.programs)+len(c.libraries) > maxFindings {
		return
	}
	if m.Executable != "" {
		c.programs[path.Base(strings.ReplaceAll(m.Executable, `\`, "/"))] = t
	} else {
		c.libraries[t.name] = t
	}
}

// rustName is a target's or package's name as Rust code writes it.
func rustName(name string) string { return strings.ReplaceAll(name, "-", "_") }

// rustSummary are messages that only count others.
var rustSummary = pattern.New(`^(aborting due to |\d+ warnings? emitted|could not compile |build failed, waiting|` +
	`(doc)?test failed, to rerun|\d+ targets? failed|some tests failed|\d+ warnings?$|.* generated \d+ warnings?\b|test run failed)`)

func (c *cargo) compiler(m cargoMessage) {
	d := diag.Diagnostic{Tool: "rustc", Rule: m.Message.Code.Code, Message: m.Message.Message, Detail: m.Message.Rendered,
		Dir: dirOf(c.places.file(m.Manifest)), Severity: rustLevel(m.Message.Level)}
	if m.Message.Level == "failure-note" || rustSummary.MatchString(d.Message) && len(m.Message.Spans) == 0 {
		return
	}
	if i := slices.IndexFunc(m.Message.Spans, func(s rustSpan) bool { return s.Primary }); i >= 0 {
		s := m.Message.Spans[i]
		if l := s.Label; l != "" && len(l) < 200 && !strings.Contains(d.Message, l) {
			d.Message += ": " + l
		}
		d.File, d.Range = c.span(s)
	}
	d.Fixable = slices.ContainsFunc(m.Message.Children, fixes)
	library := slices.ContainsFunc(m.Target.Kind, func(k string) bool { return strings.HasSuffix(k, "lib") || k == "proc-macro" })
	c.add(c.masked(d, library))
}

// fixes reports whether the compiler would make a change by itself (cargo fix).
func fixes(m rustMessage) bool {
	return slices.ContainsFunc(m.Spans, func(s rustSpan) bool { return s.Applicability == "MachineApplicable" })
}

// span is the place of a span in the repository: of what a macro of others expands to, the place where it is used.
func (c *cargo) span(s rustSpan) (string, diag.Range) {
	for range maxFrames {
		if f := c.rustFile(s.File); f != "" {
			r := diag.Range{Start: diag.Position{Line: s.Line, Column: s.Column}, End: diag.Position{Line: s.EndLine, Column: s.EndColumn}}
			if n := len(s.Text); n > 0 {
				r.Start.Column, r.End.Column = byteColumn(s.Text[0].Text, s.Column), byteColumn(s.Text[n-1].Text, s.EndColumn)
			}
			return f, r
		}
		if s.Expansion == nil {
			break
		}
		s = s.Expansion.Span
	}
	return "", diag.Range{}
}

// byteColumn turns a column in characters, from 1, into one in bytes.
func byteColumn(line string, column int) int {
	n := 1
	for i := range line {
		if n == column {
			return i + 1
		}
		n++
	}
	return column + len(line) - (n - 1)
}

// rustFile is a file as rustc names it: from the root of the workspace, which may lie above the folder that cargo ran in.
func (c *collector) rustFile(name string) string {
	if name == "" || strings.HasPrefix(name, "<") || strings.HasPrefix(name, "/rustc/") {
		return ""
	}
	f := c.places.own(name)
	if path.IsAbs(name) || c.o.Exists == nil || f != "" && c.o.Exists(f) {
		return f
	}
	for dir := c.o.Dir; dir != "" && dir != "."; {
		dir = path.Dir(dir)
		if up := c.places.inside(path.Join(dir, name)); up != "" && c.o.Exists(up) {
			return up
		}
	}
	return f
}

func rustLevel(level string) diag.Severity {
	switch level {
	case "warning":
		return diag.Warning
	case "note":
		return diag.Info
	case "help":
		return diag.Hint
	}
	return diag.Error
}

// rustError is the code of what is an error in any project. Others are lints, which a project may deny.
var rustError = pattern.New(`^(E\d+)?$`)

// masked fills in what a finding hides, and which tool found it.
func (c *cargo) masked(d diag.Diagnostic, library bool) diag.Diagnostic {
	if strings.HasPrefix(d.Rule, "clippy::") {
		d.Tool = "clippy"
	}
	if d.Severity == diag.Error && (library || rustError.MatchString(d.Rule)) {
		d.Masks = diag.MasksCheck
	}
	return d
}

// add adds a finding once: a library is compiled twice, the second time with its tests.
func (c *cargo) add(d diag.Diagnostic) {
	if c.errorsOnly && d.Severity != diag.Error {
		return
	}
	key := fmt.Sprintf("%s\x00%s\x00%s\x00%s\x00%v", d.File, d.Dir, d.Rule, d.Message, d.Range.Start)
	if c.seen[key] {
		return
	}
	if len(c.seen) < maxFindings {
		c.seen[key] = true
	}
	c.collector.add(d)
}

// fault is a complaint that stood in the text: the compiler's with a place, or cargo's own.
func (c *cargo) fault(d diag.Diagnostic) {
	d.Tool = "rustc"
	if strings.HasSuffix(d.File, "Cargo.toml") || d.File == "" {
		d.Tool = "cargo"
	}
	if d.File != "" {
		c.add(c.masked(d, true))
		return
	}
	if c.own == nil && d.Severity == diag.Error && !rustSummary.MatchString(d.Message) {
		d.Masks = diag.MasksCheck
		c.own = &d
	}
}

// end adds what cargo itself said, where nothing else says why it failed.
func (c *cargo) end() {
	c.text.end()
	if c.own != nil && !slices.ContainsFunc(c.report.Diagnostics, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) {
		c.add(*c.own)
	}
}
