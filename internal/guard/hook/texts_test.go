package hook_test

import (
	"encoding/json"
	"strings"
	"testing"

	"fettle/internal/quote/quotetest"
)

// TestTextsStay: whatever a text says, or pretends to be, it comes through the guard as it is: to a validator, into the log, and to the client.
func TestTextsStay(t *testing.T) {
	y := newYard(t)
	v := y.asks("")
	for i, x := range quotetest.Texts(t) {
		y.says(x.Text)
		y.event("PreToolUse", map[string]any{"agent_id": "sub", "tool_name": "Write", "tool_input": map[string]any{"file_path": y.project + "/a.txt", "content": x.Text, "note": x.Text}}) // it does not wait
		var job struct {
			Request struct {
				Words []string
				Input struct{ Content string }
			}
		}
		if len(v.jobs) != i+1 {
			t.Fatalf("%d questions, want %d", len(v.jobs), i+1)
		}
		if err := json.Unmarshal(v.jobs[i], &job); err != nil {
			t.Fatal(err)
		}
		if r := job.Request; r.Input.Content != x.Text || r.Words[len(r.Words)-1] != x.Text {
			t.Errorf("the validator is told %q and %q of %q", r.Words, r.Input.Content, x.Text)
		}
		var in struct{ Note string }
		if all := y.log(); len(all) == 0 || json.Unmarshal(all[len(all)-1].Input, &in) != nil || in.Note != x.Text {
			t.Errorf("the log has %q of %q", in.Note, x.Text)
		}
		// What a check has printed comes back line by line.
		line, _, _ := strings.Cut(strings.TrimSpace(x.Text), "\n")
		line = "--- FAIL: " + strings.TrimSpace(line)
		y.event("PostToolUseFailure", bashed("go test ./...", map[string]any{"error": "Exit code 1\n" + line}))
		if a := y.event("Stop", map[string]any{"last_assistant_message": "All tests pass."}); len(line) < 200 && !strings.ContainsAny(line, "\x1b\r") && !strings.Contains(a.Reason, "("+line+")") {
			t.Errorf("the client hears %q of %q", a.Reason, line)
		}
	}
}
