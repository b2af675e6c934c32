package parse

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"fettle/internal/diag"
)

// Bounds for JSON between other text.
const (
	maxRecord = 16 << 20 // bytes of one record
	maxWasted = 64 << 20 // bytes of what looks like JSON and is none; after that the rest is taken as text
	attempt   = 4 << 10  // what each attempt to read such text costs besides

	mixedBuffer = 4 << 10 // small, because what it holds is moved at each document
)

// mixed reads output in which JSON documents stand between lines of text. A document begins at the start of a line.
type mixed struct {
	in     *pushback
	text   *lines
	wasted int
}

func newMixed(r io.Reader) *mixed {
	in := &pushback{r: r, left: -1}
	return &mixed{in: in, text: &lines{r: bufio.NewReaderSize(in, mixedBuffer)}}
}

// read calls line for each line of text, and document for each document, with a decoder that stands before its first
// token. What document leaves unread of a document that it, or the JSON, broke off is passed over up to the line's end.
func (m *mixed) read(line func(string), document func(*json.Decoder, byte) error) error {
	for m.text.err == nil {
		start, err := m.text.r.Peek(1)
		if err != nil {
			m.text.err = err
			break
		}
		if (start[0] != '{' && start[0] != '[') || m.wasted > maxWasted {
			if raw, ok := m.text.raw(); ok {
				line(clean(raw))
			}
			continue
		}
		m.document(start[0], document)
	}
	return m.text.failed()
}

func (m *mixed) document(start byte, document func(*json.Decoder, byte) error) {
	m.giveBack(nil)
	m.in.left = maxRecord
	dec := json.NewDecoder(m.in)
	before := m.in.total
	err := document(dec, start)
	switch {
	case m.in.err != nil && (errors.Is(err, m.in.err) || errors.Is(err, io.ErrUnexpectedEOF)): // what it said so far counts
		m.text.err = m.in.err
		return
	case err != nil:
		m.wasted += m.in.total - before + attempt
	}
	m.giveBack(dec.Buffered())
	if err != nil {
		m.text.raw() // to the end of the line
	}
}

// giveBack makes what a reader took too much of the first to be read again.
func (m *mixed) giveBack(rest io.Reader) {
	if rest == nil {
		n := m.text.r.Buffered()
		b, _ := m.text.r.Peek(n)
		m.in.unread(b)
	} else {
		b, _ := io.ReadAll(rest)
		m.in.unread(b)
	}
	m.in.left = -1
	m.text.r.Reset(m.in)
}

var errTooLong = errors.New("a JSON record is too long")

// pushback is a reader that takes bytes back, and stops when a record has too many.
type pushback struct {
	r     io.Reader
	buf   []byte
	left  int // bytes until a record is too long; negative: no matter
	total int
	err   error // of the reader below
}

func (p *pushback) unread(b []byte) { p.buf = append(append([]byte(nil), b...), p.buf...) }

func (p *pushback) Read(b []byte) (int, error) {
	if p.left == 0 {
		return 0, errTooLong
	}
	if p.left > 0 && len(b) > p.left {
		b = b[:p.left]
	}
	n := copy(b, p.buf)
	p.buf = p.buf[n:]
	var err error
	if n == 0 {
		n, err = p.r.Read(b)
		if err != nil {
			p.err = err
		}
	}
	if p.left > 0 {
		p.left -= n
	}
	p.total += n
	return n, err
}

// record tells the reader that a new record begins.
func (m *mixed) record() { m.in.left = maxRecord }

// object reads an object from dec, calling field for each of its keys; field must read the value, or return errSkip to
// have it passed over.
func object(dec *json.Decoder, field func(key string) error) error {
	if err := delim(dec, '{'); err != nil {
		return err
	}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return err
		}
		key, _ := t.(string)
		if err := field(key); errors.Is(err, errSkip) {
			var skipped json.RawMessage
			if err := dec.Decode(&skipped); err != nil {
				return err
			}
		} else if err != nil {
			return err
		}
	}
	return delim(dec, '}')
}

var errSkip = errors.New("passed over")

// array reads an array from dec, calling element before each element, which it must read. Where a value of another kind
// stands, such as null, that is passed over.
func array(dec *json.Decoder, element func() error) error {
	t, err := dec.Token()
	if err != nil {
		return err
	}
	if t == json.Delim('{') {
		return errNotArray
	}
	if t != json.Delim('[') {
		return nil
	}
	for dec.More() {
		if err := element(); err != nil {
			return err
		}
	}
	return delim(dec, ']')
}

var errNotArray = errors.New("an object where a list is expected")

func delim(dec *json.Decoder, want rune) error {
	t, err := dec.Token()
	if err != nil {
		return err
	}
	if t != json.Delim(want) {
		return errors.New("not " + string(want))
	}
	return nil
}

// decode reads one value. One of a shape that is not expected is passed over: a tool may have changed its mind about a
// field, and the rest of its report still counts.
func decode[T any](dec *json.Decoder, use func(T)) error {
	var v T
	err := dec.Decode(&v)
	if shape := new(json.UnmarshalTypeError); errors.As(err, &shape) {
		err = nil
	}
	if err == nil {
		use(v)
	}
	return err
}

// severity reads the names that tools have for severities; an unknown one is taken at its worst.
func severity(name string) diag.Severity {
	switch strings.ToLower(name) {
	case "warning", "warn", "medium", "minor":
		return diag.Warning
	case "info", "information", "note", "notice", "low", "convention", "refactor":
		return diag.Info
	case "hint", "help", "style":
		return diag.Hint
	}
	return diag.Error
}
