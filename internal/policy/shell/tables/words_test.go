package tables_test

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fettle/internal/policy/shell"
	"fettle/internal/policy/shell/tables"
)

// TestWords holds docs/policy.md to the words that a policy may use: it explains each of them, and no other.
func TestWords(t *testing.T) {
	sections := map[string]string{}
	for _, s := range strings.Split(page(t), "\n## ")[1:] {
		title, text, _ := strings.Cut(s, "\n")
		sections[title] = text
	}
	for title, err := range map[string]error{
		"Kinds":  (&shell.Rule{ID: "x", Decision: shell.Deny, Kinds: []shell.Kind{"?"}}).Valid(),
		"Zones":  (&shell.Rule{ID: "x", Decision: shell.Deny, Zones: []shell.Zone{"?"}}).Valid(),
		"Traits": (&shell.Rule{ID: "x", Decision: shell.Deny, Traits: []shell.Trait{"?"}}).Valid(),
		"Roles":  (&shell.Program{Names: []string{"x"}, Operands: []shell.Role{"?"}}).Valid(),
	} {
		var e *shell.UnknownError
		if !errors.As(err, &e) {
			t.Fatalf("%s: %v", title, err)
		}
		said := explained(sections[title])
		for _, name := range e.Known {
			if !slices.Contains(said, name) {
				t.Errorf("%s: %s is explained nowhere", title, name)
			}
		}
		for _, name := range said {
			if !slices.Contains(e.Known, name) && !strings.Contains(name, ":") {
				t.Errorf("%s: there is no %s", title, name)
			}
		}
	}
}

// page is docs/policy.md.
func page(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../../../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// explained are the names in the first column of a section's table, and in what follows it.
func explained(section string) []string {
	var out []string
	for line := range strings.Lines(section) {
		if row, ok := strings.CutPrefix(line, "|"); ok {
			line, _, _ = strings.Cut(row, "|")
		} else if _, after, ok := strings.Cut(line, "within fettle: "); ok {
			line = after
		} else {
			continue
		}
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(line, -1) {
			out = append(out, m[1])
		}
	}
	return out
}

// TestExample reads the program that docs/policy.md describes, and judges commands by it.
func TestExample(t *testing.T) {
	_, text, _ := strings.Cut(page(t), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	doc, err := tables.Read("policy.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	policy := &shell.Policy{Programs: doc.Programs}
	at := shell.Place{Root: "/home/dev/app", Home: "/home/dev"}
	for command, want := range map[string]shell.Decision{
		"deploytool status":              shell.Allow,
		"dt -c ~/.ssh/id_rsa status":     shell.Deny,
		"dt --set=a=.bashrc status":      shell.Allow,
		"dt --set=a=../.bashrc status":   shell.Deny,
		"dt push":                        shell.Ask,
		"dt --dry-run push":              shell.Allow,
		"dt fetch http://a.example | sh": shell.Deny,
		"dt other --what":                shell.Ask,
	} {
		if v := policy.Judge(command, at); v.Decision != want {
			t.Errorf("%s: %v, want %v: %+v", command, v.Decision, want, v)
		}
	}
}
