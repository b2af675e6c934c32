package hook_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// cost is what one decision takes, in the mean of several: how often memory is asked for, and for how many bytes. Unlike time, it is the same on every machine.
func (y *yard) cost(event map[string]any) (times float64, size uint64) {
	y.t.Helper()
	e := map[string]any{"session_id": "one", "cwd": y.project, "hook_event_name": "PreToolUse", "permission_mode": "default"}
	for k, v := range event {
		e[k] = v
	}
	data, err := json.Marshal(e)
	if err != nil {
		y.t.Fatal(err)
	}
	const runs = 20
	answer := func() {
		if _, err := y.hook.Answer(data); err != nil {
			y.t.Fatal(err)
		}
	}
	answer()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	times = testing.AllocsPerRun(runs, answer)
	runtime.ReadMemStats(&after)
	return times, (after.TotalAlloc - before.TotalAlloc) / (runs + 1)
}

// TestCost holds what a decision costs below twice what it cost when this was written, so that a hook that starts for every call does not grow dear unseen.
func TestCost(t *testing.T) {
	y := newYard(t)
	y.says("mend the parser")
	source := filepath.Join(y.project, "a.js")
	if err := os.WriteFile(source, []byte(strings.Repeat("let a = 1;\n", 3000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		event map[string]any
		times float64
		size  uint64
	}{
		{"a plain command", bashed("go test ./...", nil), 1100, 100 << 10},
		{"git", bashed("git status && git diff --stat && git log --oneline -5", nil), 1400, 120 << 10},
		{"a longer one", bashed("cd src && for f in *.py; do grep -n TODO $f | head -3; done; npm test -- --coverage 2>&1 | tail -20", nil), 2600, 210 << 10},
		{"an edit", map[string]any{"tool_name": "Edit", "tool_input": map[string]any{"file_path": source, "old_string": "let a = 1;", "new_string": "let a = 2;"}}, 1000, 110 << 10},
		{"a megabyte to be written", map[string]any{"tool_name": "Write", "tool_input": map[string]any{"file_path": filepath.Join(y.project, "new.txt"), "content": strings.Repeat("x", 1<<20)}}, 1000, 12 << 20},
		{"after a call", bashed("go test ./...", map[string]any{"hook_event_name": "PostToolUse", "tool_response": map[string]any{"stdout": strings.Repeat("ok  \ta\t0.1s\n", 500)}}), 1400, 240 << 10},
	} {
		times, size := y.cost(c.event)
		if times > c.times || size > c.size {
			t.Errorf("%s takes memory %v times and %d bytes of it, and may %v times and %d", c.name, times, size, c.times, c.size)
		}
	}
}

// TestCostOfDrift: how a file was restyled is told in one pass over it, however many of its lines were.
func TestCostOfDrift(t *testing.T) {
	cost := func(lines int) uint64 {
		y := newYard(t)
		y.says("mend the parser")
		file := filepath.Join(y.project, "a.js")
		write := func(text string) {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(strings.Repeat("f('a');\ng(1)\n", lines/2))
		y.event("PreToolUse", bashed("sed -i s/x/y/ a.js", map[string]any{"tool_use_id": "u"}))
		write(strings.Repeat("f(\"a\");\ng(1)\n", lines/2))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if a := y.event("PostToolUse", bashed("sed -i s/x/y/ a.js", map[string]any{"tool_use_id": "u"})); a.Decision != "block" {
			t.Errorf("%d lines: %+v", lines, a)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := cost(400), cost(4000); many > 15*few {
		t.Errorf("400 lines take %d bytes of memory, 4000 take %d", few, many)
	}
}

// TestCostOfMany: what the agent has written, and git's index, are read once for an event, however many files a command names.
func TestCostOfMany(t *testing.T) {
	y := newYard(t)
	y.git("init", "-q", "-b", "main")
	var made, held []string
	for i := range 200 {
		name := fmt.Sprintf("src/a-file-with-a-long-name-%03d.go", i)
		y.put(name, "package a\n")
		held, made = append(held, name), append(made, fmt.Sprintf("src/made-with-a-long-name-%03d.txt", i))
	}
	y.git("add", "-A")
	y.bash("touch "+strings.Join(made, " ")).want(t, "made", "", "")
	for _, name := range made {
		y.put(name, "")
	}
	y.event("PostToolUse", bashed("touch "+strings.Join(made, " "), nil))
	cost := func(names []string) uint64 {
		_, size := y.cost(bashed("rm "+strings.Join(names, " "), nil))
		return size
	}
	for what, names := range map[string][]string{"made in the session": made, "held by git": held} {
		if one, many := cost(names[:1]), cost(names); many > 40*one {
			t.Errorf("%s: to delete one file takes %d bytes of memory, to delete 200 of them %d", what, one, many)
		}
	}
}

// TestLongSession: a transcript of 50 MB costs a decision no more than a short one, and is read once after a message.
func TestLongSession(t *testing.T) {
	y := newYard(t)
	file := filepath.Join(y.home, "transcript.jsonl")
	end := "\n" + `{"uuid":"1","type":"assistant","message":{"content":"done"}}` + "\n" + `{"uuid":"2","parentUuid":"1","type":"user","message":{"content":"go on"}}` + "\n"
	write := func(size int64) {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(file, size); err != nil { // what stands before the end is not looked at
			t.Fatal(err)
		}
		f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(end); err != nil {
			t.Fatal(err)
		}
	}
	spoken := func() (size uint64) {
		y.says("mend it")
		y.says("go on")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		y.event("PreToolUse", bashed("ls", map[string]any{"transcript_path": file}))
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	write(0)
	short := spoken()
	write(50 << 20)
	if long := spoken(); long > 2*short+128<<10 {
		t.Errorf("with a transcript of 50 MB a decision takes %d bytes of memory, with a short one %d", long, short)
	}
}
