// Package check answers "what is wrong?": it finds a repository's checks, runs them, and reads what they say.
//
// A check is a command that judges the workspace. People name it by what it means (test, lint, type, …), never by flags.
// The exit code is the truth: a check that exits with 0 and prints complaints has passed, one that fails without a readable
// word has still failed, and its tail says the rest. There are two exceptions: gofmt -l lists what is wrong and exits with
// 0, so its list counts; and so do the tests of a Maven that was told to go on when tests fail (-Dmaven.test.failure.ignore).
//
// [Effective] says which checks a repository has: those of fettle.yaml, or what [Discover] finds by looking. [Config.Pick]
// turns what a person wrote into checks, [Check.Narrow] a check into a few of its tests, and [Run] runs them in a [Place].
package check

import (
	"io/fs"
	"time"

	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/proc"
)

// Check is a command that judges the workspace, as found by looking or written in fettle.yaml.
type Check struct {
	Name    string            `json:"name"`              // kind, or kind.label: "test", "lint.ruff"
	Lang    string            `json:"lang,omitempty"`    // the language it judges ("go", "python"); empty: any
	Run     []string          `json:"run"`               // argv; {report} stands for the report file that Parser reads
	Dir     string            `json:"dir,omitempty"`     // slash path from the root; empty: the root
	Env     map[string]string `json:"env,omitempty"`     // added to the environment
	Parser  string            `json:"parser,omitempty"`  // a format of package parse; empty: none, the tail only
	Unread  bool              `json:"unread,omitempty"`  // fettle.yaml says that nothing of what it prints is to be read
	Reader  *Reader           `json:"reader,omitempty"`  // the project's own program that reads what it prints; Parser is then empty
	Pattern []string          `json:"pattern,omitempty"` // errorformat lines, for the format "errorformat"
	Reports []string          `json:"reports,omitempty"` // globs, from Dir, of the report files that it writes by itself and Parser reads
	Fix     [][]string        `json:"fix,omitempty"`     // the tool's own fix, one argv after the other
	Before  [][]string        `json:"before,omitempty"`  // run first; when one fails the check is broken
	After   [][]string        `json:"after,omitempty"`   // run last, whatever happened
	Timeout time.Duration     `json:"timeout,omitempty"` // zero: the default of 10 minutes
	Alone   bool              `json:"alone,omitempty"`   // must not run beside other checks
	Files   []string          `json:"files,omitempty"`   // globs of the files that can change its answer; empty: any file
}

// Kind is the part of the name before the first dot: what the check means.
func (c Check) Kind() string {
	for i := range c.Name {
		if c.Name[i] == '.' {
			return c.Name[:i]
		}
	}
	return c.Name
}

// Status is how a check came out.
type Status string

// The ways a check can come out.
const (
	Passed   Status = "passed"
	Failed   Status = "failed"
	Broken   Status = "broken"    // it could not do its work: its tool is missing, a before command failed
	TimedOut Status = "timed out" // it did not end in time; counts as failed
)

// Result is what one check said.
type Result struct {
	Check       string                   `json:"check"`
	Status      Status                   `json:"status"`
	Code        int                      `json:"code"`                  // the exit code; -1 when it did not end by itself
	Diagnostics []diag.Diagnostic        `json:"diagnostics,omitempty"` // identified (diag.Identify), excerpts filled in; a passed check may have some (warnings), a failed one has at least one, a broken one none
	Tests       map[string]parse.Outcome `json:"tests,omitempty"`       // every test it ran, by id; nil when the format tells no tests
	Hooks       []parse.Hook             `json:"hooks,omitempty"`       // of a hook runner: how each hook came out
	Tail        string                   `json:"tail,omitempty"`        // the end of what it printed; kept when it did not pass
	Reason      string                   `json:"reason,omitempty"`      // one line for people: why it is Broken or TimedOut, or what is odd about another status (no tests were found)
	Cut         bool                     `json:"cut,omitempty"`         // failed because a test ended the whole process, so that nobody knows which tests fail
	Old         int                      `json:"old,omitempty"`         // findings that were left alone ([Legacy.Forgive])
	Wall        time.Duration            `json:"wall_ns"`
	CPU         time.Duration            `json:"cpu_ns"`
}

// Untold reports whether the check's tests were run, and never came to the point where they could say which of them fail.
func (r Result) Untold() bool { return r.Status == TimedOut || r.Cut }

// Place is where checks run and where their files are read: the user's tree or a private copy.
type Place interface {
	proc.Runner
	// Root is the absolute path of the repository's root as processes in this place see it.
	Root() string
	// ReadFile reads a file by its slash path from the root. A missing file is fs.ErrNotExist; what is no regular file, such as a folder or
	// a link, is fs.ErrInvalid in a private copy.
	ReadFile(path string) ([]byte, error)
	// FS is the repository's files for looking through them, as they are until the place changes hands.
	FS() fs.FS
	// Scratch is an absolute folder, outside the root, that processes in this place may write to and we may read: it has
	// the same path inside and outside.
	Scratch() string
}
