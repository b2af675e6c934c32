// Package phrase says numbers of things and lists of names the way a person would, for every line that people read.
package phrase

import (
	"fmt"
	"strings"
)

// Count is a number of things: "1 finding", "2 findings".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Code shows code in a sentence: on one line, and not all of it if it is long.
func Code(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 60 {
		text = string(r[:57]) + "…"
	}
	return "`" + text + "`"
}

// Some are the first names of a list, most at most, and how many there are beyond: "a, b and 3 more".
func Some(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
