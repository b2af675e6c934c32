package parse

import (
	"encoding/json"
	"io"
	"strings"

	"fettle/internal/diag"
)

// parseMocha reads the report of mocha --reporter json. A hook that fails hides the tests around which it stands.
func parseMocha(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "mocha")
	m := newMixed(r)
	err := m.read(func(string) {}, func(dec *json.Decoder, start byte) error {
		if start != '{' {
			return decode(dec, func(json.RawMessage) {})
		}
		return object(dec, func(key string) error {
			m.record()
			outcome, ok := map[string]Outcome{"passes": Pass, "failures": Fail, "pending": Skip}[key]
			if !ok {
				return errSkip
			}
			return array(dec, func() error {
				m.record()
				return decode(dec, func(t mochaTest) { c.mocha(t, outcome) })
			})
		})
	})
	return c.report, err
}

type mochaTest struct {
	Title, FullTitle, File string
	Duration               float64 // milliseconds
	Err                    struct{ Stack, Message string }
}

func (c *collector) mocha(t mochaTest, outcome Outcome) {
	if t.Title == "" && t.FullTitle == "" {
		return
	}
	file := c.places.file(t.File)
	// The report joins the names of what a test stands in by blanks: they cannot be told apart any more.
	id := jsTestID(file, t.FullTitle)
	if around, ok := strings.CutSuffix(t.FullTitle, " "+t.Title); ok && around != "" {
		id = jsTestID(file, around, t.Title)
	}
	hook := strings.HasPrefix(t.Title, `"before `) || strings.HasPrefix(t.Title, `"after `)
	if !hook {
		c.test(id, outcome, milliseconds(t.Duration))
	}
	if outcome != Fail {
		return
	}
	said := t.Err.Stack
	if said == "" {
		said = t.Err.Message
	}
	text := c.jsFailure(said)
	d := diag.Diagnostic{Test: id, File: file, Dir: dirOf(file), Message: text.message, Detail: text.detail, Frames: text.frames}
	if hook {
		d.Masks = diag.MasksDir
	}
	if d.Message == "" {
		d.Message = t.Title + " failed without a word"
	}
	c.locate(&d)
	c.add(d)
}
