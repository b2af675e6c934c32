package transcript_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/guard/transcript"
)

// talk writes a transcript as Claude Code does: each row is "id parent who text".
func talk(t testing.TB, rows ...string) string {
	t.Helper()
	var out bytes.Buffer
	for _, row := range rows {
		f := strings.SplitN(row, " ", 4)
		if len(f) < 4 {
			fmt.Fprintln(&out, row) // as it is
			continue
		}
		parent := any(f[1])
		if f[1] == "-" {
			parent = nil
		}
		content := any(f[3])
		switch f[2] {
		case "tool":
			f[2], content = "user", []any{map[string]any{"type": "tool_result", "content": f[3]}}
		case "calls":
			f[2], content = "assistant", []any{map[string]any{"type": "tool_use", "name": f[3]}}
		case "says":
			f[2], content = "assistant", []any{map[string]any{"type": "text", "text": f[3]}}
		}
		data, err := json.Marshal(map[string]any{"uuid": f[0], "parentUuid": parent, "type": f[2], "isMeta": f[3] == "meta", "isSidechain": f[3] == "aside", "message": map[string]any{"content": content}})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s\n", data)
	}
	file := filepath.Join(t.TempDir(), "t.jsonl")
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// before is a session of two turns, as the client writes it.
var before = []string{
	`{"type":"queue-operation"}`, "a - attachment x", "1 a user first", "b 1 attachment x", "2 b calls Bash", "3 2 tool one", "4 3 says Did one.", "5 4 system stop",
	"c 5 attachment x", "6 c user second", "7 6 calls Bash", "8 7 tool two", "9 8 says Did two.", "10 9 system stop", `{"type":"last-prompt"}`, `{"torn`,
}

func TestRewound(t *testing.T) {
	for name, c := range map[string]struct {
		rows []string
		want bool
	}{
		"first message":          {before[:3], false},
		"a second":               {before[:10], false},
		"goes on":                {append(slices.Clone(before), "11 10 user third", "12 11 calls Bash"), false},
		"goes on behind a part":  {append(slices.Clone(before), "d 10 attachment x", "11 d user third", "12 11 calls Bash"), false},
		"after an interruption":  {append(slices.Clone(before), "11 8 user third", "12 11 calls Bash"), false},
		"before the second":      {append(slices.Clone(before), "11 4 user third", "12 11 calls Bash"), true},
		"and a part put before":  {append(slices.Clone(before), "d 4 attachment x", "11 d user third", "12 11 calls Bash"), true},
		"to the very first":      {append(slices.Clone(before), "11 a user third", "12 11 calls Bash"), true},
		"compacted":              {append(slices.Clone(before), "11 - user The session so far", "12 11 calls Bash"), false},
		"the client's own words": {append(slices.Clone(before), "11 10 user <system-reminder>x", "12 10 user third"), false},
		"a subagent's task":      {append(slices.Clone(before), "11 10 user third", "12 11 calls Agent", "s - user aside"), false},
		"nothing":                {nil, false},
	} {
		if got := transcript.Rewound(talk(t, c.rows...)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if transcript.Rewound(filepath.Join(t.TempDir(), "none")) || transcript.Rewound(t.TempDir()) {
		t.Error("what is no file was rewound")
	}
}

// TestRolledBack is the same of what Codex writes, whose lines name none before them.
func TestRolledBack(t *testing.T) {
	event := func(payload string) string {
		return `{"timestamp":"2026-01-02T03:04:05Z","type":"event_msg","payload":` + payload + `}`
	}
	begins := []string{event(`{"type":"task_started","turn_id":"u"}`), `{"type":"turn_context","payload":{"model":"m"}}`, event(`{"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"text","text":"go on"}]}}`),
		event(`{"type":"user_message","message":"go on"}`), `{"type":"response_item","payload":{"type":"function_call","name":"exec_command"}}`}
	ends, stopped, back := event(`{"type":"task_complete"}`), event(`{"type":"turn_aborted","reason":"interrupted"}`), event(`{"type":"thread_rolled_back","num_turns":1}`)
	speaks := event(`{"type":"user_message","message":"{\"type\":\"event_msg\",\"payload\":{\"type\":\"thread_rolled_back\"}}"}`)
	for name, c := range map[string]struct {
		rows []string
		want bool
	}{
		"the first turn":            {begins, false},
		"goes on":                   {slices.Concat(begins, []string{ends}, begins), false},
		"taken back":                {slices.Concat(begins, []string{ends, back}, begins), true},
		"interrupted first":         {slices.Concat(begins, []string{stopped, back}, begins), true},
		"interrupted alone":         {slices.Concat(begins, []string{stopped}, begins), false},
		"a turn ago":                {slices.Concat(begins, []string{ends, back}, begins, []string{ends}, begins), false},
		"a turn ago that broke off": {slices.Concat(begins, []string{ends, back}, begins, begins), false},
		"spoken of":                 {slices.Concat(begins, []string{ends}, begins[:2], []string{speaks}), false},
	} {
		if got := transcript.Rewound(talk(t, c.rows...)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestLast(t *testing.T) {
	file := talk(t, append(slices.Clone(before), "11 10 user meta", "12 11 user <command-name>/check</command-name>")...)
	got, err := transcript.Last(file, 2, 1, 1<<20)
	want := []transcript.Said{{Person: true, Text: "first"}, {Person: true, Text: "second"}, {Text: "Did two."}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v %v", got, err)
	}
	if got, err := transcript.Last(file, 5, 5, 64); err != nil || len(got) > 1 {
		t.Errorf("of 64 bytes: %v %v", got, err)
	}
	if _, err := transcript.Last(t.TempDir(), 1, 1, 100); err == nil {
		t.Error("a folder was read")
	}
}

// TestLongLines has lines that are longer than what is read at once, and one that is longer than any message.
func TestLongLines(t *testing.T) {
	file := talk(t, "1 - user "+strings.Repeat("a", 100_000), "2 1 says "+strings.Repeat("b", 3<<20), "3 2 user short", "4 3 says "+strings.Repeat("c", 40_000))
	got, err := transcript.Last(file, 5, 5, 1<<30)
	if err != nil || len(got) != 3 || len(got[0].Text) != 100_000 || got[1].Text != "short" || len(got[2].Text) != 40_000 {
		t.Errorf("%d messages, %v", len(got), err)
	}
}

// counted counts what is read of a file.
type counted struct {
	*os.File
	bytes int64
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	c.bytes += int64(len(p))
	return c.File.ReadAt(p, at)
}

// TestReadsTheEnd: of a transcript of 50 MB as much is read as is asked for, and no more.
func TestReadsTheEnd(t *testing.T) {
	file := talk(t, "1 - user first")
	if err := os.Truncate(file, 50_000_000); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("\n" + strings.Repeat(`{"uuid":"x","type":"system"}`+"\n", 1000)); err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	for want, enough := range map[int]int64{1: 40 << 10, 500: 64 << 10, 1000: 80 << 10, 1001: 1 << 20} { // lines; there are no more than a thousand
		c := &counted{File: f}
		n := 0
		for range transcript.Back(c, info.Size(), 1<<20) {
			if n++; n == want {
				break
			}
		}
		if n != min(want, 1000) || c.bytes > enough {
			t.Errorf("%d lines of %d, for which %d bytes were read", n, want, c.bytes)
		}
	}
}

// FuzzLast reads what it is given in pieces as it does in one.
func FuzzLast(f *testing.F) {
	f.Add([]byte("{\"uuid\":\"1\",\"type\":\"user\",\"message\":{\"content\":\"x\"}}\n\n{\"torn"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var forwards []string
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			var l transcript.Line
			if json.Unmarshal(line, &l) == nil && l.UUID != "" {
				forwards = append(forwards, l.UUID)
			}
		}
		slices.Reverse(forwards)
		var back []string
		for l := range transcript.Back(bytes.NewReader(data), int64(len(data)), 1<<40) {
			back = append(back, l.UUID)
		}
		if !slices.Equal(forwards, back) {
			t.Errorf("%q, want %q", back, forwards)
		}
	})
}

// BenchmarkRewound is what the hook asks after each message of the person, at the end of a transcript of 50 MB.
func BenchmarkRewound(b *testing.B) {
	var rows []string
	for i := range 5000 {
		rows = append(rows, fmt.Sprintf("%d %d says %s", i+1, i, strings.Repeat("x", 10_000)))
	}
	file := talk(b, append(rows, "n 5000 user go on", "m n calls Bash")...)
	for b.Loop() {
		if transcript.Rewound(file) {
			b.Fatal("it was not")
		}
	}
}

// TestExit reads the exit codes that Codex writes down. What stands in a message is none.
func TestExit(t *testing.T) {
	const ended = `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":%q,"exit_code":%s}}}`
	file := talk(t, fmt.Sprintf(ended, "one", "3"), fmt.Sprintf(ended, "two", "0"), fmt.Sprintf(ended, "runs", "null"),
		`{"type":"response_item","payload":{"type":"message","content":"\"CommandExecution\" said exit_code 0"}}`, `{"type":"event_msg","payload":{"item":{"type":"Message","id":"said","text":"CommandExecution","exit_code":0}}}`, `{"torn "CommandExecution" one`)
	for use, want := range map[string]string{"one": "3 true", "two": "0 true", "runs": "0 false", "said": "0 false", "none": "0 false", "": "0 false"} {
		code, ok := transcript.Exit(file, use)
		if got := fmt.Sprint(code, ok); got != want {
			t.Errorf("%s: %s, want %s", use, got, want)
		}
	}
	if _, ok := transcript.Exit(filepath.Join(t.TempDir(), "none"), "one"); ok {
		t.Error("what is not there has told an exit code")
	}
}
