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
		{"pytest -q | tail -1", "1 failed, 2 passed in 0.12s\n", true},
		{"pytest -q | tail -1", "12 passed in 0.12s\n", false},
		{"go build ./... | head", "# work/a\n./a.go:3:5: undefined: x\n", true},
		{"go vet ./... | head", "# work/a\nvet: ./a.go:3:5: undefined: x\n", true},
		{"mypy . | tail -1", "Found 3 errors in 1 file (checked 2 source files)\n", true},
		{"mypy . | tail -1", "Success: no issues found in 2 source files\n", false},
		{"ruff check . | tail -1", "Found 1 error.\n", true},
		{"ruff check . | tail -1", "All checks passed!\n", false},
		{"flake8 | head", "a.py:1:1: E302 expected 2 blank lines\n", true},
		{"golangci-lint run | tail", "2 issues:\n* errcheck: 2\n", true},
		{"golangci-lint run | tail", "0 issues.\n", false},
		{"rspec | tail -1", "3 examples, 1 failure\n", true},
		{"rspec | tail -1", "3 examples, 0 failures\n", false},
		{"npx mocha | tail", "  1 passing (5ms)\n  1 failing\n", true},
		{"node --test | tail", "ℹ pass 1\nℹ fail 1\n", true},
		{"node --test | tail", "ℹ pass 1\nℹ fail 0\n", false},
		{"mix test | tail -1", "2 tests, 1 failure\n", true},
		{"bun test | tail", " 1 pass\n 1 fail\n", true},
		{"pre-commit run -a | tail", "ruff.....................................................................Failed\n", true},
		{"go build ./... | head", "a.go:3: the third line\n", false},
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

// TestFailureTells: what is said of a failed check names what failed, where its output does.
func TestFailureTells(t *testing.T) {
	for _, c := range []struct{ command, said, tells string }{
		{"go test ./...", "Exit code 1\nok  \twork/b\t0.01s\n--- FAIL: TestParse (0.00s)\n    parse_test.go:7: got 1\nFAIL\nFAIL\twork/a\t0.02s\nFAIL", "(--- FAIL: TestParse (0.00s))"},
		{"go build ./...", "Exit code 1\n# work/a\na/a.go:3:5: undefined: x\n", "(a/a.go:3:5: undefined: x)"},
		{"go test ./...", "Exit code 1\n# work/a [work/a.test]\na/a_test.go:3:5: undefined: x\nFAIL\twork/a [build failed]\nFAIL", "(a/a_test.go:3:5: undefined: x)"},
		{"pytest -q", "Exit code 1\n..F\n=== FAILURES ===\n    assert 1 == 2\ntests/test_a.py:3: AssertionError\n=== short test summary info ===\nFAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed, 2 passed in 0.1s", "(FAILED tests/test_a.py::test_b - assert 1 == 2)"},
		{"python -m unittest", "Exit code 1\nF\n======\nFAIL: test_b (test_a.A.test_b)\n------\nFAILED (failures=1)", "(FAIL: test_b (test_a.A.test_b))"},
		{"npx jest", "Exit code 1\nFAIL src/a.test.js\n  \x1b[1m● sums › adds\x1b[22m\n\nTests: 1 failed, 2 total", "(● sums › adds)"},
		{"cargo test", "Exit code 101\nrunning 1 test\ntest tests::adds ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed", "(test tests::adds ... FAILED)"},
		{"npx tsc --noEmit", "Exit code 2\nsrc/a.ts(1,2): error TS2322: Type 'string' is not assignable\n", "(src/a.ts(1,2): error TS2322"},
		{"mypy .", "Exit code 1\na.py:3: error: Name \"x\" is not defined  [name-defined]\nFound 1 error", "(a.py:3: error: Name"},
		{"make test", "Exit code 2\ngo test ./...\nmake: *** [Makefile:3: test] Error 1", "(go test ./...)"},
		{"make test", "Exit code 2\n", "(Exit code 2)"},
		{"make test", "it was stopped", "(it was stopped)"},
	} {
		y := newYard(t)
		y.says("mend it")
		y.event("PostToolUseFailure", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": c.command}, "error": c.said})
		y.bash("git push").want(t, c.command, "deny", "failed "+c.tells)
	}
}
