package report

import "strings"

// Style dresses words for a terminal. The zero Style leaves them plain.
type Style struct{ Color bool }

// The codes that words are dressed with (ECMA-48, select graphic rendition), and that [Style.Plain] lets through.
const (
	plain = "0"
	bold  = "1"
	dim   = "2"
	bad   = "31"
	good  = "32"
	warn  = "33"
)

const escape = "\x1b["

func sequence(code string) string { return escape + code + "m" }

func (s Style) sgr(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return sequence(code) + text + sequence(plain)
}

// Bold is for what stands out.
func (s Style) Bold(t string) string { return s.sgr(bold, t) }

// Dim is for what may be passed over.
func (s Style) Dim(t string) string { return s.sgr(dim, t) }

// Good is for what passes.
func (s Style) Good(t string) string { return s.sgr(good, t) }

// Bad is for what fails.
func (s Style) Bad(t string) string { return s.sgr(bad, t) }

// Warn is for what a person should look at.
func (s Style) Warn(t string) string { return s.sgr(warn, t) }

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
