package hook

import (
	"bufio"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"

	"fettle/internal/policy/shell"
)

// How an agent has left the files that git held before it wrote to them is kept, a line for each of its writings: when the file was written last, and its path. A
// zero says that somebody else has written to it in between.

// leave notes how the agent has left what it has just written.
func (s *session) leave(o *occasion) {
	for _, f := range o.judge().Facts {
		if f.Kind == shell.Write && !f.Is(shell.Glob) && !f.Is(shell.Vague) {
			s.leaveFile(f.Target)
		}
	}
}

// leaveFile notes how the agent has left one file.
func (s *session) leaveFile(path string) {
	if info, err := os.Lstat(path); err == nil && s.wrote(path) == kept {
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
	info, err := os.Lstat(path)
	if err != nil || s.wrote(path) != kept {
		return false
	}
	f, err := os.OpenFile(s.path("left"), os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	last := ""
	for in := bufio.NewScanner(f); in.Scan(); {
		at, name, ok := strings.Cut(in.Text(), " ")
		if !ok || name != path {
			continue
		}
		if last = at; at == "0" {
			return false
		}
	}
	return last == strconv.FormatInt(info.ModTime().UnixNano(), 10)
}
