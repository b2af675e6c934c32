package shell_test

import (
	"strings"
	"testing"

	"fettle/internal/policy/shell"
)

// TestUnnamed are patterns for programs, with what is said of those that can match none; empty for those that may.
func TestUnnamed(t *testing.T) {
	own := []shell.Program{
		{Names: []string{"deploytool"}, Operands: []shell.Role{shell.Sub}, Subs: []shell.Program{{Names: []string{"status"}}, {Names: []string{"push"}}}},
		{Names: []string{"kubectl"}},
	}
	for _, c := range []struct {
		programs string // one behind the other
		want     string
	}{
		{"docker compose up", ""},
		{"docker compose *", ""},
		{"docker compose", `facts name the subcommand, too, as in docker compose `},
		{"docker", `write "docker *" for all of them`},
		{"docker *", ""},
		{"docker|docker *", ""},
		{"docker compose|docker compose up", ""},
		{"git push", ""},
		{"git pu*", ""},
		{"git remote *", ""},
		{"git zzz*", `there is git `},
		{"git push --force", `facts name git push alone, without its options and operands`},
		{"ls -la", `facts name ls alone`},
		{"git push|ls -la", `facts name ls alone`},
		{"rm", ""},
		{"*", ""},
		{"npm*", ""},
		{"Write|Edit|mcp__files__*", ""},
		{"nobody-knows-this push", ""},
		{"deploytool push", ""},
		{"deploytool destroy", `deploytool has no subcommand "destroy" that is known; it has deploytool status, deploytool push`},
		{"kubectl", ""},
		{"kubectl get", `facts name kubectl alone`},
	} {
		r := &shell.Rule{ID: "x", Programs: strings.Split(c.programs, "|")}
		if got := r.Unnamed(own); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.programs, got, c.want)
		}
	}
}
