package parse

import (
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// hookBlock is what one hook that failed has printed. What the tool inside said of places in files becomes findings of
// its own; the files that are named otherwise have one each; a hook that names none has one without a file.
type hookBlock struct {
	*collector
	placing  *placing
	hook     string // its id, or its name where no id is told
	named    bool   // the id was told
	modified bool   // it changed files
	missing  bool   // its program is not there
	indented bool   // the runner indents the output (prek)
	begun    bool   // the output has begun
	found    []diag.Diagnostic
	files    []hookFile
	seen     map[string]bool // files
	first    string          // the first line that says anything
	output   kept
}

// hookFile is a file that a line names, and the line.
type hookFile struct{ file, line string }

func newHookBlock(c *collector, p *placing, name string) *hookBlock {
	p.title, p.file = "", ""
	return &hookBlock{collector: c, placing: p, hook: valid(name), seen: map[string]bool{}}
}

var (
	hookFact    = pattern.New(`^- (?:exit code: \d+|duration: .*)$`)
	hookMissing = pattern.New("^(?:Executable `.*` (?:not found|is not executable)|.*: (?:line \\d+: |\\d+: )?\\S+: (?:command )?not found)$")
	eachWord    = pattern.New(`[^\s"'` + "`" + `<>,;:()\[\]]+`)
	atPosition  = pattern.New(`\bline (\d+),? col(?:umn)? (\d+)`)
)

// line is one line of the hook's output.
func (b *hookBlock) line(line string) {
	switch {
	case !b.begun && line == "- files were modified by this hook":
		b.modified = true
		return
	case !b.begun && hookFact.MatchString(line):
		return
	case strings.TrimSpace(line) == "":
		b.output.add("")
		return
	case !b.begun:
		b.begun, b.indented = true, strings.HasPrefix(line, "  ")
	}
	if b.indented {
		line = strings.TrimPrefix(line, "  ")
	}
	if b.first == "" {
		b.first = line
	}
	b.output.add(line)
	if hookMissing.MatchString(line) {
		b.missing = true
	}
	d, ok := b.placing.read(line)
	switch {
	case !ok:
		b.words(line)
	case isNote(d) && len(b.found) > 0:
		if last := &b.found[len(b.found)-1]; len(last.Detail) < maxDetail {
			last.Detail += "note: " + d.Message + "\n"
		}
	case len(b.found) < maxFindings:
		d.Tool = b.hook
		b.found = append(b.found, d)
		b.seen[d.File] = true
	}
}

// words finds the files that a line names: "Fixing a.txt", "would reformat b.py", "c.json: Failed to json decode", d.go.
// Inside a sentence a file may stand as an example, unless the hook has changed it.
func (b *hookBlock) words(line string) {
	const mostFiles, longest = 2000, 2 << 10
	if len(line) > longest || len(b.files) >= mostFiles {
		return
	}
	name := func(word string) {
		file := b.placing.exists(word)
		if file == "" && strings.HasSuffix(word, ".") {
			file = b.placing.exists(strings.TrimRight(word, "."))
		}
		if file != "" && !b.seen[file] {
			b.seen[file] = true
			b.files = append(b.files, hookFile{file, line})
		}
	}
	whole := strings.TrimSpace(line)
	name(whole)
	if _, rest, ok := strings.Cut(whole, " "); ok {
		name(rest) // "Fixing my file.txt"
	}
	words := eachWord.FindAllString(whole, -1)
	for i, word := range words {
		if strings.ContainsAny(word, "./") && (b.modified || i == 0 || i == len(words)-1) {
			name(word)
		}
	}
}

// end adds the hook's findings to the report. A hook whose program is missing has found nothing.
func (b *hookBlock) end() {
	for _, d := range b.found {
		b.add(d)
	}
	if len(b.found) > 0 && !b.modified || b.missing && !b.modified {
		return
	}
	detail := strings.TrimSpace(b.output.String())
	for _, f := range b.files {
		d := diag.Diagnostic{File: f.file, Tool: b.hook, Rule: b.hook, Message: b.says(f), Detail: detail, Fixable: b.modified}
		if m := atPosition.FindStringSubmatch(f.line); m != nil {
			d.Range = at(number(m[1]), number(m[2]))
		}
		b.add(d)
		detail = "" // once is enough
	}
	if len(b.files) == 0 {
		b.add(diag.Diagnostic{Tool: b.hook, Rule: b.hook, Message: b.says(hookFile{line: b.first}), Detail: detail, Fixable: b.modified})
	}
}

// says is the message of the finding about a file. A line that is nothing but the file's name says less than the first one.
func (b *hookBlock) says(f hookFile) string {
	line := strings.TrimSpace(f.line)
	if f.file != "" && b.placing.exists(line) != "" {
		if line = strings.TrimSpace(b.first); b.placing.exists(line) != "" {
			line = ""
		}
	}
	line = strings.TrimSuffix(": "+shorten(line, 200), ": ")
	switch {
	case b.modified && f.file != "":
		return "hook " + b.hook + " changes this file" + line
	case b.modified:
		return "hook " + b.hook + " changes files"
	}
	return "hook " + b.hook + " failed" + line
}
