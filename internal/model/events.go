package model

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxEvent is how long one event of a stream may be.
const maxEvent = 8 << 20

// events reads server-sent events, as servers send them and not only as the standard has them: "data:" without a blank, comments, lines that end with CR LF, a byte order mark,
// a last event without the empty line, a bare line of JSON where an event should be.
type events struct {
	r     *bufio.Reader
	begun bool
}

func newEvents(r io.Reader) *events { return &events{r: bufio.NewReaderSize(r, 64<<10)} }

// next is the data of the next event; io.EOF when there is none. After any other error what was read may be a part of something.
func (e *events) next() ([]byte, error) {
	var data []byte
	some := false
	for {
		line, err := e.line()
		if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
			if errors.Is(err, io.EOF) && some {
				return data, nil
			}
			return nil, err
		}
		switch {
		case len(line) == 0:
			if some {
				return data, nil
			}
			continue
		case line[0] == '{' && !some:
			return line, nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		if string(name) != "data" {
			continue // a comment, or the event's name, which its data says too
		}
		value = bytes.TrimPrefix(value, []byte(" "))
		if some {
			data = append(data, '\n')
		}
		data, some = append(data, value...), true
		if len(data) > maxEvent {
			return nil, fmt.Errorf("an event of the stream is longer than %d MiB", maxEvent>>20)
		}
	}
}

func (e *events) line() ([]byte, error) {
	var line []byte
	for {
		part, err := e.r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxEvent {
			return nil, fmt.Errorf("a line of the stream is longer than %d MiB", maxEvent>>20)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if !e.begun {
			e.begun = true
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		return bytes.TrimRight(line, "\r\n"), err
	}
}
