package shell_test

import (
	"testing"

	"fettle/internal/policy/shell"
)

// TestDecisions judges commands that say the same in several ways: each is decided as strictly as the plainest of them.
func TestDecisions(t *testing.T) {
	for name, test := range map[string]struct {
		want     shell.Decision
		commands []string
	}{
		"what git asks may be answered": {shell.Deny, []string{
			"git restore -p src", "git restore -p", "git restore --patch", "yes | git restore -p", "git checkout -p", "yes | git checkout -p", "git checkout -p <<< a", "git checkout --patch main", "yes | git checkout -p HEAD~2",
			"yes | git checkout -p -- src", "git clean -i", "yes | git clean -i", "echo c | git clean -i", "git clean -i <<< 1", "git clean --interactive",
		}},
		"what git asks is of no change in a file": {shell.Allow, []string{"git add -p", "git reset -p", "git restore --staged -p", "git stash push -p", "git clean -ni", "git clean -i node_modules", "git checkout -q main"}},
	} {
		for _, c := range test.commands {
			if v := judge(c); v.Decision != test.want {
				t.Errorf("%s: %q: %s (%s: %s), want %s\n\t%v", name, c, v.Decision, v.Rule, v.Reason, test.want, v.Facts)
			}
		}
	}
}
