package hook_test

import (
	"slices"
	"testing"

	"fettle/internal/guard/hook"
)

// outcomes are those that the log holds.
func (y *yard) outcomes() (all []hook.Outcome) {
	y.t.Helper()
	for _, e := range y.entries() {
		if e.Outcome == nil {
			continue
		}
		if e.Tool != "" || !e.Report || string(e.Input) != "{}" {
			y.t.Errorf("an outcome that looks like a decision, or says too much: %+v", e)
		}
		all = append(all, *e.Outcome)
	}
	return all
}

func (y *yard) ended(name, command string) {
	y.t.Helper()
	if a := y.event(name, map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": command}, "error": "exit status 1"}); a.Code != 0 {
		y.t.Fatalf("%+v", a)
	}
}

// TestOutcomes keeps how checks, audits, commits and healing ended, for telemetry alone.
func TestOutcomes(t *testing.T) {
	for command, want := range map[string]string{
		"go test ./...":                              hook.Check,
		"cd src && npm run build":                    hook.Check,
		"fettle run lint":                            hook.Check,
		"fettle audit --staged":                      hook.Confirm,
		"fettle confirm --for 'less noise'":          hook.Confirm,
		"fettle fix lint format":                     hook.Fix,
		"cd sub && fettle -C .. --quiet resume":      hook.Fix,
		"fettle show":                                "",
		"fettle guard log --tool fix":                "",
		"git commit -m 'mend the parser'":            hook.Commit,
		"git add . && git -C sub -c a=b commit -a":   hook.Commit,
		"(cd sub; /usr/bin/git --no-pager commit)":   hook.Commit,
		"git log --grep commit":                      "",
		"git status":                                 "",
		"ls":                                         "",
		"git":                                        "",
		"git -C":                                     "",
		"grep -r 'git commit' docs && echo 'audits'": "",
	} {
		y := newYard(t)
		y.settles(hook.Settled{Telemetry: true})
		y.ended("PostToolUse", command)
		y.ended("PostToolUseFailure", command)
		var exp []hook.Outcome
		if want != "" {
			exp = []hook.Outcome{{What: want, Tool: "Bash", Passed: true}, {What: want, Tool: "Bash"}}
		}
		got := y.outcomes()
		if len(got) != len(exp) || len(got) == 2 && (got[0] != exp[0] || got[1] != exp[1]) {
			t.Errorf("%s: %+v, want %+v", command, got, exp)
		}
	}
	y := newYard(t)
	y.settles(hook.Settled{Telemetry: true})
	y.event("PostToolUse", bashed("pytest || true", map[string]any{"tool_response": map[string]any{"stdout": "1 failed, 2 passed in 0.1s"}}))
	if got := y.outcomes(); len(got) != 1 || got[0].Passed {
		t.Errorf("a check that says that it failed: %+v", got)
	}
	y = newYard(t)
	y.settles(hook.Settled{})
	y.ended("PostToolUse", "go test ./...")
	if got := y.outcomes(); got != nil {
		t.Errorf("without telemetry something is kept: %+v", got)
	}
}

// TestOutcomesOfServers are those of calls of a server's tools: fettle's own, in each form in which a client hands their answers on, and others that are given a command.
func TestOutcomesOfServers(t *testing.T) {
	text := func(s string) []any { return []any{map[string]any{"type": "text", "text": s}} }
	for _, c := range []struct {
		tool     string
		response any
		want     []hook.Outcome
	}{
		{"mcp__fettle__check", `{"status":"PASS","errors":0}`, []hook.Outcome{{What: hook.Check, Passed: true}}},
		{"mcp__fettle__check", `{"status":"FAIL","errors":1}`, []hook.Outcome{{What: hook.Check}}},
		{"mcp__fettle__check", text(`{"status":"BROKEN"}`), []hook.Outcome{{What: hook.Check}}},
		{"mcp__fettle__confirm", map[string]any{"content": text("## Results"), "structuredContent": map[string]any{"verdict": "CONFIRMED"}}, []hook.Outcome{{What: hook.Confirm, Passed: true}}},
		{"mcp__fettle__confirm", map[string]any{"verdict": "DECLINED"}, []hook.Outcome{{What: hook.Confirm}}},
		{"mcp__fettle__audit", `{"decision":"ask"}`, []hook.Outcome{{What: hook.Confirm}}},
		{"mcp__fettle__commit", `{"status":"COMMITTED"}`, []hook.Outcome{{What: hook.Commit, Passed: true}}},
		{"mcp__fettle__fix", `{"success":true}`, []hook.Outcome{{What: hook.Fix, Passed: true}}},
		{"mcp__fettle__fix", `{"success":false}`, []hook.Outcome{{What: hook.Fix}}},
		{"mcp__fettle__fix", text("## Results"), nil}, // it does not say how
		{"mcp__fettle__locate", `{"failing":false}`, nil},
		{"mcp__fettle__status", `{"status":"PASS"}`, nil},
		{"mcp__other__check", `{"status":"PASS"}`, nil},
		{"mcp__shell__run", text("ok  \ta\t0.1s"), []hook.Outcome{{What: hook.Check, Passed: true}}},
		{"mcp__shell__run", text("--- FAIL: TestA\nFAIL\ta\t0.1s"), []hook.Outcome{{What: hook.Check}}},
	} {
		y := newYard(t)
		y.settles(hook.Settled{Telemetry: true})
		call := map[string]any{"tool_name": c.tool, "tool_input": map[string]any{"working_dir": "."}, "tool_response": c.response}
		if c.tool == "mcp__shell__run" {
			call["tool_input"] = map[string]any{"cmd": "go test ./..."}
		}
		y.event("PostToolUse", call)
		got := y.outcomes()
		for i := range c.want {
			c.want[i].Tool = c.tool
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v: %+v, want %+v", c.tool, c.response, got, c.want)
		}
	}
	y := newYard(t)
	y.settles(hook.Settled{Telemetry: true})
	y.event("PostToolUseFailure", map[string]any{"tool_name": "mcp__fettle__commit", "tool_input": map[string]any{}, "error": "a hook has refused it"})
	if got := y.outcomes(); !slices.Equal(got, []hook.Outcome{{What: hook.Commit, Tool: "mcp__fettle__commit"}}) {
		t.Errorf("a tool that could not do its work: %+v", got)
	}
}
