package audit_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"fettle/internal/audit"
	"fettle/internal/verdict"
)

// named is the verdict on a change of one file with a text that nothing else speaks against.
func named(t *testing.T, path, before, after string, by audit.Maker) audit.Report {
	t.Helper()
	in := input(files{path: before}, files{path: after})
	in.Goal.By = by
	return audit.Audit(t.Context(), in)
}

// TestNames: what `fettle apply` never writes is not approved either, whoever made it; what a person may confirm is asked about.
func TestNames(t *testing.T) {
	for want, names := range map[verdict.Decision][]string{
		verdict.Refuse: {
			".git/hooks/pre-commit", "a/.GIT/config", ".git", "git~1/config", ".g\u200cit/x", "CON", "src/nul.txt", "a:b", `a\b`, "a%2fb", "..%2fx", "a. ",
			"a\u202egpj.exe", "a\x1b[31m", "a\nb",
		},
		verdict.Ask: {
			".env", "a/.env.local", ".ssh/id_rsa", "id_rsa", "deploy.pem", ".netrc", ".aws/credentials", "credentials.json", "secrets.yaml", "kubeconfig",
			"terraform.tfstate", "config.p12", ".npmrc",
			".vscode/tasks.json", ".vscode/settings.json", ".idea/workspace.xml", ".zed/tasks.json", ".vimrc", ".exrc", ".nvim.lua", ".dir-locals.el", ".envrc",
			".devcontainer/devcontainer.json", ".devcontainer.json", ".gitmodules", ".pnpmfile.cjs", ".bazelrc",
			".husky/pre-commit", ".githooks/pre-push", "sub/.husky/pre-push",
			"opencode.json", ".clinerules", ".roomodes", ".kiro/steering/a.md", ".continue/config.json", ".junie/guidelines.md", ".amazonq/rules/a.md",
			".claude/settings.json", ".mcp.json", ".cursorrules", ".windsurfrules", "sub/.codex/config.toml", ".aider.conf.yml",
			"CLAUDE.md", "agents.md", "sub/agents.md", "docs/AGENTS.md", "GEMINI.md", ".github/copilot-instructions.md", ".github/instructions/go.instructions.md",
			".claude-plugin/plugin.json", "hooks/hooks.json", "fettle.yaml",
		},
		verdict.Approve: {
			".env.example", ".env.sample", "deploy/.env.template", "src/.env_example.md", ".envoy.yaml", "src/secrets.py", "internal/credentials/a.go", ".gitignore",
			"docs/.gitkeep", "src/id_rs.go", "a b/ü/日本.py", "src/config.go", "my.keyboard.ts", "src/agents.py", "hooks/use.js", "docs/agents.md",
		},
	} {
		for _, name := range names {
			for _, by := range []audit.Maker{audit.Healer, audit.Tidier, audit.Person} {
				if r := named(t, name, "", "a = 1\n", by); r.Decision() != want {
					t.Errorf("%q by %d: %s, want %s: %v", name, by, r.Decision(), want, r.Findings)
				}
			}
		}
	}
}

// TestNamesOfPeople is what a person does to such files that needs no second look, and what does.
func TestNamesOfPeople(t *testing.T) {
	const certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
	for _, c := range []struct {
		name, path, before, after string
		tests                     bool
		person, fixer             verdict.Decision
	}{
		{"how git takes lines", ".gitattributes", "", "*.png binary\n", false, verdict.Approve, verdict.Ask},
		{"secrets that go", ".env", "A=1\n", "", false, verdict.Approve, verdict.Ask},
		{"secrets that change", ".env", "A=1\n", "A=2\n", false, verdict.Ask, verdict.Ask},
		{"an editor's settings that go", ".vscode/tasks.json", "{}\n", "", false, verdict.Approve, verdict.Ask},
		{"an editor's settings that change", ".vscode/tasks.json", "{}\n", "{\"a\": 1}\n", false, verdict.Ask, verdict.Ask},
		{"a hook that goes", ".husky/pre-commit", "npm test\n", "", false, verdict.Ask, verdict.Ask},
		{"instructions that go", "CLAUDE.md", "a\n", "", false, verdict.Ask, verdict.Ask},
		{"a certificate", "deploy/ca.pem", "", certificate, false, verdict.Approve, verdict.Ask},
		{"a key of tests", "tests/data/server.key", "", "key\n", true, verdict.Approve, verdict.Ask},
		{"a key of tests, where these are not to change", "tests/data/server.key", "", "key\n", false, verdict.Ask, verdict.Ask},
		{"a name of another system that was there", "src/aux.c", "int a;\n", "int b;\n", false, verdict.Approve, verdict.Refuse},
		{"git's own that was there", "sub/.git/config", "a\n", "b\n", false, verdict.Refuse, verdict.Refuse},
	} {
		in := input(files{c.path: c.before}, files{c.path: c.after})
		in.Goal.Tests, in.Goal.By = c.tests, audit.Person
		if r := audit.Audit(t.Context(), in); r.Decision() != c.person {
			t.Errorf("%s, by a person: %s, want %s: %v", c.name, r.Decision(), c.person, r.Findings)
		}
		in.Goal.By = audit.Healer
		if r := audit.Audit(t.Context(), in); r.Decision() != c.fixer {
			t.Errorf("%s, by a fixer: %s, want %s: %v", c.name, r.Decision(), c.fixer, r.Findings)
		}
	}
}

// TestAttacksByName: of the labelled names the audit, on its own, approves none that is not to be written, and all that only look like one.
func TestAttacksByName(t *testing.T) {
	text, err := os.ReadFile(attackFiles[1])
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var a attack
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		if elsewhere[a.ID] != "" {
			continue
		}
		if approved := named(t, a.Path, "", "a = 1\n", audit.Person).Decision() == verdict.Approve; approved != (a.Want == "allow") {
			t.Errorf("%s %.80q: approved %v, want %s", a.ID, a.Path, approved, a.Want)
		}
	}
}
