package hook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPassedSince is a check that fails, and what is run then: only a run that has checked the same, or more, and is known to have passed ends the failure.
func TestPassedSince(t *testing.T) {
	type try struct{ fails, then, prints string }
	ends, stays := []try{
		// the same, and more
		{"pytest", "pytest", ""}, {"pytest", "pytest -q -x", ""}, {"pytest", "python -m pytest", ""}, {"pytest tests/test_a.py", "pytest", ""}, {"pytest tests/test_a.py::test_b", "pytest tests/test_a.py", ""},
		{"pytest tests/test_a.py::TestA::test_b[1]", "pytest tests", ""}, {"pytest -k slow", "pytest", ""}, {"pytest -k slow", "pytest -k slow -v", ""}, {"pytest -qk slow", "pytest -k slow", ""}, {"cd tests && pytest", "pytest", ""},
		{"pytest tests/test_a.py", "cd tests && pytest test_a.py", ""}, {"pytest", "pytest --lf", ""}, {"uv run pytest", "pytest", ""}, {"pytest --co", "pytest", ""}, {"pytest --co -q", "pytest --co -q", ""},
		{"python -m unittest tests.test_a.TestA", "python -m unittest tests.test_a", ""}, {"python -m unittest tests.test_a", "python -m unittest discover", ""},
		{"go test ./...", "go test ./... -count=1", ""}, {"go test ./a", "go test ./...", ""}, {"go test ./a/b", "go test ./a/...", ""}, {"go test -run TestA ./a", "go test ./a", ""}, {"cd a && go test", "go test ./...", ""}, {"go test example.com/x/a", "go test ./...", ""},
		{"go test", "go test .", ""}, {"go vet ./a", "go vet ./...", ""}, {"go build ./...", "go build ./...", ""}, {"go vet ./... && go test ./...", "go vet ./... && go test ./...", ""},
		{"pytest -k test_a", "pytest -k 'test_a or test_b'", ""}, {"pytest -k test_add_one", "pytest -k add", ""}, {"go test -run TestA ./a", "go test -run 'TestA|TestB' ./a", ""}, {"go test -run TestA/deep ./a", "go test -run TestA ./a", ""}, {"mvn -Dtest=A test", "mvn -Dtest=A,B test", ""}, {"gradle test --tests A", "gradle test --tests A --tests B", ""},
		{"npm test", "npm test", ""}, {"npm test", "npm run test", ""}, {"npm t", "npm test -- --coverage", ""}, {"npm test -- src/a.test.js", "npm test", ""}, {"npm test -- -t adds", "npm test", ""}, {"npm run build", "npm run build", ""},
		{"jest src/a.test.js", "jest", ""}, {"npx jest src/a", "npx jest src", ""}, {"vitest run src/a.test.ts", "vitest run", ""}, {"jest -t adds", "jest", ""},
		{"cargo test", "cargo test", ""}, {"cargo test parser", "cargo test", ""}, {"cargo t", "cargo test --workspace", ""}, {"cargo test parser::deep", "cargo test parser", ""}, {"cargo test -p core", "cargo test", ""}, {"cargo build", "cargo build", ""},
		{"mvn test", "mvn -q test", ""}, {"mvn test", "mvn verify", ""}, {"./mvnw clean test", "mvn install", ""}, {"mvn -Dtest=A test", "mvn test", ""}, {"mvn compile", "mvn test", ""},
		{"gradle test", "./gradlew check", ""}, {"gradle :app:test", "gradle test", ""}, {"gradle test --tests A", "gradle test", ""}, {"gradle :app:test", "gradle :app:build", ""},
		{"make test", "make test", ""}, {"make test", "make lint test", ""}, {"eslint src", "eslint .", ""}, {"ruff check src", "ruff check", ""}, {"mypy pkg", "mypy .", ""}, {"tsc --noEmit", "tsc --noEmit", ""}, {"golangci-lint run ./a/...", "golangci-lint run ./...", ""},
		{"./check.sh", "./check.sh", ""}, {"python check.py a", "python check.py b", ""}, {"terraform validate", "terraform validate", ""},
		// what is printed tells
		{"pytest", "pytest | tail -3", "3 passed in 0.1s"}, {"pytest", "pytest; true", "==== 3 passed, 1 skipped in 0.1s ===="}, {"pytest", "pytest 2>&1 | grep passed", "3 passed in 0.1s"}, {"pytest", "pytest -q > log; echo exit: $?", "exit: 0"},
		{"go test ./...", "go test ./... 2>&1 | tail -5", "ok  \texample.com/a\t0.1s"}, {"go test ./...", "go test ./...; git status", "ok  \texample.com/a\t0.1s\nOn branch main"}, {"npm run build", "npm run build 2>&1 | tail -3", "built in 2s"},
		{"npm test", "npm test || true", "Tests:       5 passed, 5 total"}, {"cargo test", "cargo test 2>&1 | tail -4", "test result: ok. 3 passed; 0 failed"}, {"mvn test", "mvn test | tail -20; true", "[INFO] BUILD SUCCESS"}, {"make lint", "make lint | tail -1", ""},
		{"python -m unittest", "python -m unittest 2>&1 | head -50", "Ran 3 tests in 0.1s\n\nOK"}, {"vitest run", "vitest run | grep Tests", "      Tests  5 passed (5)"}, {"gradle test", "gradle test; ls", "BUILD SUCCESSFUL in 3s"},
		{"./check.sh", "./check.sh | tail -1", "all good"}, {"make test", "make test | tail -3", "cat: x: No such file or directory\nall good"}, {"pytest", "pytest | tail", "sh: 1: nvcc: not found\n3 passed in 0.1s"}, {"pytest", "pytest; true", "bash: line 1: pylint: command not found\n3 passed in 0.1s"},
		{"go vet ./...", "go vet ./... 2>&1 | tail -5", ""}, {"go build ./...", "go build ./... | cat", ""}, {"eslint .", "eslint . | tail -5", ""}, {"tsc --noEmit", "npx tsc --noEmit | tail", ""}, {"npm run -s lint", "npm run -s lint | tail", ""},
	}, []try{
		// less, something else, nothing
		{"pytest", "pytest --co -q", ""}, {"pytest", "pytest --collect-only", ""}, {"pytest", "pytest tests/test_b.py", ""}, {"pytest tests/test_a.py", "pytest tests/test_b.py", ""}, {"pytest tests/test_a.py", "pytest tests/test_a.py::test_b", ""},
		{"pytest", "pytest -k nothing", ""}, {"pytest", "pytest -qk nothing", ""}, {"pytest", "pytest -m fast", ""}, {"pytest", "pytest --deselect tests/test_a.py::test_b", ""}, {"pytest", "pytest --ignore=tests", ""}, {"pytest", "cd sub && pytest", ""}, {"pytest", "pytest --version", ""}, {"pytest tests/test_a", "pytest tests/test_ab", ""},
		{"pytest -k slow", "pytest -k fast", ""}, {"pytest", "ruff check .", ""}, {"pytest", "npm test", ""}, {"python -m unittest tests.test_a", "python -m unittest tests.test_b", ""},
		{"go test ./...", "go test ./a", ""}, {"go test ./...", "go test -run TestX ./...", ""}, {"go test ./...", "go test -run '^$' ./...", ""}, {"go test ./...", "go test", ""}, {"go test ./...", "cd a && go test ./...", ""}, {"go test ./...", "go test -short ./...", ""}, {"go test ./...", "go test -list . ./...", ""},
		{"go test ./...", "go vet ./...", ""}, {"go test ./...", "go build ./...", ""}, {"go test ./a", "go test ./a/b", ""}, {"go test -tags integration ./...", "go test ./...", ""}, {"go test ./...", "go test ./... -skip TestA", ""}, {"go vet ./... && go test ./...", "go vet ./...", ""}, {"go test ./a/...", "go test ./ab/...", ""},
		{"pytest -k 'test_a or test_b'", "pytest -k test_a", ""}, {"pytest -k test_a", "pytest -k 'not test_a'", ""}, {"pytest -k test_a", "pytest -k 'test_a and slow'", ""}, {"go test -run TestA ./a", "go test -run '^A$' ./a", ""}, {"npm test", "npm test 2>/dev/null | tail -3", ""}, {"pytest", "pytest > log || true; echo 3 passed in 0.1s", "3 passed in 0.1s"}, {"pytest", "pytest > log; echo 'exit: 0'", "exit: 0"},
		{"npm test", "npm run lint", ""}, {"npm test", "npm test -- -t nothing", ""}, {"npm test", "npm test -- src/b.test.js", ""}, {"npm test", "npm test -w other", ""}, {"npm run build", "npm run lint", ""}, {"npm test", "npm test -- --listTests", ""},
		{"jest", "jest -t nothing", ""}, {"jest", "jest src/b.test.js", ""}, {"jest", "jest --listTests", ""}, {"jest", "jest -o", ""}, {"vitest run", "vitest list", ""}, {"vitest run", "vitest run src/b", ""},
		{"cargo test", "cargo test other", ""}, {"cargo test", "cargo test --no-run", ""}, {"cargo test", "cargo test -- --list", ""}, {"cargo test", "cargo test -- --skip parser", ""}, {"cargo test", "cargo test --lib", ""}, {"cargo test --workspace", "cargo test", ""}, {"cargo test", "cargo build", ""}, {"cargo test --features x", "cargo test", ""},
		{"mvn test", "mvn compile", ""}, {"mvn test", "mvn test -DskipTests", ""}, {"mvn test", "mvn -Dtest=A test", ""}, {"mvn test", "mvn -Dmaven.test.failure.ignore=true test", ""}, {"mvn test", "mvn -pl core test", ""},
		{"gradle test", "gradle :app:test", ""}, {"gradle test", "gradle test --tests A", ""}, {"gradle build", "gradle build -x test", ""}, {"gradle test", "gradle test --dry-run", ""}, {"gradle check", "gradle test", ""},
		{"make test", "make lint", ""}, {"make test", "make -n test", ""}, {"make test", "make -i test", ""}, {"make test", "make", ""}, {"eslint .", "eslint src", ""}, {"ruff check .", "ruff check --exit-zero .", ""}, {"./check.sh", "./other.sh", ""}, {"python a.py", "python b.py", ""},
		// nobody hears that it fails
		{"pytest", "pytest || true", ""}, {"pytest", "pytest -k nothing || true", "3 deselected in 0.1s"}, {"pytest", "pytest; true", ""}, {"pytest", "pytest > /dev/null; echo done", "done"}, {"pytest", "pytest &", ""}, {"pytest", "! pytest", ""}, {"pytest", "if pytest; then ls; fi", "a.py"}, {"pytest", "pytest -q > log; echo exit: $?", "exit: 1"},
		{"pytest", "pytest || true", "1 failed, 2 passed in 0.1s"}, {"go test ./...", "go test ./... | grep ok", "ok  \texample.com/a\t0.1s"}, {"go test ./...", "go test ./... | head -1", "ok  \texample.com/a\t0.1s"}, {"npm test", "npm test || echo ignored", "ignored"}, {"make test", "make test | grep -v Error", "done"}, {"make test", "bash -c 'make test; true'", ""},
		// nothing has run, or nobody knows whether anything has
		{"go test ./...", "go test ./... | tail -3", ""}, {"./check.sh", "./check.sh | cat", ""}, {"npm run build", "npm run build 2>&1 | tail -3", "\n"}, {"go test ./...", "go test ./... 2>&1 | tail", "go: command not found"}, {"cargo test", "cargo test 2>&1 | tail", "/bin/bash: line 1: cargo: command not found"},
		{"python -m pytest", "python -m pytest 2>&1 | tail", "/usr/bin/python3.11: No module named pytest"}, {"./check.sh", "./check.sh 2>&1 | tail", "bash: line 1: ./check.sh: No such file or directory"}, {"sh check.sh", "sh check.sh 2>&1 | tail", "sh: 0: cannot open check.sh: No such file"},
		{"node test.js", "node test.js 2>&1 | tail -20", "node:internal/modules/cjs/loader:1228\n  throw err;\nError: Cannot find module '/x/test.js'"}, {"go vet ./...", "go vet ./... 2>&1 | tail", "zsh: command not found: go"}, {"eslint .", "eslint . > /dev/null | tail", ""},
	}
	for _, way := range []struct {
		tries []try
		want  string
	}{{ends, ""}, {stays, "deny"}} {
		for _, c := range way.tries {
			y := newYard(t)
			y.says("mend it")
			y.event("PostToolUseFailure", bashed(c.fails, map[string]any{"error": "Exit code 1\nit broke"}))
			y.event("PostToolUse", bashed(c.then, map[string]any{"tool_response": map[string]any{"stdout": c.prints}}))
			a := y.bash("git push")
			if got := a.Specific.Decision; got != "ask" && way.want == "" || way.want != "" && got != way.want || way.want != "" && !strings.Contains(a.Specific.Reason, "has not passed since") {
				t.Errorf("%s, and then %s (%q): %q %s", c.fails, c.then, c.prints, got, a.Specific.Reason)
			}
		}
	}
}

// bashed is an event of a command.
func bashed(command string, more map[string]any) map[string]any {
	e := map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": command}}
	for k, v := range more {
		e[k] = v
	}
	return e
}

// TestSeveralFail: a check that fails is not forgotten because another one fails as well, and passes.
func TestSeveralFail(t *testing.T) {
	y := newYard(t)
	fails := func(command string) {
		y.event("PostToolUseFailure", bashed(command, map[string]any{"error": "Exit code 1\nit broke"}))
	}
	passes := func(command string) { y.event("PostToolUse", bashed(command, nil)) }
	y.says("mend it")
	fails("pytest")
	fails("ruff check .")
	passes("ruff check .")
	y.bash("git push").want(t, "the first still fails", "deny", "pytest failed (it broke), and has not passed since")
	passes("pytest")
	y.bash("git push").want(t, "nothing fails", "ask", "")
	fails("go vet ./... && go test ./...")
	passes("go vet ./...")
	y.bash("git push").want(t, "one of two", "deny", "go vet ./... and go test ./... failed")
	for range 20 { // what is remembered is bounded
		fails("pytest " + strings.Repeat("x", 5000))
		fails("make " + strings.Repeat("a ", 500))
	}
	fails("pytest tests/test_a.py")
	passes("pytest tests/test_a.py")
	y.bash("git status").want(t, "and the memory is whole", "", "")
	// A command that runs on in the background, or was broken off, has not passed.
	for _, more := range []map[string]any{
		{"tool_input": map[string]any{"command": "pytest", "run_in_background": true}}, {"tool_response": map[string]any{"stdout": "", "backgroundTaskId": "b1"}}, {"tool_response": map[string]any{"stdout": "....", "interrupted": true}},
	} {
		y = newYard(t)
		y.says("mend it")
		fails("pytest")
		y.event("PostToolUse", bashed("pytest", more))
		y.bash("git push").want(t, "nobody knows how it ends", "deny", "pytest failed (it broke), and has not passed since")
		y.event("PostToolUse", bashed("pytest", map[string]any{"tool_response": map[string]any{"stdout": "3 passed", "interrupted": false}}))
		y.bash("git push").want(t, "it has ended", "ask", "")
	}
	// A search for failures that finds none is no failure of what it searches in.
	y = newYard(t)
	y.says("mend it")
	y.event("PostToolUseFailure", bashed("pytest 2>&1 | grep FAILED", map[string]any{"error": "Exit code 1"}))
	y.bash("git push").want(t, "nothing has failed", "ask", "")
}

// TestCodexEnds: Codex's hooks hear of a command that has ended no more than what it has printed. Its exit code stands in the transcript; where it does not, silence, and
// a shell that has not found the program, are no success.
func TestCodexEnds(t *testing.T) {
	const unknown = -1
	for _, c := range []struct {
		command, printed string
		code             int
		anew, still      bool // it counts as failed: by this alone; if it has failed before
	}{
		{"sh check.sh", "", 3, true, true}, {"sh check.sh", "", 0, false, false}, {"sh check.sh", "", unknown, false, true}, {"sh check.sh", "all good", unknown, false, false}, {"sh check.sh", "all good", 3, true, true},
		{"go test ./...", "bash: line 1: go: command not found", 127, true, true}, {"go test ./...", "bash: line 1: go: command not found", unknown, true, true}, {"python3 -m pytest", "/usr/bin/python3: No module named pytest", unknown, true, true},
		{"go test ./...", "ok  \tx\t0.1s", unknown, false, false}, {"go vet ./...", "", unknown, false, false}, {"go vet ./...", "", 1, true, true},
		{"pytest", "1 failed, 2 passed in 0.1s", 1, true, true}, {"pytest", "3 passed in 0.1s", 0, false, false}, {"pytest || true", "1 failed, 2 passed in 0.1s", 0, true, true}, {"pytest | tail", "1 failed, 2 passed in 0.1s", 0, true, true},
		{"cat failing.log", "1 failed, 2 passed in 0.1s", 0, false, false}, {"ls nowhere", "ls: cannot access 'nowhere'", 2, false, false}, {"grep -rn x .", "", 1, false, false},
	} {
		for _, before := range []bool{false, true} {
			y := newYard(t)
			y.env["CLAUDECODE"] = ""
			transcript := filepath.Join(y.home, "rollout.jsonl")
			ends := func(use, printed string, code int) {
				t.Helper()
				line := `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"other","exit_code":0}}}` + "\n"
				if code != unknown {
					line = fmt.Sprintf(`{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":%q,"aggregated_output":%q,"exit_code":%d}}}`+"\n", use, printed, code) + line
				}
				if err := os.WriteFile(transcript, []byte(line), 0o600); err != nil {
					t.Fatal(err)
				}
				y.event("PostToolUse", bashed(c.command, map[string]any{"tool_use_id": use, "transcript_path": transcript, "tool_response": printed}))
			}
			y.says("mend it")
			y.bash(c.command)
			if before {
				ends("call_0", "FAILED tests/test_a.py::test_b", 1)
			}
			ends("call_1", c.printed, c.code)
			want := c.anew || before && c.still
			if got := y.event("Stop", map[string]any{"last_assistant_message": "The parser reads what it should, and I am done."}).Reason; strings.Contains(got, "has not passed since") != want {
				t.Errorf("%s, %q, exit code %d, failed before: %v: %q", c.command, c.printed, c.code, before, got)
			}
		}
	}
}
