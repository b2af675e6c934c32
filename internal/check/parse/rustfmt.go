package parse

import (
	"io"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

var rustfmtDiff = pattern.New(`^Diff in (.+?)(?: at line |:)(\d+):?$`)

// parseRustfmt reads cargo fmt --check: a header and a diff for each place that would change, a file's name alone with -l,
// and for a file that cannot be parsed what rustc says. A file is one finding, at the first place, with the whole diff.
func parseRustfmt(r io.Reader, o Options) (Report, error) {
	f := &rustfmt{collector: newCollector(o, "rustfmt"), seen: map[string]bool{}}
	f.text = rustText{done: f.fault, file: f.rustFile}
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		f.line(line)
	}
	f.text.end()
	return f.report, in.failed()
}

type rustfmt struct {
	*collector
	text rustText
	seen map[string]bool // files that are not formatted, and complaints
	diff bool            // what comes now belongs to the finding added last
	lead bool            // and is what stands before its first place: rustfmt gives the line where that begins
}

func (f *rustfmt) line(line string) {
	switch m := rustfmtDiff.FindStringSubmatch(line); {
	case m != nil:
		f.text.end()
		f.diff = f.unformatted(m[1], number(m[2]))
	case f.diff && line != "" && strings.ContainsRune(" +-", rune(line[0])):
		if f.lead = f.lead && line[0] == ' '; f.lead {
			f.last().Range.Start.Line++
		}
		f.note(strings.ReplaceAll(line, "\x1b(B", ""))
	case strings.HasSuffix(line, ".rs") && !strings.Contains(line, ": ") && !strings.HasPrefix(line, " "):
		f.diff = false
		f.unformatted(line, 0)
	default:
		f.diff = false
		f.text.line(line)
	}
}

// unformatted adds a file once. It reports whether the finding added last is this file's.
func (f *rustfmt) unformatted(name string, line int) bool {
	file := f.rustFile(strings.TrimPrefix(name, `\\?\`))
	if file == "" {
		return false
	}
	if !f.seen[file] && len(f.seen) < maxFindings {
		f.seen[file], f.lead = true, line > 0
		f.add(diag.Diagnostic{File: file, Range: at(line, 0), Rule: "format", Message: "not formatted", Fixable: true})
	}
	return f.found() && f.last().File == file
}

// fault is a file that cannot be formatted.
func (f *rustfmt) fault(d diag.Diagnostic) {
	if d.Severity != diag.Error || rustSummary.MatchString(d.Message) {
		return
	}
	if key := d.File + "\x00" + d.Message; !f.seen[key] && len(f.seen) < maxFindings {
		f.seen[key] = true
		if d.Masks = diag.MasksFile; d.File == "" {
			d.Masks = diag.MasksCheck
		}
		d.Rule = "syntax"
		f.add(d)
	}
}
