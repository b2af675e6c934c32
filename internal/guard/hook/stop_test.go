package hook_test

import (
	"strings"
	"testing"
)

func TestStop(t *testing.T) {
	for _, c := range []struct {
		says, last string
		blocks     bool
	}{
		{"why does it fail?", "I'll look at it", true},
		{"why does it fail?", "Because the index is one too large: the loop runs to n instead of n-1.", false},
		{"mend it", "Hm", true},
		{"mend it", "Done.", false},
		{"mend it", "The parser read one token too many; it is mended, and the tests pass.", false},
		{"mend it", "There are two ways to do it. Should I change the parser or the lexer?", true},
		{"mend it", "It is mended. Should I also mend the lexer?", false},
		{"mend it", "It is mended, and the tests pass. What a day!", false},
		{"mend it", "I found the bug. Would you like me to fix it?", true},
		{"mend it", "Can I delete the old test file now?", true},
		{"mend it", "The fault is in lex.go. Let me know if I should mend it.", true},
		{"Why is it slow? Tell me.", "Let me check that.", true},
		{"mend it", "Shall I proceed?", true},
		{"mend it", "Can you tell me the port?", true},
		{"mend it", "What port should it use?", true},
		{"mend it", "Could you clarify what you mean?", true},
		{"mend it", "Is it ok to delete the folder?", true},
		{"mend it", "Refactored a.py.", false},
		{"mend it", "All good.", false},
		{"mend it", "Готово.", false},
		{"mend it", "Fertig.", false},
		{"which one should I take?", "It depends on how you use it. Which one do you prefer?", false},
	} {
		y := newYard(t)
		y.says(c.says)
		y.bash("ls")
		stop := map[string]any{"last_assistant_message": c.last}
		if a := y.event("Stop", stop); (a.Decision == "block") != c.blocks {
			t.Errorf("%q, %q: %+v", c.says, c.last, a)
		}
		stop["stop_hook_active"] = true
		if a := y.event("Stop", stop); a.Decision != "" {
			t.Errorf("held up twice: %+v", a)
		}
	}
}

// TestStopTells are the ends of turns that say something else by who is there to hear it.
func TestStopTells(t *testing.T) {
	y := newYard(t)
	y.says("mend it")
	y.bash("ls")
	end := func(last, mode string) string {
		return y.event("Stop", map[string]any{"last_assistant_message": last, "permission_mode": mode}).Reason
	}
	const question = "I have read the code. Which approach do you prefer, a map or a list?"
	if r := end(question, "default"); !strings.Contains(r, "AskUserQuestion") {
		t.Error(r)
	}
	if r := end("That is all there is to do. Does the plan look good?", "plan"); !strings.Contains(r, "ExitPlanMode") {
		t.Error(r)
	}
	y.env["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
	if r := end(question, "default"); !strings.Contains(r, "Nobody is here") {
		t.Error(r)
	}
	y.env["CLAUDECODE"] = ""
	if r := end(question, "default"); r != "" {
		t.Error("a client without that tool: " + r)
	}
	failing := func() {
		y.event("PostToolUseFailure", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "go test ./..."}, "error": "Exit code 1"})
	}
	failing()
	if r := end("I have rewritten the parser, and did not touch anything else. Everything is in place.", "default"); !strings.Contains(r, "go test ./... failed") {
		t.Error("a word that is about something else: " + r)
	}
	failing()
	if r := end("The tests do not pass yet: the lexer needs work.", "default"); r != "" {
		t.Error("it says so: " + r)
	}
	if r := end("I have rewritten the parser as you wanted.", "default"); !strings.Contains(r, "go test ./... failed") {
		t.Error(r)
	}
	if r := end("I have rewritten the parser as you wanted.", "default"); r != "" {
		t.Error("told twice: " + r)
	}
}

// TestSubagentStop: a subagent's last message is all that is heard of its errand.
func TestSubagentStop(t *testing.T) {
	y := newYard(t)
	y.says("why does it fail?") // a question is the person's to have answered by the one they asked
	y.bash("ls")
	end := func(agent, last string, more ...string) string {
		t.Helper()
		fields := map[string]any{"agent_id": agent, "last_assistant_message": last}
		for _, name := range more {
			fields[name] = true
		}
		a := y.event("SubagentStop", fields)
		if a.Code != 0 || (a.Decision == "block") != (a.Reason != "") {
			t.Errorf("%q: %+v", last, a)
		}
		return a.Reason
	}
	const report = "The parser reads one token too many in lex.go, and I have mended it there."
	for _, c := range []struct{ last, want string }{
		{report, ""},
		{"Let me look at the lexer first, since it is where the tokens come from.", ""},
		{"Hm", "does not say what became"},
		{"Done.", ""},
		{"", ""},
		{"There are two ways to do it. Should I change the parser or the lexer?", "Nobody can answer"},
		{"It is mended. Would you like me to mend the lexer, too?", ""},
		{"I have read both.\n\nWhich approach do you prefer?", "Nobody can answer"},
	} {
		if got := end("sub", c.last); !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%q: %q, want %q", c.last, got, c.want)
		}
		if got := end("sub", c.last, "stop_hook_active"); got != "" {
			t.Errorf("%q, sent on already: %q", c.last, got)
		}
	}
	y.event("PostToolUseFailure", map[string]any{"agent_id": "sub", "tool_name": "Bash", "tool_input": map[string]any{"command": "go test ./..."}, "error": "Exit code 1\n--- FAIL: TestA"})
	if got := end("other", report); got != "" {
		t.Errorf("another's failure: %q", got)
	}
	if got := end("sub", "The parser is mended. TestA fails, since the lexer is not."); got != "" {
		t.Errorf("a failure that is told: %q", got)
	}
	if got := end("sub", report); !strings.Contains(got, "go test ./... failed (--- FAIL: TestA)") {
		t.Errorf("a failure that is not told: %q", got)
	}
	if got := end("sub", report); got != "" {
		t.Errorf("a second time: %q", got)
	}
	if got := y.event("Stop", map[string]any{"last_assistant_message": report}).Reason; !strings.Contains(got, "has not passed since") {
		t.Errorf("the agent that has sent it: %q", got)
	}
}
