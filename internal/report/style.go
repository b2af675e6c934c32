package report

import "strings"

// Style dresses words for a terminal. The zero Style leaves them plain.
type Style struct{ Color bool }

func (s Style) sgr(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Bold is for what stands out.
func (s Style) Bold(t string) string { return s.sgr("1", t) }

// Dim is for what may be passed over.
func (s Style) Dim(t string) string { return s.sgr("2", t) }

// Good is for what passes.
func (s Style) Good(t string) string { return s.sgr("32", t) }

// Bad is for what fails.
func (s Style) Bad(t string) string { return s.sgr("31", t) }

// Warn is for what a person should look at.
func (s Style) Warn(t string) string { return s.sgr("33", t) }

// Diff dresses a line of a unified diff.
func (s Style) Diff(line string) string {
	switch {
	case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "diff "):
		return s.Bold(line)
	case strings.HasPrefix(line, "+"):
		return s.Good(line)
	case strings.HasPrefix(line, "-"):
		return s.Bad(line)
	case strings.HasPrefix(line, "@@"):
		return s.Dim(line)
	}
	return line
}
