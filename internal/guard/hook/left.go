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
	return appendTo(s.path("left"), []byte(strconv.FormatInt(at, 10)+" "+path+"\n"))
}

// left reports a file of which git held everything before the agent wrote to it, and which is as the agent has left it.
func (s *session) left(path string) bool {
	same, noted := s.asLeft(path)
	return same && noted && s.wrote(path) == kept
}

// asLeft reports a file that is as the agent has left it each time, as far as that was noted, and whether it was. What is not there has not been written to by anybody else.
func (s *session) asLeft(path string) (same, noted bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist), false
	}
	f, err := os.OpenFile(s.path("left"), os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist), false
	}
	defer f.Close()
	last := ""
	for in := bufio.NewScanner(f); in.Scan() && last != "0"; {
		if at, name, ok := strings.Cut(in.Text(), " "); ok && name == path {
			last = at
		}
	}
	return last == "" || last == strconv.FormatInt(info.ModTime().UnixNano(), 10), last != ""
}
