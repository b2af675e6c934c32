package hook_test

import "testing"

// TestConfesses: a check whose exit code is lost behind a pipe has failed all the same, if what it prints says so.
func TestConfesses(t *testing.T) {
	for _, c := range []struct {
		command, printed string
		failed           bool
	}{
		{"go test ./... 2>&1 | tail -n 5", "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\twork\t0.01s\n", true},
		{"go test ./... 2>&1 | tail -n 5", "ok  \twork\t0.01s\n", false},
		{"pytest | tail", "=========== 1 failed, 2 passed in 0.12s ===========\n", true},
		{"pytest | tail", "=========== 12 passed in 0.12s ===========\n", false},
		{"npm test || true", "\x1b[1mTests:\x1b[22m       \x1b[31m2 failed\x1b[39m, 3 passed, 5 total\n", true},
		{"npm test || true", "Tests:       0 failed, 5 passed, 5 total\n", false},
		{"npx tsc --noEmit; echo done", "src/a.ts(1,2): error TS2322: Type 'string'\ndone\n", true},
		{"make test | cat", "make: *** [Makefile:3: test] Error 1\n", true},
		{"cargo test 2>&1 | grep result", "test result: FAILED. 1 passed; 1 failed\n", true},
		{"mvn -q test | tail -3", "[INFO] BUILD FAILURE\n", true},
		{"python -m unittest 2>&1 | tail -1", "FAILED (failures=1)\n", true},
		{"go test ./... | tail", "", false},
		// Where nothing hides it, the exit code tells, whatever is printed.
		{"go test -v ./...", "--- FAIL: no\n", false},
		// What is no check has not failed.
		{"cat log.txt | head", "--- FAIL: TestA (0.00s)\n", false},
	} {
		y := newYard(t)
		y.says("mend it")
		y.event("PostToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": c.command}, "tool_response": map[string]any{"stdout": c.printed, "stderr": ""}})
		want := "ask"
		if c.failed {
			want = "deny"
		}
		y.bash("git push").want(t, c.command+": "+c.printed, want, "")
	}
	y := newYard(t)
	y.env["CLAUDECODE"] = "" // Codex tells no exit code, and of a command that failed no more than what it has printed
	y.says("mend it")
	codex := func(command, printed string) {
		y.event("PostToolUse", map[string]any{"tool_name": "exec_command", "tool_input": map[string]any{"cmd": command}, "tool_response": printed})
	}
	codex("go test ./... | tail", "FAIL\twork\t0.01s\n")
	codex("go test ./...", "--- FAIL: TestA (0.00s)\nFAIL\twork\t0.01s\n")
	y.bash("git push").want(t, "failed without an exit code", "deny", "failed")
	y = newYard(t)
	y.says("mend it")
	check := func(printed any) {
		y.event("PostToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "go test ./... | tail"}, "tool_response": printed})
	}
	check(map[string]any{"stdout": "FAIL\twork\t0.01s\n"})
	check("FAIL\twork\t0.01s\n")
	y.bash("git push").want(t, "failed twice", "deny", "FAIL")
	check("FAIL\twork\t0.01s\n")
	check("ok  \twork\t0.01s\n")
	y.bash("git push").want(t, "passed since", "ask", "")
}
