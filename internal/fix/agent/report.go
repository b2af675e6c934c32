package agent

import "bytes"

// report is what a run has told of itself so far.
type report struct {
	session string // the conversation's id
	model   string
	text    string // what it said last
	said    string // the last trouble that it told of, and that need not be its end
	ended   bool   // it has told of its end
	failed  string // why the end is none; empty: it came to its end
	limited bool   // … because of a limit

	read, wrote int      // tokens
	total       float64  // US dollars that the conversation has cost, earlier runs included
	priced      bool     // whether that is known
	asked       bool     // its model was asked, whatever it says
	most        float64  // US dollars that it may spend; zero: no limit
	denied      []string // tools that it was not allowed to use

	speaking bool // what comes next belongs to the text
}

// maxLine bounds a line. One that is longer is the result of a tool, and is nothing to us.
const maxLine = 8 << 20

// lines hands on what is written to it line by line, but for lines that are too long.
type lines struct {
	read func(line []byte)
	part []byte
	skip bool // the rest of a line that is too long
}

func (l *lines) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		line, rest, whole := bytes.Cut(p, []byte("\n"))
		p = rest
		switch {
		case l.skip:
		case len(l.part)+len(line) > maxLine:
			l.part, l.skip = nil, true
		default:
			l.part = append(l.part, line...)
		}
		if whole {
			l.end()
		}
	}
	return n, nil
}

// end is called after the last line, which may have no end of its own.
func (l *lines) end() {
	if line := bytes.TrimSpace(l.part); !l.skip && len(line) > 0 && line[0] == '{' {
		l.read(line)
	}
	l.part, l.skip = l.part[:0], false
}
