// Package phrase says numbers of things and lists of names the way a person would, for every line that people read.
package phrase

import (
	"fmt"
	"slices"
	"strings"
)

// Count is a number of things: "1 finding", "2 findings".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Code shows code in a sentence: on one line, and not all of it if it is long. Blanks within a line are a literal's as often as not, and stay.
func Code(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	text = strings.Join(lines, " ")
	if r := []rune(text); len(r) > 60 {
		text = string(r[:57]) + "…"
	}
	return "`" + text + "`"
}

// Ends are the beginning and the end of a text that is longer than so many bytes, in whole lines where it has any; a shorter one is all of it.
func Ends(text string, most int) string {
	if len(text) <= most {
		return text
	}
	head, tail := text[:most/2], text[len(text)-most/2:]
	if i := strings.LastIndexByte(head, '\n'); i > 0 {
		head = head[:i]
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)-1 {
		tail = tail[i+1:]
	}
	return strings.ToValidUTF8(head+"\n[…]\n"+tail, "")
}

// Several are the first sentences of a list, most at most, and how many there are beyond: "a; b; and 3 more".
func Several(sentences []string, most int) string {
	if n := len(sentences) - most; n > 0 {
		sentences = append(slices.Clone(sentences[:most]), fmt.Sprintf("and %d more", n))
	}
	return strings.Join(sentences, "; ")
}

// Some are the first names of a list, most at most, and how many there are beyond: "a, b and 3 more".
func Some(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// Or is a list of names of which one counts: "a", "a or b", "a, b or c".
func Or(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Clip is a text with as much of its beginning as fits into a sentence.
func Clip(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:79]) + "…"
	}
	return s
}
