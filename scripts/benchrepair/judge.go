package main

import (
	"context"
	"strconv"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"fettle/scripts/benchrepair/rows"
	"fettle/scripts/figures"
)

// Like is how a mended source compares with the reference.
type Like string

// The likenesses.
const (
	sameText      Like = "text"      // the same but for blanks, parentheses and comments
	sameBehaviour Like = "behaviour" // another text, which does the same on every generated input
	readSame      Like = "read"      // another text that cannot be tried so; a person found it to do the same
	otherwise     Like = "other"     // it does something else on an input that the program is meant for
	unread        Like = "unread"    // another text that cannot be tried so, and nobody has read yet
)

// judge compares a mended source with the reference: by its text, then by what a person found, then by what both do on inputs made from
// those of the tests.
func (b *bench) judge(ctx context.Context, row rows.Row, after string, r *Result) error {
	if plain(after) == plain(row.Reference) {
		r.Likeness = sameText
		return nil
	}
	if b.read(r) {
		return nil
	}
	inputs, differs, err := compare(ctx, row, after)
	if err != nil {
		return err
	}
	r.Inputs, r.Difference = inputs, differs
	switch {
	case differs != "":
		r.Likeness = otherwise
	case inputs < fewest:
		r.Likeness = unread
	default:
		r.Likeness = sameBehaviour
	}
	return nil
}

// read takes over what a person has found about a patch, if anybody has read it.
func (b *bench) read(r *Result) bool {
	reading, ok := b.readings.Of(r.Row, r.Digest)
	if !ok || !r.Plausible {
		return false
	}
	r.Likeness, r.Difference = otherwise, reading.Why
	if reading.Verdict == figures.ReadEqual {
		r.Likeness = readSame
	}
	return true
}

// fewest inputs that say something.
const fewest = 30

// plain is a program without blanks, parentheses, and comments that fill a line.
func plain(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		body := strings.NewReplacer("(", "", ")", "", " ", "", ";", "", "\t", "").Replace(strings.TrimSpace(line))
		if body != "" && !strings.HasPrefix(body, "//") && !strings.HasPrefix(body, "#") {
			out = append(out, strconv.Itoa(indent)+body)
		}
	}
	return strings.Join(out, "\n")
}

// difference is the lines that differ.
func difference(before, after string) string {
	var keep []string
	for line := range strings.Lines(udiff.Unified("a", "b", before, after)) {
		if !strings.HasPrefix(line, "+++") && !strings.HasPrefix(line, "---") && (strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")) {
			keep = append(keep, line)
		}
	}
	return strings.Join(keep, "")
}
