package cli

import (
	"io"
	"strings"

	"fettle/internal/report"
)

// say writes a line of progress or advice, unless the command is to be quiet.
func (a *app) say(format string, args ...any) {
	if !a.quiet {
		report.WriteLine(a.io.Err, format, args...)
	}
}

// print writes a line of the result.
func (a *app) print(format string, args ...any) { report.WriteLine(a.io.Out, format, args...) }

// plain writes what people read: what of it is for a terminal to obey is fettle's own colours, and nothing else.
type plain struct {
	to    io.Writer
	style func() report.Style // known when the flags are
}

func (p plain) Write(b []byte) (int, error) {
	if _, err := io.WriteString(p.to, p.style().Plain(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// printJSON writes the result as one JSON document.
func (a *app) printJSON(v any) error {
	text, err := a.document(v, "  ")
	if err != nil {
		return err
	}
	return a.printExact(text)
}

// printExactJSON writes one whose texts are a person's own files, which must stay byte for byte.
func (a *app) printExactJSON(v any) error {
	text, err := encode(v, "  ")
	if err != nil {
		return err
	}
	return a.printExact(text)
}

// done writes the result of a small command: a line for people, or a document for programs.
func (a *app) done(doc any, format string, args ...any) error {
	if a.json {
		return a.printJSON(doc)
	}
	if !a.quiet {
		a.print(format, args...)
	}
	return nil
}

// printRaw writes bytes of the result as they are: a person's own, byte for byte, for a file or a program. A terminal is shown them.
func (a *app) printRaw(b []byte) {
	to := a.exact
	if a.io.Screen {
		to = plain{to, a.style}
	}
	_, _ = to.Write(b)
}

// printExact writes a document for programs.
func (a *app) printExact(b []byte) error {
	_, err := a.exact.Write(b)
	return err
}

func quoteArgv(argv []string) string {
	words := make([]string, len(argv))
	for i, w := range argv {
		words[i] = w
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`&|;<>()*?[]{}~#!") {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
