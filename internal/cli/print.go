package cli

import (
	"encoding/json"
	"fmt"
	"strings"
)

// say writes a line of progress or advice, unless the command is to be quiet.
func (a *app) say(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.io.Err, format+"\n", args...)
	}
}

// print writes a line of the result.
func (a *app) print(format string, args ...any) { fmt.Fprintf(a.io.Out, format+"\n", args...) }

// printJSON writes the result as one JSON document.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.io.Out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
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

// printRaw writes bytes of the result as they are.
func (a *app) printRaw(b []byte) { _, _ = a.io.Out.Write(b) }

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
