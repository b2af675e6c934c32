package hook

import (
	"path/filepath"
	"strings"

	"fettle/internal/guard/transcript"
)

// The names of the clients.
const (
	Claude = "claude"
	Codex  = "codex"
	Gemini = "gemini"
)

// clientName is that of the client which has sent an event. Codex and Gemini CLI have Claude Code's variables, too, where that has started them.
func (h *Hook) clientName(e *Event) string {
	switch {
	case e.gemini:
		return Gemini
	case h.env("CLAUDECODE") == "" || e.ofCodex():
		return Codex
	}
	return Claude
}

// ofCodex reports an event that only Codex writes in this form: by the name of its transcript or, where it keeps none, because it counts turns.
func (e *Event) ofCodex() bool {
	if e.Transcript == "" {
		return e.Turn != ""
	}
	return strings.HasPrefix(filepath.Base(e.Transcript), "rollout-")
}

// client is what the environment that Claude Code gives its hooks says of it.
type client struct {
	Project string
	Alone   bool // nobody is there to be asked
	Private bool // no telemetry
}

func (c *client) parts() []part {
	return []part{{"project", &c.Project, c.Project != ""}, {"alone", &c.Alone, c.Alone}, {"private", &c.Private, c.Private}}
}

// client is the Claude Code that sent an event; nil is another program, or nobody knows. A resident guard goes by what the session's last turn
// began with: that event always comes to a process of its own.
func (h *Hook) client(s *session, e *Event) *client {
	switch {
	case h.Resident:
		return s.Client
	case h.clientName(e) != Claude:
		return nil
	}
	return &client{Project: h.env("CLAUDE_PROJECT_DIR"), Alone: h.unattended(), Private: Unreported(h.env) != ""}
}

// unattended reports that Claude Code runs without anybody there. Old releases (2.1.100) do not say so, but how they were started, with -p.
func (h *Hook) unattended() bool {
	attended := h.env("CLAUDE_CODE_SESSION_ATTENDED")
	return attended == "0" || attended == "" && h.env("CLAUDE_CODE_ENTRYPOINT") == "sdk-cli"
}

// acquaint remembers the client where a session or a turn begins.
func (h *Hook) acquaint(s *session, e Event) {
	if e.Name == "SessionStart" || e.Name == "UserPromptSubmit" {
		s.Client = h.client(s, &e)
	}
	s.refused = func(use string) bool {
		return use == "" || h.alone(s, &e) || e.Transcript == "" || transcript.Answered(e.Transcript, use)
	}
}

// codex reports an event of a client that is neither Claude Code nor Gemini CLI.
func (h *Hook) codex(s *session, e *Event) bool { return h.client(s, e) == nil && !e.gemini }

// alone reports that the client cannot ask a person: Claude Code says so of itself, and Codex's hooks know no question. Gemini CLI's does, and lets the call through where nobody is there.
func (h *Hook) alone(s *session, e *Event) bool {
	c := h.client(s, e)
	return c == nil || c.Alone || e.Mode == "dontAsk"
}
