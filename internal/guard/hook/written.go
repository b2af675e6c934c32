package hook

import (
	"os"
	"slices"
	"strings"
	"syscall"
)

// written are the files that the agent has written in this session, the last first.
func (s *session) written() []string {
	f, err := os.OpenFile(s.path("written"), os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	text := make([]byte, maxWritten)
	n, err := f.Read(text)
	if err != nil {
		return nil
	}
	var all []string
	for line := range strings.Lines(string(text[:n])) {
		if line = strings.TrimSuffix(line, "\n"); len(line) > 1 {
			all = append(all, line[1:])
		}
	}
	slices.Reverse(all)
	return all
}
