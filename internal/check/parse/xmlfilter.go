package parse

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"fettle/internal/pattern"
)

// Bounds of what is handed on of an XML report. Reports carry whatever tests print.
const (
	maxText = 64 << 10 // runes of one text or attribute
	maxTag  = 1 << 20  // runes of one tag; what comes after a longer one is not read
)

// xmlFilter is a reader that makes XML bounded and legal: long texts are cut, comments emptied, bytes that are not UTF-8
// replaced, and the control characters that XML does not allow, but test output has, taken out.
type xmlFilter struct {
	r     *bufio.Reader
	out   bytes.Buffer
	in    xmlState
	run   int     // runes of the text or attribute under way
	tag   int     // runes of the tag under way
	last  [9]rune // the last runes, to recognize marks
	ref   []rune  // a character reference under way: &#27
	err   error
	ended error // what the reader says once out is empty
}

type xmlState int

const (
	xmlText   xmlState = iota
	xmlTag             // <…>
	xmlDouble          // in "…" in a tag
	xmlSingle          // in '…' in a tag
	xmlCDATA
	xmlComment
)

var xmlEncoding = pattern.New(`^(?:\x{FEFF})?<\?xml[^>]*\sencoding=["']([\w.-]+)["']`)

// newXMLFilter reads the declaration's encoding first, so that everything after it is UTF-8.
func newXMLFilter(r io.Reader) *xmlFilter {
	x := &xmlFilter{r: bufio.NewReaderSize(r, 64<<10)}
	start, _ := x.r.Peek(256)
	if m := xmlEncoding.FindSubmatch(start); m != nil {
		switch strings.ToLower(string(m[1])) {
		case "utf-8", "utf8", "us-ascii", "ascii":
		case "iso-8859-1", "latin1", "latin-1", "windows-1252", "iso-8859-15":
			x.r = bufio.NewReaderSize(&latin1{r: x.r}, 64<<10)
		default:
			x.err = fmt.Errorf("the report is in %s; have the tool write UTF-8", m[1])
			x.ended = x.err
		}
	}
	return x
}

// newXMLDecoder reads XML behind a filter, and forgives what reports are known for.
func newXMLDecoder(source *xmlFilter) *xml.Decoder {
	dec := xml.NewDecoder(source)
	dec.Strict = false
	dec.Entity = xml.HTMLEntity
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // the filter has seen to it
	return dec
}

// failed is what kept the filter from reaching the end.
func (x *xmlFilter) failed() error {
	if errors.Is(x.err, io.EOF) {
		return nil
	}
	return x.err
}

func (x *xmlFilter) Read(b []byte) (int, error) {
	for x.out.Len() == 0 {
		if x.ended != nil {
			return 0, x.ended
		}
		x.fill()
	}
	return x.out.Read(b)
}

// fill reads some more and hands on what may pass.
func (x *xmlFilter) fill() {
	for range 8 << 10 {
		c, _, err := x.r.ReadRune()
		if err != nil {
			x.err, x.ended = err, err
			x.flush()
			return
		}
		if x.step(c); x.tag > maxTag {
			x.ended = io.EOF
			return
		}
	}
}

func (x *xmlFilter) step(c rune) {
	if c < 0x20 && c != '\t' && c != '\n' && c != '\r' || c == 0xFFFE || c == 0xFFFF {
		return
	}
	copy(x.last[:], x.last[1:])
	x.last[len(x.last)-1] = c
	before := x.in
	x.in = x.after(c)
	if before == xmlText || x.in == xmlText {
		x.tag = 0
	}
	x.tag++
	if before != x.in {
		x.leave(before, c)
		x.run = 0
		return
	}
	if x.run++; before == xmlTag || before != xmlComment && x.run <= maxText {
		x.put(before, c)
	}
}

// leave writes the end of a text: of one that was cut, the whole mark.
func (x *xmlFilter) leave(state xmlState, c rune) {
	x.flush()
	switch {
	case state == xmlComment:
		x.out.WriteString("-->")
	case state == xmlCDATA && x.run >= maxText:
		x.out.WriteString("]]>")
	default:
		x.out.WriteRune(c)
	}
}

// put writes a rune, unless a character reference is under way: one to a character that XML does not allow is replaced.
func (x *xmlFilter) put(state xmlState, c rune) {
	if state == xmlTag || state == xmlCDATA {
		x.out.WriteRune(c)
		return
	}
	switch {
	case c == '&':
		x.flush()
		x.ref = append(x.ref, c)
	case len(x.ref) == 0:
		x.out.WriteRune(c)
	case c == ';':
		if text := string(x.ref); !legalReference(text) {
			x.out.WriteRune(utf8.RuneError)
			x.ref = x.ref[:0]
			return
		}
		x.ref = append(x.ref, c)
		x.flush()
	default:
		if x.ref = append(x.ref, c); len(x.ref) > 12 {
			x.flush()
		}
	}
}

func (x *xmlFilter) flush() {
	x.out.WriteString(string(x.ref))
	x.ref = x.ref[:0]
}

// legalReference reports whether "&#27" or "&#x1b" names a character that XML 1.0 allows (production 2). References by
// name are left to the decoder.
func legalReference(ref string) bool {
	digits, ok := strings.CutPrefix(ref, "&#")
	if !ok {
		return true
	}
	base := 10
	if hex := strings.TrimLeft(digits, "xX"); hex != digits {
		digits, base = hex, 16
	}
	n, err := strconv.ParseInt(digits, base, 32)
	return err == nil && (n == '\t' || n == '\n' || n == '\r' || n >= 0x20 && n < 0xD800 || n >= 0xE000 && n < 0xFFFE || n >= 0x10000 && n <= utf8.MaxRune)
}

// after is the state behind the rune c.
func (x *xmlFilter) after(c rune) xmlState {
	switch x.in {
	case xmlText:
		if c == '<' {
			return xmlTag
		}
	case xmlTag:
		switch {
		case c == '>':
			return xmlText
		case c == '"':
			return xmlDouble
		case c == '\'':
			return xmlSingle
		case x.ends("<![CDATA["):
			return xmlCDATA
		case x.ends("<!--"):
			return xmlComment
		}
	case xmlDouble, xmlSingle:
		if c == '"' && x.in == xmlDouble || c == '\'' && x.in == xmlSingle {
			return xmlTag
		}
	case xmlCDATA:
		if x.ends("]]>") {
			return xmlText
		}
	case xmlComment:
		if x.ends("-->") {
			return xmlText
		}
	}
	return x.in
}

func (x *xmlFilter) ends(mark string) bool {
	for i := range len(mark) {
		if x.last[len(x.last)-len(mark)+i] != rune(mark[i]) {
			return false
		}
	}
	return true
}

// latin1 turns each byte into the character of the same number.
type latin1 struct {
	r    *bufio.Reader
	rest []byte
}

func (l *latin1) Read(b []byte) (int, error) {
	if len(l.rest) == 0 {
		c, err := l.r.ReadByte()
		if err != nil {
			return 0, err
		}
		l.rest = utf8.AppendRune(nil, rune(c))
	}
	n := copy(b, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}
