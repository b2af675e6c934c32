package parse

import (
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

var (
	spotlessBegin = pattern.New(`The following files had format violations:`)
	spotlessHunk  = pattern.New(`^@@ -(\d+)`)
)

// spotless reads the list of files in the complaint of Spotless's check, which Maven and Gradle print in their own ways:
// each file with the beginning of a diff below it, then the names of further ones.
type spotless struct {
	on     bool
	indent int        // of the names; zero: none came yet
	masks  diag.Masks // what a finding keeps the build from saying
	lead   bool       // what comes stands before the first change of the finding's diff
}

// line reads a line without the build tool's own prefix; false when it does not belong to the complaint. The file is found
// by locate, because its path is relative to a module.
func (s *spotless) line(c *collector, text string, locate func(string) string) bool {
	if spotlessBegin.MatchString(text) {
		s.on, s.indent = true, 0
		return true
	}
	name := strings.TrimLeft(text, " ")
	indent := len(text) - len(name)
	switch {
	case !s.on:
		return false
	case indent == 0 && !strings.HasPrefix(name, "Violations also"), strings.HasPrefix(name, "Run '"):
		s.on = false
		return strings.HasPrefix(name, "Run '")
	case strings.HasPrefix(name, "Violations also"), strings.HasPrefix(name, "... ("):
		return true
	case s.indent == 0 || indent == s.indent:
		s.indent, s.lead = indent, false
		d := diag.Diagnostic{File: locate(name), Tool: "spotless", Rule: "format", Message: "not formatted", Fixable: true, Masks: s.masks}
		if d.File == "" {
			d.Message = name + " is not formatted"
		}
		c.add(d)
		return true
	}
	d := c.last()
	if m := spotlessHunk.FindStringSubmatch(name); m != nil && d != nil && d.File != "" && d.Range.Start.Line == 0 {
		d.Range, s.lead = at(number(m[1]), 0), true
	} else if s.lead && d != nil {
		if s.lead = !strings.HasPrefix(name, "-") && !strings.HasPrefix(name, "+"); s.lead {
			d.Range.Start.Line++
		}
	}
	c.note(name)
	return true
}
