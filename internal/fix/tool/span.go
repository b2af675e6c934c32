package tool

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"fettle/internal/diag"
	"fettle/internal/edit"
)

const byteOrderMark = "\ufeff"

// lined is the content of a file with the places where its lines begin. A line ends with LF or CRLF, and a byte order mark is
// no part of the first.
type lined struct {
	data   []byte
	sum    edit.Hash
	starts []int // of each line, and the end of the last
	crlf   bool  // most lines end so
}

func newLined(data []byte) lined {
	l := lined{data: data, sum: edit.Sum(data)}
	at := 0
	for line := range bytes.Lines(data) {
		l.starts = append(l.starts, at)
		at += len(line)
	}
	l.starts = append(l.starts, at)
	if mark := l.mark(); at > mark {
		l.starts[0] = mark
	}
	l.crlf = 2*bytes.Count(data, []byte("\r\n")) > bytes.Count(data, []byte("\n"))
	return l
}

// mark is the size of the byte order mark.
func (l lined) mark() int {
	if bytes.HasPrefix(l.data, []byte(byteOrderMark)) {
		return len(byteOrderMark)
	}
	return 0
}

// edit is what a replacement does to the content, with the content's line endings; false where it does not fit.
func (l lined) edit(r diag.Replacement) (edit.Edit, bool) {
	from, to, ok := l.part(r)
	if !ok || from > to {
		return edit.Edit{}, false
	}
	text := r.Text
	if l.crlf {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
	}
	return edit.Edit{Start: from, End: to, New: []byte(text)}, true
}

// part is the part of the content that goes; false where the content has no such part.
func (l lined) part(r diag.Replacement) (from, to int, ok bool) {
	if r.Span != nil {
		return l.span(*r.Span, r.Unit)
	}
	start, end := r.Range.Start, r.Range.End
	lines := start.Column == 0 && end.Column == 0
	if start.Column == 0 {
		start.Column = 1
	}
	from, ok = l.at(start, r.Unit)
	if !ok || end.Line < 1 {
		return 0, 0, false
	}
	switch i := end.Line - 1; {
	case end.Column != 0:
		to, ok = l.at(end, r.Unit)
	case i >= len(l.starts)-1:
		return 0, 0, false
	case lines && r.Text == "":
		to = l.starts[i+1]
	default:
		to = l.starts[i] + len(l.line(i))
	}
	return from, to, ok
}

// span is a part by its distance from the beginning. Only bytes count a byte order mark.
func (l lined) span(s diag.Span, u diag.Unit) (from, to int, ok bool) {
	head := 0
	if u != diag.Bytes {
		head = l.mark()
	}
	from, ok = skip(l.data[head:], s.Offset, u)
	if !ok {
		return 0, 0, false
	}
	from += head
	to, ok = skip(l.data[from:], s.Length, u)
	return from, from + to, ok
}

// line is line i, from 0, without its ending.
func (l lined) line(i int) []byte {
	text := l.data[l.starts[i]:l.starts[i+1]]
	if text, ended := bytes.CutSuffix(text, []byte("\n")); ended {
		return bytes.TrimSuffix(text, []byte("\r"))
	}
	return text
}

// at is the offset of a position. The end of a content that ends with a line's ending is also the start of the next line.
func (l lined) at(p diag.Position, u diag.Unit) (int, bool) {
	lines := len(l.starts) - 1
	switch i := p.Line - 1; {
	case i < 0 || i > lines:
		return 0, false
	case i == lines:
		return len(l.data), p.Column == 1 && (lines == 0 || bytes.HasSuffix(l.data, []byte("\n")))
	default:
		n, ok := skip(l.line(i), p.Column-1, u)
		return l.starts[i] + n, ok
	}
}

// skip is how many bytes the first n units of a text have; false where it has fewer units, or they end inside of a character.
func skip(text []byte, n int, u diag.Unit) (int, bool) {
	if u == diag.Bytes {
		return n, n >= 0 && n <= len(text) && (n == len(text) || utf8.RuneStart(text[n]))
	}
	at := 0
	for ; n > 0 && at < len(text); n-- {
		r, size := utf8.DecodeRune(text[at:])
		if u == diag.UTF16 && r > 0xFFFF {
			n--
		}
		at += size
	}
	return at, n == 0
}
