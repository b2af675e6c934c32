package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fettle/internal/guard/setup"
	"fettle/internal/testenv/fakemodel"
)

// TestSettingsTaken puts a hook into settings as people have them, and looks whether the real clients run it: where they do not, the guard is not installed there, and the person hears what
// to mend; where they do, it is.
func TestSettingsTaken(t *testing.T) {
	guard := program(t)
	for _, row := range []struct{ name, settings, not string }{ // HOOKS stands for the member "hooks"; not: the clients by which nothing of it is heeded
		{"plain", `{HOOKS}`, ""},
		{"a comment", "{HOOKS\n // mine\n}", "claude codex"},
		{"a comma at the end", "{HOOKS,\n}", "claude codex"},
		{"a mark", "\ufeff{HOOKS}", "codex"},
		{"a description", `{"description": "mine", HOOKS}`, ""},
		{"a key", `{"foo": 1, HOOKS}`, "codex"},
		{"rights", `{"permissions": {"allow": "x"}, HOOKS}`, "claude codex"},
		{"no rights", `{"permissions": null, HOOKS}`, "claude codex"},
		{"an environment", `{"env": 5, HOOKS}`, "claude codex"},
		{"a model", `{"model": 5, HOOKS}`, "claude codex"},
		{"a description that is none", `{"description": 5, HOOKS}`, "codex"},
	} {
		for _, c := range clients {
			t.Run(c.name+"/"+row.name, func(t *testing.T) {
				t.Parallel()
				y := newYard(t)
				w := y.of(c.kind)
				file, err := w.File()
				if err != nil {
					t.Fatal(err)
				}
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				ran := filepath.Join(y.home, "ran")
				hooks := `"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "touch '` + ran + `'"}]}]}`
				text := strings.ReplaceAll(row.settings, "HOOKS", hooks)
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				c.play(y, nil)
				_, err = os.Stat(ran)
				if taken := err == nil; taken == strings.Contains(row.not, string(c.kind)) {
					t.Errorf("the hook was run: %v", taken)
				}
				_, err = setup.Install(w, setup.How{Program: guard})
				if refused := err != nil; refused != strings.Contains(row.not, string(c.kind)) {
					t.Errorf("install: %v", err)
				}
			})
		}
	}
}

// TestMended is a person with a comment in the settings: the guard is not installed, and nothing is changed. Without the comment it is, and the real clients do no harm.
func TestMended(t *testing.T) {
	guard := program(t)
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			y := newYard(t)
			w := y.of(c.kind)
			file, err := w.File()
			if err != nil {
				t.Fatal(err)
			}
			const commented = "{\n  // mine\n  \"hooks\": {}\n}\n"
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(commented), 0o600)); err != nil {
				t.Fatal(err)
			}
			if _, err := setup.Install(w, setup.How{Program: guard}); err == nil || !strings.Contains(err.Error(), file+", line 2: comments are no JSON") {
				t.Errorf("install: %v", err)
			}
			if text, err := os.ReadFile(file); err != nil || string(text) != commented {
				t.Errorf("%q is left, %v", text, err)
			}
			if err := os.WriteFile(file, []byte(strings.Replace(commented, "// mine", "", 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			y.guard(c.kind, guard)
			c.run(y, []fakemodel.Call{{Tool: "Bash", Input: map[string]any{"command": "rm -rf " + y.home + "/Documents"}}})
			if _, err := os.Stat(filepath.Join(y.home, "Documents", "a.txt")); errors.Is(err, fs.ErrNotExist) {
				t.Error("harm was done")
			}
			state := filepath.Join(y.home, ".local", "state", "fettle", "guard")
			if s, is := w.Unasked(state, time.Now()); is {
				t.Errorf("it was asked, and %+v is said not to have asked it", s)
			}
			// The comment comes back: what the settings look like is known, and that no hook ran, too.
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(strings.Replace(string(text), "{", "{ // mine", 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			c.play(y, nil)
			if s, is := w.Unasked(state, time.Now()); !is || s.Cwd != y.project {
				t.Errorf("nobody says that it was not asked: %+v", s)
			}
		})
	}
}
