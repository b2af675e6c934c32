package audit_test

import (
	"maps"
	"slices"
	"testing"

	"fettle/internal/audit"
)

// TestGuardPolicy are changes to what a project tells the guard of coding agents: in its settings, and in files that these name.
func TestGuardPolicy(t *testing.T) {
	const (
		settings = "policy:\n  rules:\n    - {id: no-docker, kinds: [exec], targets: [docker], decision: deny}\n  files: [guard/more.yaml]\n"
		more     = "rules:\n  - {id: migrations, kinds: [write, delete], targets: [\"migrations/**\"], decision: deny}\n  - {id: pushes, kinds: [publish], decision: ask}\n"
	)
	for _, c := range []struct {
		name, path, old, new string
		less                 bool
	}{
		{"deny becomes ask", "guard/more.yaml", "decision: deny", "decision: ask", true},
		{"deny becomes ask in the settings", "fettle.yaml", "decision: deny", "decision: ask", true},
		{"ask becomes allow", "guard/more.yaml", "decision: ask", "decision: allow", true},
		{"a rule is gone", "guard/more.yaml", "  - {id: pushes, kinds: [publish], decision: ask}\n", "", true},
		{"a kind is gone", "guard/more.yaml", "[write, delete]", "[write]", true},
		{"fewer targets", "guard/more.yaml", "migrations/**", "migrations/2026/**", true},
		{"only where it has a target", "guard/more.yaml", "kinds: [publish], decision", "kinds: [publish], targets: [origin], decision", true},
		{"a weaker rule comes first", "guard/more.yaml", "rules:\n", "rules:\n  - {id: mine, kinds: [write], decision: ask}\n", true},
		{"the file is not named any more", "fettle.yaml", "  files: [guard/more.yaml]\n", "", true},
		{"ask becomes deny", "guard/more.yaml", "decision: ask", "decision: deny", false},
		{"one more rule", "guard/more.yaml", "rules:\n", "rules:\n  - {id: fetches, kinds: [fetch], decision: deny}\n", false},
		{"one more kind", "guard/more.yaml", "[write, delete]", "[write, delete, empty]", false},
		{"another name", "guard/more.yaml", "id: pushes", "id: publishing", false},
		{"a weaker rule for something else comes first", "guard/more.yaml", "rules:\n", "rules:\n  - {id: mine, kinds: [fetch], decision: ask}\n", false},
		{"a reason", "guard/more.yaml", "decision: ask", "decision: ask, reason: somebody has to see it", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := files{"fettle.yaml": settings, "guard/more.yaml": more}
			after := maps.Clone(before)
			after[c.path] = replaceOnce(t, before[c.path], c.old, c.new)
			in := input(before, after)
			in.Goal = audit.Goal{By: audit.Person}
			want := []string{"ask protected"}
			if c.less {
				want = append(want, "refuse weakened-policy")
			}
			r := audit.Audit(t.Context(), in)
			if got := slices.DeleteFunc(effects(r), func(s string) bool { return s == "refuse weakened-check" }); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q\n%v", got, want, r.Findings)
			}
			in.Goal.Configs = true
			if c.less {
				want[1] = "ask weakened-policy"
			}
			r = audit.Audit(t.Context(), in)
			if got := slices.DeleteFunc(effects(r), func(s string) bool { return s == "ask weakened-check" }); !slices.Equal(got, want) {
				t.Errorf("meant: got %q, want %q\n%v", got, want, r.Findings)
			}
		})
	}
}

// TestPolicyThatCannotBeUsed is asked about: nobody can tell what it says.
func TestPolicyThatCannotBeUsed(t *testing.T) {
	before := files{"fettle.yaml": "policy:\n  files: [more.yaml]\n", "more.yaml": "rules:\n  - {id: pushes, kinds: [publish], decision: ask}\n"}
	after := maps.Clone(before)
	after["more.yaml"] = "rules:\n  - {id: pushes, kinds: [publish], decision: perhaps}\n"
	in := input(before, after)
	in.Goal = audit.Goal{By: audit.Person, Configs: true}
	if got := effects(audit.Audit(t.Context(), in)); !slices.Equal(got, []string{"ask protected", "ask weakened-policy"}) {
		t.Errorf("got %q", got)
	}
}
