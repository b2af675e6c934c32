package parse

import (
	"fmt"
	"io"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

var (
	javacLine   = pattern.New(`^(?:\s*\[javac\] )?(\S.*?\.java):(\d+): (?:(error|warning): )?(.+)$`)
	javacCaret  = pattern.New(`^(?:\s*\[javac\] )?(\s*)\^$`)
	javacLint   = pattern.New(`^\[([\w-]+)\] (.+)$`)
	kotlinLine  = pattern.New(`^([ew]): (?:file://)?(.+?\.kts?):(?:(\d+):(\d+)| \((\d+), (\d+)\):) (.+)$`)
	javacSymbol = pattern.New(`^\s+symbol:\s+(.+?)\s*$`)
	javacMore   = pattern.New(`^\s+\S`)
)

// parseJavac reads what javac prints: "File.java:12: error: message", the line and a caret below it. A module that does not
// compile runs no tests, and hides what the compiler's later steps would say.
func parseJavac(r io.Reader, o Options) (Report, error) {
	j := newJavac(newCollector(o, "javac"))
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		j.line(line)
	}
	return j.report, in.failed()
}

// javac reads compilers' messages between other lines.
type javac struct {
	*collector
	seen       map[string]bool
	errorsOnly bool
	below      int // lines since the message added last; negative: what comes now belongs to none
}

func newJavac(c *collector) *javac { return &javac{collector: c, seen: map[string]bool{}, below: -1} }

func (j *javac) line(line string) {
	if m := kotlinLine.FindStringSubmatch(line); m != nil {
		d := diag.Diagnostic{File: j.places.file(m[2]), Range: at(number(m[3]+m[5]), number(m[4]+m[6])), Message: m[7], Tool: "kotlinc"}
		if m[1] == "w" {
			d.Severity = diag.Warning
		}
		j.fault(d)
		return
	}
	if m := javacLine.FindStringSubmatch(line); m != nil {
		d := diag.Diagnostic{File: j.places.file(m[1]), Range: at(number(m[2]), 0), Message: m[4], Tool: "javac"}
		if m[3] == "warning" {
			d.Severity = diag.Warning
		}
		j.fault(d)
		return
	}
	if j.below < 0 {
		return
	}
	j.below++
	if m := javacCaret.FindStringSubmatch(line); m != nil && j.below <= 2 {
		if d := j.last(); d.Range.Start.Line > 0 && d.Range.Start.Column == 0 {
			d.Range.Start.Column = len(m[1]) + 1
		}
		return
	}
	switch {
	case j.below == 1 && !strings.HasPrefix(line, "  symbol:"):
		return // the line itself
	case javacMore.MatchString(line) && j.below < 20:
		d := j.last()
		if what := javacSymbol.FindStringSubmatch(line); what != nil && d.Message == "cannot find symbol" {
			d.Message = shorten(d.Message+": "+strings.TrimSpace(cleanText(what[1])), maxMessage)
		}
		j.note(strings.TrimRight(line, " "))
		return
	}
	j.below = -1
}

// fault adds a compiler's finding once: build tools print some twice.
func (j *javac) fault(d diag.Diagnostic) {
	beside := j.beside(d)
	j.below = -1
	if m := javacLint.FindStringSubmatch(d.Message); m != nil {
		d.Rule, d.Message = m[1], m[2]
	}
	d.Dir = j.javaModule(d.File)
	if d.Severity == diag.Error {
		d.Masks, d.Step = diag.MasksDir, javacStep(d.Message)
	} else if j.errorsOnly {
		return
	}
	if j.once(d) || beside {
		j.below = 0
		j.add(d)
	}
}

// javacSteps are the words of javac's steps but that which works out types
// (https://github.com/openjdk/jdk, com/sun/tools/javac/resources/compiler.properties).
var javacSteps = []struct {
	step diag.Step
	form *pattern.Pattern
}{
	{diag.StepParsing, pattern.New(`expected$|^illegal (?:start of|character|escape)|^not a statement|^reached end of file|^unclosed |^'\S+' without '|^orphaned |^malformed |^invalid method declaration`)},
	{diag.StepNaming, pattern.New(`^cannot find symbol|^package \S+ does not exist|^static import only`)},
	{diag.StepFlow, pattern.New(`^unreported exception |might not have been initialized|might already have been assigned|might be assigned in loop|^missing return statement|^unreachable statement|must be final or effectively final|is never thrown in body of|has already been caught`)},
}

// javacStep is the step that has words of javac's.
func javacStep(message string) diag.Step {
	for _, s := range javacSteps {
		if s.form.MatchString(message) {
			return s.step
		}
	}
	return diag.StepTyping
}

// beside reports whether a finding stands directly below another one of its line in the compiler's own list: which symbol either is about comes only later.
func (j *javac) beside(d diag.Diagnostic) bool {
	last := j.last()
	return j.below > 0 && last != nil && d.Message == "cannot find symbol" && last.File == d.File && last.Range.Start.Line == d.Range.Start.Line
}

func (j *javac) once(d diag.Diagnostic) bool {
	key := fmt.Sprintf("%s\x00%d\x00%d\x00%s\x00%s", d.File, d.Range.Start.Line, d.Range.Start.Column, d.Rule, d.Message)
	if j.seen[key] {
		return false
	}
	if len(j.seen) < maxFindings {
		j.seen[key] = true
	}
	return true
}
