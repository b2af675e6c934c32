package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fettle/internal/guard/hook"
	"fettle/internal/guard/validate"
	"fettle/internal/testenv"
)

// Programs that many tests start: the hook, the hook as it is installed, and fettle.
var (
	hooks    = testenv.Built{Build: made("go", "build", "-o", "DIR", ".")}
	releases = testenv.Built{Build: made(filepath.FromSlash("../../scripts/hook.sh"), filepath.Join("DIR", "fettle-guard"))}
	fettles  = testenv.Built{Build: made("go", "build", "-o", "DIR", "../fettle")}
)

func TestMain(m *testing.M) {
	defer hooks.Remove()
	defer releases.Remove()
	defer fettles.Remove()
	m.Run()
}

// made puts programs into a folder, which the command names DIR.
func made(command ...string) func(string) error {
	return func(dir string) error {
		argv := slices.Clone(command)
		for i, word := range argv {
			argv[i] = strings.ReplaceAll(word, "DIR", dir)
		}
		if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%q: %w: %s", argv, err, out)
		}
		return nil
	}
}

// release is the hook as it is installed.
func release(t testing.TB) string {
	t.Helper()
	return filepath.Join(releases.In(t), "fettle-guard")
}

// start runs the hook on an event, in a home of its own.
func start(t testing.TB, program, home, event string) (code int, out string, p *os.ProcessState) {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Env = []string{"HOME=" + home, "CLAUDECODE=1"}
	cmd.Stdin = strings.NewReader(event)
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), both.String(), cmd.ProcessState
}

func call(command string) string {
	return fmt.Sprintf(`{"session_id":"s","hook_event_name":"PreToolUse","cwd":"/","tool_name":"Bash","tool_input":{"command":%q}}`, command)
}

// TestProcess holds the program to what it promises of itself.
func TestProcess(t *testing.T) {
	program, home := release(t), t.TempDir()
	if info, err := os.Stat(program); err != nil || info.Size() > 5_000_000 {
		t.Errorf("the program is %d bytes long, and may be 5 MB: %v", info.Size(), err)
	}
	if code, err := os.ReadFile(program); err != nil || bytes.Contains(code, []byte("regexp.Compile")) || bytes.Contains(code, []byte("regexp.MustCompile")) {
		t.Errorf("the program holds regular expressions, which are 200 KB and a part of every start, and needs none: %v", err)
	}
	if code, out, _ := start(t, program, home, `{"session_id":"s","hook_event_name":"SessionStart","source":"startup"}`); code != 0 || out != "" {
		t.Errorf("a session begins: %d %s", code, out)
	}
	if data, err := os.ReadFile(filepath.Join(home, ".local", "state", "fettle", "guard", "canary-claude.json")); err != nil || bytes.Contains(data, []byte("why")) {
		t.Errorf("the canary: %s %v", data, err)
	}
	if code, out, _ := start(t, program, home, call("go test ./...")); code != 0 || out != "" {
		t.Errorf("an ordinary call: %d %s", code, out)
	}
	if code, out, _ := start(t, program, home, call("cat ~/.ssh/id_rsa")); code != 0 || !strings.Contains(out, `"permissionDecision":"deny"`) {
		t.Errorf("harm: %d %s", code, out)
	}
	if code, out, _ := start(t, program, home, `{"session_id":`); code != 2 || out == "" {
		t.Errorf("half an event: %d %s", code, out)
	}
	if out, err := exec.Command(program, "--help").CombinedOutput(); err == nil || !strings.Contains(string(out), "fettle guard --help") {
		t.Errorf("an argument: %s %v", out, err)
	}
}

// TestTriedAgain is a package that is to be installed in other words again and again: of one session the third question is a refusal.
func TestTriedAgain(t *testing.T) {
	program, home := release(t), t.TempDir()
	for i, command := range []string{"pip install requests", "python3 -m pip install 'requests>=2'", "sh -c 'uv pip install requests[socks]==2.31'", "pipx install requests"} {
		decision, said := "ask", false
		if i >= 2 {
			decision, said = "deny", true
		}
		code, out, _ := start(t, program, home, call(command))
		if code != 0 || !strings.Contains(out, `"permissionDecision":"`+decision+`"`) || strings.Contains(out, "similar workarounds") != said {
			t.Errorf("%s: %d %s", command, code, out)
		}
	}
	if _, out, _ := start(t, program, home, strings.Replace(call("pip install requests"), `"session_id":"s"`, `"session_id":"other"`, 1)); !strings.Contains(out, `"permissionDecision":"ask"`) {
		t.Errorf("another session: %s", out)
	}
	if _, out, _ := start(t, program, home, `{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"go on"}`); strings.Contains(out, "decision") {
		t.Errorf("the person speaks: %s", out)
	}
	if _, out, _ := start(t, program, home, call("pip install requests")); !strings.Contains(out, `"permissionDecision":"ask"`) {
		t.Errorf("after the person has spoken: %s", out)
	}
}

// TestGitTriedAgain throws all work away, and overwrites what others have pushed, in ever other words.
func TestGitTriedAgain(t *testing.T) {
	program, home := release(t), t.TempDir()
	for session, commands := range map[string][]string{
		"discard": {"git reset --hard", "git checkout -- .", "git clean -fdx", "git restore .", "git reset --hard HEAD~2"},
		"force":   {"git push -f origin main", "git push origin +main", "git push --mirror", "git push origin :main", "git push -f"},
	} {
		for i, command := range commands {
			_, out, _ := start(t, program, home, strings.Replace(call(command), `"session_id":"s"`, `"session_id":"`+session+`"`, 1))
			if !strings.Contains(out, `"permissionDecision":"deny"`) || strings.Contains(out, "similar workarounds") != (i >= 2) {
				t.Errorf("%s: %s", command, out)
			}
		}
	}
	for _, file := range []string{"a.go", "b.go", "c.go"} { // each of these is something else
		if _, out, _ := start(t, program, home, call("git checkout -- "+file)); strings.Contains(out, "similar workarounds") {
			t.Errorf("%s: %s", file, out)
		}
	}
}

// TestMoved is a project that sets HOME for its sessions: the guard does not go by it.
func TestMoved(t *testing.T) {
	program, home, other := release(t), t.TempDir(), t.TempDir()
	note, err := hook.Abode{Home: home, Policy: filepath.Join(home, ".config", "fettle", "policy.yaml"), State: filepath.Join(home, ".local", "state", "fettle", "guard")}.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hook.AbodeFile(program), note, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := start(t, program, home, call("go test ./...")); code != 0 || out != "" {
		t.Errorf("at home: %d %s", code, out)
	}
	if code, out, _ := start(t, program, other, call("go test ./...")); code != 0 || !strings.Contains(out, `"permissionDecision":"ask"`) || !strings.Contains(out, "when the guard was installed") {
		t.Errorf("elsewhere: %d %s", code, out)
	}
	if code, out, _ := start(t, program, other, `{"session_id":"s","hook_event_name":"PreToolUse","cwd":"/","tool_name":"Read","tool_input":{"file_path":"/usr/share/dict/words"}}`); code != 0 || out != "" {
		t.Errorf("looking: %d %s", code, out)
	}
	if err := os.WriteFile(hook.AbodeFile(program), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := start(t, program, home, call("go test ./...")); code != 0 || !strings.Contains(out, `"permissionDecision":"ask"`) {
		t.Errorf("a note that is broken: %d %s", code, out)
	}
}

// TestLocked is a session whose other event does not end: the guard refuses within its budget.
func TestLocked(t *testing.T) {
	program, home := release(t), t.TempDir()
	start(t, program, home, call("ls"))
	locks, err := filepath.Glob(filepath.Join(home, ".local", "state", "fettle", "guard", "sessions", "*.lock"))
	if err != nil || len(locks) != 1 {
		t.Fatal(locks, err)
	}
	f, err := os.Open(locks[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := start(t, program, home, call("ls")); code != 2 || !strings.Contains(out, "refuses") {
		t.Errorf("%d %s", code, out)
	}
	if code, out, _ := start(t, program, home, `{"session_id":"s","hook_event_name":"Stop","cwd":"/"}`); code != 1 || !strings.Contains(out, "refuses") {
		t.Errorf("the end of a turn: %d %s", code, out)
	}
}

// waits makes a home in which calls wait for a validator, a script that answers for itself with $1 and the request's id, and has so many seconds.
func waits(t *testing.T, deadline time.Duration, script string) (home string) {
	t.Helper()
	home = t.TempDir()
	config, judge, fettle := filepath.Join(home, ".config", "fettle"), filepath.Join(home, "judge"), filepath.Join(home, "fettle")
	settled, err := json.Marshal(hook.Settled{Version: 1, Validator: &validate.Validator{Command: []string{judge, `{"version":1,"verdicts":[{"stage":"intent-validate","decision":"ok"}],"id":`}, Deadline: deadline, Stages: []validate.Stage{validate.Intent}}})
	if err != nil {
		t.Fatal(err)
	}
	const shell = "#!/bin/sh\nPATH=/usr/bin:/bin\n"
	if err := errors.Join(os.MkdirAll(config, 0o700), os.WriteFile(filepath.Join(config, "policy.yaml"), nil, 0o600), hook.Engine{Fettle: fettle}.Write(state(home)),
		os.WriteFile(fettle, []byte(shell+"cat <<'E'\n"+string(settled)+"\nE\n"), 0o700),
		os.WriteFile(judge, []byte(shell+`id=$(sed 's/.*"id":\("[^"]*"\).*/\1/')`+"\n"+script+"\n"), 0o700)); err != nil {
		t.Fatal(err)
	}
	start(t, release(t), home, `{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"mend the parser"}`)
	return home
}

const edit = `{"session_id":"s","hook_event_name":"PreToolUse","cwd":"/","tool_name":"Write","tool_input":{"file_path":"/tmp/fettle-guard-waits.txt","content":"x"}}`

// TestWaits are validators that take their time: one that answers in it is heard, one that does not is a question, and none outlives the hook.
func TestWaits(t *testing.T) {
	t.Parallel()
	program := release(t)
	t.Run("slow", func(t *testing.T) {
		t.Parallel()
		home := waits(t, 15*time.Second, `sleep 6; echo "$1$id}"`)
		if code, out, p := start(t, program, home, edit); code != 0 || out != "" || p.UserTime()+p.SystemTime() > maxWork {
			t.Errorf("%d %s, %v of processor time", code, out, p.UserTime()+p.SystemTime())
		}
	})
	t.Run("late", func(t *testing.T) {
		t.Parallel()
		home := waits(t, 3*time.Second, `sleep 30; echo "$1$id}"`)
		if code, out, _ := start(t, program, home, edit); code != 0 || !strings.Contains(out, `"permissionDecision":"ask"`) || !strings.Contains(out, "it did not answer in time") {
			t.Errorf("%d %s", code, out)
		}
	})
	t.Run("killed", func(t *testing.T) {
		t.Parallel()
		if runtime.GOOS != "linux" {
			t.Skip("only Linux ends a process with the one that started it")
		}
		home := waits(t, 40*time.Second, `exec 3>"$HOME/pipe"; echo here >&3; exec sleep 35`)
		pipe := filepath.Join(home, "pipe")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program)
		cmd.Env, cmd.Stdin = []string{"HOME=" + home, "CLAUDECODE=1"}, strings.NewReader(edit)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(pipe)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := io.ReadFull(f, make([]byte, len("here\n"))); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, f); err != nil || time.Since(began) > 10*time.Second { // until nobody holds it any more
			t.Errorf("the validator went on for %v: %v", time.Since(began), err)
		}
		_ = cmd.Wait() // it was killed
	})
}

// reports makes a home in which the guard's decisions are sent to an endpoint that is not there. Beside the program it needs fettle.
func reports(b testing.TB) (home string) {
	b.Helper()
	home = b.TempDir()
	fettle := filepath.Join(fettles.In(b), "fettle")
	config := filepath.Join(home, ".config", "fettle")
	if err := errors.Join(os.MkdirAll(config, 0o700), os.WriteFile(filepath.Join(config, "policy.yaml"), []byte("telemetry: {endpoint: http://127.0.0.1:1}\n"), 0o600),
		hook.Engine{Fettle: fettle}.Write(state(home))); err != nil {
		b.Fatal(err)
	}
	return home
}

func state(home string) string { return filepath.Join(home, ".local", "state", "fettle", "guard") }

// BenchmarkProcess measures the whole of it: the program starts, reads an event, decides, remembers, logs and ends. An empty Go program
// is measured beside it, the guard in a session with a transcript of 50 MB, and the guard with telemetry on: between two starts of its sender, and where it starts one.
func BenchmarkProcess(b *testing.B) {
	empty := filepath.Join(b.TempDir(), "empty")
	source := empty + ".go"
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", empty, source).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	guard := release(b)
	event := call("cd src && go test ./... 2>&1 | tail -n 20")
	measure(b, "empty", empty, b.TempDir(), event, nil)
	measure(b, "guard", guard, b.TempDir(), event, nil)
	long := b.TempDir()
	script := transcript(b, long)
	named := strings.Replace(event, `"cwd":"/"`, `"cwd":"/","transcript_path":"`+script+`"`, 1)
	measure(b, "long-session", guard, long, named, func() error { // the person speaks before each call, so that each call reads the transcript
		code, out, _ := start(b, guard, long, `{"session_id":"s","hook_event_name":"UserPromptSubmit","cwd":"/","transcript_path":"`+script+`","prompt":"go on"}`)
		if code != 0 {
			return errors.New(out)
		}
		return nil
	})
	home := reports(b)
	measure(b, "telemetry", guard, home, event, nil)
	// What is started is no sender: hundreds of them would wait for more to send. What people have settled is compiled already.
	if err := (hook.Engine{Fettle: empty}).Write(state(home)); err != nil {
		b.Fatal(err)
	}
	measure(b, "telemetry-starts", guard, home, event, func() error {
		err := os.Remove(filepath.Join(hook.ReportFolder(state(home)), hook.Stamp))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// transcript writes one of 50 MB, as Claude Code keeps it of a session of days, and says where it is.
func transcript(b testing.TB, home string) string {
	b.Helper()
	file := filepath.Join(home, ".claude", "projects", "-", "s.jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		b.Fatal(err)
	}
	f, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	text := bufio.NewWriter(f)
	for i := range 50 << 20 / 2250 { // turns of so many bytes
		fmt.Fprintf(text, `{"type":"user","uuid":"u%d","parentUuid":"a%d","sessionId":"s","cwd":"/","message":{"role":"user","content":"go on with part %d"}}`+"\n", i, i-1, i)
		fmt.Fprintf(text, `{"type":"assistant","uuid":"a%d","parentUuid":"u%d","sessionId":"s","cwd":"/","message":{"role":"assistant","content":[{"type":"text","text":%q}]}}`+"\n", i, i, strings.Repeat("This part is done. ", 100))
	}
	if err := text.Flush(); err != nil {
		b.Fatal(err)
	}
	if info, err := f.Stat(); err != nil || info.Size() < 50_000_000 {
		b.Fatal(info.Size(), err)
	}
	return file
}

// measure runs a program again and again on the same event.
func measure(b *testing.B, name, program, home, event string, before func() error) {
	b.Run(name, func(b *testing.B) {
		var wall, cpu []time.Duration
		for b.Loop() {
			if before != nil {
				if err := before(); err != nil {
					b.Fatal(err)
				}
			}
			began := time.Now()
			_, _, state := start(b, program, home, event)
			wall = append(wall, time.Since(began))
			cpu = append(cpu, state.UserTime()+state.SystemTime())
		}
		slices.Sort(wall)
		slices.Sort(cpu)
		b.ReportMetric(float64(wall[len(wall)/2].Microseconds())/1000, "wall-p50-ms")
		b.ReportMetric(float64(wall[len(wall)*99/100].Microseconds())/1000, "wall-p99-ms")
		b.ReportMetric(float64(cpu[len(cpu)/2].Microseconds())/1000, "cpu-p50-ms")
	})
}

// TestCanarySettings is what the canary finds where the client's settings no longer have the guard asked: each is told when a session begins.
func TestCanarySettings(t *testing.T) {
	program := release(t)
	for _, c := range []struct{ name, settings, why string }{
		{"as installed", `{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "'PROGRAM' || /bin/sh -c 'echo no >&2; exit 2'"}]}], "SessionStart": [{"hooks": [{"command": "'PROGRAM'"}]}]}}`, ""},
		{"as an earlier one was", `{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "'PROGRAM'"}]}], "SessionStart": [{"hooks": [{"command": "'PROGRAM'"}]}]}}`, ""},
		{"with comments", "\ufeff{ // mine\n \"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"command\": \"'PROGRAM'\"},]}], /* and */ \"Stop\": 3, }, }\n// the end", "the client heeds nothing in such a file"},
		{"with a comment, and nothing of the guard's", "{ // mine\n \"disableAllHooks\": true}", ""},
		{"with a mark", "\ufeff{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"command\": \"'PROGRAM'\"}]}]}}", ""},
		{"slow to start", `{"hooks": {"PreToolUse": [{"hooks": [{"command": "/bin/sleep 0.6; 'PROGRAM'"}]}]}}`, ""},
		{"somebody else's alone", `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"command": "other"}]}]}}`, ""},
		{"no longer before a tool", `{"hooks": {"SessionStart": [{"hooks": [{"command": "'PROGRAM'"}]}]}}`, "no longer has the guard asked"},
		{"of some tools alone", `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"command": "'PROGRAM'"}]}]}}`, "no longer has the guard asked"},
		{"no hooks at all", `{"disableAllHooks": true, "hooks": {"PreToolUse": [{"hooks": [{"command": "'PROGRAM'"}]}]}}`, "disableAllHooks"},
		{"another program of that name", `{"hooks": {"PreToolUse": [{"hooks": [{"command": "'/bin/true/fettle-guard'"}]}]}}`, "/bin/true/fettle-guard"},
		{"gone, where all is refused then", `{"hooks": {"PreToolUse": [{"hooks": [{"command": "'/nowhere/fettle-guard' || /bin/sh -c 'exit 2'"}]}]}}`, "lets no tool call through: /nowhere/fettle-guard refuses calls without judging them (it says"},
		{"lets all through", `{"hooks": {"PreToolUse": [{"hooks": [{"command": "true || fettle-guard"}, {"command": "'/bin/true/fettle-guard' || true"}]}]}}`, "lets through what it must refuse (exit code 0): run `fettle guard install` again"},
		{"garbage", `{"hooks": `, "cannot be read"},
	} {
		home := t.TempDir()
		file := filepath.Join(home, ".claude", "settings.json")
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(strings.ReplaceAll(c.settings, "PROGRAM", program)), 0o644)); err != nil {
			t.Fatal(err)
		}
		_, out, _ := start(t, program, home, `{"session_id":"s","hook_event_name":"SessionStart","source":"startup"}`)
		if !strings.Contains(out, c.why) || (out == "") != (c.why == "") || c.why != "" && !strings.Contains(out, "NOT guarded") && !strings.Contains(c.why, "lets no tool call through") {
			t.Errorf("%s: %s", c.name, out)
		}
	}
}
