package mcp

import (
	"context"
)

// Call is one call of a tool, as a desk gets it.
type Call struct {
	Dir  string       // the folder to work in; it lies in a root
	Tell func(string) // hears of progress, a line at a time; never nil
}

// Desk does what the tools promise: each method is what the command of that name does. An error is a tool that could not be used; it says what to do next.
type Desk interface {
	Check(context.Context, Call, CheckInput) (*Checked, error)
	Fix(context.Context, Call, FixInput) (*Healed, error)
	Locate(context.Context, Call, LocateInput) (*Located, error)
	Audit(context.Context, Call, AuditInput) (*Audited, error)
	Confirm(context.Context, Call, ConfirmInput) (*Confirmed, error)
	Commit(context.Context, Call, CommitInput) (*Committed, error)
	Push(context.Context, Call) (*Pushed, error)
	ValidateIntent(context.Context, Call, IntentInput) (*Intent, error)
	Explain(context.Context, Call, ExplainInput) (*Explained, error)
	Status(context.Context, Call, StatusInput) (*Status, error)
}

// Where is what every tool may be told.
type Where struct {
	WorkingDir string `json:"working_dir,omitempty" jsonschema:"the project's folder, or one in it; without it, the folder in which the server was started. It must lie within the folders that the server was started for"`
}

func (w Where) where() string { return w.WorkingDir }

type located interface{ where() string }

// CheckInput is what check is told.
type CheckInput struct {
	Where
	Checks []string `json:"checks,omitempty" jsonschema:"only these: a kind (test, lint, type, format, build, security, complexity), a check's full name such as lint.ruff, or one test such as pkg/x_test.go:TestY or tests/test_x.py::test_y; without it, every check"`
	Since  string   `json:"since,omitempty" jsonschema:"a git revision: only what files changed since it concern counts"`
}

// FixInput is what fix is told.
type FixInput struct {
	Where
	Checks     []string `json:"checks,omitempty" jsonschema:"only these, named as for check"`
	Apply      bool     `json:"apply,omitempty" jsonschema:"change the files; without it nothing is changed, and the patch is shown and kept for a person (fettle accept)"`
	Only       []string `json:"only,omitempty" jsonschema:"change only files below these paths, or that match them as globs"`
	Iterations int      `json:"iterations,omitempty" jsonschema:"at most so many rounds; without it, what the project's configuration says"`
}

// LocateInput is what locate is told.
type LocateInput struct {
	Where
	Checks []string `json:"checks,omitempty" jsonschema:"only these checks or tests, named as for check"`
	Lines  int      `json:"lines,omitempty" jsonschema:"how many suspicious places are shown for each group of tests; without it 10"`
}

// AuditInput is what audit is told.
type AuditInput struct {
	Where
	Rev    string `json:"rev,omitempty" jsonschema:"a revision to compare the working tree with, or A...B for what B brings in since it parted from A, or A..B for the two as they are; without it HEAD"`
	Staged bool   `json:"staged,omitempty" jsonschema:"judge what is staged instead of the working tree"`
}

// ConfirmInput is what confirm is told.
type ConfirmInput struct {
	Where
	For string   `json:"for,omitempty" jsonschema:"what the change is for, in one line: a second model, where there is one, judges whether it does that"`
	In  []string `json:"in,omitempty" jsonschema:"the files in which that lies, by their paths from working_dir: a change to none of them does not do it"`
	By  []string `json:"by,omitempty" jsonschema:"the agent or model that has made the change, such as claude, codex or gemini, so that one of another maker reads it"`
}

// CommitInput is what commit is told.
type CommitInput struct {
	Where
	Files   []string `json:"files,omitempty" jsonschema:"exactly these files, by their paths from working_dir; without it what is staged, and if nothing is, the tracked files that have changed. Untracked files are committed only where they are named or staged"`
	Message string   `json:"message,omitempty" jsonschema:"what changes and why. Up to 3 files and fewer than 50 lines: one line in lower case. Up to 10 files or 200 lines: 'scope: what it does'. More: a title, an empty line, and three to six points. Without it the message only names what was changed"`
}

// IntentInput is what validate_intent is told.
type IntentInput struct {
	Where
	TranscriptPath string `json:"transcript_path" jsonschema:"the file in which the client keeps what was said in this session"`
}

// ExplainInput is what explain is told.
type ExplainInput struct {
	Where
	Command string `json:"command" jsonschema:"a shell command; it is read, and never run"`
}

// StatusInput is what status is told.
type StatusInput struct {
	Where
	Session string `json:"session,omitempty" jsonschema:"one session's report; without it, the latest sessions in a line each"`
}
