package shell_test

import (
	"testing"

	"fettle/internal/policy/shell"
)

// TestPathsInRules: a rule that a project shares names paths as they are seen from it.
func TestPathsInRules(t *testing.T) {
	for pattern, c := range map[string]struct{ yes, no []string }{
		"migrations/**":    {[]string{"echo x > migrations/1.sql", "cd src; rm ../migrations/a/b.sql", "rm -r migrations", "mv x migrations/", "sed -i s/a/b/ /home/dev/repo/migrations/1.sql"}, []string{"echo x > src/migrations/1.sql", "echo x > /tmp/migrations/1.sql", "cat migrations/1.sql"}},
		"./migrations/":    {[]string{"echo x > migrations/1.sql"}, []string{"echo x > a.sql"}},
		"**/*.sql":         {[]string{"echo x > a.sql", "echo x > b/c/a.sql"}, []string{"echo x > a.go"}},
		"*.sql":            {[]string{"echo x > a.sql"}, []string{"echo x > b/a.sql"}},
		"/home/dev/repo/*": {[]string{"echo x > a.sql"}, []string{"echo x > b/a.sql"}},
	} {
		p := &shell.Policy{Stricter: []shell.Rule{{ID: "own", Kinds: []shell.Kind{shell.Write, shell.Delete, shell.Empty}, Targets: []string{pattern}, Decision: shell.Deny}}}
		for _, command := range c.yes {
			if v := p.Judge(command, place); v.Rule != "own" {
				t.Errorf("%s, %q: %s (%s)\n\t%v", pattern, command, v.Decision, v.Rule, v.Facts)
			}
		}
		for _, command := range c.no {
			if v := p.Judge(command, place); v.Rule == "own" {
				t.Errorf("%s, %q: %s", pattern, command, v.Decision)
			}
		}
	}
}

// TestFoldersAroundPolicies: who moves or fills a folder moves or fills what the guard goes by.
func TestFoldersAroundPolicies(t *testing.T) {
	at := place
	at.Guarded = []string{"/home/dev/repo/policy/guard/more.yaml"}
	for command, want := range map[string]shell.Decision{
		"mv policy p2": shell.Deny, "cp -r p2/. policy/": shell.Deny, "rsync -a p2/ policy/": shell.Deny, "cp -a p2 policy": shell.Deny, "rm -r policy/guard": shell.Deny,
		"git mv policy p2": shell.Deny, "ls policy": shell.Allow, "cat policy/README.txt": shell.Allow, "echo x > policy/README.txt": shell.Allow,
	} {
		if v := (&shell.Policy{}).Judge(command, at); v.Decision != want {
			t.Errorf("%q: %s (%s), want %s\n\t%v", command, v.Decision, v.Rule, want, v.Facts)
		}
	}
}
