// Package hook answers "what does the agent's client hear?". It reads one event of a coding agent's client (Claude Code, Codex, Gemini CLI) from a
// hook's standard input, remembers what it needs of the session, and writes the client's answer.
//
//	event → policy → what the session says → a second opinion, where there is a validator → answer, state, log
//
// The policy always decides first, for every tool and in every mode; what the session knows (a person who said "do not edit", plan
// mode, a check that failed and was never looked at, one thing tried again and again in other words) makes its decision stricter. Where nothing is taken from
// anybody it makes it milder: an agent may delete what it has made itself, and undo what it alone has done. What the policy denies is never put to a validator.
//
// It fails closed: an event that cannot be read, state that cannot be kept, a policy of the person's own that cannot be used, a crash, or more
// time than its budget is a refusal, with exit code 2 where there is no other answer, which the clients take as one whatever their mode. Only a tool call
// can be refused: of another event the person is told (exit code 1), for a refusal to end a turn drives the agent on, and one of a message swallows it. It
// imports neither the network nor a database, compiles no pattern at its start, and reads of a transcript only its end, once after each message.
package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"fettle/internal/guard"
	"fettle/internal/policy/secret"
	"fettle/internal/policy/shell"
)

// Event is what a client tells its hooks, one JSON object. Fields that a client does not send are empty; others are not looked at.
type Event struct {
	Session string
	Name    string
	Mode    string // default, acceptEdits, plan, dontAsk, bypassPermissions
	Agent   string // of a subagent; empty in the main conversation
	guard.Call
	UseID      string
	Response   json.RawMessage // of PostToolUse
	Error      string          // of PostToolUseFailure
	Prompt     string
	Transcript string
	Turn       string // of Codex's turns alone
	StopActive bool
	Last       string
	Server     json.RawMessage // of Gemini CLI's calls of a server's tool: which that is

	gemini bool // it is Gemini CLI's, in the words of Claude Code
}

func (e *Event) parts() []part {
	return []part{{name: "session_id", at: &e.Session}, {name: "hook_event_name", at: &e.Name}, {name: "permission_mode", at: &e.Mode}, {name: "agent_id", at: &e.Agent},
		{name: "tool_name", at: &e.Tool}, {name: "tool_input", at: &e.Input}, {name: "cwd", at: &e.Cwd}, {name: "tool_use_id", at: &e.UseID}, {name: "tool_response", at: &e.Response},
		{name: "error", at: &e.Error}, {name: "prompt", at: &e.Prompt}, {name: "transcript_path", at: &e.Transcript}, {name: "turn_id", at: &e.Turn}, {name: "stop_hook_active", at: &e.StopActive},
		{name: "last_assistant_message", at: &e.Last}, {name: "prompt_response", at: &e.Last}, {name: "mcp_context", at: &e.Server}}
}

// Hook is what stays the same from one event to the next. Its zero value judges by fettle's own rules and what people have added to them, and
// remembers below the user's state folder.
type Hook struct {
	Policy   *shell.Policy       // instead of fettle's own rules and what people have added
	Dir      string              // where state and log are kept
	Getenv   func(string) string // the environment that the client gives
	Environ  []string            // the same, for the programs that the hook asks
	Resident bool                // the environment is not the client's: events come from other processes
	Now      func() time.Time
	Canary   func(client string) error // proves, when a client's session begins, that the hook refuses what it must; nil: not asked
	Grace    func(time.Duration)       // is told how much longer an answer may take, since another program is waited for; nil: nobody watches
	Clients  []string                  // folders of agents' clients that variables had moved when the guard was installed
	Moved    string                    // why the environment is not to be gone by; see [Moved]
	Named    func(*Event)              // is told which event it is, once that is known; nil: nobody asks
	Later    func(job []byte) error    // starts what calls [Hook.Answered] with the job, and does not wait for it; nil: all that is asked is waited for

	secrets sync.Once
	redacts *secret.Redactor
}

// maxEvent is how much of an event is read. The longest are those that carry a file's content.
const maxEvent = 64 << 20

// ReadEvent reads an event whole.
func ReadEvent(in io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxEvent+1))
	if err == nil && len(data) > maxEvent {
		err = fmt.Errorf("the event is longer than %d MiB", maxEvent>>20)
	}
	return data, err
}

// exit codes, as the clients know them: any but the second lets the event through.
const (
	answered = 0
	noted    = 1
	refused  = 2
)

// Unjudged is the exit code for an event that could not be judged, by its name: a refusal, if it is a tool call or nobody knows what it is.
func Unjudged(event string) int {
	if event == "" || event == "PreToolUse" {
		return refused
	}
	return noted
}

// Run answers the event on in. It returns the exit code of the process: 0 with the answer on out, or another with the reason on errs.
func (h *Hook) Run(in io.Reader, out, errs io.Writer) (code int) {
	var e Event
	defer func() {
		if p := recover(); p != nil {
			code = h.Refuse(&e, fmt.Errorf("it crashed: %v", p), errs)
		}
	}()
	data, err := ReadEvent(in)
	if err != nil {
		return h.Refuse(&e, err, errs)
	}
	answer, err := h.answer(data, &e)
	if err == nil {
		_, err = out.Write(answer)
	}
	if err != nil {
		return h.Refuse(&e, err, errs)
	}
	return answered
}

// logFor is how long a refusal waits for the log. The client must hear of it whatever becomes of that.
const logFor = 200 * time.Millisecond

// Refuse says that an event could not be judged, as far as it is known, and keeps in the log what is a refusal. It returns the exit code of the process.
func (h *Hook) Refuse(e *Event, why error, errs io.Writer) int {
	said := h.redactor().RedactString(Refusal(why))
	fmt.Fprintln(errs, said)
	code := Unjudged(e.Name)
	if code != refused {
		return code
	}
	kept := make(chan bool, 2)
	go func() {
		defer func() { kept <- recover() == nil }() // what has crashed may do so again
		h.unjudged(e, said)
	}()
	time.AfterFunc(logFor, func() { kept <- false })
	<-kept
	return code
}

// Refusal is what a client hears when there is no judgement.
func Refusal(err error) string {
	return fmt.Sprintf("fettle guard refuses what it cannot judge: %v. `fettle guard status` says more.", err)
}

// redactor takes secrets out of what leaves the hook: its answers, its log, and what a validator is told.
func (h *Hook) redactor() *secret.Redactor {
	h.secrets.Do(func() { h.redacts = secret.New(h.Environ) })
	return h.redacts
}

// Answer is the answer to one event; empty if there is nothing to say.
func (h *Hook) Answer(data []byte) ([]byte, error) {
	var e Event
	answer, err := h.answer(data, &e)
	if err != nil && Unjudged(e.Name) == refused {
		h.unjudged(&e, Refusal(err))
	}
	return answer, err
}

// hear reads an event whole or not at all.
func (h *Hook) hear(data []byte, e *Event) error {
	var whole Event
	if err := read(data, whole.parts()); err != nil {
		return fmt.Errorf("the event cannot be read: %w", err)
	}
	if whole.Name == "" {
		return errors.New("the event has no hook_event_name")
	}
	whole.translate(h.env)
	*e = whole
	if h.Named != nil {
		h.Named(e)
	}
	if e.Session == "" {
		return fmt.Errorf("the event %s names no session", e.Name)
	}
	return nil
}

// answer reads an event, and answers it.
func (h *Hook) answer(data []byte, e *Event) ([]byte, error) {
	start := h.now()
	if err := h.hear(data, e); err != nil {
		return nil, err
	}
	s, o, err := h.meet(*e, start)
	defer func() {
		if s != nil {
			s.close()
		}
	}()
	if err != nil {
		return nil, err
	}
	var a answer
	switch e.Name {
	case "SessionStart":
		a = h.begin(s, o)
	case "UserPromptSubmit":
		s.prompted(o)
	case "PreToolUse":
		a = h.before(s, o)
	case "PostToolUse":
		passed := h.ended(s, o)
		a.block = s.restyledBy(o)
		h.outcome(s, o, passed)
	case "PostToolUseFailure":
		s.failed(o, o.Error)
		s.taken(o.UseID)
		h.outcome(s, o, false)
	case "Stop", "SubagentStop":
		a = h.stop(s, o)
	default:
		return nil, nil
	}
	if a.block != "" {
		s.lost = errors.Join(s.lost, h.note(filepath.Dir(s.dir), e, shell.Deny, sentOn(e.Name), a.block))
	}
	if err := s.save(); err != nil {
		return nil, err
	}
	if a.asks != nil {
		s.close() // other events of the session need not wait for a validator
		if s, a, err = h.asked(o, a.asks); err != nil {
			return nil, err
		}
	}
	if e.Name == "SessionStart" {
		s.close() // nor for the canary
		if err := h.prove(o, filepath.Dir(s.dir), &a); err != nil {
			return nil, err
		}
	}
	if strings.Contains(e.Name, "ToolUse") {
		s.close() // what is started now is no part of the session
		h.report(s, o)
	}
	text, err := a.encode(e)
	if len(text) == 0 {
		return nil, err
	}
	return h.redactor().RedactJSON(text), err
}

// occasion is an event, and all that is known of where it happens.
type occasion struct {
	Event
	start   time.Time
	at      shell.Place
	trail   *trail
	settled *Settled
	policy  *shell.Policy
}

// meet opens the session of an event, and finds what counts where it happens. While fettle has to be asked for that, the session's other events need not wait.
func (h *Hook) meet(e Event, start time.Time) (*session, *occasion, error) {
	for settled, root := (*Settled)(nil), ""; ; {
		s, err := h.open(e.Session)
		if err != nil {
			return nil, nil, err
		}
		o, err := h.occasion(s, e, start, settled, root)
		if err != nil || o.settled != nil {
			return s, o, err
		}
		s.close()
		root = o.at.Root
		if settled, err = h.compiled(filepath.Dir(s.dir), o.at); err != nil {
			return nil, nil, err
		}
	}
}

// occasion is an event where it happens. What was settled for a project may be known already; if fettle has to be asked for it, it is nil.
func (h *Hook) occasion(s *session, e Event, start time.Time, settled *Settled, root string) (*occasion, error) {
	o := &occasion{Event: e, start: start}
	h.acquaint(s, e)
	o.at, o.trail = h.place(s, e)
	o.policy, o.settled = h.Policy, &Settled{}
	if h.Policy != nil {
		return o, nil
	}
	var err error
	switch {
	case h.Moved != "":
		o.settled = &Settled{Wrong: h.Moved + "; if that is right, run `fettle guard install` there"}
	case settled != nil && root == o.at.Root:
		o.settled = settled
	default:
		o.settled, err = h.settle(filepath.Dir(s.dir), o.at)
	}
	if err != nil || o.settled == nil {
		return o, err
	}
	o.policy, err = o.settled.policy()
	clients := slices.DeleteFunc(slices.Concat(clientFolders(h.env), h.Clients), o.trail.around)
	o.at.Guarded = o.trail.guard(slices.Concat(Sources(h.env, o.at.Home, o.at.Root)[:1], []string{filepath.Dir(s.dir)}, clients), o.settled)
	return o, err
}

// judge is what the policy makes of the event's call.
func (o *occasion) judge() shell.Verdict {
	call := o.Call
	call.Cwd = o.at.Cwd
	return guard.Judge(o.policy, call, o.at)
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
