package git

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"fettle/internal/pattern"
)

// What can be wrong with a repository, for errors.Is.
var (
	ErrNotRepository   = errors.New("not a git repository")
	ErrBare            = errors.New("the repository is bare: it has no working tree to look at; git worktree list names those that it may have elsewhere")
	ErrDubious         = errors.New("git does not read a repository that belongs to somebody else")
	ErrNoIdentity      = errors.New(`git does not know who commits; tell it with: git config --global user.name "Your Name" and git config --global user.email you@example.com`)
	ErrNothingToCommit = errors.New("nothing to commit: the branch already holds these files")
	ErrUntracked       = errors.New("the file is not in the commit: git does not track it yet")
	ErrCheckedOut      = errors.New("the branch is checked out")
	ErrMoved           = errors.New("somebody else committed to the branch meanwhile; try again")
	ErrLocked          = errors.New("somebody else holds a lock")
)

// Error is a git command that failed, in git's own words.
type Error struct {
	Args   []string // what git was asked, without the program
	Dir    string   // where
	Code   int      // the exit code; -1 when a signal or a limit ended it
	Stderr string   // all that was printed as the reason; for a failing hook, the hook's output
}

func (e *Error) Error() string {
	verb := "git"
	if len(e.Args) > 0 {
		verb += " " + e.Args[0]
	}
	if line := e.reason(); line != "" {
		return verb + ": " + line
	}
	return fmt.Sprintf("%s failed with exit code %d", verb, e.Code)
}

// Is lets a lock that somebody else holds be recognised as [ErrLocked], and a disk that failed git as what the system calls it.
func (e *Error) Is(target error) bool {
	says := map[error]string{
		ErrLocked:      ".lock': File exists",
		syscall.ENOSPC: "No space left on device",
		syscall.EROFS:  "Read-only file system",
		syscall.EIO:    "Input/output error",
	}[target]
	return says != "" && strings.Contains(e.Stderr, says)
}

// reason is the line that says why: the first that git marks as such, or the first that is no hint. Of a filter that failed its
// own first word is told, because git only says what came of it.
func (e *Error) reason() string {
	if failedFilter.MatchString(e.Stderr) {
		word, _, _ := strings.Cut(strings.TrimSpace(e.Stderr), "\n")
		return "a filter failed: " + strings.TrimSpace(word) + "; is its program installed?"
	}
	first := ""
	for line := range strings.Lines(e.Stderr) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "fatal: ") || strings.HasPrefix(line, "error: ") {
			return line
		}
		if first == "" && !strings.HasPrefix(line, "hint:") && !strings.HasPrefix(line, "warning:") {
			first = line
		}
	}
	return first
}

// failedFilter recognises that a filter did not do its work. No command of ours speaks to another machine: what hung up is the
// filter's process.
var failedFilter = pattern.New(`(?m)^(?:fatal|error): (?:.*\b(?:clean|smudge) filter .* failed|the remote end hung up unexpectedly)$`)

// OverlapError says that a change cannot be carried over to a commit, because it touches what also differs between the
// commit and the working tree.
type OverlapError struct {
	Path   string
	Reason string
}

func (e *OverlapError) Error() string { return e.Path + ": " + e.Reason }
