package hook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"fettle/internal/guard/hook"
)

// TestLogIsJSON: whatever bytes a client hands on, each line of the log is JSON for everybody who reads it, and the decision can be made again.
func TestLogIsJSON(t *testing.T) {
	y := newYard(t)
	y.env["MY_TOKEN"] = "q7Zt2LkV9xWm4NcBv8RpYd6s"
	y.hook.Environ = []string{"MY_TOKEN=q7Zt2LkV9xWm4NcBv8RpYd6s"}
	raw := []string{"\xff", "\xc3", "\xed\xa0\x80", "caf\xe9", "\xf4\x90\x80\x80", "\x80\x81", `\ud800`, "é", "\u2028"}
	for _, odd := range raw {
		for _, command := range []string{"echo " + odd, "rm -rf " + odd + " ~", "cat a" + odd + ".py; echo q7Zt2LkV9xWm4NcBv8RpYd6s"} {
			event := fmt.Sprintf(`{"session_id":"one","hook_event_name":"PreToolUse","cwd":%q,"tool_name":"Bash","tool_input":{"command":"%s","description":"%s"}}`, y.project, command, odd)
			if code := y.hook.Run(strings.NewReader(event), io.Discard, io.Discard); code != 0 {
				t.Errorf("%q: exit code %d", command, code)
			}
		}
	}
	files, _ := filepath.Glob(filepath.Join(hook.LogFolder(y.hook.Dir), "*.jsonl"))
	if len(files) != 1 {
		t.Fatalf("logs: %q", files)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	if len(lines) != 3*len(raw) {
		t.Errorf("%d lines, want %d", len(lines), 3*len(raw))
	}
	for _, line := range lines {
		var e hook.Entry
		if err := json.Unmarshal(line, &e); err != nil || !utf8.Valid(line) {
			t.Errorf("%v, valid UTF-8: %v: %q", err, utf8.Valid(line), line)
		} else if again := e.Again(nil); again.Decision != e.Decision {
			t.Errorf("%q was %s, and is %s again", e.Input, e.Decision, again.Decision)
		}
	}
}
