package phrase

import (
	"errors"
	"strings"
	"syscall"
)

// Failure is an error for a person. One of the disk may come with many others that follow from it: together they are one line,
// which ends with what to do.
func Failure(err error) string {
	text := strings.TrimRight(err.Error(), "\n")
	todo := onDisk(err)
	if todo == "" {
		return text
	}
	line := ""
	for part := range strings.Lines(text) {
		part = strings.TrimSpace(part)
		switch {
		case line == "":
			line = part
		case !strings.Contains(line, part):
			line += "; " + part
		}
	}
	return line + "; " + todo + ", then run fettle again: it finishes or takes back what was under way"
}

// onDisk is what a person can do about an error of the disk; empty when it is another one.
func onDisk(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "free some space"
	case errors.Is(err, syscall.EROFS):
		return "make the file system writable, as fettle keeps its state there"
	case errors.Is(err, syscall.EIO):
		return "see what the system's log says about the disk"
	}
	return ""
}
