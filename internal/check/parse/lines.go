package parse

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"fettle/internal/pattern"
)

// maxLine is how long a line may be. A longer one is no diagnostic of any tool: it is passed over.
const maxLine = 1 << 20

// lines reads text line by line, without line endings and colours, holding one line at a time.
type lines struct {
	r   *bufio.Reader
	buf []byte
	err error
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 64<<10)} }

// next returns the next line; false at the end, after which failed tells whether it was the true end.
func (l *lines) next() (string, bool) {
	for l.err == nil {
		if raw, ok := l.raw(); ok {
			return clean(raw), true
		}
	}
	return "", false
}

// failed is what kept the reader from reaching the end.
func (l *lines) failed() error {
	if l.err == nil || errors.Is(l.err, io.EOF) {
		return nil
	}
	return l.err
}

// raw reads one line; false when it was too long or there was none.
func (l *lines) raw() ([]byte, bool) {
	l.buf = l.buf[:0]
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		long = long || len(l.buf)+len(part) > maxLine
		if !long {
			l.buf = append(l.buf, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		l.err = err
		if long || err != nil && len(l.buf) == 0 {
			return nil, false
		}
		return bytes.TrimRight(l.buf, "\r\n"), true
	}
}

// escapes are what terminals understand and people do not want to read: colours and cursor moves (ECMA-48 control
// sequences), titles and links (operating system commands).
var escapes = pattern.New("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\x1b[@-Z\\\\-_]")

func clean(line []byte) string {
	if bytes.IndexByte(line, 0x1b) >= 0 {
		line = escapes.ReplaceAll(line, nil)
	}
	return string(line)
}

// cleanText is clean for text of several lines.
func cleanText(s string) string {
	if strings.IndexByte(s, 0x1b) >= 0 {
		s = escapes.ReplaceAllString(s, "")
	}
	return strings.ReplaceAll(s, "\r\n", "\n")
}
