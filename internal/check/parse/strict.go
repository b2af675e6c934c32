package parse

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// ParseStrictly reads output that should be of the format and nothing else, as somebody wrote it for us alone. What Parse would
// pass over, because tools print this and that around their reports, is an error: text in place of JSON or XML, and a document that
// breaks off. Where the format is made of lines, there is no telling, and it does the same as Parse.
func (f Format) ParseStrictly(r io.Reader, o Options) (Report, error) {
	if f.sound == nil {
		return f.Parse(r, o)
	}
	pr, pw := io.Pipe()
	defer func() { _ = pw.Close() }() // also when Parse panics, so that nobody waits
	verdict := make(chan error, 1)
	go func() {
		verdict <- f.sound(pr)
		_, _ = io.Copy(io.Discard, pr) // one that has seen enough must not block the parser
	}()
	both := io.TeeReader(r, pw)
	said, err := f.Parse(both, o)
	_, _ = io.Copy(io.Discard, both) // what the parser left is judged, too
	_ = pw.Close()
	if fault := <-verdict; err == nil {
		err = fault
	}
	return said, err
}

var (
	errBreaksOff = errors.New("it breaks off")
	errNoJSON    = errors.New("neither an object nor a list of JSON")
	errNoXML     = errors.New("text that stands in no element of XML")
)

// soundJSON finds fault with what is not a row of whole objects and lists.
func soundJSON(r io.Reader) error {
	in := &pushback{r: r, left: maxRecord}
	dec := json.NewDecoder(in)
	dec.UseNumber() // one of any size is sound
	for depth := 0; ; in.left = maxRecord {
		t, err := dec.Token()
		switch {
		case errors.Is(err, io.EOF) && depth == 0:
			return nil
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return errBreaksOff
		case err != nil:
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		default:
			if depth == 0 {
				return errNoJSON
			}
		}
	}
}

// soundXML finds fault with what is not made of whole elements. Slips inside of them are forgiven, as the parsers do.
func soundXML(r io.Reader) error {
	dec := newXMLDecoder(newXMLFilter(r))
	for depth := 0; ; {
		token, err := dec.RawToken()
		var broken *xml.SyntaxError
		switch {
		case errors.Is(err, io.EOF) && depth == 0:
			return nil
		case errors.Is(err, io.EOF), errors.As(err, &broken) && strings.Contains(broken.Msg, "unexpected EOF"):
			return errBreaksOff
		case err != nil:
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth = max(depth-1, 0)
		case xml.CharData:
			if depth == 0 && strings.TrimSpace(string(t)) != "" {
				return errNoXML
			}
		}
	}
}
