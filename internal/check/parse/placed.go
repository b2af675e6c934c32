package parse

import (
	"path"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// placing reads lines of any tool that name a place in a file: "file:line:column: message", as gcc, clang and most linters
// print it, "file(line,column): message", as compilers from Microsoft do, and a message with "--> file:line:column" below
// it, as rustc and ruff do. A file that the repository does not have is none, so a clock time is not taken for a place.
type placing struct {
	c     *collector
	at    places          // where relative paths start
	known map[string]bool // answers of Options.Exists
	title string          // the line before this one
	file  string          // the file that a line of its own named, for the "  line:column  message" below it
}

func newPlacing(c *collector) *placing {
	return &placing{c: c, at: c.places, known: map[string]bool{}}
}

// maxAsked bounds how often one report asks whether a file exists.
const maxAsked = 20_000

// exists is the file of the repository that a tool names, or "".
func (p *placing) exists(name string) string {
	if name == "" || len(name) > 1024 || strings.TrimSpace(name) != name {
		return ""
	}
	file := p.at.file(name)
	if file == "" {
		return ""
	}
	if p.c.o.Exists == nil {
		if strings.ContainsAny(name, " \t\"'`<>|=()") || !strings.ContainsAny(name, "./") {
			return ""
		}
		return file
	}
	there, asked := p.known[file]
	if !asked {
		there = len(p.known) < maxAsked && p.c.o.Exists(file)
		p.known[file] = there
	}
	if !there {
		return ""
	}
	return file
}

var (
	arrow      = pattern.New(`^\s*(?:-->|[╭┌][─-]+(?:\[|>)?|╭▸)\s*(.+?):(\d+):(\d+)\]?$`)
	belowFile  = pattern.New(`^\s+(\d+):(\d+)\s+(error|warning|info)\s+(.*?)(?:\s{2,}(\S+))?$`)
	pyPlace    = pattern.New(`(?:^|\s)(?:in|File) "([^"]+)", line (\d+)(?:, column (\d+))?`)
	severities = pattern.New(`^(?i:(fatal error|error|warning|note|info|help|hint|style|convention|refactor))(?: ([A-Z]+\d+))?(?:\[([\w:/-]+)\])?\s*: (.*)$`)
	leading    = pattern.New(`^([A-Z]{1,6}\d{2,5}):? (.+)$`)
	trailing   = pattern.New(`^(.+?)\s+(?:\[(-?[A-Za-z][\w+=.,:/@-]*)\]|\(([a-z][a-z0-9]*(?:-[a-z0-9]+)+)\))$`)
)

// read reads one line; false when it names no place.
func (p *placing) read(line string) (diag.Diagnostic, bool) {
	title := p.title
	p.title = strings.TrimSpace(line)
	if m := arrow.FindStringSubmatch(line); m != nil {
		if file := p.exists(m[1]); file != "" && title != "" {
			return says(title, diag.Diagnostic{File: file, Range: at(number(m[2]), number(m[3]))}), true
		}
		return diag.Diagnostic{}, false
	}
	if d, ok := p.placed(line); ok {
		return d, true
	}
	if p.file != "" {
		if m := belowFile.FindStringSubmatch(line); m != nil {
			return diag.Diagnostic{File: p.file, Range: at(number(m[1]), number(m[2])), Severity: severity(m[3]), Message: m[4], Rule: m[5]}, true
		}
	}
	if strings.Contains(line, `", line `) {
		if m := pyPlace.FindStringSubmatch(line); m != nil {
			if file := p.exists(m[1]); file != "" {
				return diag.Diagnostic{File: file, Range: at(number(m[2]), number(m[3])), Message: title}, title != ""
			}
		}
	}
	if file := p.exists(p.title); file != "" {
		p.file = file
	}
	return diag.Diagnostic{}, false
}

// placed reads a line that begins with a place.
func (p *placing) placed(line string) (diag.Diagnostic, bool) {
	const tries = 4 // a file's name may hold what looks like the end of one
	for i, n := 0, 0; i+1 < len(line) && n < tries; i++ {
		if c := line[i]; c != ':' && c != '(' || !isDigit(line[i+1]) {
			continue
		}
		n++
		row, col, rest, ok := place(line[i:])
		if !ok || rest == "" {
			continue
		}
		file := p.exists(strings.TrimLeft(line[:i], " \t"))
		if file == "" { // "program: file:line: message", as assert has it
			if j := strings.LastIndex(line[:i], ": "); j >= 0 {
				file = p.exists(line[j+2 : i])
			}
		}
		if file != "" {
			return says(rest, diag.Diagnostic{File: file, Range: at(row, col)}), true
		}
	}
	return diag.Diagnostic{}, false
}

// place reads ":12:3: message", ":12: message", ":12:3 - message" and "(12,3): message".
func place(s string) (line, column int, message string, ok bool) {
	open := s[0]
	var parts []int
	for len(parts) < 4 && len(s) > 1 && isDigit(s[1]) {
		n := 1
		for n < len(s) && isDigit(s[n]) {
			n++
		}
		parts = append(parts, number(s[1:n]))
		if s = s[n:]; s == "" || s[0] != ':' && s[0] != ',' && s[0] != '-' {
			break
		}
	}
	if open == '(' {
		if s = strings.TrimPrefix(s, ")"); s == "" || s[0] != ':' {
			return 0, 0, "", false
		}
	}
	if len(parts) > 1 {
		column = parts[1]
	}
	switch {
	case strings.HasPrefix(s, ":"):
		s = s[1:]
	case strings.HasPrefix(s, " - "):
		s = s[3:]
	default:
		return 0, 0, "", false
	}
	return parts[0], column, strings.TrimSpace(s), parts[0] > 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// says reads what stands behind a place: a severity and a rule, where the tool gives them, and the message.
func says(text string, d diag.Diagnostic) diag.Diagnostic {
	if m := severities.FindStringSubmatch(text); m != nil {
		d.Severity, d.Rule, text = severity(strings.TrimPrefix(strings.ToLower(m[1]), "fatal ")), m[2]+m[3], m[4]
	}
	if m := leading.FindStringSubmatch(text); m != nil && d.Rule == "" {
		d.Rule, text = m[1], m[2]
	}
	if rest, ok := strings.CutPrefix(text, "[*] "); ok {
		d.Fixable, text = true, rest
	}
	if m := trailing.FindStringSubmatch(text); m != nil && d.Rule == "" {
		text, d.Rule = m[1], m[2]+m[3]
	}
	if unparsed(d.Rule) || strings.HasPrefix(text, "SyntaxError") {
		d.Masks = diag.MasksFile
	}
	d.Message = text
	return d
}

// isNote reports whether a finding only adds to the one before it.
func isNote(d diag.Diagnostic) bool { return d.Severity == diag.Info && d.Rule == "" }

// inDir makes relative paths start in another folder from here on.
func (p *placing) inDir(dir string) { p.at.dir = path.Clean(dir) }
