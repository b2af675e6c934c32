package hook

import (
	"encoding/json"
	"path"
	"path/filepath"
	"strings"
)

// Outcome is how a call ended that checked, confirmed, committed or healed something. It is no decision, and kept for telemetry alone.
type Outcome struct {
	What   string `json:"what"` // check: the project's own tests or build; confirm: fettle's judgement of a change; commit; fix: fettle's healing
	Tool   string `json:"tool"`
	Passed bool   `json:"passed"`
}

// The kinds of outcomes.
const (
	Check   = "check"
	Confirm = "confirm"
	Commit  = "commit"
	Fix     = "fix"
)

// outcomes are the commands whose end is told, besides those that run the project's own code. Of fettle's there are no others: its looking runs nothing.
var outcomes = []struct{ program, sub, what string }{
	{"git", "commit", Commit},
	{"fettle", "run", Check},
	{"fettle", "audit", Confirm},
	{"fettle", "confirm", Confirm},
	{"fettle", "fix", Fix},
	{"fettle", "resume", Fix},
}

// served are fettle's own tools that do the same, as a server's, and what they answer if it went well: a field, and its value.
var served = []struct{ tool, what, field, well string }{
	{"mcp__fettle__check", Check, "status", "PASS"},
	{"mcp__fettle__confirm", Confirm, "verdict", "CONFIRMED"},
	{"mcp__fettle__audit", Confirm, "decision", "approve"},
	{"mcp__fettle__commit", Commit, "status", "COMMITTED"},
	{"mcp__fettle__fix", Fix, "success", "true"},
}

// outcome keeps how a call ended, if telemetry is to hear of it. What cannot be kept is lost: telemetry is no reason to refuse.
func (h *Hook) outcome(s *session, o *occasion, passed bool) {
	if !h.reports(s, o) {
		return
	}
	what := o.outcome()
	for _, own := range served {
		if own.tool != o.Tool {
			continue
		}
		said, ok := o.answered(own.field)
		if passed = passed && said == own.well; ok || o.Name == "PostToolUseFailure" {
			what = own.what
		}
	}
	if what == "" {
		return
	}
	entry := h.entry(&o.Event)
	entry.Tool, entry.Report, entry.Outcome = "", true, &Outcome{What: what, Tool: o.Tool, Passed: passed}
	_ = h.keep(filepath.Dir(s.dir), entry) // see above
}

// outcome is what the event's call did that telemetry hears of; empty: nothing.
func (o *occasion) outcome() string {
	command := o.command()
	if command == "" {
		return ""
	}
	words := wordsOf(command)
	for _, known := range outcomes {
		if calls(words, known.program, known.sub) {
			return known.what
		}
	}
	if f, ok := o.ran(); ok && !strings.HasPrefix(f.By, "fettle ") {
		return Check
	}
	return ""
}

// answered is what a field of a server's answer holds, where that is data: clients hand it on by itself, as a text, or beside the text that it also has.
func (o *occasion) answered(field string) (string, bool) {
	var whole struct {
		Data json.RawMessage `json:"structuredContent"`
	}
	_ = json.Unmarshal(o.Response, &whole) // it may be of another form
	for _, data := range [][]byte{whole.Data, o.Response, []byte(printed(o.Response))} {
		var fields map[string]json.RawMessage
		if json.Unmarshal(data, &fields) == nil && fields[field] != nil {
			return strings.Trim(string(fields[field]), `"`), true
		}
	}
	return "", false
}

// wordsOf are the words of a command, roughly: what comes of them is no more than a label.
func wordsOf(command string) []string {
	return strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()", r) })
}

// calls reports a program that is called with a subcommand. Options may stand between the two.
func calls(words []string, program, sub string) bool {
	for i, w := range words {
		if path.Base(w) != program {
			continue
		}
		for rest := words[i+1:]; len(rest) > 0; rest = rest[1:] {
			if (rest[0] == "-C" || rest[0] == "-c") && len(rest) > 1 {
				rest = rest[1:] // git's, with a value
				continue
			}
			if !strings.HasPrefix(rest[0], "-") {
				if rest[0] == sub {
					return true
				}
				break
			}
		}
	}
	return false
}
