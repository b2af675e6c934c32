package hook

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"

	"fettle/internal/policy/shell"
)

// How an agent has left the files that it has made, or that git held before it wrote to them, is kept, a line for each of its writings: when the file was written last, and its path. A
// zero says that somebody else has written to it in between.

// leave notes how the agent has left what it has just written, or a formatter for it.
func (s *session) leave(o *occasion) {
	for _, f := range o.judge().Facts {
		if (f.Kind == shell.Write || f.Kind == shell.Format) && !f.Is(shell.Glob) && !f.Is(shell.Vague) {
			s.leaveFile(f.Target)
		}
	}
}

// leaveFile notes how the agent has left one file.
func (s *session) leaveFile(path string) {
	if h := s.wrote(path); h != kept && h != made {
		return
	}
	if info, err := os.Lstat(path); err == nil {
		s.lost = errors.Join(s.lost, s.touched(path, info.ModTime().UnixNano()))
	}
}

// touched adds a line.
func (s *session) touched(path string, at int64) error {
	if info, err := os.Lstat(s.path("left")); err == nil && info.Size() >= maxWritten {
		return nil
	}
	line := strconv.FormatInt(at, 10) + " " + path
	s.leaves(line)
	return appendTo(s.path("left"), []byte(line+"\n"))
}

// leaves takes a line into what is known while an event is answered.
func (s *session) leaves(line string) {
	if at, path, ok := strings.Cut(line, " "); ok && s.lefts != nil && s.lefts[path] != "0" {
		s.lefts[path] = at
	}
}

// untouched reports that a file is as the agent has left it, which has come by it so: nobody else has written to it. Of what it has made and is gone nothing is left to be touched.
func (s *session) untouched(path string, h how) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return h == made && errors.Is(err, fs.ErrNotExist)
	}
	at := s.asLeft(path)
	return at != "0" && at == strconv.FormatInt(info.ModTime().UnixNano(), 10)
}

// asLeft is what the last line says of a file; empty: there is none. A command may name thousands: the lines are read once for an event.
func (s *session) asLeft(path string) string {
	if s.lefts == nil {
		s.lefts = map[string]string{}
		f, err := os.OpenFile(s.path("left"), os.O_RDONLY|syscall.O_NOFOLLOW, 0)
		if err != nil {
			return ""
		}
		defer f.Close()
		for in := bufio.NewScanner(f); in.Scan(); {
			s.leaves(in.Text())
		}
	}
	return s.lefts[path]
}
