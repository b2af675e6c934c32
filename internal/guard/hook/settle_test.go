package hook_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fettle/internal/guard/hook"
	"fettle/internal/policy/shell"
)

// rule is a policy with one rule.
func rule(t *testing.T, list string, r shell.Rule) hook.Settled {
	t.Helper()
	p := shell.Policy{Rules: []shell.Rule{r}}
	if list == "project" {
		p = shell.Policy{Stricter: []shell.Rule{r}}
	}
	data, err := p.Compiled()
	if err != nil {
		t.Fatal(err)
	}
	return hook.Settled{Policy: data}
}

// TestSettled goes by what people have settled, and asks fettle for it again only when one of the files has changed.
func TestSettled(t *testing.T) {
	y := newYard(t)
	y.bash("git push origin topic").want(t, "fettle's rules", "ask", "")
	y.settles(rule(t, "user", shell.Rule{ID: "own-push", Kinds: []shell.Kind{shell.Publish}, Decision: shell.Allow, Class: "own", Reason: "x"}))
	y.bash("git push origin topic").want(t, "the user's", "", "")
	y.bash("git push origin topic").want(t, "the user's, again", "", "")
	asked := func() int {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(y.home), "fettle.log"))
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Count(data, []byte("guard compile --root "+y.project+" --home "+y.home+"\n"))
	}
	if n := asked(); n != 1 {
		t.Errorf("fettle was asked %d times", n)
	}
	file := filepath.Join(y.project, "fettle.yaml")
	if err := os.WriteFile(file, []byte("version: 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	y.settles(rule(t, "project", shell.Rule{ID: "no-docker", Kinds: []shell.Kind{shell.Exec}, Targets: []string{"docker"}, Decision: shell.Deny, Class: "own", Reason: "no containers here"}))
	y.bash("docker ps").want(t, "the project's", "deny", "no containers here")
	y.bash("git push origin topic").want(t, "the user's is gone", "ask", "")
	if n := asked(); n != 2 {
		t.Errorf("fettle was asked %d times", n)
	}
	// The files go, and what they said with them.
	if err := errors.Join(os.Remove(file), os.Remove(filepath.Join(y.home, ".config", "fettle", "policy.yaml"))); err != nil {
		t.Fatal(err)
	}
	y.bash("docker ps -a").want(t, "nobody forbids it", "", "")
	if n := asked(); n != 2 {
		t.Errorf("fettle was asked %d times", n)
	}
}

// TestUnsettled has policies that cannot be used: everything but looking is asked about, and a session says so when it begins.
func TestUnsettled(t *testing.T) {
	for name, spoil := range map[string]func(y *yard){
		"a misspelled policy": func(y *yard) { y.settles(hook.Settled{Wrong: "the policy cannot be used: policy.yaml:3: unknown key"}) },
		"no fettle": func(y *yard) {
			y.settles(hook.Settled{})
			if err := hook.WriteEngine(y.hook.Dir, "/no/such/fettle"); err != nil {
				t.Fatal(err)
			}
		},
		"a fettle that fails":         func(y *yard) { y.settles(hook.Settled{}); y.script("fettle", "echo boom >&2; exit 1") },
		"a fettle that talks":         func(y *yard) { y.settles(hook.Settled{}); y.script("fettle", "echo hello") },
		"a fettle of another version": func(y *yard) { y.settles(hook.Settled{}); y.script("fettle", `echo '{"version":99}'`) },
		"a fettle that hangs":         func(y *yard) { y.settles(hook.Settled{}); y.script("fettle", "sleep 60") },
		"a policy of another version": func(y *yard) { y.settles(hook.Settled{Policy: []byte(`{"version":99}`)}) },
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t)
			spoil(y)
			if a := y.event("SessionStart", map[string]any{"source": "startup"}); a.Message == "" {
				t.Errorf("nothing is said of it: %+v", a)
			}
			y.bash("go test ./...").want(t, "work", "ask", "policy")
			y.bash("rm -rf ~").want(t, "harm", "deny", "home")
			y.call("Read", map[string]any{"file_path": filepath.Join(y.project, "a.go")}).want(t, "looking", "", "")
			y.settles(hook.Settled{})
			y.bash("go test ./...").want(t, "mended", "", "")
		})
	}
}
