package tables_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/policy/shell"
	"fettle/internal/policy/shell/tables"
)

var place = shell.Place{Root: "/home/dev/repo", Home: "/home/dev"}

// TestOwn is a team's own program and rule: the program is known then, and the rule decides, as far as fettle's own lets it.
func TestOwn(t *testing.T) {
	programs, err := tables.Programs([]byte(`
deploytool:
  options:
    -n --dry-run: dry
    -f= --file=: read
  operands: sub
  subs:
    status: {}
    push: {operands: none, does: publish}
`))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := tables.Rules([]byte(`
- {id: own-publish, kinds: [publish], programs: ["deploytool *"], decision: allow}
- {id: own-privilege, kinds: [privilege], decision: allow}
- {id: no-docker, kinds: [exec], targets: [docker], decision: deny, class: house, reason: "no containers here"}
`))
	if err != nil {
		t.Fatal(err)
	}
	policy := &shell.Policy{Programs: programs, Rules: rules}
	project := &shell.Policy{Stricter: rules}
	for _, c := range []struct {
		command          string
		bare, own, tight shell.Decision
	}{
		{"deploytool status", shell.Ask, shell.Allow, shell.Ask},
		{"deploytool push x", shell.Ask, shell.Allow, shell.Ask},
		{"deploytool -f ~/.ssh/id_rsa status", shell.Ask, shell.Deny, shell.Ask},
		{"deploytool drop", shell.Ask, shell.Ask, shell.Ask},
		{"sudo ls", shell.Deny, shell.Deny, shell.Deny},
		{"docker ps", shell.Allow, shell.Deny, shell.Deny},
	} {
		for i, p := range []*shell.Policy{nil, policy, project} {
			want := []shell.Decision{c.bare, c.own, c.tight}[i]
			if v := p.Judge(c.command, place); v.Decision != want {
				t.Errorf("%q by policy %d: %s (%s), want %s", c.command, i, v.Decision, v.Rule, want)
			}
		}
	}
}

// TestMistakes are files that say something that does not exist: each is refused, with the name and the place.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{"x: {operands: raed}", `unknown role "raed"`},
		{"x: {does: explode}", `unknown kind "explode"`},
		{"x: {options: {-a: frobnicate}}", `x: -a: unknown role "frobnicate"`},
		{"x: {style: dos}", `unknown style "dos": one of single, bundle`},
		{"x: {prints: internet}", `unknown source of what is printed "internet": one of network, decoder`},
		{"x: {special: magic}", `no special "magic"`},
		{"x: {operand: read}", "operand"},
		{"x: {subs: {y: {does: explode}}}", `x: y: unknown kind`},
		{"x: {options: {-a: none, -a: read}}", "-a"},
		{"[", "cannot be read"},
	} {
		if _, err := tables.Programs([]byte(c.yaml)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.yaml, err, c.want)
		}
	}
	for _, c := range []struct{ yaml, want string }{
		{"- {id: a, kinds: [eat], decision: deny}", `rule a: unknown kind "eat"`},
		{"- {id: a, zones: [mars], decision: deny}", `unknown zone "mars"`},
		{"- {id: a, decision: maybe}", `unknown decision "maybe"`},
		{"- {decision: deny}", "no id"},
		{"- {id: a, klass: x, decision: deny}", "klass"},
		{"- {id: a, targets: ['['], decision: deny}", "pattern"},
	} {
		if _, err := tables.Rules([]byte(c.yaml)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.yaml, err, c.want)
		}
	}
}

// TestAlternatives holds fettle's own rules to saying what to do instead, wherever they do not let something happen.
func TestAlternatives(t *testing.T) {
	text, err := os.ReadFile("../rules/rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := tables.Rules(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		if (r.Decision == shell.Allow) != (r.Alternative == "") {
			t.Errorf("rule %s: %s, and instead: %q", r.ID, r.Decision, r.Alternative)
		}
	}
}

// TestGenerated makes the Go tables anew: what is checked in must be what the YAML files say.
func TestGenerated(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"programs", "rules"} {
		if err := os.CopyFS(filepath.Join(dir, sub), os.DirFS(filepath.Join("..", sub))); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(t.TempDir(), "shelltables")
	if out, err := exec.Command("go", "build", "-o", program, "fettle/scripts/shelltables").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(program)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, err := os.ReadFile(filepath.Join(dir, "tables_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../tables_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("tables_gen.go is not what programs and rules say: go generate ./internal/policy/shell")
	}
}
