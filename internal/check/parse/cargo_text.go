package parse

import (
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

var (
	rustHeader = pattern.New(`^(error|warning)(?:\[([\w:-]+)\])?: (.+)$`)
	rustArrow  = pattern.New(`^\s*--> (.+?):(\d+)(?::(\d+))?(?::\d+)?$`)
	rustLint   = pattern.New(`#\[(?:warn|deny|forbid)\(([\w:]+)\)\]|[-][DWF] ([\w:-]+)`)
	clippyPage = pattern.New(`rust-clippy/\S*#(\w+)$`)
	badToml    = pattern.New("^failed to (?:parse|read) manifest at `(.+)`$|^failed to parse lock file at: (.+)$")
	tomlPlace  = pattern.New(`^\s*TOML parse error at line (\d+), column (\d+)`)
)

// rustText reads what rustc and cargo print for people: a header "error[E0308]: mismatched types", the place behind an
// arrow, and an excerpt with notes up to an empty line.
type rustText struct {
	done func(diag.Diagnostic)
	file func(string) string // the file of a path; set with done
	d    *diag.Diagnostic
	path string // behind the arrow
	body kept
	gap  bool // an empty line came last
	why  bool // below "Caused by:"
}

func (t *rustText) line(line string) {
	if m := rustHeader.FindStringSubmatch(line); m != nil {
		t.end()
		t.d = &diag.Diagnostic{Rule: m[2], Message: m[3], Severity: rustLevel(m[1])}
		t.body = kept{}
		t.body.add(line)
		return
	}
	if t.d == nil {
		return
	}
	switch {
	case line == "":
		t.gap = true
	case t.gap && line != "Caused by:" && (!t.why || !strings.HasPrefix(line, " ")):
		t.end()
	default:
		t.gap, t.why = false, t.why || line == "Caused by:"
		t.body.add(line)
		t.note(line)
	}
}

// note is a line below a header.
func (t *rustText) note(line string) {
	if m := rustArrow.FindStringSubmatch(line); m != nil && t.path == "" {
		t.path, t.d.Range = m[1], at(number(m[2]), number(m[3]))
	}
	if m := tomlPlace.FindStringSubmatch(line); m != nil && t.d.Range.Start.Line == 0 {
		t.d.Range = at(number(m[1]), number(m[2]))
	}
	if m := rustLint.FindStringSubmatch(line); m != nil && t.d.Rule == "" {
		t.d.Rule = m[1] + strings.ReplaceAll(m[2], "-", "_")
	}
	if m := clippyPage.FindStringSubmatch(line); m != nil {
		t.d.Rule = "clippy::" + m[1]
	}
}

// end hands on what stood below the last header.
func (t *rustText) end() {
	d := t.d
	if d == nil {
		return
	}
	lines := t.body.lines()
	d.Detail = strings.Join(lines, "\n")
	if m := badToml.FindStringSubmatch(d.Message); m != nil {
		t.path = m[1] + m[2]
		if said := strings.TrimSpace(lines[len(lines)-1]); len(lines) > 1 {
			d.Message = "the manifest cannot be read: " + said
		}
	}
	if t.path != "" {
		d.File = t.file(t.path)
	}
	if d.File == "" {
		d.Range = diag.Range{}
	}
	t.d, t.path, t.gap, t.why = nil, "", false, false
	t.done(*d)
}
