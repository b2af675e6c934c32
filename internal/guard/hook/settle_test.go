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
			if err := (hook.Engine{Fettle: "/no/such/fettle"}).Write(y.hook.Dir); err != nil {
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
			y.bash("git log -3 | cat").want(t, "looking by a command", "", "")
			y.settles(hook.Settled{})
			y.bash("go test ./...").want(t, "mended", "", "")
		})
	}
}

// TestGuarded is what the guard goes by, where it is not where it usually is: an agent leaves it alone, also where nothing is yet.
func TestGuarded(t *testing.T) {
	y := newYard(t)
	config := filepath.Join(y.home, "settings")
	y.env["XDG_CONFIG_HOME"] = config
	policy := filepath.Join(config, "fettle", "policy.yaml")
	y.call("Write", map[string]any{"file_path": policy, "content": "rules: []"}).want(t, "the user's policy", "deny", "")
	y.bash("cp x.yaml "+policy).want(t, "by a command", "deny", "")
	y.bash("echo > "+filepath.Join(y.hook.Dir, "engine.json")).want(t, "the guard's state", "deny", "")
	// A file of the project that its fettle.yaml names.
	named := filepath.Join(y.project, "policy", "rules.yaml")
	y.call("Write", map[string]any{"file_path": named, "content": "rules: []"}).want(t, "any file", "", "")
	if err := errors.Join(os.MkdirAll(filepath.Join(config, "fettle"), 0o755), os.WriteFile(policy, nil, 0o644), hook.Engine{Fettle: y.script("fettle", `
echo '{"version":1,"from":[{"path":"'$XDG/fettle/policy.yaml'","seen":""},{"path":"'$4/fettle.yaml'","seen":""},{"path":"'$4/policy/rules.yaml'","seen":""}]}'`)}.Write(y.hook.Dir)); err != nil {
		t.Fatal(err)
	}
	y.hook.Environ = []string{"PATH=" + os.Getenv("PATH"), "XDG=" + config}
	y.call("Write", map[string]any{"file_path": named, "content": "rules: []"}).want(t, "a file that counts", "deny", "")
	y.bash("sed -i s/deny/allow/ policy/*.yaml").want(t, "by a pattern", "deny", "")
	for _, e := range y.log() { // and the log says where it was
		if v := e.Again(nil); v.Decision != e.Policy.Decision {
			t.Errorf("%s: %s, and again %s", e.Input, e.Policy.Decision, v.Decision)
		}
	}
}

// TestGuardedLink is a policy that lies with its owner's other settings, and is linked to: where it really is, it is guarded, too.
func TestGuardedLink(t *testing.T) {
	y := newYard(t)
	y.settles(hook.Settled{})
	policy, mine := filepath.Join(y.home, ".config", "fettle", "policy.yaml"), filepath.Join(y.project, "dotfiles.yaml")
	y.edit("dotfiles.yaml", "deny", "allow").want(t, "any file", "", "")
	if err := errors.Join(os.Rename(policy, mine), os.Symlink(mine, policy)); err != nil {
		t.Fatal(err)
	}
	y.edit("dotfiles.yaml", "deny", "allow").want(t, "the policy itself", "deny", "")
}
