// Package agent answers "what would a coding agent change?": it lets the command line of one (Claude Code, Codex, Gemini CLI) work in a private copy
// of the repository, and what has changed there afterwards is its patch.
//
// The agent works as freely as it likes, because of where it works: in a copy that reaches no network but for one door, behind which is its model's
// endpoint and nothing else; in a home of its own; without this process's secrets, its own key included, which is added behind the door. Whatever it
// does to files, commits or settings is gone with the copy, and so is every process that it leaves.
//
// It is not believed. Whether it came to its end is read from the events that it prints, never from its exit code alone, and never by looking for
// words in what it says. How sure it says it is only decides whether the patch is worth trying; what it does not say counts as not sure.
package agent

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"time"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/policy/secret"
)

// Kind is an agent's command line, by the name of its program and of its fixer.
type Kind string

// The command lines that are known.
const (
	Claude Kind = "claude"
	Codex  Kind = "codex"
	Gemini Kind = "gemini"
)

// Kinds are all there are.
var Kinds = []Kind{Claude, Codex, Gemini}

// Title is the name under which people know it.
func (k Kind) Title() string {
	switch k {
	case Claude:
		return "Claude Code"
	case Codex:
		return "Codex"
	case Gemini:
		return "Gemini CLI"
	}
	return string(k)
}

// What a run may take where the options name nothing else.
const (
	DefaultTime  = 15 * time.Minute
	DefaultTurns = 60
)

// Options are what a person may say of an agent. There is none for further arguments: one of them could take away what holds the agent.
type Options struct {
	Model    string        // as the agent calls it; empty: its own choice
	MaxTurns int           // answers of the model in one run; zero: DefaultTurns
	Time     time.Duration // of one run; zero: DefaultTime
	Budget   float64       // US dollars of one run; zero: none is set
	Price    Price         // of an agent that does not say itself what it costs; nil: it does, or nobody knows
	// Subagents lets the agent split the work among agents of its own, within the same run and its limits. Without it they are switched off.
	Subagents bool
	// Env is the environment from which keys, PATH and what tools need are taken, as KEY=VALUE; nil: this process's. Pass names further
	// variables of it that the agent may see.
	Env   []string
	Pass  []string
	Guard Guard // watches its calls; nil: nobody does
	// Templates are the person's own prompts, from their configuration folder, never from a repository; nil: none.
	Templates fs.FS

	// Redactor finds what its model must not see, nor what is kept of conversations hold; nil: one that knows the secrets of Env.
	Redactor *secret.Redactor
	// Root is the repository's own folder, which it is not told, as well as the copy's; empty: only that.
	Root string
	// Conversations is a private folder for what is needed to go on with a conversation when a task names one; empty: each run begins a new one.
	Conversations string
}

// Guard watches the calls of an agent, by hooks in the home that it is given.
type Guard interface {
	// Lay puts the hooks into a home.
	Lay(home string) error
	// Refused are the calls that were refused in a home, in order.
	Refused(home string) ([]Refusal, error)
}

// Refusal is a call that an agent was refused.
type Refusal struct {
	Tool string
	Why  string // empty: it is not known
}

type fixer struct {
	kind   Kind
	o      Options
	driver driver
}

// New is the fixer that lets one agent work. A kind that there is not, or options that cannot be, are told when it is asked to propose.
func New(kind Kind, o Options) fix.Fixer {
	if o.MaxTurns <= 0 {
		o.MaxTurns = DefaultTurns
	}
	if o.Time <= 0 {
		o.Time = DefaultTime
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.Redactor == nil {
		o.Redactor = secret.New(o.Env)
	}
	return &fixer{kind: kind, o: o, driver: drivers[kind]}
}

func (f *fixer) Name() string { return string(f.kind) }

func (*fixer) Rung() fix.Rung { return fix.RungAgent }

// Whole is true of one that may have agents of its own: it is called once, and splits the work itself.
func (f *fixer) Whole() bool { return f.o.Subagents }

// Takes is true of every finding: an agent reads anything.
func (*fixer) Takes(check.Check, diag.Diagnostic) bool { return true }

// Propose lets the agent work once. What has changed then is its one candidate; a run that was cut short, or that failed, has none.
func (f *fixer) Propose(ctx context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		c, err := f.work(ctx, t)
		if err != nil {
			yield(fix.Candidate{}, fmt.Errorf("%s: %w", f.kind.Title(), err))
			return
		}
		if len(c.Patch) > 0 {
			yield(c, nil)
		}
	}
}
