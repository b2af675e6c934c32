package hook_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// tries is a call of an unknown program, as the client puts it to the guard.
func (y *yard) tries(use, transcript string) answer {
	y.t.Helper()
	return y.event("PreToolUse", map[string]any{"tool_use_id": use, "transcript_path": transcript, "tool_name": "Bash", "tool_input": map[string]any{"command": "frobnicate --all " + use}})
}

// TestOneCallCountsOnce is a client that has the guard installed twice.
func TestOneCallCountsOnce(t *testing.T) {
	y := newYard(t)
	y.says("go on")
	read := func(use string) answer {
		return y.event("PreToolUse", map[string]any{"tool_use_id": use, "tool_name": "Bash", "tool_input": map[string]any{"command": "cat ~/.ssh/id_rsa"}})
	}
	for _, use := range []string{"a", "a", "b", "b", "a"} {
		if got := read(use); got.Specific.Decision != "deny" || contains(got, "CRITICAL") {
			t.Errorf("%s: %+v", use, got)
		}
	}
	read("c").want(t, "the third", "deny", "attempted 3")
	read("c").want(t, "the third once more", "deny", "attempted 3")
}

// TestOpenQuestions is calls that are asked about at the same time: none is an attempt until the person has said no.
func TestOpenQuestions(t *testing.T) {
	y := newYard(t)
	y.says("go on")
	file := filepath.Join(t.TempDir(), "t.jsonl")
	text := ""
	add := func(line string) {
		text += line + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	add(`{"type":"assistant","uuid":"1","message":{"content":[{"type":"tool_use","id":"use0"},{"type":"tool_use","id":"use1"},{"type":"tool_use","id":"use2"},{"type":"tool_use","id":"use3"}]}}`)
	for i := range 4 {
		y.tries("use"+strconv.Itoa(i), file).want(t, "at the same time", "ask", "")
	}
	add(`{"type":"user","uuid":"2","message":{"content":[{"type":"tool_result","tool_use_id":"use0","is_error":true},{"type":"tool_result","tool_use_id":"use1","is_error":true}]}}`)
	y.tries("use4", file).want(t, "after two were refused", "deny", "attempted 3")

	y.says("go on")
	y.tries("use5", file).want(t, "one", "ask", "")
	y.tries("use6", file).want(t, "two", "ask", "")
	y.event("PostToolUse", map[string]any{"tool_use_id": "use5", "tool_name": "Bash", "tool_input": map[string]any{"command": "frobnicate --all use5"}})
	for i := range 3 {
		y.tries("use"+strconv.Itoa(7+i), file).want(t, "after one was granted", "ask", "")
	}
	// A client without a transcript: the next call says that the last one was not granted.
	y.says("go on")
	y.tries("use10", "").want(t, "one", "ask", "")
	y.tries("use11", "").want(t, "two", "ask", "")
	y.tries("use12", "").want(t, "three", "deny", "attempted 3")
	y.tries("use13", "").want(t, "four", "deny", "attempted 4")
}

func contains(a answer, text string) bool { return strings.Contains(a.Specific.Reason, text) }
