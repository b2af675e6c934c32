package edit

import (
	"bytes"
	"strings"
)

const byteOrderMark = "\ufeff"

// text sees a content as lines without ever taking it apart: it knows where they begin. A line ends with LF or CRLF; a lone CR is
// a character like any other, as in git.
type text struct {
	data   []byte
	starts []int  // where each line begins, and after them the end of the last
	eol    string // the ending that most lines have; LF where there is none
}

// newText reads data as lines. Byte order marks are no part of the first line.
func newText(data []byte) text {
	t := rawText(data)
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		t.starts[0] = len(byteOrderMark)
		if len(data) == len(byteOrderMark) {
			t.starts = t.starts[:1]
		}
	}
	return t
}

// rawText reads data as lines, a byte order mark being a part of the first.
func rawText(data []byte) text {
	t := text{data: data, eol: "\n"}
	crlf, lf := 0, 0
	at := 0
	for line := range bytes.Lines(data) {
		t.starts = append(t.starts, at)
		at += len(line)
		switch {
		case bytes.HasSuffix(line, []byte("\r\n")):
			crlf++
		case bytes.HasSuffix(line, []byte("\n")):
			lf++
		}
	}
	t.starts = append(t.starts, at)
	if crlf > lf {
		t.eol = "\r\n"
	}
	return t
}

// lines is how many lines there are.
func (t text) lines() int { return len(t.starts) - 1 }

// whole is line i, from 0, with its ending.
func (t text) whole(i int) string { return string(t.data[t.starts[i]:t.starts[i+1]]) }

// line is line i, from 0, without its ending.
func (t text) line(i int) string { s, _ := cutEnding(t.whole(i)); return s }

// ending is what line i ends with: LF, CRLF, or nothing.
func (t text) ending(i int) string { _, e := cutEnding(t.whole(i)); return e }

// at says which line, from 0, the byte is in.
func (t text) at(offset int) int {
	lo, hi := 0, t.lines()
	for lo+1 < hi {
		if mid := (lo + hi) / 2; t.starts[mid] <= offset {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// endingOf is the line ending that text in place of lines from to to should have: that of the first of them that has one,
// else the one most lines have.
func (t text) endingOf(from, to int) string {
	for i := from; i < to; i++ {
		if e := t.ending(i); e != "" {
			return e
		}
	}
	return t.eol
}

// replace gives the edit that puts lines, given without endings, in place of the lines from up to, not including, to. Nothing of the
// old lines stays, but the last one's ending or the lack of it does: a file without a final newline is left without one.
func (t text) replace(from, to int, lines []string) Edit {
	start, end := t.starts[from], t.starts[to]
	if len(lines) == 0 {
		if to == t.lines() && from > 0 && from < to && t.ending(to-1) == "" {
			start -= len(t.ending(from - 1)) // the line before becomes the last one, without an ending as the last one was
		}
		return Edit{Start: start, End: end}
	}
	if from == to {
		return t.insert(from, lines)
	}
	eol := t.endingOf(from, to)
	return Edit{Start: start, End: end, New: []byte(strings.Join(lines, eol) + t.ending(to-1))}
}

// insert gives the edit that puts lines before line i; i == lines() appends.
func (t text) insert(i int, lines []string) Edit {
	at := t.starts[i]
	joined := strings.Join(lines, t.eol)
	if i > 0 && i == t.lines() && t.ending(i-1) == "" {
		return Edit{Start: at, End: at, New: []byte(t.eol + joined)}
	}
	return Edit{Start: at, End: at, New: []byte(joined + t.eol)}
}

// cutEnding takes LF or CRLF off the end of s.
func cutEnding(s string) (line, ending string) {
	switch {
	case strings.HasSuffix(s, "\r\n"):
		return s[:len(s)-2], "\r\n"
	case strings.HasSuffix(s, "\n"):
		return s[:len(s)-1], "\n"
	}
	return s, ""
}

// splitLines gives the lines of s without their endings. A final ending does not begin another line; "" has no lines.
func splitLines(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		l, _ := cutEnding(line)
		out = append(out, l)
	}
	return out
}

// withEndings gives s with every line ending turned into eol.
func withEndings(s, eol string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if eol == "\n" {
		return s
	}
	return strings.ReplaceAll(s, "\n", eol)
}
