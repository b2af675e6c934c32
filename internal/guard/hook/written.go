package hook

import (
	"bufio"
	"errors"
	"io/fs"
	"iter"
	"os"
	"slices"
	"syscall"
)

// writings are the files that the agent has written in this session, the first one first, and how it has come by each. Where the list cannot be read, or is full, the session is unsure
// of all others.
func (s *session) writings() iter.Seq2[how, string] {
	return func(yield func(how, string) bool) {
		f, err := os.OpenFile(s.path("written"), os.O_RDONLY|syscall.O_NOFOLLOW, 0)
		if err != nil {
			s.unsure = !errors.Is(err, fs.ErrNotExist)
			return
		}
		defer f.Close()
		info, err := f.Stat()
		in := bufio.NewScanner(f)
		for in.Scan() {
			if l := in.Text(); len(l) > 1 && !yield(how(l[0]), l[1:]) {
				return
			}
		}
		s.unsure = err != nil || info.Size() >= maxWritten || in.Err() != nil
	}
}

// written are the files that the agent has written in this session, the last first.
func (s *session) written() []string {
	var all []string
	for _, path := range s.writings() {
		all = append(all, path)
	}
	slices.Reverse(all)
	return all
}
