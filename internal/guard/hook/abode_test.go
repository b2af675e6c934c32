package hook_test

import (
	"path/filepath"
	"testing"

	"fettle/internal/guard/hook"
)

// TestClientsElsewhere is clients whose folders variables have moved: these are what the usual ones are.
func TestClientsElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		variable, at          string // the variable, and where it leads, below the home
		settings, login, used string
	}{
		"Claude Code":             {"CLAUDE_CONFIG_DIR", "cc", "cc/settings.json", "cc/.credentials.json", "cc/CLAUDE.md"},
		"Codex":                   {"CODEX_HOME", "cx", "cx/config.toml", "cx/auth.json", "cx/history.jsonl"},
		"Gemini CLI":              {"GEMINI_CLI_HOME", "g", "g/.gemini/settings.json", "g/.gemini/oauth_creds.json", "g/.gemini/GEMINI.md"},
		"within the project":      {"CODEX_HOME", "work/.cx", "work/.cx/config.toml", "work/.cx/auth.json", "work/.cx/history.jsonl"},
		"where it usually is":     {"CLAUDE_CONFIG_DIR", ".claude", ".claude/settings.json", ".claude/.credentials.json", ".claude/CLAUDE.md"},
		"in the settings' folder": {"CLAUDE_CONFIG_DIR", ".config/claude", ".config/claude/settings.json", ".config/claude/.credentials.json", ".config/claude/CLAUDE.md"},
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t)
			at := func(rel string) string { return filepath.Join(y.home, filepath.FromSlash(rel)) }
			check := func(how string) {
				t.Helper()
				y.call("Write", map[string]any{"file_path": at(c.settings), "content": "{}"}).want(t, how+": the settings", "deny", "")
				y.bash("echo x >> "+at(c.settings)).want(t, how+": the settings by a command", "deny", "")
				y.call("Read", map[string]any{"file_path": at(c.login)}).want(t, how+": the token", "deny", "secrets are")
				y.bash("cat "+at(c.login[:len(c.login)-4])+"*").want(t, how+": the token by a pattern", "deny", "secrets are")
				y.call("Read", map[string]any{"file_path": at(c.used)}).want(t, how+": what is no secret", "", "")
				y.call("Write", map[string]any{"file_path": filepath.Join(y.project, "src", "a.go"), "content": "x"}).want(t, how+": the project", "", "")
			}
			y.env[c.variable] = at(c.at)
			check("by the variable")
			for _, e := range y.log() {
				if v := e.Again(nil); v.Decision != e.Policy.Decision {
					t.Errorf("%s: %s, and again %s", e.Input, e.Policy.Decision, v.Decision)
				}
			}
			if c.variable == "CLAUDE_CONFIG_DIR" {
				y.call("Write", map[string]any{"file_path": at(c.at + "/plans/calm-fox.md"), "content": "x"}).want(t, "a plan", "", "")
				y.call("Write", map[string]any{"file_path": at(c.at + "/plans/run.sh"), "content": "x"}).want(t, "no plan", "deny", "")
			}
			// As it was when the guard was installed, for one that hears of no variable, or of another.
			abode, err := hook.AbodeOf(y.hook.Getenv)
			if err != nil {
				t.Fatal(err)
			}
			y.env[c.variable], y.hook.Clients = at("elsewhere"), abode.Clients
			check("as it was noted")
		})
	}
}

// TestClientsAround is a client's folder in which the project or the home lies: they stay what they are.
func TestClientsAround(t *testing.T) {
	y := newYard(t)
	for _, dir := range []string{y.project, y.home, filepath.Dir(y.home), "/", "work"} {
		y.env["CLAUDE_CONFIG_DIR"] = dir
		y.call("Write", map[string]any{"file_path": filepath.Join(y.project, "src", "a.go"), "content": "x"}).want(t, dir, "", "")
	}
}
