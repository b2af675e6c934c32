package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/guard/hook"
)

// gemini sends an event as Gemini CLI does.
func (y *yard) gemini(name string, fields map[string]any) answer {
	y.t.Helper()
	y.env["GEMINI_SESSION_ID"] = "one"
	all := map[string]any{"timestamp": "2026-11-21T10:31:42.919Z", "transcript_path": "", "permission_mode": nil}
	for k, v := range fields {
		all[k] = v
	}
	return y.event(name, all)
}

// calls is what it hears of a call.
func (y *yard) calls(tool string, input map[string]any) answer {
	y.t.Helper()
	return y.gemini("BeforeTool", map[string]any{"tool_name": tool, "tool_input": input})
}

// TestGemini is Gemini CLI's own tools, by its names and with its fields, be it started by Claude Code or not: what the rules refuse or ask about it hears in its own form.
func TestGemini(t *testing.T) {
	cases := []struct {
		tool, why string // empty: nothing is against it
		input     map[string]any
	}{
		{"run_shell_command", "", map[string]any{"command": "go test ./...", "description": "tests"}},
		{"run_shell_command", "", map[string]any{"command": "echo x >> ../main.go", "dir_path": "sub"}},
		{"run_shell_command", "home", map[string]any{"command": "rm -rf ~"}},
		{"run_shell_command", "is not known to be this project's", map[string]any{"command": "echo x > notes.txt", "dir_path": ".."}},
		{"run_shell_command", "pass by the checks", map[string]any{"command": "git commit --no-verify -m x"}},
		{"run_shell_command", "nobody is there to be asked", map[string]any{"command": "npm install left-pad"}},
		{"run_shell_command", "no command that can be read", map[string]any{"command": []any{map[string]any{}}}},
		{"write_file", "", map[string]any{"file_path": "main.go", "content": "package main\n"}},
		{"write_file", ".bashrc", map[string]any{"file_path": "../.bashrc", "content": "x"}},
		{"write_file", "settings.json", map[string]any{"file_path": ".gemini/settings.json", "content": `{"hooksConfig": {"enabled": false}}`}},
		{"replace", "", map[string]any{"file_path": "main.go", "old_string": "a", "new_string": "b", "allow_multiple": true}},
		{"replace", ".gemini", map[string]any{"file_path": "../.gemini/settings.json", "old_string": "true", "new_string": "false"}},
		{"read_file", "", map[string]any{"file_path": "main.go", "start_line": 1}},
		{"read_file", "id_rsa", map[string]any{"file_path": "../.ssh/id_rsa"}},
		{"list_directory", "", map[string]any{"dir_path": "."}},
		{"list_directory", ".ssh", map[string]any{"dir_path": "../.ssh"}},
		{"glob", "", map[string]any{"pattern": "**/*.go"}},
		{"glob", ".ssh", map[string]any{"pattern": "*", "dir_path": "../.ssh"}},
		{"grep_search", "", map[string]any{"pattern": "x", "include_pattern": "*.go", "dir_path": "sub"}},
		{"grep_search", "secrets", map[string]any{"pattern": "x", "dir_path": "../.ssh"}},
		{"search_file_content", "secrets", map[string]any{"pattern": "x", "include_pattern": ".env"}},
		{"google_web_search", "", map[string]any{"query": "how to sort"}},
		{"web_fetch", "example.com", map[string]any{"prompt": "what is at http://localhost:8080/a and https://example.com/x ?"}},
		{"web_fetch", "", map[string]any{"prompt": "what is at http://localhost:8080/a"}},
		{"web_fetch", "load something", map[string]any{"prompt": "nothing"}},
		{"write_todos", "", map[string]any{"todos": []any{}}},
		{"update_topic", "", map[string]any{"title": "t"}},
		{"tracker_create_task", "", map[string]any{"title": "t"}},
		{"mcp_db_query", "nothing is known", map[string]any{"sql": "SELECT 1"}},
		{"write_anything", "nothing is known of the tool write_anything", map[string]any{"file_path": "main.go"}},
	}
	for _, within := range []string{"", "1"} {
		for _, c := range cases {
			y := newYard(t)
			y.env["CLAUDECODE"] = within
			if err := os.Mkdir(filepath.Join(y.project, "sub"), 0o755); err != nil {
				t.Fatal(err)
			}
			a := y.calls(c.tool, c.input)
			if refused := a.Decision == "deny"; a.Code != 0 || refused != (c.why != "") || !strings.Contains(a.Reason, c.why) || a.Specific.Decision != "" {
				t.Errorf("%s %v: %+v, want a refusal with %q", c.tool, c.input, a, c.why)
			}
		}
	}
}

// TestGeminiServers are tools of servers, which it calls by names of which nobody knows where the server's ends, and says it besides.
func TestGeminiServers(t *testing.T) {
	y := newYard(t)
	call := func(server, tool string) answer {
		return y.gemini("BeforeTool", map[string]any{"tool_name": "mcp_" + server + "_" + tool, "tool_input": map[string]any{}, "mcp_context": map[string]any{"server_name": server, "tool_name": tool, "command": "x"}})
	}
	if a := call("my_db", "list_tables"); a.Decision != "" {
		t.Errorf("it only reads: %+v", a)
	}
	if a := call("my_db", "drop_table"); a.Decision != "deny" || !strings.Contains(a.Reason, "mcp__my_db__drop_table") {
		t.Errorf("nobody knows what it does: %+v", a)
	}
}

// TestGeminiFailsClosed are events of which there is no judgement: a call is refused by the exit code, and of another one the person is told.
func TestGeminiFailsClosed(t *testing.T) {
	y := newYard(t)
	if err := os.WriteFile(y.hook.Dir, nil, 0o600); err != nil { // where its folder would be
		t.Fatal(err)
	}
	if a := y.gemini("BeforeTool", map[string]any{"tool_name": 7}); a.Code != 2 || !strings.Contains(a.Errors, "tool_name") {
		t.Errorf("a call: %+v", a)
	}
	for event, code := range map[string]int{"BeforeTool": 2, "AfterTool": 1, "AfterAgent": 1} {
		if a := y.gemini(event, map[string]any{"tool_name": "read_file", "tool_input": map[string]any{"file_path": "main.go"}}); a.Code != code || a.Errors == "" {
			t.Errorf("%s: %+v, want exit code %d", event, a, code)
		}
	}
}

// TestGeminiSession is what a session remembers: what the person said, and which checks have failed.
func TestGeminiSession(t *testing.T) {
	y := newYard(t)
	asked := ""
	y.hook.Canary = func(client string) error { asked = client; return nil }
	y.gemini("SessionStart", map[string]any{"source": "startup"})
	if _, err := hook.ReadProof(y.hook.Dir, hook.Gemini); err != nil || asked != hook.Gemini {
		t.Errorf("the canary was %q's: %v", asked, err)
	}
	y.gemini("BeforeAgent", map[string]any{"prompt": "Don't edit anything."})
	edit := map[string]any{"file_path": filepath.Join(y.project, "main.go"), "content": "x"}
	if a := y.calls("write_file", edit); a.Decision != "deny" || !strings.Contains(a.Reason, "Don't edit anything") {
		t.Errorf("the person has said so: %+v", a)
	}
	y.gemini("BeforeAgent", map[string]any{"prompt": "Go on, and push it."})
	ends := func(said string, wrong any) {
		tests := map[string]any{"tool_name": "run_shell_command", "tool_input": map[string]any{"command": "go test ./..."}}
		y.gemini("BeforeTool", tests)
		tests["tool_response"] = map[string]any{"llmContent": said, "returnDisplay": said, "error": wrong}
		y.gemini("AfterTool", tests)
	}
	stop := func() answer {
		return y.gemini("AfterAgent", map[string]any{"prompt": "Go on", "prompt_response": "I have done all that there was to do.", "stop_hook_active": false})
	}
	for said, fails := range map[string]bool{"Output: --- FAIL: TestA\nExit Code: 1\nProcess Group PGID: 7": true, "Output: ok\nProcess Group PGID: 7": false, "Output: (empty)\nSignal: 9": true} {
		ends(said, nil)
		if a := stop(); (a.Decision == "block") != fails || fails && !strings.Contains(a.Reason, "go test ./... failed") {
			t.Errorf("%q: %+v", said, a)
		}
	}
	ends("could not be started", map[string]any{"message": "no shell"})
	if a := stop(); a.Decision != "block" || !strings.Contains(a.Reason, "no shell") {
		t.Errorf("a tool's error: %+v", a)
	}
}

// TestGeminiNamesItself: what another client calls the same, within a session of Gemini CLI's, stays theirs.
func TestGeminiNamesItself(t *testing.T) {
	y := newYard(t)
	y.env["GEMINI_SESSION_ID"] = "another"
	y.event("PreToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "rm -rf ~"}, "timestamp": "2026"}).want(t, "Claude Code within Gemini CLI", "deny", "home")
	for name, want := range map[string]string{"PreToolUse": "BeforeTool", "Stop": "AfterAgent", "SubagentStop": "", "SessionStart": "SessionStart"} {
		if got := hook.EventOf(hook.Gemini, name); got != want {
			t.Errorf("%s is %q", name, got)
		}
		if got := hook.EventOf(hook.Codex, name); got != name {
			t.Errorf("%s of Codex is %q", name, got)
		}
	}
}
