package cli

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// say writes a line of progress or advice, unless the command is to be quiet.
func (a *app) say(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.io.Err, format+"\n", args...)
	}
}

// print writes a line of the result.
func (a *app) print(format string, args ...any) { fmt.Fprintf(a.io.Out, format+"\n", args...) }

// spelled is a text of others (a name, a command) with what a terminal would obey, or would not show, spelled out.
func spelled(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}

// printJSON writes the result as one JSON document.
func (a *app) printJSON(v any) error {
	text, err := a.document(v, "  ")
	if err != nil {
		return err
	}
	_, err = a.exact.Write(text)
	return err
}

// printExactJSON writes one whose texts are a person's own files, which must stay byte for byte.
func (a *app) printExactJSON(v any) error {
	text, err := encode(v, "  ")
	if err != nil {
		return err
	}
	_, err = a.exact.Write(text)
	return err
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

// printRaw writes bytes of the result as they are: a person's own, byte for byte.
func (a *app) printRaw(b []byte) { _, _ = a.exact.Write(b) }

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
