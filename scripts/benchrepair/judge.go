package main

import (
	"context"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"fettle/scripts/benchrepair/likeness"
	"fettle/scripts/benchrepair/rows"
	"fettle/scripts/figures"
)

// judge compares a mended source with the reference: by its text, then by what a person found, then by what both do on inputs made from
// those of the tests.
func (b *bench) judge(ctx context.Context, row rows.Row, after string, r *Result) (err error) {
	if likeness.Text(after, row.Reference) {
		r.Likeness = likeness.SameText
		return nil
	}
	if b.read(r) {
		return nil
	}
	r.Likeness, r.Inputs, r.Difference, err = likeness.Behaviour(ctx, row, after)
	return err
}

// read takes over what a person has found about a patch, if anybody has read it.
func (b *bench) read(r *Result) bool {
	reading, ok := b.readings.Of(r.Row, r.Digest)
	if !ok || !r.Plausible {
		return false
	}
	r.Likeness, r.Difference = likeness.Otherwise, reading.Why
	if reading.Verdict == figures.ReadEqual {
		r.Likeness = likeness.ReadSame
	}
	return true
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
