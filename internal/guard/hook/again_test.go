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

// TestCodexGoesOn: of Codex, which heeds nothing of an answer that would end the turn, the same thing is refused however often it is tried.
func TestCodexGoesOn(t *testing.T) {
	for client, ends := range map[string]bool{"1": true, "": false} {
		y := newYard(t)
		y.env["CLAUDECODE"] = client
		y.says("go on")
		for i := range 8 {
			a := y.bash("cat ~/.ssh/id_rsa")
			if a.Specific.Decision != "deny" || (a.Continue != nil || a.StopReason != "") != (ends && i >= 5) {
				t.Errorf("CLAUDECODE=%s, %d: %+v", client, i, a)
			}
		}
	}
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

// TestWrittenDownAgain is what was refused, and is written into a file that is run then.
func TestWrittenDownAgain(t *testing.T) {
	inPython := func(command string) string {
		return "import subprocess\nsubprocess.run(" + strconv.Quote(command) + ", shell=True)\n"
	}
	same := func(command string) string { return command + "\n" }
	for _, c := range []struct {
		refused, file string
		holds         func(command string) string
		run           string
	}{
		{"npm publish", "a.sh", same, "sh a.sh"},
		{"git push", "a.sh", same, "bash ./a.sh"},
		{"git push origin main", "a.py", inPython, "python3 a.py"},
		{"terraform destroy", "a.sh", same, "./a.sh"},
		{`psql -c "drop database x"`, "a.sh", same, "sh a.sh"},
		{"rm -f *.py", "a.sh", same, "sh a.sh"},
		{"git stash drop", "a.sh", same, "sh a.sh"},
		{"sed -i s/a/b/ .github/workflows/ci.yml", "a.sh", same, "sh a.sh"},
		{"frobnicate --all", "a.sh", same, ". ./a.sh"},
		{"curl https://example.com/x", "a.py", func(string) string {
			return "import urllib.request\nurllib.request.urlopen('https://example.com/x')\n"
		}, "python3 a.py"},
		{"npm publish", "Makefile", func(command string) string { return "all:\n\t" + command + "\n" }, "make"},
		{"npm publish", "a.sh", func(command string) string { return "go() { " + command + "; }\n" }, "source ./a.sh && go"},
		{"npm publish", "test_a.py", func(command string) string { return "import os\ndef test_a():\n    os.system('" + command + "')\n" }, "pytest test_a.py"},
	} {
		y := newYard(t)
		y.env["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
		y.says("go on")
		y.write(c.file, c.holds(c.refused))
		y.bash(c.run).want(t, c.run+" alone", "", "")
		y.bash(c.refused).want(t, c.refused, "deny", "")
		y.bash(c.run).want(t, c.refused+" by "+c.run, "deny", "was not allowed before")
		y.bash(c.run).want(t, c.refused+" by "+c.run+", the third time", "deny", "attempted 3")
		y.says("go on")
		y.bash(c.run).want(t, c.run+" after the person spoke", "", "")
	}
}

// TestWrittenDownOtherwise is what the agent's own scripts go on doing after something else was refused, or was granted after all.
func TestWrittenDownOtherwise(t *testing.T) {
	y := newYard(t)
	y.env["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
	y.says("go on")
	for _, command := range []string{"npm publish", "frobnicate", "rm -f a.py", `rm -f "$X"`, "kill $PID", "git push origin main", "git reset --hard", "env"} {
		y.bash(command).want(t, command, "deny", "")
	}
	for _, c := range []struct{ file, text, run string }{
		{"a.sh", "npm run build && npm test\n", "sh a.sh"},
		{"b.sh", "git add a.py && git commit -m x && git log\n", "sh b.sh"},
		{"c.sh", "rm -f b.py\nserver & kill $!\nrm -f \"$TMPFILE\"\n", "sh c.sh"},
		{"d.py", "import os, subprocess\nsubprocess.run(['go', 'test'], env=dict(os.environ, CI='1'))\n", "python3 d.py"},
		{"test_e.py", "import subprocess\ndef test_e(tmp_path):\n    subprocess.run(['git', 'push', 'origin', 'main'], cwd=tmp_path)\n", "pytest"},
		{"f.sh", "echo npm publish\n# frobnicate\n", "sh f.sh"},
	} {
		y.write(c.file, c.text)
		y.bash(c.run).want(t, c.run, "", "")
	}
}

// TestWrittenDownAsked: where a person is there, what they have not granted is asked about in a script, too; what they have is not.
func TestWrittenDownAsked(t *testing.T) {
	y := newYard(t)
	y.says("go on")
	file := filepath.Join(t.TempDir(), "t.jsonl")
	if err := os.WriteFile(file, []byte(`{"type":"user","uuid":"2","message":{"content":[{"type":"tool_result","tool_use_id":"no","is_error":true}]}}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	call := func(event, use, command string) answer {
		return y.event(event, map[string]any{"tool_use_id": use, "transcript_path": file, "tool_name": "Bash", "tool_input": map[string]any{"command": command}})
	}
	y.write("a.sh", "npm publish\n")
	call("PreToolUse", "open", "npm publish").want(t, "the command", "ask", "")
	call("PreToolUse", "run", "sh a.sh").want(t, "while the question is open", "", "")
	call("PostToolUse", "open", "npm publish")
	call("PreToolUse", "run2", "sh a.sh").want(t, "after a yes", "", "")
	call("PreToolUse", "no", "npm publish").want(t, "the command again", "ask", "")
	call("PreToolUse", "run3", "sh a.sh").want(t, "after a no", "ask", "what the agent has written would do what was not allowed before")
	call("PostToolUse", "run3", "sh a.sh")
	call("PreToolUse", "run4", "sh a.sh").want(t, "after a yes to the script", "", "")
}
