// Package hook answers "what does the agent's client hear?". It reads one event of a coding agent's client (Claude Code, Codex) from a
// hook's standard input, remembers what it needs of the session, and writes the client's answer.
//
//	event → policy → what the session says → answer, state, log
//
// The policy always decides first, for every tool and in every mode; what the session knows (a person who said "do not edit", plan
// mode, a check that failed and was never looked at, one thing tried again and again in other words) makes its decision stricter. In one thing it
// makes it milder: an agent may delete a file that it has made itself.
//
// It fails closed: an event that cannot be read, state that cannot be kept, a crash, or more time than its budget is a refusal
// with exit code 2, which the clients take as one whatever their mode. It imports neither the network nor a database, compiles no
// pattern at its start, and reads a transcript never: what it needs comes with the events.
package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"fettle/internal/guard"
	"fettle/internal/policy/shell"
)

// Event is what a client tells its hooks, one JSON object. Fields that a client does not send are empty; others are not looked at.
type Event struct {
	Session string `json:"session_id"`
	Name    string `json:"hook_event_name"`
	Mode    string `json:"permission_mode"` // default, acceptEdits, plan, dontAsk, bypassPermissions
	Agent   string `json:"agent_id"`        // of a subagent; empty in the main conversation
	guard.Call
	UseID      string `json:"tool_use_id"`
	Error      string `json:"error"` // of PostToolUseFailure
	Prompt     string `json:"prompt"`
	StopActive bool   `json:"stop_hook_active"`
	Last       string `json:"last_assistant_message"`
}

// Hook is what stays the same from one event to the next. Its zero value judges by fettle's own rules and remembers below
// the user's state folder.
type Hook struct {
	Policy *shell.Policy
	Dir    string              // where state and log are kept
	Getenv func(string) string // the environment that the client gives
	Now    func() time.Time
	Canary func() error // proves, when a session begins, that the hook refuses what it must; nil: not asked
}

// maxEvent is how much of an event is read. The longest are those that carry a file's content.
const maxEvent = 64 << 20

// exit codes, as the clients know them: any other lets the call through.
const (
	answered = 0
	refused  = 2
)

// Run answers the event on in. It returns the exit code of the process: 0 with the answer on out, or 2 with the reason on errs.
func (h *Hook) Run(in io.Reader, out, errs io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			code = refuse(errs, fmt.Errorf("it crashed: %v", p))
		}
	}()
	data, err := io.ReadAll(io.LimitReader(in, maxEvent+1))
	if err == nil && len(data) > maxEvent {
		err = fmt.Errorf("the event is longer than %d MB", maxEvent>>20)
	}
	if err != nil {
		return refuse(errs, err)
	}
	answer, err := h.Answer(data)
	if err != nil {
		return refuse(errs, err)
	}
	if _, err := out.Write(answer); err != nil {
		return refuse(errs, err)
	}
	return answered
}

// refuse says why the guard could not judge.
func refuse(errs io.Writer, err error) int {
	fmt.Fprintf(errs, "fettle guard refuses what it cannot judge: %v. `fettle guard status` says more.\n", err)
	return refused
}

// Answer is the answer to one event; empty if there is nothing to say.
func (h *Hook) Answer(data []byte) ([]byte, error) {
	start := h.now()
	var e Event
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, fmt.Errorf("the event cannot be read: %w", err)
	}
	if e.Name == "" {
		return nil, errors.New("the event has no hook_event_name")
	}
	if e.Session == "" {
		return nil, fmt.Errorf("the event %s names no session", e.Name)
	}
	s, err := h.open(e.Session)
	if err != nil {
		return nil, err
	}
	defer s.close()
	at, trail := h.place(s, e)
	var a answer
	switch e.Name {
	case "SessionStart":
		a = h.begin(s)
	case "UserPromptSubmit":
		s.prompted(e)
	case "PreToolUse":
		a = h.before(s, e, at, trail, start)
	case "PostToolUse":
		s.succeeded(e, h.ran(e, at))
	case "PostToolUseFailure":
		s.failed(e, h.ran(e, at))
	case "Stop", "SubagentStop":
		a = s.stop(e)
	default:
		return nil, nil
	}
	if err := s.save(); err != nil {
		return nil, err
	}
	return a.encode(e.Name)
}

func (h *Hook) now() time.Time {
	if h.Now != nil {
		return h.Now()
	}
	return time.Now()
}

func (h *Hook) env(name string) string {
	if h.Getenv == nil {
		return ""
	}
	return h.Getenv(name)
}
