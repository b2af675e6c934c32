package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDay is a plain day's work of an agent in one session: nothing of it is refused, and nobody is asked.
func TestDay(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "day.txt"))
	if err != nil {
		t.Fatal(err)
	}
	commands := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(commands) < 250 {
		t.Fatalf("%d commands are no day", len(commands))
	}
	y := newYard(t)
	file := func(name string) string { return filepath.Join(y.project, name) }
	y.event("SessionStart", map[string]any{"source": "startup"})
	y.says("Mend the login, and keep the tests green.")
	for i, command := range commands {
		if i%25 == 24 {
			y.says("Good. Go on with the next one, please.")
		}
		y.bash(command).want(t, command, "", "")
		y.event("PostToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": command}})
	}
	for _, c := range []struct {
		tool  string
		input map[string]any
	}{
		{"Read", map[string]any{"file_path": file("src/app.py")}},
		{"Read", map[string]any{"file_path": filepath.Join(y.home, ".claude", "settings.json")}},
		{"Read", map[string]any{"file_path": "/usr/include/stdio.h"}},
		{"Write", map[string]any{"file_path": file("src/login.py"), "content": "def login():\n    return True\n"}},
		{"Edit", map[string]any{"file_path": file("src/app.py"), "old_string": "return 1", "new_string": "return 2"}},
		{"Edit", map[string]any{"file_path": file("tests/test_app.py"), "old_string": "a", "new_string": "b"}},
		{"Edit", map[string]any{"file_path": file("README.md"), "old_string": "a", "new_string": "b"}},
		{"MultiEdit", map[string]any{"file_path": file("src/app.py"), "edits": []map[string]any{{"old_string": "a", "new_string": "b"}}}},
		{"NotebookEdit", map[string]any{"notebook_path": file("data.ipynb"), "new_source": "x"}},
		{"Grep", map[string]any{"pattern": "login", "path": file("src")}},
		{"Glob", map[string]any{"pattern": "**/*.ts"}},
		{"LS", map[string]any{"path": y.project}},
		{"TodoWrite", map[string]any{"todos": []any{}}},
		{"Agent", map[string]any{"prompt": "look for the login", "subagent_type": "general-purpose"}},
		{"Skill", map[string]any{"skill": "fettle"}},
		{"WebSearch", map[string]any{"query": "pytest fixtures"}},
		{"WebFetch", map[string]any{"url": "http://localhost:3000/"}},
		{"AskUserQuestion", map[string]any{"questions": []any{}}},
		{"BashOutput", map[string]any{"bash_id": "1"}},
		{"mcp__db__list_tables", map[string]any{}},
		{"mcp__fs__read_file", map[string]any{"path": file("README.md")}},
		{"mcp__github__get_issue", map[string]any{"owner": "a", "repo": "b", "number": 3}},
	} {
		y.call(c.tool, c.input).want(t, c.tool, "", "")
	}
	if a := y.event("Stop", map[string]any{"last_assistant_message": "The login is mended, and all tests pass."}); a.Decision != "" || a.Code != 0 {
		t.Errorf("the end of the turn: %+v", a)
	}
}
