package hook_test

import (
	"strings"
	"testing"
)

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
