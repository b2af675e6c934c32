// Package validate settles how the guard's hook asks for a second opinion: the protocol between the hook, which judges by rules alone in
// milliseconds, and a validator, a program of the person's choice that may take seconds and ask a model.
//
//	hook → Request on the validator's standard input → Reply on its standard output, before the deadline, exit code 0
//
// One request and one reply, each a JSON object; the validator's process ends with it. A reply answers each stage that was asked about, once, with
// one of two words. Anything else (another word, a stage missing or answered twice, another request's id, text around it, any other exit code,
// silence until the deadline) is no reply: the hook then refuses, or asks the person.
//
// A validator can only make the hook stricter, with one exception: where nobody can be asked, it may grant what the policy would have asked a person
// about. What the policy denies is never put to it.
package validate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"fettle/internal/guard/child"
	"fettle/internal/policy/shell"
)

// Version is that of the protocol.
const Version = 1

// Stage is one question to a validator.
type Stage string

// The stages.
const (
	Approve    Stage = "tool-approve"       // may this happen, though the rules would ask a person? Refused, it is appealed by the validator itself
	Respond    Stage = "response-align"     // is the first call after a message an answer to that message?
	Error      Stage = "error-acknowledge"  // has the agent taken notice of what failed?
	Plan       Stage = "plan-validate"      // does the call keep to the plan, or the plan to what was asked for?
	ClaudeMD   Stage = "claude-md-validate" // does a change of the agents' instructions keep to what the person wants?
	StyleDrift Stage = "style-drift"        // does an edit change style alone?
	Intent     Stage = "intent-validate"    // is this still what the person asked for?
)

// Stages are all there are.
var Stages = []Stage{Approve, Respond, Error, Plan, ClaudeMD, StyleDrift, Intent}

// Validator is a program that gives second opinions.
type Validator struct {
	Command  []string      `json:"command"`          // its path, and what it is started with
	Deadline time.Duration `json:"deadline"`         // nanoseconds for one request
	Strict   bool          `json:"strict,omitempty"` // every call waits for it, not only where there is a reason to
	Stages   []Stage       `json:"stages,omitempty"` // what it is asked about; empty: everything
}

// The bounds of a deadline. The client's patience with the hook, a minute, is longer.
const (
	DefaultDeadline = 20 * time.Second
	MaxDeadline     = 45 * time.Second
)

// Valid reports the first thing in a validator that cannot be used.
func (v *Validator) Valid() error {
	if len(v.Command) == 0 || v.Command[0] == "" {
		return errors.New("a validator has a command: its program, and what it is started with")
	}
	if v.Deadline <= 0 || v.Deadline > MaxDeadline {
		return fmt.Errorf("a validator's deadline is more than nothing, and at most %v", MaxDeadline)
	}
	for _, s := range v.Stages {
		if !slices.Contains(Stages, s) {
			return fmt.Errorf("there is no stage %q", s)
		}
	}
	return nil
}

// Asked are those of some stages that this validator is asked about.
func (v *Validator) Asked(stages []Stage) []Stage {
	if len(v.Stages) == 0 {
		return stages
	}
	return slices.DeleteFunc(slices.Clone(stages), func(s Stage) bool { return !slices.Contains(v.Stages, s) })
}

// Request is what a validator is asked. What in it comes from the repository, from tools or from the agent is data: only Words and First are the person's.
type Request struct {
	Version    int             `json:"version"`
	ID         string          `json:"id"`
	Stages     []Stage         `json:"stages"`
	Why        []string        `json:"why,omitempty"` // the reasons for asking now and not later
	Deadline   time.Time       `json:"deadline"`
	Session    string          `json:"session"`
	Agent      string          `json:"agent,omitempty"` // a subagent
	Mode       string          `json:"mode,omitempty"`  // the client's permission mode
	Root       string          `json:"root"`
	Cwd        string          `json:"cwd"`
	Tool       string          `json:"tool"`
	Input      json.RawMessage `json:"input"`                // secrets in it are replaced by marks
	Verdict    shell.Verdict   `json:"verdict"`              // what the rules say, and the facts that they say it of
	First      string          `json:"first,omitempty"`      // what the person said first in the session, where that is not among Words
	Words      []string        `json:"words"`                // what the person said last, the newest at the end
	Failed     string          `json:"failed,omitempty"`     // the check that failed and has not passed since
	Errored    string          `json:"errored,omitempty"`    // the call that failed just before, where no check has
	Plan       []string        `json:"plan,omitempty"`       // the files that the plan names which the person has approved
	Planned    string          `json:"planned,omitempty"`    // how that plan begins
	Transcript string          `json:"transcript,omitempty"` // where the client keeps what was said
}

// Reply is what a validator answers.
type Reply struct {
	Version  int       `json:"version"`
	ID       string    `json:"id"`
	Verdicts []Opinion `json:"verdicts"`
}

// Opinion is the answer about one stage.
type Opinion struct {
	Stage    Stage   `json:"stage"`
	Decision Word    `json:"decision"`
	Reason   string  `json:"reason,omitempty"` // why not
	Appeal   Word    `json:"appeal,omitempty"` // what a second look said of a first no; empty: there was none
	Asked    []Asked `json:"asked,omitempty"`  // the models that were asked, the one of the second look behind the first; for telemetry alone
}

// Asked is a model that was asked for an opinion.
type Asked struct {
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model"`
	Tier     string `json:"tier,omitempty"`
	Millis   int64  `json:"ms"` // how long it took, with all tries
}

// Word is one of those that a validator knows.
type Word string

// The words for a decision.
const (
	OK   Word = "ok"
	Fail Word = "fail"
)

// The words for an appeal. The decision follows from them.
const (
	Overturn Word = "overturn" // the first no was a mistake
	Uphold   Word = "uphold"   // it stands
)

// appeals are what an appeal makes of a decision.
var appeals = map[Word]Word{Overturn: OK, Uphold: Fail}

// maxAsked is how many models one opinion may come from: who says no, and who looks again.
const maxAsked = 2

// maxReason is how much of a reason is passed on, in bytes.
const maxReason = 1000

// Ask puts a request to a validator, and waits for the reply until the request's deadline. It is started outside of the project: what lies there
// must not become part of it, as a module beside a script would.
func (v *Validator) Ask(r Request, env []string) (Reply, error) {
	in, err := json.Marshal(r)
	if err != nil {
		return Reply{}, err
	}
	said, err := child.Ask(v.Command, env, "/", append(in, '\n'), r.Deadline)
	if err == nil {
		err = said.Failed()
	}
	if err != nil {
		return Reply{}, err
	}
	return Read(said.Out, r)
}

// Read reads the reply to a request. It is right in every point, or an error.
func Read(data []byte, r Request) (Reply, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	var reply Reply
	if err := d.Decode(&reply); err != nil {
		return Reply{}, fmt.Errorf("its reply cannot be read: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Reply{}, errors.New("its reply cannot be read: more stands behind it")
	}
	if reply.Version != Version || reply.ID != r.ID {
		return Reply{}, fmt.Errorf("its reply is of version %d to request %.40q, want version %d to %q", reply.Version, reply.ID, Version, r.ID)
	}
	if len(reply.Verdicts) != len(r.Stages) {
		return Reply{}, fmt.Errorf("it answers %d of %d questions", len(reply.Verdicts), len(r.Stages))
	}
	for _, s := range r.Stages {
		i := slices.IndexFunc(reply.Verdicts, func(o Opinion) bool { return o.Stage == s })
		if i < 0 {
			return Reply{}, fmt.Errorf("it does not answer about %s", s)
		}
		o := &reply.Verdicts[i]
		if o.Decision != OK && o.Decision != Fail {
			return Reply{}, fmt.Errorf("it answers about %s with %.40q, which is neither ok nor fail", s, o.Decision)
		}
		if made, ok := appeals[o.Appeal]; o.Appeal != "" && (!ok || made != o.Decision) {
			return Reply{}, fmt.Errorf("its answer about %s is %s, and its appeal says %.40q", s, o.Decision, o.Appeal)
		}
		if len(o.Asked) > maxAsked {
			return Reply{}, fmt.Errorf("it names %d models that it has asked about %s, and %d is the most", len(o.Asked), s, maxAsked)
		}
		if len(o.Reason) > maxReason {
			o.Reason = strings.ToValidUTF8(o.Reason[:maxReason], "") + "…"
		}
	}
	return reply, nil
}

// Failure is the first stage that failed, and why. Else it is empty.
func (r Reply) Failure() (Stage, string) {
	for _, o := range r.Verdicts {
		if o.Decision == Fail {
			if o.Reason == "" {
				o.Reason = "no reason was given"
			}
			return o.Stage, o.Reason
		}
	}
	return "", ""
}
