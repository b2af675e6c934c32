package parse

import (
	"io"
	"path"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parseGoBuild reads what go build and go vet print: a header "# package" and a line "file:line:col: message" for each
// fault, the go command's own complaints before any package is built, and import cycles. A package that does not compile
// hides its other findings; a go.mod that cannot be used hides everything. What the analyzers of go vet find hides nothing.
func parseGoBuild(r io.Reader, o Options) (Report, error) {
	b := newGoBuild(newCollector(o, "go"))
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		b.line(line)
	}
	b.end()
	return b.report, in.failed()
}

var (
	goPosition = pattern.New(`^(vet: )?([^\s:](?:[^:\t]|:[\\/])*\.(?:go|s|c|cc|cpp|cxx|h|m|mod|work)):(\d+)(?::(\d+))?: (.*)$`)
	goHeader   = pattern.New(`^# (\[?)([^\s\[\]]+(?: \[[^\s\[\]]+\])?)\]?$`)
	goCycle    = pattern.New(`^\timports (\S+?)(?: from (\S+?))?(: import cycle not allowed.*)?$`)
	goChatter  = pattern.New(`^go: (downloading|extracting|finding|found|added|upgraded|removed|warning:|creating|to add|\S+ => )`)
)

// goBuild reads the lines of one build; package gotest's events carry several of them side by side.
type goBuild struct {
	*collector
	vet    bool     // below a header "# [package]": go vet's analyzers speak
	always bool     // even what an analyzer finds keeps the package's tests from running
	pkg    string   // the package that the header names
	other  []string // lines below the header without a position
	spoke  bool     // there was a finding below the header
	chain  []goImport
	seen   map[string]bool
	masked map[string]bool // folders with a finding that masks them
}

type goImport struct{ pkg, file string }

func newGoBuild(c *collector) *goBuild {
	return &goBuild{collector: c, seen: map[string]bool{}, masked: map[string]bool{}}
}

// goPlace is the parts of a line with a position: "vet: " or nothing, file, line, column, message; nil for other lines.
func goPlace(line string) []string {
	if !strings.Contains(line, ": ") {
		return nil
	}
	return goPosition.FindStringSubmatch(line)
}

func (b *goBuild) line(line string) {
	place := goPlace(line)
	switch {
	case strings.HasPrefix(line, "# "):
		b.header(line)
	case place != nil:
		b.fault(place)
	case strings.HasPrefix(line, "package ") && !strings.Contains(line, ": "):
		b.chain = []goImport{{pkg: strings.TrimPrefix(line, "package ")}}
	case len(b.chain) > 0 && goCycle.MatchString(line):
		b.imports(goCycle.FindStringSubmatch(line))
	case strings.HasPrefix(line, "\t"):
		if b.spoke {
			b.note(strings.TrimPrefix(line, "\t"))
		}
	case strings.HasPrefix(line, "go: "), strings.HasPrefix(line, "go build: "), goLoading(line):
		b.command(line)
	case line == "" || strings.HasPrefix(line, "FAIL") || line == "too many errors":
	case b.pkg != "" && len(b.other) < 40:
		b.other = append(b.other, line)
	}
}

// goLoading recognizes what the go command says, without its name before it, about packages it cannot load.
func goLoading(line string) bool {
	return strings.HasPrefix(line, "no required module provides package ") ||
		strings.HasPrefix(line, "package ") && strings.Contains(line, " is not in std") ||
		strings.HasPrefix(line, "pattern ") && strings.Contains(line, ": ") ||
		strings.HasPrefix(line, "cannot find package ")
}

func (b *goBuild) header(line string) {
	m := goHeader.FindStringSubmatch(line)
	if m == nil {
		return
	}
	if m[1] == "" || b.pkg != m[2] {
		b.end()
	}
	b.pkg, b.vet = m[2], m[1] == "["
}

// fault is a line with a position.
func (b *goBuild) fault(m []string) {
	said := strings.TrimSuffix(strings.TrimSuffix(m[5], "; to add it:"), "; to add:")
	if said == "too many errors" {
		return
	}
	d := diag.Diagnostic{File: b.goFile(m[2]), Range: at(number(m[3]), number(m[4])), Message: said, Masks: diag.MasksDir, Step: diag.StepTyping}
	if strings.HasPrefix(said, "syntax error: ") || strings.HasPrefix(said, "expected ") {
		d.Step = diag.StepParsing
	}
	if d.Dir = dirOf(d.File); d.Dir == "" {
		d.Dir = b.goFolder(b.pkg)
	}
	// What go vet hands on from the compiler ("vet: "), the compiler may have said itself: it is the same finding.
	if m[1] == "" && b.analyzed(d) {
		d.Tool, d.Step = "vet", diag.StepVet
		if !b.always {
			d.Masks = diag.MasksNothing
		}
	}
	if strings.HasSuffix(d.File, "go.mod") || strings.HasSuffix(d.File, "go.work") {
		d.Masks = diag.MasksCheck
	}
	b.put(d, m[2]+":"+m[3]+":"+m[4])
}

// goUnloaded is what the go command says, without a header, of a file whose package it cannot even load.
var goUnloaded = pattern.New(`^(no required module provides|missing go\.sum entry|package \S+ is not in|cannot find (package|module)|` +
	`import |use of internal package|expected |illegal |malformed |invalid |found packages|ambiguous import|module |pattern |unknown directive|require)`)

// analyzed reports whether an analyzer of go vet found this: it stands below a header in brackets, or, in newer versions
// of Go, below none; whereas the compiler's lines have their package's header.
func (b *goBuild) analyzed(d diag.Diagnostic) bool {
	if b.vet && b.goFolder(b.pkg) == d.Dir {
		return true
	}
	if named := b.goFolder(b.pkg); b.pkg != "" && (named == "" || named == d.Dir || d.File == "") {
		return b.vet
	}
	return !goUnloaded.MatchString(d.Message)
}

func (b *goBuild) put(d diag.Diagnostic, where string) {
	key := strings.Join([]string{where, d.Dir, d.Message}, "\x00")
	if b.seen[key] {
		return
	}
	if len(b.seen) < maxFindings {
		b.seen[key] = true
	}
	b.spoke, b.other = true, nil
	if d.Masks >= diag.MasksDir {
		b.masked[d.Dir] = true
	}
	b.add(d)
}

// imports follows one step of an import cycle; at the end of the chain stands the file that closes it.
func (b *goBuild) imports(m []string) {
	from := b.chain[len(b.chain)-1]
	if len(b.chain) > 1000 {
		return
	}
	b.chain = append(b.chain, goImport{m[1], m[2]})
	if m[3] == "" {
		return
	}
	names := make([]string, len(b.chain))
	for i, c := range b.chain {
		names[i] = c.pkg
	}
	d := diag.Diagnostic{Message: "import cycle not allowed: " + strings.Join(names, " imports "), Masks: diag.MasksDir}
	d.Dir = b.goFolder(b.pkg)
	if b.pkg == "" {
		d.Dir = b.goFolder(b.chain[0].pkg)
	}
	if dir := b.goFolder(from.pkg); dir != "" && m[2] != "" {
		d.File = b.inFolder(dir, m[2])
	}
	b.chain = nil
	b.put(d, "")
}

// inFolder is a file that is named from its package's folder.
func (c *collector) inFolder(dir, name string) string {
	if path.IsAbs(name) {
		return c.goFile(name)
	}
	p := c.places.inside(path.Join(dir, name))
	if p == "." {
		return ""
	}
	return p
}

// command is what the go command itself says: nothing was built.
func (b *goBuild) command(line string) {
	if goChatter.MatchString(line) {
		b.spoke = false
		return
	}
	said := strings.TrimPrefix(line, "go: ")
	d := diag.Diagnostic{Message: said, Masks: diag.MasksCheck}
	if strings.Contains(said, "go.mod") || strings.Contains(said, "go.sum") {
		d.File = b.places.file("go.mod")
	}
	b.put(d, "")
}

// end closes the block below a header. A block without a position, such as a linker's, is one finding.
func (b *goBuild) end() {
	if !b.spoke && len(b.other) > 0 && b.pkg != "" {
		b.put(diag.Diagnostic{Dir: b.goFolder(b.pkg), Message: b.other[0], Detail: strings.Join(b.other, "\n"), Masks: diag.MasksDir}, "")
	}
	b.pkg, b.vet, b.other, b.spoke, b.chain = "", false, nil, false, nil
}
