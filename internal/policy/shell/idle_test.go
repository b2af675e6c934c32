package shell_test

import (
	"slices"
	"testing"

	"fettle/internal/policy/shell"
)

// TestIdle is rules that never decide anything, and some that do.
func TestIdle(t *testing.T) {
	rule := func(id string, change func(*shell.Rule)) shell.Rule {
		r := shell.Rule{ID: id, Kinds: []shell.Kind{shell.Delete}, Decision: shell.Deny}
		change(&r)
		return r
	}
	p := &shell.Policy{
		Rules: []shell.Rule{
			rule("by-exec", func(r *shell.Rule) { r.Kinds, r.Programs = []shell.Kind{shell.Exec}, []string{"ls"} }),
			rule("exec-zone", func(r *shell.Rule) {
				r.Kinds, r.Zones = []shell.Kind{shell.Exec, shell.Install}, []shell.Zone{shell.Home}
			}),
			rule("both", func(r *shell.Rule) { r.Traits, r.Without = []shell.Trait{shell.Glob}, []shell.Trait{shell.Glob} }),
			rule("exec", func(r *shell.Rule) { r.Kinds, r.Targets = []shell.Kind{shell.Exec}, []string{"docker", "podman"} }),
			rule("exec-later", func(r *shell.Rule) {
				r.Kinds, r.Targets, r.Decision = []shell.Kind{shell.Exec}, []string{"docker"}, shell.Allow
			}),
			rule("exec-other", func(r *shell.Rule) { r.Kinds, r.Targets = []shell.Kind{shell.Exec}, []string{"docker", "ls"} }),
			rule("home", func(r *shell.Rule) { r.Zones, r.Programs = []shell.Zone{shell.Home}, []string{"rm"} }),
			rule("home-trees", func(r *shell.Rule) {
				r.Zones, r.Programs, r.Traits = []shell.Zone{shell.Home}, []string{"rm"}, []shell.Trait{shell.Recursive}
			}),
			rule("everything", func(*shell.Rule) {}),
		},
		Stricter: []shell.Rule{
			rule("project-allow", func(r *shell.Rule) { r.Decision = shell.Allow }),
			rule("project-ask", func(r *shell.Rule) { r.Decision, r.Kinds = shell.Ask, []shell.Kind{shell.Run} }),
		},
	}
	var ids []string
	for _, i := range p.Idle() {
		if i.Why == "" {
			t.Errorf("%s: nobody says why", i.Rule)
		}
		ids = append(ids, i.Rule)
	}
	if want := []string{"by-exec", "exec-zone", "both", "exec-later", "home-trees", "project-allow"}; !slices.Equal(ids, want) {
		t.Errorf("%q, want %q", ids, want)
	}
	if got := (&shell.Policy{}).Idle(); got != nil {
		t.Errorf("an empty policy: %v", got)
	}
}
