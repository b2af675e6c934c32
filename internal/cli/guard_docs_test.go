package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/guard"
	"fettle/internal/policy/shell"
	"fettle/internal/policy/shell/tables"
)

// TestFirstPolicy judges the tests of the policy that docs/commands.md gives people to begin with: each decision is as it says there, and none of its rules is idle.
func TestFirstPolicy(t *testing.T) {
	data, err := os.ReadFile(filepath.FromSlash("../../docs/commands.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(data), "### A policy for the first day\n")
	_, text, _ = strings.Cut(text, "```yaml\n")
	text, _, ok := strings.Cut(text, "```")
	doc, err := tables.Read("policy.yaml", []byte(text))
	if err != nil || !ok || len(doc.Tests) < len(doc.Rules) {
		t.Fatalf("%v: %s", err, text)
	}
	policy := &shell.Policy{Rules: doc.Rules}
	at := shell.Place{Root: "/home/dev/app", Home: "/home/dev"}
	for _, c := range doc.Tests {
		v, err := judged(policy, c.Command, at)
		if c.Tool != "" {
			v = guard.Judge(policy, guard.Call{Tool: c.Tool, Input: c.Input}, at)
		}
		if err != nil {
			t.Fatal(err)
		}
		if v.Decision != c.Want {
			t.Errorf("%s%s %s: %s, want %s", c.Command, c.Tool, c.Input, v.Decision, c.Want)
		}
	}
	if idle := policy.Idle(); len(idle) > 0 {
		t.Errorf("idle: %v", idle)
	}
	if n := len(strings.Split(text, "\n")); n > 30 {
		t.Errorf("%d lines are no short policy", n)
	}
}
