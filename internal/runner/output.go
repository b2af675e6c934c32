package runner

import (
	"bytes"
	"strings"
)

// Mark stands before what a program of ours says on a line, among whatever else its process prints.
const Mark = "\x16fettle:"

// longestLine bounds what is kept of a line that may never end.
const longestLine = 64 << 20

// MarkedLines is the writer for what such a process prints. It hands on what stands behind each [Mark], up to the end of the line.
type MarkedLines struct {
	Each func(said []byte) // what it is given holds until it returns
	line []byte            // that has no end yet
}

// Write implements [io.Writer]. It never fails.
func (m *MarkedLines) Write(b []byte) (int, error) {
	n := len(b)
	for {
		line, rest, ended := bytes.Cut(b, []byte{'\n'})
		if len(m.line)+len(line) > longestLine {
			m.line = nil
		} else {
			m.line = append(m.line, line...)
		}
		if !ended {
			return n, nil
		}
		if _, said, ok := bytes.Cut(m.line, []byte(Mark)); ok {
			m.Each(said)
		}
		m.line, b = m.line[:0], rest
	}
}

// LastWords is the end of what a command printed, for an error message.
func LastWords(said string) string {
	const most = 600 // bytes
	said = strings.TrimSpace(said)
	if len(said) > most {
		said = "…" + strings.ToValidUTF8(said[len(said)-most:], "")
	}
	return said
}
