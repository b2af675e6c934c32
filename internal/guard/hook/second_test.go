package hook_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fettle/internal/guard/hook"
	"fettle/internal/guard/validate"
)

// script writes a program.
func (y *yard) script(name, text string) string {
	y.t.Helper()
	file := filepath.Join(filepath.Dir(y.home), name)
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		y.t.Fatal(err)
	}
	return file
}

// settles lets fettle say that this is settled, whatever the files hold; it is asked for again when the user's policy changes.
func (y *yard) settles(s hook.Settled) {
	y.t.Helper()
	policy := filepath.Join(y.home, ".config", "fettle", "policy.yaml")
	if err := errors.Join(os.MkdirAll(filepath.Dir(policy), 0o755), os.WriteFile(policy, fmt.Append(nil, "# ", time.Now()), 0o644)); err != nil {
		y.t.Fatal(err)
	}
	s.Version = 1
	for _, name := range hook.Sources(func(n string) string { return y.env[n] }, y.home, y.project) {
		s.From = append(s.From, hook.See(name))
	}
	data, err := json.Marshal(s)
	if err != nil {
		y.t.Fatal(err)
	}
	out := filepath.Join(filepath.Dir(y.home), "settled.json")
	engine := y.script("fettle", `echo "$@" >> "$0.log"; cat `+out)
	if err := errors.Join(os.WriteFile(out, data, 0o600), hook.Engine{Fettle: engine}.Write(y.hook.Dir)); err != nil {
		y.t.Fatal(err)
	}
	y.hook.Environ = []string{"PATH=" + os.Getenv("PATH")}
}

// validator is one that answers what its file says: a decision for each stage that it has something against.
type validator struct {
	y          *yard
	file, seen string
	jobs       [][]byte
}

// asks gives the yard a validator. Its script is as dumb as can be: it copies what it was asked, and answers every stage.
func (y *yard) asks(extra string) *validator {
	y.t.Helper()
	return y.asksBeside(hook.Settled{}, extra)
}

// asksBeside gives it one beside what else is settled. What stands under "more" in its file is added to each verdict.
func (y *yard) asksBeside(s hook.Settled, extra string) *validator {
	y.t.Helper()
	v := &validator{y: y, file: filepath.Join(filepath.Dir(y.home), "against"), seen: filepath.Join(filepath.Dir(y.home), "seen")}
	program := y.script("validator", `exec python3 -c '
import json, sys
r = json.load(sys.stdin)
open("`+v.seen+`", "a").write(json.dumps(r) + "\n")
against = json.load(open("`+v.file+`"))
if "exit" in against: sys.exit(3)
more = against.pop("more", {})
print(json.dumps({"version": 1, "id": r["id"], "verdicts": [{"stage": s, "decision": "fail" if s in against else "ok", "reason": against.get(s, ""), **more} for s in r["stages"]]}))
'`)
	y.settles(s)
	out := filepath.Join(filepath.Dir(y.home), "settled.json")
	data, err := os.ReadFile(out)
	if err != nil {
		y.t.Fatal(err)
	}
	data = bytes.Replace(data, []byte(`"from"`), []byte(`"validator":{"command":["`+program+`"],"deadline":20000000000`+extra+`},"from"`), 1)
	if err := os.WriteFile(out, data, 0o600); err != nil {
		y.t.Fatal(err)
	}
	y.hook.Later = func(job []byte) error { v.jobs = append(v.jobs, job); return nil }
	v.against("{}")
	return v
}

func (v *validator) against(what string) {
	v.y.t.Helper()
	if err := os.WriteFile(v.file, []byte(what), 0o600); err != nil {
		v.y.t.Fatal(err)
	}
}

// later runs what no call waited for, and returns how many those were.
func (v *validator) later() int {
	v.y.t.Helper()
	for _, job := range v.jobs {
		h := hook.Hook{Environ: v.y.hook.Environ, Now: v.y.hook.Now}
		if err := h.Answered(bytes.NewReader(job)); err != nil {
			v.y.t.Fatal(err)
		}
	}
	n := len(v.jobs)
	v.jobs = nil
	return n
}

// asked are the stages that the validator was asked about since the last time, a question each.
func (v *validator) asked() (all []string) {
	v.y.t.Helper()
	data, err := os.ReadFile(v.seen)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		v.y.t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var r struct{ Stages []string }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			v.y.t.Fatal(err)
		}
		all = append(all, strings.Join(r.Stages, " "))
	}
	_ = os.Remove(v.seen)
	return all
}

// on lets a session go on until nothing but the call itself is a reason to look at it at once.
func (y *yard) on() {
	y.t.Helper()
	y.says("mend the parser")
	for range 4 {
		y.bash("go build ./...")
	}
}

// TestDiscreetOpinions: what a validator says may hold a secret that it has found elsewhere. It is remembered, logged and passed on without.
func TestDiscreetOpinions(t *testing.T) {
	const key = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
	y := newYard(t)
	v := y.asks("")
	v.against(`{"intent-validate": "the transcript says ` + key + `"}`)
	y.says("mend the parser")
	if a := y.bash("go build ./..."); a.Specific.Decision != "deny" || strings.Contains(a.Specific.Reason, key) || !strings.Contains(a.Specific.Reason, "the transcript says") {
		t.Errorf("at once: %+v", a)
	}
	v.against("{}")
	y.on()
	v.against(`{"intent-validate": "the transcript says ` + key + `"}`)
	y.bash("go vet ./...")
	if v.later() != 1 {
		t.Fatal("it was waited for")
	}
	err := filepath.WalkDir(y.hook.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), key) {
			t.Errorf("%s has the key in it", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if a := y.bash("go test ./..."); !strings.Contains(a.Specific.Reason, "Previous Bash had issues") || strings.Contains(a.Specific.Reason, key) {
		t.Errorf("the next call: %+v", a)
	}
}

// TestStrict are the reasons for which a call waits for the validator.
func TestStrict(t *testing.T) {
	y := newYard(t)
	v := y.asks("")
	y.says("mend the parser")
	y.bash("go build ./src").want(t, "the first call", "", "")
	if got := v.asked(); len(got) != 1 || got[0] != "intent-validate response-align" || v.later() != 0 {
		t.Errorf("the first call: %q", got)
	}
	y.bash("go build ./a")
	y.bash("go build ./b")
	if got := v.asked(); len(got) != 2 || v.later() != 0 {
		t.Errorf("the first three: %q", got)
	}
	y.bash("go vet ./...")
	if got := v.asked(); len(got) != 0 || v.later() != 1 {
		t.Errorf("the fourth waited: %q", got)
	}
	y.put("grows.go", "a\nb\nz\n")
	y.put("shrinks.go", "a\n"+strings.Repeat("y\n", 21))
	for name, do := range map[string]func(){
		"after a refusal": func() {
			y.bash("cat ~/.ssh/id_rsa")
			y.bash("go vet ./a")
		},
		"after a failure": func() {
			y.event("PostToolUseFailure", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "ls nowhere"}, "error": "Exit code 2"})
			y.bash("go vet ./b")
		},
		"after a refusal, a look, and an errand": func() {
			y.bash("cat ~/.ssh/id_rsa")
			y.call("Read", map[string]any{"file_path": filepath.Join(y.project, "a.go")})
			y.subagent("go vet ./sub")
			if v.later() != 1 || len(v.asked()) != 1 {
				t.Error("the subagent's call waited")
			}
			y.bash("go vet ./aa")
		},
		"after a failure, a look, and a refusal": func() {
			y.event("PostToolUseFailure", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "ls nowhere"}, "error": "Exit code 2"})
			y.bash("ls")
			y.bash("cat ~/.ssh/id_rsa")
			y.bash("go vet ./bb")
		},
		"a long file": func() {
			y.call("Write", map[string]any{"file_path": filepath.Join(y.project, "long.go"), "content": strings.Repeat("y\n", 21)})
		},
		"a file that becomes long": func() {
			y.call("Write", map[string]any{"file_path": filepath.Join(y.project, "grows.go"), "content": "a\n" + strings.Repeat("y\n", 21) + "z\n"})
		},
		"a file that becomes short": func() {
			y.call("Write", map[string]any{"file_path": filepath.Join(y.project, "shrinks.go"), "content": "a\n"})
		},
		"a long edit": func() { y.edit("a.go", "x", strings.Repeat("y\n", 21)) },
		"a long edit in pieces": func() {
			y.call("MultiEdit", map[string]any{"file_path": filepath.Join(y.project, "a.go"), "edits": pieces(3, 7)})
		},
		"a long cell": func() {
			y.call("NotebookEdit", map[string]any{"notebook_path": filepath.Join(y.project, "a.ipynb"), "new_source": strings.Repeat("y\n", 21)})
		},
		"a long patch": func() {
			y.call("apply_patch", map[string]any{"command": "*** Begin Patch\n*** Update File: b.go\n@@\n" + strings.Repeat("-x\n", 11) + strings.Repeat("+y\n", 10) + "*** End Patch\n"})
		},
		"plan mode": func() {
			y.event("PreToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "go vet ./c"}, "permission_mode": "plan"})
		},
		"a path outside": func() { y.bash("wc /etc/hostname && go vet ./e") },
	} {
		v.asked()
		do()
		if got := v.asked(); len(got) != 1 || v.later() != 0 {
			t.Errorf("%s: %q", name, got)
		}
		y.bash("go vet ./" + strings.ReplaceAll(name, " ", "")) // one call, and no more
		if got := v.asked(); len(got) != 0 || v.later() != 1 {
			t.Errorf("the call after %s: %q", name, got)
		}
		v.asked()
	}
	// A file of any length that is written anew with few lines changed.
	y.put("touched.go", strings.Repeat("y\n", 300))
	y.call("Write", map[string]any{"file_path": filepath.Join(y.project, "touched.go"), "content": strings.Repeat("y\n", 150) + strings.Repeat("z\n", 20) + strings.Repeat("y\n", 130)})
	if got := v.asked(); len(got) != 0 || v.later() != 1 {
		t.Errorf("20 lines of 300: %q", got)
	}
	v.asked()
	y.call("MultiEdit", map[string]any{"file_path": filepath.Join(y.project, "a.go"), "edits": pieces(4, 5)})
	if got := v.asked(); len(got) != 0 || v.later() != 1 {
		t.Errorf("20 lines in pieces: %q", got)
	}
	v.asked()
	// What only looks, what a subagent does, and what was answered already, not too many answers ago.
	y.bash("go vet ./known")
	v.later()
	v.asked()
	y.call("Read", map[string]any{"file_path": filepath.Join(y.project, "a.go")})
	y.call("Grep", map[string]any{"pattern": "x"})
	for _, c := range []string{"ls", "cat a.go | head -5", "git status && git diff HEAD~1", "grep -rn TODO src", "wc /etc/hostname"} {
		y.bash(c)
	}
	y.bash("go vet ./known")
	if got := v.asked(); len(got) != 0 || v.later() != 0 {
		t.Errorf("looking: %q", got)
	}
	for _, tool := range []string{"Agent", "spawn_agent", "collaborationspawn_agent"} {
		y.call(tool, map[string]any{"prompt": "look at ./" + tool, "message": "look"})
		if got := v.asked(); len(got) != 1 || v.later() != 0 {
			t.Errorf("a task by %s: %q", tool, got)
		}
		v.asked()
	}
	// A command may do anything, and what it does is done: only the project's checks do not wait. That holds for a file that is edited by a command, too.
	for command, waits := range map[string]bool{
		"sed -i s/a/b/ src/a.go": true, "cat > b.go <<'E'\npackage b\nE": true, "python3 -c 'open(\"c.txt\", \"w\").write(\"c\")'": true,
		"python3 tool.py": true, "go test ./... && git add -A": true, "go test ./src | tail -5": false, "npm run lint": false, "ruff check . && pytest -q": false,
		"npm test -- -t y": false, "npm t": false, "yarn test foo.js": false, "yarn run deploy": true, "pnpm deploy": true, "make": false, "make -j4 CC=clang tests lint": false, "npm run test:unit -- -t x": false, "pnpm typecheck": false, "yarn lint-fix": false, "make buildDocs": false, "yarn workspace web test": false, "./gradlew :app:test": false, "mvn -q clean package": false,
		"make deploy": true, "make publish": true, "make test deploy": true, "npm run deploy": true, "npm run release": true, "npm run build:release": true, "bun run seed": true, "npm start": true, "make clean": true, "gradle deployStaging": true,
	} {
		y.bash(command)
		if got := v.asked(); len(got) == 1 != waits || v.later() == 1 == waits {
			t.Errorf("%s: %q", command, got)
		}
		v.asked()
	}
	y.call("collaborationwait_agent", map[string]any{})
	if got := v.asked(); len(got) != 0 || v.later() != 0 {
		t.Errorf("waiting: %q", got)
	}
	y.subagent("go vet ./d")
	if got := v.asked(); len(got) != 0 || v.later() != 1 {
		t.Errorf("a subagent: %q", got)
	}
	// A validator of one's own that every call waits for.
	y = newYard(t)
	v = y.asks(`,"strict":true,"stages":["intent-validate"]`)
	y.on()
	if got := v.asked(); len(got) != 1 || got[0] != "intent-validate" || v.later() != 0 { // the same call four times is one question
		t.Errorf("strict: %q", got)
	}
}

// TestFirstAfterMessage: agents nearly always look first. The first call that does more is the one that is held against what the person has said.
func TestFirstAfterMessage(t *testing.T) {
	y := newYard(t)
	v := y.asks("")
	for _, message := range []string{"mend the parser", "why is it slow?", "then mend that, too"} {
		y.says(message)
		y.call("Read", map[string]any{"file_path": filepath.Join(y.project, "a.go")})
		y.bash("git status")
		y.subagent("go vet ./sub")
		y.bash("cat ~/.ssh/id_rsa").want(t, "a refusal", "deny", "")
		v.later()
		v.asked()
		y.edit("a.go", "old", "new")
		if got := v.asked(); len(got) != 1 || !strings.HasPrefix(got[0], "intent-validate response-align") {
			t.Errorf("%s: %q", message, got)
		}
		y.edit("a.go", "older", "newer")
		if got := strings.Join(v.asked(), ""); strings.Contains(got, "response-align") {
			t.Errorf("%s: the second edit: %q", message, got)
		}
	}
}

// subagent runs a command of a subagent's, in plan mode, which is none of its business.
func (y *yard) subagent(command string) {
	y.t.Helper()
	y.event("PreToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": command}, "permission_mode": "plan", "agent_id": "sub"})
}

// TestObjections are what a validator has against a call, in the words that the agent hears.
func TestObjections(t *testing.T) {
	for stage, want := range map[string]string{
		"response-align":  "First response misalignment: so it is. Please respond to the user's message first. Instead: answer in words what was said, and go on then",
		"intent-validate": "this is not what the person asked for: so it is. Instead: do what they asked for",
	} {
		y := newYard(t)
		v := y.asks("")
		v.against(`{"` + stage + `":"so it is"}`)
		y.says("why is it slow?")
		y.bash("go vet ./...").want(t, stage, "deny", want)
		y.bash("rm -rf ~").want(t, "what the policy denies is not put to it", "deny", "home")
		if got := v.asked(); len(got) != 1 {
			t.Errorf("%s: %q", stage, got)
		}
	}
	y := newYard(t)
	v := y.asks("")
	y.on()
	v.asked()
	v.against(`{"claude-md-validate":"it contradicts the person","plan-validate":"no","error-acknowledge":"the test fails"}`)
	y.event("PostToolUseFailure", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "go test ./..."}, "error": "Exit code 1"})
	y.bash("go vet ./x").want(t, "error", "deny", "Error acknowledgment required: the test fails. Instead: say what failed")
	v.against(`{"style-drift":"quotes"}`)
	y.edit("a.go", "old", "new").want(t, "style", "deny", "Style drift detected: quotes. Instead: make the change alone")
	v.against(`{"plan-validate":"no"}`)
	y.event("PreToolUse", map[string]any{"tool_name": "ExitPlanMode", "tool_input": map[string]any{"plan": "mend it"}, "permission_mode": "plan"}).want(t, "a plan", "deny", "Plan drift detected: no. Instead: keep to the plan")
	y.env["CLAUDECODE"] = ""
	v.against(`{"style-drift":"quotes"}`)
	y.call("apply_patch", map[string]any{"command": "*** Begin Patch\n*** Update File: b.go\n@@\n-old\n+new\n*** End Patch\n"}).want(t, "Codex's style", "deny", "Style drift detected: quotes")
}

// TestPending is a fault that a validator finds when the call has long been let through: the next call hears of it, once.
func TestPending(t *testing.T) {
	y := newYard(t)
	v := y.asks("")
	y.on()
	v.later()
	v.asked()
	v.against(`{"style-drift":"quotes were changed"}`)
	y.edit("a.go", "old", "new").want(t, "the edit", "", "")
	y.bash("go vet ./a").want(t, "no answer yet", "", "")
	if v.later() != 2 {
		t.Error("nothing was asked later")
	}
	other := map[string]any{"tool_name": "Read", "tool_input": map[string]any{"file_path": filepath.Join(y.project, "a.go")}, "agent_id": "sub"}
	y.event("PreToolUse", other).want(t, "another agent", "", "")
	y.call("Read", map[string]any{"file_path": filepath.Join(y.project, "a.go")}).want(t, "the next call", "deny", "Previous Edit had issues: Style drift detected: quotes were changed")
	y.call("Read", map[string]any{"file_path": filepath.Join(y.project, "a.go")}).want(t, "and the one after it", "", "")
	// The same again: it is known now, and waits for nobody.
	v.asked()
	y.edit("a.go", "old", "new").want(t, "the same edit", "deny", "Style drift detected")
	if got := v.asked(); len(got) != 0 {
		t.Errorf("it was asked again: %q", got)
	}
	// Five minutes later nothing of it counts.
	v.against("{}")
	y.hook.Now = func() time.Time { return time.Now().Add(6 * time.Minute) }
	y.bash("go vet ./z")
	v.later()
	y.edit("a.go", "old", "new").want(t, "long after", "", "")
}

// TestUngrounded are calls that a validator alone is against: each is something else, and only the same one again is a workaround. So is none that only hears of an earlier one.
func TestUngrounded(t *testing.T) {
	y := newYard(t)
	v := y.asks(`,"mode":"strict"`)
	v.against(`{"intent-validate":"nobody asked for it"}`)
	y.says("mend the parser")
	for _, command := range []string{"make deploy", "npm run release", "go run ./cmd/migrate", "make docs"} {
		if a := y.bash(command); a.Specific.Decision != "deny" || !contains(a, "nobody asked for it") || contains(a, "CRITICAL") {
			t.Errorf("%s: %+v", command, a)
		}
	}
	for _, errand := range []string{"deploy it", "release it", "migrate it"} {
		if a := y.call("Agent", map[string]any{"description": errand, "prompt": errand}); a.Specific.Decision != "deny" || contains(a, "CRITICAL") {
			t.Errorf("an errand: %s: %+v", errand, a)
		}
	}
	y.bash("make -s docs").want(t, "the second time", "deny", "nobody asked for it")
	y.bash("make docs 2>&1 | tail -n 5").want(t, "the third time", "deny", `attempted 3 similar workarounds for "Bash run docs`)

	y = newYard(t)
	v = y.asks("")
	y.on()
	v.later()
	for i := range 4 {
		y.edit("a.go", "old", "new"+strconv.Itoa(i)).want(t, "it waits, after the last one was refused", "", "")
		v.later()
		y.edit("a.go", "old", "newer"+strconv.Itoa(i)).want(t, "no answer yet", "", "")
		v.against(`{"style-drift":"quotes were changed"}`)
		v.later()
		v.against("{}")
		if a := y.edit("a.go", "old", "newest"+strconv.Itoa(i)); a.Specific.Decision != "deny" || !contains(a, "Previous Edit had issues") || contains(a, "CRITICAL") {
			t.Errorf("an earlier one, %d: %+v", i, a)
		}
		v.later()
	}
}

// TestObjectedAtTheEnd: what a validator has against the last calls of a turn, or of a subagent, is told when that would end, or as soon as there is somebody to hear it.
func TestObjectedAtTheEnd(t *testing.T) {
	const done = "The parser reads what it should, and I am done."
	y := newYard(t)
	v := y.asks("")
	y.on()
	v.later()
	v.against(`{"intent-validate":"nobody asked for it"}`)
	stops := func(agent, name string, more ...string) string {
		t.Helper()
		fields := map[string]any{"agent_id": agent, "last_assistant_message": done}
		for _, m := range more {
			fields[m] = true
		}
		return y.event(name, fields).Reason
	}
	const heard = "had issues: this is not what the person asked for: nobody asked for it"
	// It comes in time.
	y.bash("go vet ./a")
	y.bash("go vet ./b")
	v.later()
	if got := stops("", "Stop"); strings.Count(got, "Previous Bash "+heard) != 2 {
		t.Errorf("the end of a turn: %q", got)
	}
	if got := stops("", "Stop"); got != "" {
		t.Errorf("told twice: %q", got)
	}
	// It comes when the turn is over, and the person goes on an hour later.
	y.bash("go vet ./c")
	if got := stops("", "Stop"); got != "" {
		t.Errorf("not found yet: %q", got)
	}
	v.later()
	y.hook.Now = func() time.Time { return time.Now().Add(time.Hour) }
	y.says("go on")
	y.call("Read", map[string]any{"file_path": filepath.Join(y.project, "a.go")}).want(t, "an hour later", "deny", "Previous Bash "+heard)
	// A subagent's, while it is there: not the business of the agent that has sent it.
	y.subagent("go vet ./d")
	v.later()
	if got := stops("", "Stop"); got != "" {
		t.Errorf("another's: %q", got)
	}
	if got := stops("sub", "SubagentStop"); !strings.Contains(got, "Previous Bash "+heard) {
		t.Errorf("a subagent's: %q", got)
	}
	// And when it has ended.
	y.subagent("go vet ./e")
	if got := stops("sub", "SubagentStop", "stop_hook_active"); got != "" {
		t.Errorf("not found yet: %q", got)
	}
	v.later()
	y.call("Read", map[string]any{"file_path": filepath.Join(y.project, "a.go")}).want(t, "the agent that has sent it", "deny", "Previous Bash of a subagent "+heard)
	y.call("Read", map[string]any{"file_path": filepath.Join(y.project, "a.go")}).want(t, "once", "", "")
	// A check that fails is told of beside it.
	v.against("{}")
	y.bash("go vet ./f") // it waits, for a call was refused
	v.against(`{"intent-validate":"nobody asked for it"}`)
	y.bash("go vet ./g")
	v.later()
	y.event("PostToolUseFailure", bashed("go test ./...", map[string]any{"error": "Exit code 1\n--- FAIL: TestA"}))
	if got := stops("", "Stop"); !strings.Contains(got, heard) || !strings.Contains(got, "go test ./... failed (--- FAIL: TestA)") {
		t.Errorf("both: %q", got)
	}
}

// TestNoReply is a validator that cannot be heard: the person is asked, and where there is none it is a refusal; a call that did not wait makes the
// next one wait.
func TestNoReply(t *testing.T) {
	y := newYard(t)
	v := y.asks("")
	y.on()
	v.later()
	v.asked()
	v.against(`{"exit":1}`)
	y.bash("go vet ./a").want(t, "lazy", "", "")
	v.later()
	y.bash("go vet ./b").want(t, "the next", "ask", "the validator gave no answer: it ended with exit code 3")
	y.env["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
	y.bash("go vet ./c").want(t, "alone", "deny", "no answer")
	v.against("{}")
	y.bash("go vet ./d").want(t, "it is back", "", "")
}

// TestApprove is a question of the policy where nobody can be asked: the validator may grant it, and nothing else.
func TestApprove(t *testing.T) {
	y := newYard(t)
	v := y.asks("")
	y.says("add the package")
	y.bash("npm install left-pad").want(t, "somebody is there", "ask", "")
	if got := v.asked(); len(got) != 0 {
		t.Errorf("%q", got)
	}
	y.env["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
	y.bash("npm install left-pad").want(t, "granted", "", "")
	if got := v.asked(); len(got) != 1 || got[0] != "tool-approve" {
		t.Errorf("%q", got)
	}
	v.against(`{"tool-approve":"the task needs no packages"}`)
	y.bash("npm install right-pad").want(t, "not granted", "deny", "; it was not approved: the task needs no packages. Instead: do without it")
	y.bash("rm -rf ~").want(t, "what is denied", "deny", "home")
	// A process that a validator has started asks none.
	y.env["FETTLE_GUARD_VALIDATING"] = "1"
	y.bash("npm install top-pad").want(t, "within", "deny", "nobody is there")
}

// TestInstructions are changes of what agents are told: a person is asked about them, and the validator is asked before, whoever is there. It refuses; it grants nothing
// in the place of a person who is there.
func TestInstructions(t *testing.T) {
	const no, both = `{"claude-md-validate":"nobody said so"}`, "tool-approve claude-md-validate"
	edit := func(name string) func(y *yard) answer {
		return func(y *yard) answer { return y.edit(name, "old", "new") }
	}
	patch := func(y *yard) answer {
		y.env["CLAUDECODE"] = ""
		return y.call("apply_patch", map[string]any{"command": "*** Begin Patch\n*** Update File: AGENTS.md\n@@\n-a\n+b\n*** End Patch\n"})
	}
	alone := func(do func(y *yard) answer) func(y *yard) answer {
		return func(y *yard) answer {
			y.env["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
			return do(y)
		}
	}
	for name, c := range map[string]struct {
		do                              func(y *yard) answer
		extra, against, asked, decision string
		reason                          string
	}{
		"an edit":                    {do: edit("CLAUDE.md"), asked: "claude-md-validate", decision: "ask", reason: "tells agents how to work here"},
		"an edit, and it objects":    {do: edit("CLAUDE.md"), against: no, asked: "claude-md-validate", decision: "deny", reason: "CLAUDE.md validation failed: nobody said so. Instead: write there only"},
		"by a command":               {do: func(y *yard) answer { return y.bash("echo x >> docs/CLAUDE.md") }, against: no, asked: "claude-md-validate", decision: "deny", reason: "validation failed"},
		"in small letters":           {do: edit("agents.md"), against: no, asked: "claude-md-validate", decision: "deny", reason: "validation failed"},
		"Copilot's":                  {do: edit(".github/copilot-instructions.md"), against: no, asked: "claude-md-validate", decision: "deny", reason: "validation failed"},
		"nobody there":               {do: alone(edit("CLAUDE.md")), asked: both},
		"nobody there, it objects":   {do: alone(edit("CLAUDE.md")), against: no, asked: both, decision: "deny", reason: "validation failed"},
		"nobody there, not approved": {do: alone(edit("CLAUDE.md")), against: `{"tool-approve":"not now"}`, asked: both, decision: "deny", reason: "not approved: not now"},
		"Codex":                      {do: patch, asked: both},
		"Codex, and it objects":      {do: patch, against: no, asked: both, decision: "deny", reason: "validation failed"},
		"nobody may approve":         {do: alone(edit("CLAUDE.md")), extra: `,"stages":["claude-md-validate"]`, asked: "claude-md-validate", decision: "deny", reason: "nobody is there"},
		"another stage alone":        {do: edit("CLAUDE.md"), extra: `,"stages":["intent-validate"]`, against: no, decision: "ask"},
		"no answer":                  {do: edit("CLAUDE.md"), against: `{"exit":1}`, asked: "claude-md-validate", decision: "ask", reason: "no answer"},
		"reading it":                 {do: func(y *yard) answer { return y.bash("cat CLAUDE.md") }, against: no},
		"another text":               {do: edit("README.md"), against: no, asked: "intent-validate response-align style-drift"},
	} {
		y := newYard(t)
		v := y.asks(c.extra)
		v.against(cmp.Or(c.against, "{}"))
		y.says("mend the parser")
		c.do(y).want(t, name, c.decision, c.reason)
		if got := strings.Join(v.asked(), "; "); got != c.asked {
			t.Errorf("%s: asked %q, want %q", name, got, c.asked)
		}
	}
}

// TestAppeals keeps what a second look said, and whom the validator asked, for telemetry alone.
func TestAppeals(t *testing.T) {
	const asked = `"asked":[{"model":"small","tier":"fast","ms":3},{"model":"large","tier":"standard","ms":4}]`
	for name, c := range map[string]struct {
		settled  hook.Settled
		against  string
		decision string
		appeal   validate.Word
		kept     int
	}{
		"overturned":        {hook.Settled{Telemetry: true}, `{"more":{"appeal":"overturn",` + asked + `}}`, "", validate.Overturn, 1},
		"upheld":            {hook.Settled{Telemetry: true}, `{"tool-approve":"it is not needed","more":{"appeal":"uphold",` + asked + `}}`, "deny", validate.Uphold, 1},
		"without telemetry": {hook.Settled{}, `{"more":{"appeal":"overturn",` + asked + `}}`, "", "", 0},
		"without an answer": {hook.Settled{Telemetry: true}, `{"more":{"appeal":"uphold"}}`, "deny", "", 0}, // it says yes and no
	} {
		y := newYard(t)
		v := y.asksBeside(c.settled, "")
		v.against(c.against)
		y.says("add the package")
		y.env["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
		y.bash("npm install left-pad").want(t, name, c.decision, "")
		var got []validate.Opinion
		for _, e := range y.entries() {
			if e.Second != nil {
				got = append(got, e.Second.Opinions...)
			}
		}
		if len(got) != c.kept || c.kept == 1 && (got[0].Appeal != c.appeal || len(got[0].Asked) != 2 || got[0].Reason != "") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// pieces are so many edits, each of so many lines.
func pieces(count, lines int) (all []map[string]any) {
	for i := range count {
		all = append(all, map[string]any{"old_string": "x" + strconv.Itoa(i), "new_string": strings.TrimSuffix(strings.Repeat("y\n", lines), "\n")})
	}
	return all
}

// TestTakenBack: a validator hears nothing of what the person has taken back, and nothing waits because of it.
func TestTakenBack(t *testing.T) {
	y := newYard(t)
	v := y.asks("")
	file := filepath.Join(y.home, "transcript.jsonl")
	call := func(command string) answer {
		return y.event("PreToolUse", bashed(command, map[string]any{"transcript_path": file}))
	}
	said := ""
	says := func(id, parent, text string) {
		y.says(text)
		said += `{"uuid":"` + id + `","parentUuid":"` + parent + `","type":"user","message":{"content":"` + text + `"}}` + "\n"
		said += `{"uuid":"` + id + `a","parentUuid":"` + id + `","type":"assistant","message":{"content":"ok"}}` + "\n"
		y.put("../transcript.jsonl", said)
	}
	says("1", "", "one")
	call("go vet ./a")
	says("2", "1a", "drop the old tables")
	call("cat ~/.ssh/id_rsa")
	y.event("PostToolUseFailure", bashed("ls nowhere", map[string]any{"error": "Exit code 2"}))
	says("3", "1a", "keep the old tables")
	if err := os.Remove(v.seen); err != nil {
		t.Fatal(err)
	}
	call("go vet ./b")
	data, err := os.ReadFile(v.seen)
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		First, Errored string
		Words, Why     []string
	}
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if r.First != "" || r.Errored != "" || len(r.Words) != 1 || r.Words[0] != "keep the old tables" || slices.Contains(r.Why, "a call was refused") || slices.Contains(r.Why, "a call failed") {
		t.Errorf("%s", data)
	}
}

// TestWords is what a validator is told of the person's words: the first message, which says what it is all about, and the last nine, each once and bounded.
func TestWords(t *testing.T) {
	y := newYard(t)
	v := y.asks("")
	long := "add the parser, and install left-pad" + strings.Repeat("!", 3000)
	for n := range 13 {
		text := "go on, " + strconv.Itoa(n)
		if n == 0 {
			text = long
		}
		y.says(text)
		y.bash("go vet ./" + strconv.Itoa(n))
		data, err := os.ReadFile(v.seen)
		if err != nil {
			t.Fatal(err)
		}
		var r struct {
			First string
			Words []string
		}
		for d := json.NewDecoder(bytes.NewReader(data)); d.More(); { // the last one counts
			r.First, r.Words = "", nil
			if err := d.Decode(&r); err != nil {
				t.Fatal(err)
			}
		}
		first := r.First
		if n < 9 {
			first = r.Words[0]
		}
		if len(r.Words) != min(n+1, 9) || (r.First != "") != (n >= 9) || !strings.HasPrefix(first, "add the parser, and install left-pad!") || len(first) > 2100 || n > 0 && r.Words[len(r.Words)-1] != text {
			t.Errorf("after %d messages: %d, %q", n+1, len(r.Words), data)
		}
	}
}

// TestRequest is what a validator is told: the person's own words, the facts, and no secrets.
func TestRequest(t *testing.T) {
	y := newYard(t)
	v := y.asks("")
	key := "ghp_" + strings.Repeat("aB3dE5fG7h", 4)[:36]
	y.says("first")
	y.says("use " + key + " to log in")
	y.bash("echo " + key + " > " + key + ".txt") // in what the rules say of it, too
	data, err := os.ReadFile(v.seen)
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Words   []string
		Tool    string
		Root    string
		Verdict struct{ Facts []map[string]any }
	}
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Words) != 2 || r.Words[0] != "first" || r.Tool != "Bash" || r.Root != y.project || len(r.Verdict.Facts) == 0 || strings.Contains(string(data), key) {
		t.Errorf("%s", data)
	}
	files, _ := filepath.Glob(filepath.Join(y.hook.Dir, "*", "*"))
	for _, f := range files {
		if filepath.Ext(f) == ".written" { // the names of files that the agent has made, by which it may delete them
			continue
		}
		if data, err := os.ReadFile(f); err == nil && bytes.Contains(data, []byte(key)) {
			t.Errorf("%s has the secret in it", f)
		}
	}
}

// TestRequestTells: the plan that the person has approved, whether it names files or not, and the call that failed just before.
func TestRequestTells(t *testing.T) {
	for name, c := range map[string]struct {
		before                 func(y *yard)
		planned, errored, plan string
	}{
		"nothing": {func(*yard) {}, "", "", ""},
		"a plan": {func(y *yard) {
			y.event("PostToolUse", map[string]any{"tool_name": "ExitPlanMode", "tool_input": map[string]any{"plan": "Keep the cache in parse.go small."}})
		}, "Keep the cache in parse.go small.", "", "parse.go"},
		"a plan without files": {func(y *yard) {
			y.event("PostToolUse", map[string]any{"tool_name": "ExitPlanMode", "tool_input": map[string]any{"plan": "Keep the cache small."}})
		}, "Keep the cache small.", "", ""},
		"a long one": {func(y *yard) {
			y.event("PostToolUse", map[string]any{"tool_name": "ExitPlanMode", "tool_input": map[string]any{"plan": strings.Repeat("small ", 1000)}})
		}, strings.Repeat("small ", 333) + "sm…", "", ""},
		"a call that failed": {func(y *yard) {
			y.event("PostToolUseFailure", bashed("cp a.go b.go", map[string]any{"error": "Exit code 1\nno"}))
		}, "", "cp a.go b.go", ""},
	} {
		y := newYard(t)
		v := y.asks("")
		y.says("make the cache small")
		c.before(y)
		y.bash("make deploy")
		data, err := os.ReadFile(v.seen)
		if err != nil {
			t.Fatal(err)
		}
		var r struct {
			Planned, Errored string
			Plan             []string
		}
		if err := json.Unmarshal(data, &r); err != nil {
			t.Fatal(err)
		}
		if r.Planned != c.planned || r.Errored != c.errored || strings.Join(r.Plan, " ") != c.plan {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
