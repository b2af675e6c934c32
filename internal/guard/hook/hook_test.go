package hook_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fettle/internal/guard/hook"
)

// yard is a project, a home, and a hook between a client and them. Nothing in it is ever run.
type yard struct {
	t             *testing.T
	project, home string
	env           map[string]string
	hook          hook.Hook
}

func newYard(t *testing.T) *yard {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	y := &yard{t: t, project: filepath.Join(base, "home", "work"), home: filepath.Join(base, "home")}
	if err := os.MkdirAll(filepath.Join(y.project, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	y.has("tsc", "eslint", "prettier", "biome", "jest", "vitest", "playwright")
	y.env = map[string]string{"HOME": y.home, "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": y.project}
	y.hook = hook.Hook{Dir: filepath.Join(base, "state"), Getenv: func(name string) string { return y.env[name] }}
	return y
}

// has installs packages' programs in the project, beside what git knows of it.
func (y *yard) has(programs ...string) {
	y.t.Helper()
	bin, exclude := filepath.Join(y.project, "node_modules", ".bin"), filepath.Join(y.project, ".git", "info", "exclude")
	for _, dir := range []string{bin, filepath.Dir(exclude)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			y.t.Fatal(err)
		}
	}
	files := map[string]string{exclude: "node_modules\n"}
	for _, name := range programs {
		files[filepath.Join(bin, name)] = ""
	}
	for file, text := range files {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			y.t.Fatal(err)
		}
	}
}

// event is what the client hears of an event; fields are its own, besides those that all have.
func (y *yard) event(name string, fields map[string]any) answer {
	y.t.Helper()
	e := map[string]any{"session_id": "one", "cwd": y.project, "hook_event_name": name, "permission_mode": "default"}
	for k, v := range fields {
		e[k] = v
	}
	data, err := json.Marshal(e)
	if err != nil {
		y.t.Fatal(err)
	}
	var out, errs bytes.Buffer
	a := answer{Code: y.hook.Run(bytes.NewReader(data), &out, &errs), Errors: errs.String()}
	if out.Len() > 0 {
		if err := json.Unmarshal(out.Bytes(), &a); err != nil {
			y.t.Fatalf("%s: %v: %s", name, err, out.String())
		}
	}
	return a
}

// answer is what a client reads.
type answer struct {
	Code       int
	Errors     string
	Continue   *bool
	StopReason string
	Message    string `json:"systemMessage"`
	Decision   string
	Reason     string
	Specific   struct {
		Event    string `json:"hookEventName"`
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
	} `json:"hookSpecificOutput"`
}

func (y *yard) call(tool string, input map[string]any) answer {
	y.t.Helper()
	return y.event("PreToolUse", map[string]any{"tool_name": tool, "tool_input": input})
}

func (y *yard) bash(command string) answer {
	y.t.Helper()
	return y.call("Bash", map[string]any{"command": command})
}

func (y *yard) edit(file, before, after string) answer {
	y.t.Helper()
	return y.call("Edit", map[string]any{"file_path": filepath.Join(y.project, file), "old_string": before, "new_string": after})
}

func (y *yard) says(prompt string) {
	y.t.Helper()
	y.event("UserPromptSubmit", map[string]any{"prompt": prompt})
}

// want checks a decision: "" is that the guard has nothing against it.
func (a answer) want(t *testing.T, what, decision, reason string) {
	t.Helper()
	if a.Code != 0 || a.Specific.Decision != decision || !strings.Contains(a.Specific.Reason, reason) {
		t.Errorf("%s: %d %q %q %s, want %q with %q", what, a.Code, a.Specific.Decision, a.Specific.Reason, a.Errors, decision, reason)
	}
}

func TestPolicyDecides(t *testing.T) {
	y := newYard(t)
	for _, mode := range []string{"default", "acceptEdits", "bypassPermissions", "plan", "dontAsk"} {
		for _, agent := range []string{"", "sub"} {
			call := map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "rm -rf ~"}, "permission_mode": mode, "agent_id": agent}
			y.event("PreToolUse", call).want(t, mode, "deny", "home")
		}
	}
	y.bash("go test ./... && git status").want(t, "the plain loop", "", "")
	y.bash("npm install left-pad").want(t, "packages", "ask", "")
	y.call("Write", map[string]any{"file_path": filepath.Join(y.home, ".bashrc"), "content": "x"}).want(t, "profile", "deny", "")
}

func TestNobodyToAsk(t *testing.T) {
	for name, c := range map[string]struct {
		env      map[string]string
		decision string
	}{
		"headless":                    {map[string]string{"CLAUDE_CODE_SESSION_ATTENDED": "0"}, "deny"},
		"attended":                    {map[string]string{"CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, "ask"},
		"another client":              {map[string]string{"CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDECODE": ""}, "deny"},
		"an old release, headless":    {map[string]string{"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, "deny"},
		"an old release, in terminal": {map[string]string{"CLAUDE_CODE_ENTRYPOINT": "cli"}, "ask"},
	} {
		y := newYard(t)
		maps.Copy(y.env, c.env)
		why := ""
		if c.decision == "deny" {
			why = "nobody is there"
		}
		y.bash("npm install left-pad").want(t, name, c.decision, why)
	}
}

// TestVenv is an environment of Python's that was active as the client started: what a list names is installed there, and not on the whole machine.
func TestVenv(t *testing.T) {
	for name, c := range map[string]struct{ venv, decision string }{
		"none":          {"", "ask"},
		"the project's": {"project/.venv", ""},
		"another":       {"other/venv", "ask"},
	} {
		y := newYard(t)
		if c.venv != "" {
			y.env["VIRTUAL_ENV"] = filepath.Join(y.project, "..", filepath.FromSlash(strings.Replace(c.venv, "project", filepath.Base(y.project), 1)))
		}
		y.bash("pip install -r requirements.txt").want(t, name, c.decision, "")
		for _, e := range y.log() {
			if v := e.Again(nil); v.Decision != e.Policy.Decision {
				t.Errorf("%s: again it is %s, not %s", name, v.Decision, e.Policy.Decision)
			}
		}
	}
}

// TestCodexWithin is Codex that Claude Code has started, and that has inherited its variables: its events are told by their form.
func TestCodexWithin(t *testing.T) {
	const rollout, talk = "/home/me/.codex/sessions/2026/05/01/rollout-2026-05-01T12-00-00-0a.jsonl", "/home/me/.claude/projects/-w/0a.jsonl"
	for name, c := range map[string]struct {
		fields map[string]any
		client string
	}{
		"Claude Code":                 {map[string]any{"transcript_path": talk}, hook.Claude},
		"Claude Code, no transcript":  {nil, hook.Claude},
		"Claude Code, if it has them": {map[string]any{"transcript_path": talk, "turn_id": "0b"}, hook.Claude},
		"Codex":                       {map[string]any{"transcript_path": rollout, "turn_id": "0b"}, hook.Codex},
		"Codex, before its first":     {map[string]any{"transcript_path": rollout}, hook.Codex},
		"Codex, no transcript":        {map[string]any{"transcript_path": nil, "turn_id": "0b"}, hook.Codex},
	} {
		y := newYard(t)
		asked := ""
		y.hook.Canary = func(client string) error { asked = client; return nil }
		y.event("SessionStart", c.fields)
		y.event("UserPromptSubmit", c.fields)
		a := y.event("PreToolUse", bashed("npm install left-pad", c.fields))
		if want := map[string]string{hook.Claude: "ask", hook.Codex: "deny"}[c.client]; asked != c.client || a.Specific.Decision != want {
			t.Errorf("%s: the canary of %s, and %q, want %q", name, asked, a.Specific.Decision, want)
		}
		if _, err := hook.ReadProof(y.hook.Dir, c.client); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestProjectStays is a client that names a folder for each command: another repository does not become the project by it.
func TestProjectStays(t *testing.T) {
	y := newYard(t)
	y.env["CLAUDE_PROJECT_DIR"], y.env["CLAUDECODE"] = "", ""
	other := filepath.Join(y.home, "other")
	if err := os.MkdirAll(filepath.Join(other, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	y.event("SessionStart", map[string]any{"source": "startup"})
	call := map[string]any{"tool_name": "Bash", "cwd": other, "tool_input": map[string]any{"command": "echo x > main.go"}}
	y.event("PreToolUse", call).want(t, "another repository", "deny", "")
	call["cwd"] = filepath.Join(y.project, "sub")
	y.event("PreToolUse", call).want(t, "a folder of the project", "", "")
}

// TestLinks is a link in the project that leads out of it.
func TestLinks(t *testing.T) {
	y := newYard(t)
	for link, to := range map[string]string{"notes": filepath.Join(y.home, ".ssh"), "new.txt": filepath.Join(y.home, ".bashrc"), "loop": filepath.Join(y.project, "loop")} {
		if err := os.Symlink(to, filepath.Join(y.project, link)); err != nil {
			t.Fatal(err)
		}
	}
	y.call("Write", map[string]any{"file_path": filepath.Join(y.project, "notes", "authorized_keys")}).want(t, "through a folder that is not there yet", "deny", "")
	y.call("Write", map[string]any{"file_path": filepath.Join(y.project, "new.txt")}).want(t, "dangling", "deny", "")
	y.bash("echo x > new.txt").want(t, "dangling, by the shell", "deny", "")
	y.call("Read", map[string]any{"file_path": filepath.Join(y.project, "loop")}).want(t, "loop", "", "")
}

func TestWorkarounds(t *testing.T) {
	y := newYard(t)
	y.says("go on")
	key := filepath.Join(y.home, ".ssh", "id_rsa")
	y.bash("cat "+key).want(t, "first", "deny", "secrets")
	y.bash("ls").want(t, "something else", "", "")
	y.call("Read", map[string]any{"file_path": key}).want(t, "second, by another tool", "deny", "secrets")
	y.bash("python3 -c 'print(open(\""+key+"\").read())'").want(t, "third", "deny", "attempted 3 similar workarounds")
	y.bash("base64 "+key).want(t, "fourth", "deny", "attempted 4")
	y.bash("head "+key).want(t, "fifth", "deny", "attempted 5")
	if a := y.bash("tail " + key); a.Continue == nil || *a.Continue || a.StopReason == "" {
		t.Errorf("the sixth does not end the turn: %+v", a)
	}
	y.bash("cat "+filepath.Join(y.home, ".aws", "credentials")).want(t, "another secret", "deny", "")
	y.says("what was that?")
	if a := y.bash("cat " + key); a.Continue != nil || strings.Contains(a.Specific.Reason, "CRITICAL") {
		t.Errorf("a word from the person does not begin the count anew: %+v", a)
	}
	for range 2 {
		y.bash("npm install left-pad").want(t, "a question", "ask", "")
	}
	y.bash("env npm install left-pad").want(t, "the same question in other words", "deny", "CRITICAL")
}

// TestOwnFiles is an agent that deletes what it has made itself, and what it has not.
func TestOwnFiles(t *testing.T) {
	y := newYard(t)
	if err := os.WriteFile(filepath.Join(y.project, "kept.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	y.bash("echo hello > scratch.txt").want(t, "made", "", "")
	if err := os.WriteFile(filepath.Join(y.project, "scratch.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	y.event("PostToolUse", bashed("echo hello > scratch.txt", nil))
	y.bash("echo hello > scratch.txt && echo more >> kept.txt").want(t, "written to again", "", "")
	y.event("PostToolUse", bashed("echo hello > scratch.txt && echo more >> kept.txt", nil))
	y.bash("rm -f scratch.txt").want(t, "its own", "", "")
	y.bash("rm -f scratch.txt kept.txt").want(t, "another, too", "ask", "")
	y.bash("rm -rf scratch.txt").want(t, "recursively", "ask", "")
	y.event("PreToolUse", map[string]any{"session_id": "two", "tool_name": "Bash", "tool_input": map[string]any{"command": "rm scratch.txt"}}).want(t, "another session's", "ask", "")
}

// TestTheirsSince is a file that an agent has made: it stays the agent's through its own edits, also by commands that fail and by formatters, until somebody else writes to it.
func TestTheirsSince(t *testing.T) {
	y := newYard(t)
	does := func(ends, command, text string) {
		t.Helper()
		y.bash(command).want(t, command, "", "")
		if err := os.WriteFile(filepath.Join(y.project, "mine.py"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		y.event(ends, map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": command}})
	}
	does("PostToolUse", "echo x > mine.py", "x")
	does("PostToolUseFailure", "sed -i s/x/yy/ mine.py && false", "yy")
	does("PostToolUse", "ruff format mine.py", "yyy")
	y.bash("rm mine.py").want(t, "the agent's", "", "")
	y.put("mine.py", "the person's")
	y.bash("rm mine.py").want(t, "the person's", "ask", "")
	does("PostToolUse", "echo z >> mine.py", "the person's z")
	y.bash("rm mine.py").want(t, "both's", "ask", "")
	if err := os.Remove(filepath.Join(y.project, "mine.py")); err != nil {
		t.Fatal(err)
	}
	// A call that was allowed, and that the person then declined, or that came to nothing, has made nothing.
	y.bash("echo x > other.py").want(t, "another", "", "")
	y.put("other.py", "x")
	y.bash("rm other.py").want(t, "what the agent was to make, and the person has made", "ask", "")
	y.bash("echo z >> other.py").want(t, "the agent writes to it", "", "")
	y.event("PostToolUse", bashed("echo z >> other.py", nil))
	y.says("again")
	y.bash("rm other.py").want(t, "both's, again", "ask", "")
	y.bash("false && touch third.py").want(t, "what comes to nothing", "", "")
	y.event("PostToolUseFailure", bashed("false && touch third.py", nil))
	y.put("third.py", "x")
	y.says("again")
	y.bash("rm third.py").want(t, "what came to nothing, and the person has made", "ask", "")
}

// TestApproved asks about one thing again and again, and a person says yes each time.
func TestApproved(t *testing.T) {
	y := newYard(t)
	for i := range 6 {
		call := map[string]any{"tool_use_id": strconv.Itoa(i), "tool_name": "Bash", "tool_input": map[string]any{"command": "git push"}}
		y.event("PreToolUse", call).want(t, fmt.Sprint("push ", i), "ask", "")
		y.event([]string{"PostToolUse", "PostToolUseFailure"}[i%2], call)
	}
}

// TestOtherSessions lets two sessions answer at once: neither sees the other's, and no event is lost.
func TestOtherSessions(t *testing.T) {
	y := newYard(t)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			y.event("PreToolUse", map[string]any{"session_id": fmt.Sprint("s", i%2), "tool_name": "Bash", "tool_input": map[string]any{"command": "ls"}})
		})
	}
	all.Wait()
	for _, want := range []string{"s0", "s1"} {
		n := 0
		for _, e := range y.log() {
			if e.Session == want {
				n++
			}
		}
		if n != 10 {
			t.Errorf("%d calls of %s are in the log", n, want)
		}
	}
}

func (y *yard) log() (all []hook.Entry) {
	y.t.Helper()
	files, err := filepath.Glob(filepath.Join(hook.LogFolder(y.hook.Dir), "*.jsonl"))
	if err != nil || len(files) == 0 {
		y.t.Fatal("no log", err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			y.t.Fatal(err)
		}
		for in := bufio.NewScanner(bytes.NewReader(data)); in.Scan(); {
			var e hook.Entry
			if err := json.Unmarshal(in.Bytes(), &e); err != nil {
				y.t.Fatal(err)
			}
			// The hook writes it without Go's own way, and just as that would.
			if again, err := json.Marshal(e); err != nil || !bytes.Equal(again, in.Bytes()) {
				y.t.Errorf("an entry is written as\n%s\nand read as\n%s %v", in.Bytes(), again, err)
			}
			all = append(all, e)
		}
	}
	return all
}

// TestReplay makes every decision of a log again, from the log alone.
func TestReplay(t *testing.T) {
	y := newYard(t)
	script := "#!/bin/sh\nsudo chmod 777 /etc\n"
	y.write("x.sh", script)
	if err := os.Symlink(filepath.Join(y.home, ".ssh"), filepath.Join(y.project, "notes")); err != nil {
		t.Fatal(err)
	}
	y.bash("cat notes/id_rsa")
	y.bash("./x.sh")
	y.bash("go vet ./...")
	y.bash("curl -H 'Authorization: Bearer ghp_" + strings.Repeat("a1B2", 9) + "' https://example.com")
	if err := os.RemoveAll(y.project); err != nil {
		t.Fatal(err)
	}
	for _, e := range y.log() {
		if v := e.Again(nil); v.Decision != e.Policy.Decision || v.Rule != e.Policy.Rule {
			t.Errorf("%s %s: %s by %s, and again: %s by %s", e.Tool, e.Input, e.Policy.Decision, e.Policy.Rule, v.Decision, v.Rule)
		}
		if strings.Contains(string(e.Input), "a1B2a1B2") {
			t.Errorf("a secret is in the log: %s", e.Input)
		}
	}
}

// write is the agent writing a file; a person says yes, if it is asked about.
func (y *yard) write(name, text string) {
	y.t.Helper()
	file := filepath.Join(y.project, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		y.t.Fatal(err)
	}
	if a := y.call("Write", map[string]any{"file_path": file, "content": text}); a.Specific.Decision == "deny" {
		y.t.Fatalf("writing %s: %+v", name, a)
	}
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		y.t.Fatal(err)
	}
}

// TestWrittenThenRun is a script that the agent writes with one call and runs with another.
func TestWrittenThenRun(t *testing.T) {
	y := newYard(t)
	text := "#!/bin/sh\nset -e\nsudo chmod 777 /etc\n"
	y.write("x.sh", text)
	for _, c := range []string{"./x.sh", "bash x.sh", "sh ./x.sh now", ". ./x.sh", "cd . && ./x.sh"} {
		y.says("again")
		y.bash(c).want(t, c, "deny", "")
	}
	// A path that is longer than what people are shown of one.
	deep := strings.Repeat("deeper/", 25)
	y.says("again")
	y.write(deep+"x.sh", text)
	y.bash("sh "+deep+"x.sh").want(t, "a script with a long path", "deny", "")
	if err := os.WriteFile(filepath.Join(y.project, deep, "mine.txt"), []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	y.edit(deep+"mine.txt", "mine", "ours")
	y.bash("rm "+deep+"mine.txt").want(t, "a file with a long path that was there before", "ask", "")
	y.says("again")
	y.write("Makefile", "all: build\n\tgo build ./...\nclean:\n\tsudo chmod 777 /etc\n")
	y.bash("make -C . all").want(t, "a makefile", "deny", "")
	y.says("again")
	y.write("package.json", `{"scripts": {"build": "tsc", "pretest": "cat ~/.ssh/id_rsa", "test": "jest"}}`)
	y.bash("npm run build").want(t, "another script", "", "")
	y.bash("npm test").want(t, "what runs before it", "deny", "secrets")
	y.bash("npm t").want(t, "in short", "deny", "secrets")
	if err := os.WriteFile(filepath.Join(y.project, "install.sh"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	y.bash("./install.sh").want(t, "a script that was there before", "", "")
	y.write("build.sh", "#!/bin/sh\ngo build ./... && frobnicate --all\n")
	y.bash("./build.sh").want(t, "a script that does what would only be asked about", "", "")
	// What is too long to be read.
	long := strings.Repeat("# a long story\n", 5000)
	y.write("long.sh", long+text)
	y.bash("./long.sh").want(t, "a long script", "ask", "nothing of it was judged")
	y.write("sub/package.json", `{"scripts": {"test": "cat ~/.ssh/id_rsa"}, "story": "`+strings.Repeat("a", 70_000)+`"}`)
	y.bash("cd sub && npm test").want(t, "a long package.json", "ask", "nothing of it was judged")
	if err := os.WriteFile(filepath.Join(y.project, "server.py"), []byte(long), 0o644); err != nil {
		t.Fatal(err)
	}
	y.edit("server.py", "a long story", "a longer story")
	y.bash("python3 server.py").want(t, "a long file that was there before", "", "")
}

func TestTold(t *testing.T) {
	for _, c := range []struct {
		says    string
		forbids bool
	}{
		{"Just explain, no edits", true}, {"read-only please", true}, {"Nothing should be changed. What does it do?", true}, {"hold on a second", true}, {"I said stop doing that!", true},
		{"stop editing files", true}, {"Please stop making changes.", true}, {"stop changing things!", true}, {"Please leave the code alone for now, just explain", true}, {"Leave everything as it is, I only want to know why.", true},
		{"only explain; I do not want any code changes", true}, {"I don't want any changes, tell me why", true}, {"Wait, before you change anything, tell me your plan", true}, {"Show me a plan before you edit any files.", true}, {"Before you touch the code: what would you do?", true},
		{"stop editing the tests", false}, {"stop making changes to the tests, and mend the parser", false}, {"leave the code alone and fix the docs", false}, {"leave the code alone, fix the docs", false}, {"don't push", false}, {"don't change the tests", false},
		{"I don't want any code changes in src, mend the docs", false}, {"before you change anything, run the tests", false}, {"before you change the parser, tell me why it fails", false}, {"write a test before you change anything", false}, {"tell me before you push", false},
		{"no edits to the tests, mend the parser", false}, {"make the file read-only", false}, {"open it read only, and mend the rest", false},
		{"STOP", true}, {"stop!", true}, {"Please stop. Wait.", true}, {"Don't edit anything yet. What is this for?", true},
		{"do not change any files, please", true}, {"Dont touch anything", true}, {"why? do not write any code now", true},
		{"Don't edit the tests, mend the parser", false}, {"stop using globals and pass the config", false}, {"Stop. Use a map instead.", false},
		{"Please don't change any files, just explain.", true}, {"Don't make any changes yet, I only want to understand mean.", true}, {"Don't edit.", true}, {"You must not edit anything.", true},
		{"I don't want you to edit anything.", true}, {"Explain how mean works, but do not edit.", true}, {"No changes, please.", true}, {"No changes to the repo.", true}, {"Read only: what does mean do?", true},
		{"Without changing anything, tell me why it is slow.", true}, {"Please only review the diff and do not fix anything.", true}, {"Don't fix it yet, just tell me what is wrong.", true},
		{"Don't implement anything yet. Make a plan.", true}, {"Analyse only.", true}, {"Hold off on edits.", true}, {"Explain only. Don't implement.", true}, {"Just look, don't touch", true}, {"never touch anything", true},
		{"Don't edit anything, just the parser", false}, {"don't edit the generated files, fix the template", false}, {"write tests that do not change anything", false}, {"add a check, but don't make it slow", false},
		{"fix the bug, don't touch the tests", false}, {"do not fix it by a sleep", false}, {"mend it and do not create new files", false}, {"Don't write comments. Rename a to b", false}, {"the linter says do not edit", false},
		{"don't change anything, except the parser", false}, {"you should not make a copy, use the original", false}, {"it should never change the input: mend that", false},
		{"don't change anything but the parser", false}, {"wait for the server to start before the test", false}, {"go on", false}, {"", false},
	} {
		y := newYard(t)
		y.says(c.says)
		want := ""
		if c.forbids {
			want = "deny"
		}
		y.edit("a.go", "a := 1", "a := 2").want(t, c.says, want, "")
		y.bash("sed -i s/a/b/ a.go").want(t, c.says+" (sed)", want, "")
		y.bash("go test ./...").want(t, c.says+" (reading)", "", "")
		y.says("now do it")
		y.edit("a.go", "a := 1", "a := 2").want(t, c.says+", and then: now do it", "", "")
	}
}

func TestPlanMode(t *testing.T) {
	y := newYard(t)
	input := map[string]any{"file_path": filepath.Join(y.project, "a.go"), "content": "x"}
	y.event("PreToolUse", map[string]any{"permission_mode": "plan", "tool_name": "Write", "tool_input": input}).want(t, "plan", "deny", "plan mode")
	y.event("PreToolUse", map[string]any{"permission_mode": "plan", "agent_id": "a1", "tool_name": "Write", "tool_input": input}).want(t, "a subagent's", "", "")
	plan := map[string]any{"file_path": filepath.Join(y.home, ".claude", "plans", "calm-fox.md"), "content": "x"}
	y.event("PreToolUse", map[string]any{"permission_mode": "plan", "tool_name": "Write", "tool_input": plan}).want(t, "the plan itself", "", "")
	y.event("PreToolUse", map[string]any{"permission_mode": "plan", "tool_name": "Bash", "tool_input": map[string]any{"command": "git log"}}).want(t, "reading", "", "")
}

func TestFailedCheck(t *testing.T) {
	y := newYard(t)
	tests := map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "go test ./..."}, "error": "Exit code 1\n--- FAIL"}
	y.says("mend it")
	y.event("PostToolUseFailure", tests)
	y.bash("git push").want(t, "published", "deny", "go test ./... failed (--- FAIL)")
	y.bash("git push").want(t, "told, and sure of it", "ask", "")
	y.event("PostToolUseFailure", tests)
	if a := y.event("Stop", map[string]any{"last_assistant_message": "I mended the parser; all tests pass."}); a.Decision != "block" || !strings.Contains(a.Reason, "has not passed") {
		t.Errorf("%+v", a)
	}
	y.event("PostToolUseFailure", tests)
	y.event("PostToolUse", tests)
	y.says("go on")
	y.bash("git push").want(t, "passed since", "ask", "")
	if a := y.event("Stop", map[string]any{"last_assistant_message": "I mended the parser; all tests pass."}); a.Decision != "" {
		t.Errorf("%+v", a)
	}
}

// TestFailsClosed is what cannot be judged: each tool call is refused by exit code 2, with a reason, and so is what nobody can read.
func TestFailsClosed(t *testing.T) {
	y := newYard(t)
	for name, event := range map[string]string{
		"empty": "", "no JSON": "hello", "cut": `{"session_id":"one","hook_event_name":"PreTool`, "a list": `[]`,
		"no event": `{"session_id":"one"}`, "no session": `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`,
	} {
		var out, errs bytes.Buffer
		if code := y.hook.Run(strings.NewReader(event), &out, &errs); code != 2 || errs.Len() == 0 || out.Len() > 0 {
			t.Errorf("%s: %d %q %q", name, code, out.String(), errs.String())
		}
	}
	var errs bytes.Buffer
	if code := y.hook.Run(broken{}, &bytes.Buffer{}, &errs); code != 2 || errs.Len() == 0 {
		t.Errorf("an input that breaks: %d", code)
	}
	y.hook.Now = func() time.Time { panic("the clock is gone") }
	if a := y.bash("ls"); a.Code != 2 || !strings.Contains(a.Errors, "crashed") {
		t.Errorf("a crash: %+v", a)
	}
	y.hook.Now = nil
	y.hook.Dir = filepath.Join(y.project, "file", "below")
	if err := os.WriteFile(filepath.Join(y.project, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if a := y.bash("ls"); a.Code != 2 {
		t.Errorf("no place for state: %+v", a)
	}
	for _, name := range []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop"} { // exit code 2 would swallow a message, or drive the agent on
		if a := y.event(name, nil); a.Code != 1 || !strings.Contains(a.Errors, "fettle guard status") {
			t.Errorf("no place for state, at a %s: %+v", name, a)
		}
	}
	y.hook.Dir = filepath.Join(y.project, "open")
	if err := os.Mkdir(y.hook.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(y.hook.Dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if a := y.bash("ls"); a.Code != 2 || !strings.Contains(a.Errors, "only you may write to") {
		t.Errorf("state where others write: %+v", a)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("it broke") }

// TestBrokenState damages the memory of a session in every way. What the last line before the damage says counts on; where there is none, what changes something is asked about until the
// person speaks again. The policy judges as before, the log tells of it, and what was there is kept.
func TestBrokenState(t *testing.T) {
	adds := func(text string) func(string) error {
		return func(f string) error {
			data, err := os.ReadFile(f)
			return errors.Join(err, os.WriteFile(f, append(data, text...), 0o600))
		}
	}
	const forbidden, asked = `"Don't edit anything yet"`, "what was remembered of this session is damaged"
	for name, c := range map[string]struct {
		damage func(file string) error
		lost   bool
	}{
		"garbage behind":       {adds("garbage"), false},
		"a line behind":        {adds("garbage\n"), false},
		"much behind":          {adds(strings.Repeat("garbage\n", 1<<16)), false},
		"a long line behind":   {adds(strings.Repeat("garbage", 1<<16) + "\n"), false},
		"a line without end":   {adds(`{"code":"`), false},
		"somebody else's line": {adds(`{"code":"AAAA","memory":{"since":0,"spoken":1}}` + "\n"), false},
		"the last one is torn": {func(f string) error {
			data, err := os.ReadFile(f)
			return errors.Join(err, os.WriteFile(f, data[:len(data)-9], 0o600))
		}, false},
		"garbage": {func(f string) error { return os.WriteFile(f, []byte("garbage"), 0o600) }, true},
		"torn": {func(f string) error {
			data, err := os.ReadFile(f)
			return errors.Join(err, os.WriteFile(f, data[:bytes.IndexByte(data, '\n')], 0o600))
		}, true},
		"forged": {func(f string) error {
			data, err := os.ReadFile(f)
			return errors.Join(err, os.WriteFile(f, bytes.ReplaceAll(data, []byte("since"), []byte("sense")), 0o600))
		}, true},
		"empty":    {func(f string) error { return os.Truncate(f, 0) }, true},
		"a folder": {func(f string) error { return errors.Join(os.Remove(f), os.Mkdir(f, 0o700)) }, true},
		"a link":   {func(f string) error { return errors.Join(os.Remove(f), os.Symlink("/etc/hostname", f)) }, true},
	} {
		y := newYard(t)
		y.says("Don't edit anything yet.")
		y.bash("ls")
		files, err := filepath.Glob(filepath.Join(y.hook.Dir, "sessions", "*.jsonl"))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		if err := c.damage(files[0]); err != nil {
			t.Fatal(err)
		}
		decision, why, told := "deny", forbidden, "allow"
		if c.lost {
			decision, why, told = "ask", asked, "ask"
		}
		for range 4 { // however often: it is no workaround
			y.bash("git tag v1").want(t, name, decision, why)
			if !c.lost {
				break
			}
		}
		y.bash("rm -rf ~").want(t, name, "deny", "")
		y.bash("go test ./...").want(t, name, "", "")
		var events []string
		for _, e := range y.log() {
			if e.Event != "" {
				events = append(events, e.Event+" "+e.Rule+" "+e.Decision.String()+" "+e.Session)
			}
		}
		if want := []string{"memory memory-damaged " + told + " one"}; !slices.Equal(events, want) {
			t.Errorf("%s: the log has %q, want %q", name, events, want)
		}
		if all := hook.Damaged(y.hook.Dir); len(all) != 1 {
			t.Errorf("%s: set aside: %q", name, all)
		}
		y.says("Go on.")
		y.bash("git tag v1").want(t, name, "", "")
	}
}

// TestLongMemory remembers so much that a session's line in its file takes many pages: all of it counts in the next call.
func TestLongMemory(t *testing.T) {
	y := newYard(t)
	for i := range 20 {
		command := []string{"rm -rf"}
		for j := range 8 {
			command = append(command, fmt.Sprintf("~/folder-of-the-person/%d-%d", i, j))
		}
		y.bash(strings.Join(command, " "))
	}
	files, err := filepath.Glob(filepath.Join(y.hook.Dir, "sessions", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if last := data[bytes.LastIndexByte(data[:len(data)-1], '\n')+1:]; len(last) < 8<<10 {
		t.Fatalf("the memory takes %d bytes", len(last))
	}
	y.bash("go test ./...").want(t, "an ordinary one", "", "")
	if aside, err := filepath.Glob(filepath.Join(y.hook.Dir, "sessions", "*broken*")); err != nil || len(aside) > 0 {
		t.Error("set aside:", aside, err)
	}
	y.bash("rm -rf ~/folder-of-the-person/0-0")
	y.bash("rm -r ~/folder-of-the-person/0-0").want(t, "the first for the third time", "deny", "attempted 3")
}

// TestBrokenList: where the list of what the agent has written cannot be read, or is full, every script of the project counts as the agent's.
func TestBrokenList(t *testing.T) {
	for name, damage := range map[string]func(file string) error{
		"a folder": func(f string) error { return errors.Join(os.Remove(f), os.Mkdir(f, 0o700)) },
		"a link":   func(f string) error { return errors.Join(os.Remove(f), os.Symlink("/etc/hostname", f)) },
		"full": func(f string) error {
			return os.WriteFile(f, bytes.Repeat([]byte("+/home/dev/repo/generated/one.go\n"), 40_000), 0o600)
		},
	} {
		y := newYard(t)
		y.write("a.txt", "a\n")
		files, err := filepath.Glob(filepath.Join(y.hook.Dir, "sessions", "*.written"))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		if err := damage(files[0]); err != nil {
			t.Fatal(err)
		}
		for script, text := range map[string]string{"harm.sh": "rm -rf ~\n", "build.sh": "go build ./...\n"} {
			if err := os.WriteFile(filepath.Join(y.project, script), []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		y.bash("sh harm.sh").want(t, name, "deny", "")
		y.says("again")
		y.bash("sh build.sh").want(t, name, "", "")
	}
}

// TestLong lets a session go on for long: what is kept of it stays short.
func TestLong(t *testing.T) {
	y := newYard(t)
	for i := range 400 {
		y.bash(fmt.Sprintf("cat ~/.ssh/key%d", i))
	}
	files, err := filepath.Glob(filepath.Join(y.hook.Dir, "sessions", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Size() > 1<<20 {
		t.Errorf("%d bytes, %v", info.Size(), err)
	}
}

// TestSweep begins a session long after another.
func TestSweep(t *testing.T) {
	y := newYard(t)
	y.bash("ls")
	now := time.Now()
	left := func() int {
		sessions, _ := filepath.Glob(filepath.Join(y.hook.Dir, "sessions", "*.jsonl"))
		logs, _ := filepath.Glob(filepath.Join(hook.LogFolder(y.hook.Dir), "*.jsonl"))
		return 10*len(sessions) + len(logs)
	}
	for _, c := range []struct{ days, want int }{{0, 21}, {29, 21}, {31, 11}, {91, 10}} {
		y.hook.Now = func() time.Time { return now.Add(time.Duration(c.days) * 24 * time.Hour) }
		y.event("SessionStart", map[string]any{"session_id": "two"})
		if got := left(); got != c.want {
			t.Errorf("after %d days: %d sessions and %d days of the log are left, want %d and %d", c.days, got/10, got%10, c.want/10, c.want%10)
		}
	}
}

func TestCanary(t *testing.T) {
	y := newYard(t)
	y.hook.Canary = func(string) error { return nil }
	if a := y.event("SessionStart", map[string]any{"source": "startup"}); a.Message != "" {
		t.Errorf("%+v", a)
	}
	if p, err := hook.ReadProof(y.hook.Dir, hook.Claude); err != nil || p.Why != "" || p.Time.IsZero() {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := hook.ReadProof(y.hook.Dir, hook.Codex); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of the other client: %+v, %v", p, err)
	}
	y.env["CLAUDECODE"] = "" // it is the other one's turn
	y.hook.Canary = func(client string) error { return fmt.Errorf("%s %w", client, hook.ErrUnjudged) }
	if a := y.event("SessionStart", map[string]any{"source": "startup"}); a.Message != "fettle guard lets no tool call through: codex refuses calls without judging them" {
		t.Errorf("%+v", a)
	}
	y.hook.Canary = func(string) error { return errors.New("it was let through") }
	if a := y.event("SessionStart", map[string]any{"source": "startup"}); a.Message != "fettle guard does not hold, and what the agent does is NOT guarded: it was let through" {
		t.Errorf("%+v", a)
	}
	if p, err := hook.ReadProof(y.hook.Dir, hook.Codex); err != nil || p.Why != "it was let through" {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := hook.ReadProof(y.hook.Dir, hook.Claude); err != nil || p.Why != "" {
		t.Errorf("of the other client: %+v, %v", p, err)
	}
	var out, errs bytes.Buffer
	if y.hook.Run(strings.NewReader(hook.CanaryEvent), &out, &errs) != 0 || !strings.Contains(out.String(), `"permissionDecision":"deny"`) {
		t.Errorf("the canary's call is not refused: %s %s", &out, &errs)
	}
}

// TestNothingIsChanged are calls that change something, each in its way, where a person wants nothing changed, and in plan mode; and those that do not.
func TestNothingIsChanged(t *testing.T) {
	y := newYard(t)
	try := func(tool string, input map[string]any) (forbidden, planned string) {
		y.says("Don't edit anything yet. Why is it slow?")
		forbidden = y.call(tool, input).Specific.Decision
		y.says("plan it")
		planned = y.event("PreToolUse", map[string]any{"tool_name": tool, "tool_input": input, "permission_mode": "plan"}).Specific.Decision
		return forbidden, planned
	}
	data, err := os.ReadFile(filepath.Join("testdata", "told.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		command, changes := strings.CutPrefix(strings.TrimSpace(line), "- ")
		command, _ = strings.CutPrefix(command, "+ ")
		if command == "" || strings.HasPrefix(command, "#") {
			continue
		}
		want := ""
		if changes {
			want = "deny"
		}
		if forbidden, planned := try("Bash", map[string]any{"command": command}); forbidden != want || planned != want {
			t.Errorf("%s: %q where nothing is to be changed, %q in plan mode, want %q", command, forbidden, planned, want)
		}
	}
}
