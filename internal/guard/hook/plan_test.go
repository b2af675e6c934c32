package hook_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlanDrift approves a plan and then leaves it: the agent is told once for each file.
func TestPlanDrift(t *testing.T) {
	y := newYard(t)
	approve := func(in, out map[string]any) {
		y.event("PostToolUse", map[string]any{"tool_name": "ExitPlanMode", "tool_input": in, "tool_response": out})
	}
	y.says("add a cache")
	y.edit("server/main.go", "a", "b").want(t, "without a plan", "", "")
	approve(map[string]any{"plan": "## Plan\n1. Change `internal/cache/cache.go:12` and config.yaml, then see https://example.com/a.b.\n2. Add tools/."}, nil)
	for file, want := range map[string]string{
		"internal/cache/cache.go": "", "internal/cache/lru.go": "", "internal/cache/cache_test.go": "", "deploy/config.yaml": "", "tools/gen/main.go": "", "server/server_test.go": "",
		"server/main.go": "deny", "web/app.js": "deny",
	} {
		y.edit(file, "a", "b").want(t, file, want, "")
	}
	y.edit("server/main.go", "a", "b").want(t, "told, and done again", "", "")
	y.bash("sed -i s/a/b/ server/other.go").want(t, "by a command", "deny", "Plan drift detected: the plan that the person approved does not speak of server/other.go")
	y.bash("cp -rT /tmp/x web").want(t, "a copy", "deny", "does not speak of web")
	y.bash("tar xf /tmp/x.tar").want(t, "an archive", "deny", "what would come into the project's own folder")
	y.bash("tar xf /tmp/x.tar -C tools").want(t, "an archive, where the plan is about", "", "")
	y.bash("cat server/other.go").want(t, "reading", "", "")
	y.says("and now the server, too")
	y.edit("server/third.go", "a", "b").want(t, "the person goes on", "", "")
	// Newer clients say what the plan is afterwards; and one that names no files binds nobody.
	approve(map[string]any{}, map[string]any{"plan": "Change lib/a.py"})
	y.edit("web/b.js", "a", "b").want(t, "a plan in a file", "deny", "")
	approve(map[string]any{"plan": "Make it faster."}, nil)
	y.edit("web/c.js", "a", "b").want(t, "a plan without files", "", "")
}

// TestDriftIsNoWorkaround: that each of many files is refused once, as the agent is told, is not one thing tried again and again.
func TestDriftIsNoWorkaround(t *testing.T) {
	y := newYard(t)
	y.says("add a cache")
	y.event("PostToolUse", map[string]any{"tool_name": "ExitPlanMode", "tool_input": map[string]any{"plan": "Change internal/cache/cache.go"}})
	for _, file := range []string{"a/a.go", "b/b.go", "c/c.go", "d/d.go", "e/e.go", "f/f.go", "g/g.go"} {
		a := y.edit(file, "a", "b")
		a.want(t, file, "deny", "Plan drift detected")
		if strings.Contains(a.Specific.Reason, "CRITICAL") || a.Continue != nil {
			t.Errorf("%s: %+v", file, a)
		}
	}
}

// TestRewound takes a conversation back: what was counted in between did not happen any more.
func TestRewound(t *testing.T) {
	y := newYard(t)
	file := filepath.Join(y.home, "transcript.jsonl")
	said := func(rows ...[3]string) {
		f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, r := range rows {
			line := map[string]any{"uuid": r[0], "parentUuid": r[1], "type": r[2], "message": map[string]any{"content": "words " + r[0]}}
			if err := json.NewEncoder(f).Encode(line); err != nil {
				t.Fatal(err)
			}
		}
	}
	fails := func() {
		y.event("PostToolUseFailure", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "go test ./..."}, "error": "Exit code 1"})
	}
	push := func() answer {
		return y.event("PreToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "git push origin topic"}, "transcript_path": file})
	}
	y.says("one")
	said([3]string{"1", "", "user"}, [3]string{"2", "1", "assistant"})
	y.says("two")
	said([3]string{"3", "2", "user"}, [3]string{"4", "3", "assistant"})
	fails()
	y.says("three")
	said([3]string{"5", "4", "user"}, [3]string{"6", "5", "assistant"})
	push().want(t, "it goes on", "deny", "failed")
	fails()
	y.says("three, otherwise")
	said([3]string{"7", "2", "user"}, [3]string{"8", "7", "assistant"})
	push().want(t, "taken back", "ask", "")
}

// TestEmptyPlan is a plan that says nothing: nobody is asked to approve it. Without the field the client knows more than it says.
func TestEmptyPlan(t *testing.T) {
	for input, decision := range map[string]string{`{"plan":""}`: "deny", `{"plan":" \n"}`: "deny", `{"plan":"","planFilePath":"/home/me/.claude/plans/a.md"}`: "deny", `{}`: "", `{"plan":"Mend it."}`: "", `{"plan":"","Plan":"Mend it."}`: "deny", `{"allowedPrompts":[]}`: ""} {
		for _, mode := range []string{"plan", "default"} {
			y := newYard(t)
			want := ""
			if decision != "" {
				want = "the plan is empty"
			}
			y.event("PreToolUse", map[string]any{"tool_name": "ExitPlanMode", "tool_input": json.RawMessage(input), "permission_mode": mode}).want(t, input, decision, want)
		}
	}
}
