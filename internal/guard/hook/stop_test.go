package hook_test

import (
	"os"
	"path/filepath"
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
		{"mend it", "ok", true},
		{"mend it", "Okay!", true},
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

// TestNothingDone are last messages of turns in which nothing was called: an order is not done by a word.
func TestNothingDone(t *testing.T) {
	for _, c := range []struct {
		says, last string
		blocks     bool
	}{
		{"fix the bug in src/a.go", "Hm", true},
		{"fix the bug in src/a.go", "Sure.", true},
		{"do it", "ok", true},
		{"do you see", "Sure.", false},
		{"The parser crashes. Please mend it!", "ok", true},
		{"ok, go ahead and rename it", "On it", true},
		{"Explain the parser.", "Hm", true},
		{"fix the bug in src/a.go", "That was fixed already.", false},
		{"fix the bug in src/a.go", "There is no bug in src/a.go that I can see.", false},
		{"fix the bug in src/a.go", "Which one?", true},
		{"thanks!", "You're welcome!", false},
		{"hello", "Hi!", false},
		{"that's all for today", "See you.", false},
		{"looks good", "Great.", false},
		{"Don't edit anything yet.", "Sure.", false},
		{"stop", "OK.", false},
	} {
		y := newYard(t)
		y.says(c.says)
		if a := y.event("Stop", map[string]any{"last_assistant_message": c.last}); (a.Decision == "block") != c.blocks {
			t.Errorf("%q, %q: %+v", c.says, c.last, a)
		}
	}
}

// TestPlainQuestions are ends of messages: is the agent sent on where it has only looked, and where it has changed something?
func TestPlainQuestions(t *testing.T) {
	for _, c := range []struct {
		last           string
		looked, mended bool
	}{
		{"Which file do you mean?", true, true},
		{"There are two of them. Which file do you mean, a.py or b.py?", true, true},
		{"What is the name of the config file?", true, true},
		{"What should stand in config.yaml?", true, true},
		{"Before I go on: where do the keys lie?", true, true},
		{"Could you provide the API key?", true, true},
		{"I need the key. Please provide it, or tell me where it lies.", true, true},
		{"Please tell me which of them you mean.", true, true},
		{"Please tell me the port.", true, true}, // as short as words that say nothing
		{"Please choose.", true, true},
		{"So, who owns this table?", true, true},
		{"In which folder should the tests lie?", true, true},
		{"How would you like to proceed?", true, true},
		{"Do you have a preference?", true, true},
		{"Which of these do you prefer?\n\n1. a map\n2. a list", true, true},
		{"**Would you rather have it here, or there?**\n- here\n- there", true, false},
		{"Let me know if you would like me to proceed.", true, false},
		{"Let me know if I can go ahead.", true, false},
		{"Let me know which of the two you prefer.", true, false},
		{"There are two ways. What do you think?", true, false},
		{"Are you sure about this?", true, false},
		{"Ready to proceed?", true, false},
		{"Is that the right file?", true, false},
		{"Any preference?", true, false},
		{"Please confirm that the old table may go.", true, false},
		{"I can write it down as well. Would you like me to do that?", true, false},
		{"How does that look?", true, false},

		{"That is how it works. Does that help?", false, false},
		{"Does that answer your question?", false, false},
		{"It is in lex.go. Does this make sense?", false, false},
		{"The tests pass. Any questions?", false, false},
		{"The tests pass. Is there anything else?", false, false},
		{"The tests pass. Anything else?", false, false},
		{"That is how it works. Would you like me to go deeper into the lexer?", false, false},
		{"The tests pass. Would you like me to mend the lexer, too?", false, false},
		{"The tests pass. What would you like to do next?", false, false},
		{"Hello! How can I help you today?", false, false},
		{"Hello! What would you like to work on?", false, false},
		{"It was a comma. Who knew?", false, false},
		{"It was a comma. Nice, right?", false, false},
		{"Let me know if you have questions.", false, false},
		{"Let me know if anything is unclear.", false, false},
		{"Please let me know if it works for you.", false, false},
		{"The fault is in lex.go. Let me know what you think.", false, false},
		{"The fault is in lex.go. Let me know how it goes.", false, false},
		{"Please review the change in lex.go.", false, false},
		{"Why was it slow? The index was read for each row, and now it is read once.", false, false},
		{"## What changed?\n- the lexer reads one token less\n- the parser is as it was", false, false},
		{"Which files did it touch? Those in internal/lex alone.", false, false},
		{"The pattern is now `colou?r`, which was `colour?`", false, false},
	} {
		for changed, want := range map[bool]bool{false: c.looked, true: c.mended} {
			y := newYard(t)
			y.says("mend it")
			y.bash("ls")
			if changed {
				y.edit("lex.go", "a = 1", "a = 2").want(t, "an edit", "", "")
			}
			a := y.event("Stop", map[string]any{"last_assistant_message": c.last})
			if want != strings.Contains(a.Reason, "AskUserQuestion") || want != (a.Decision == "block") {
				t.Errorf("%q, changed: %v: %+v, want it sent on: %v", c.last, changed, a, want)
			}
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
	for source, want := range map[string]string{"cli": "", "exec": "Nobody is here"} {
		file := filepath.Join(t.TempDir(), "rollout-1.jsonl")
		if err := os.WriteFile(file, []byte(`{"type":"session_meta","payload":{"cwd":"/w","originator":"codex","source":"`+source+`","base_instructions":{}}}`+"\n{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := y.event("Stop", map[string]any{"last_assistant_message": question, "transcript_path": file}).Reason; !strings.Contains(r, want) || (want == "") != (r == "") {
			t.Errorf("Codex, begun by %s: %q", source, r)
		}
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

// TestNamedOnce: a check is called by its name, once.
func TestNamedOnce(t *testing.T) {
	y := newYard(t)
	y.says("mend it")
	y.event("PostToolUse", bashed("npm test || true", map[string]any{"tool_response": map[string]any{"stdout": "Tests: 1 failed, 2 passed"}}))
	if r := y.event("Stop", map[string]any{"last_assistant_message": "All tests pass."}).Reason; !strings.HasPrefix(r, "npm test failed (") {
		t.Errorf("%q", r)
	}
}

// TestClaimedAgain: that a check passes which has failed and was not run again is held up once for each message, however often the agent was told.
func TestClaimedAgain(t *testing.T) {
	y := newYard(t)
	end := func(last string) string {
		return y.event("Stop", map[string]any{"last_assistant_message": last}).Reason
	}
	for _, message := range []string{"mend it", "thanks, and now rename it", "and once more"} {
		y.says(message)
		if message == "mend it" {
			y.event("PostToolUseFailure", bashed("go test ./...", map[string]any{"error": "Exit code 1\n--- FAIL: TestA"}))
		}
		y.bash("sed -i s/q/r/ a.go")
		if r := end("Renamed. All tests pass."); !strings.Contains(r, "go test ./... failed (--- FAIL: TestA)") {
			t.Errorf("%s: %q", message, r)
		}
		if a := y.event("Stop", map[string]any{"last_assistant_message": "Renamed. All tests pass.", "stop_hook_active": true}); a.Decision != "" {
			t.Errorf("%s: held up twice: %+v", message, a)
		}
	}
	y.says("go on")
	if r := end("Renamed q to r in a.go, as you wanted."); r != "" {
		t.Errorf("it claims nothing, and was told: %q", r)
	}
	y.event("PostToolUse", bashed("go test ./...", map[string]any{"tool_response": map[string]any{"stdout": "ok  \tx\t0.1s"}}))
	if r := end("Renamed. All tests pass."); r != "" {
		t.Errorf("they do: %q", r)
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
		{"Please tell me the port.", "Nobody can answer"},
		{"Which port?", "Nobody can answer"},
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
