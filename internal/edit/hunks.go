package edit

import (
	"fmt"
	"strconv"
	"strings"
)

// contextLines is how many unchanged lines a diff shows on either side of a change.
const contextLines = 3

// hunk is a part of a unified diff. Lines count from 0.
type hunk struct {
	from, to int // first line before and after
	old, new int // how many lines before and after
	body     []string
}

// hunks gives the unified diff of edits that cover whole lines of t.
func hunks(t text, edits []Edit) []hunk {
	var out []hunk
	h := hunk{}
	done := -1  // the line before which all is in a hunk; -1: no hunk yet
	growth := 0 // lines that the edits so far have added
	keep := func(upTo int) {
		for ; done < min(upTo, t.lines()); done++ {
			h.add(' ', t.whole(done))
		}
	}
	for _, e := range edits {
		first, last := t.lineRange(e)
		if done < 0 || first-done > 2*contextLines {
			if done >= 0 {
				keep(done + contextLines)
				out = append(out, h)
			}
			done = max(first-contextLines, max(done, 0))
			h = hunk{from: done, to: done + growth}
		}
		keep(first)
		for ; done < last; done++ {
			h.add('-', t.whole(done))
		}
		for line := range strings.Lines(string(e.New)) {
			h.add('+', line)
			growth++
		}
		growth -= last - first
	}
	if done >= 0 {
		keep(done + contextLines)
		out = append(out, h)
	}
	return out
}

// lineRange gives the lines, from and up to but not including, that an edit of whole lines covers.
func (t text) lineRange(e Edit) (first, last int) {
	line := func(offset int) int {
		if offset == len(t.data) {
			return t.lines()
		}
		return t.at(offset)
	}
	return line(e.Start), line(e.End)
}

func (h *hunk) add(kind byte, line string) {
	if kind != '+' {
		h.old++
	}
	if kind != '-' {
		h.new++
	}
	h.body = append(h.body, string(kind)+line)
}

func (h *hunk) write(b *strings.Builder) {
	fmt.Fprintf(b, "@@ -%s +%s @@\n", span(h.from, h.old), span(h.to, h.new))
	for _, line := range h.body {
		b.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// span writes a range of lines as diff does: a count of 1 is left out, and no lines are named by the line before them.
func span(first, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", first)
	case 1:
		return strconv.Itoa(first + 1)
	}
	return fmt.Sprintf("%d,%d", first+1, n)
}
