package setup_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/guard/setup"
)

// TestCommands gives the commands, changes some, and takes them away: what is the person's stays.
func TestCommands(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	w := where(home, setup.Claude)
	give := func() (given, left int) {
		all, err := setup.Commands(w, dir)
		check(t, err)
		for _, c := range all {
			switch {
			case c.Other:
				left++
			case !c.None():
				given++
				check(t, c.Apply(dir))
			}
		}
		return given, left
	}
	file := func(name string) string { return filepath.Join(home, ".claude", "commands", name) }
	check(t, os.MkdirAll(filepath.Dir(file("x")), 0o755))
	check(t, os.WriteFile(file("run.md"), []byte("mine"), 0o644))
	if given, left := give(); given != 6 || left != 1 {
		t.Errorf("%d given, %d left", given, left)
	}
	if given, _ := give(); given != 0 {
		t.Errorf("%d given again", given)
	}
	check(t, os.Remove(file("fix.md"))) // it comes back
	check(t, os.WriteFile(file("check.md"), []byte("changed"), 0o644))
	if given, left := give(); given != 1 || left != 2 {
		t.Errorf("%d given, %d left", given, left)
	}
	all, err := setup.NoCommands(w, dir)
	check(t, err)
	for _, c := range all {
		if !c.Other {
			check(t, c.Revert(dir))
		}
	}
	if read(t, file("run.md")) != "mine" || read(t, file("check.md")) != "changed" {
		t.Error("what the person wrote is gone")
	}
	if names, err := filepath.Glob(filepath.Join(home, ".claude", "*", "*")); err != nil || len(names) != 2 {
		t.Errorf("%q is left", names)
	}
}

// TestSkill gives Codex and Gemini CLI the skill and nothing else, where they read skills, and leaves no trace of it.
func TestSkill(t *testing.T) {
	for _, client := range []setup.Client{setup.Codex, setup.Gemini} {
		skill(t, client, "")
		skill(t, client, "work")
	}
}

// skill does so for a client, in the home or below it, in a project.
func skill(t *testing.T, client setup.Client, below string) {
	t.Helper()
	home, dir, name := t.TempDir(), t.TempDir(), string(client)+" "+below
	w := where(home, client)
	if below != "" {
		w.Project = filepath.Join(home, below)
		check(t, os.Mkdir(w.Project, 0o755))
	}
	for range 2 { // the second time there is nothing to do
		all, err := setup.Commands(w, dir)
		check(t, err)
		if len(all) != 1 || all[0].Name != "skill fettle" || all[0].File != filepath.Join(home, below, "."+string(client), "skills", "fettle", "SKILL.md") {
			t.Fatalf("%s: %+v", name, all)
		}
		check(t, all[0].Apply(dir))
	}
	if text := read(t, filepath.Join(home, below, "."+string(client), "skills", "fettle", "SKILL.md")); !strings.HasPrefix(text, "---\nname: fettle\ndescription: ") {
		t.Errorf("%s: %s", name, text)
	}
	all, err := setup.NoCommands(w, dir)
	check(t, err)
	check(t, all[0].Revert(dir))
	if _, err := os.Lstat(filepath.Join(home, below, "."+string(client))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: its folder is left", name)
	}
}

// TestCommandsSay holds the texts to what Claude Code reads of them.
func TestCommandsSay(t *testing.T) {
	all, err := setup.Commands(where(t.TempDir(), setup.Claude), t.TempDir())
	check(t, err)
	if len(all) != 7 {
		t.Errorf("%d commands", len(all))
	}
	for _, c := range all {
		text := string(c.After)
		head, _, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
		if !strings.HasPrefix(text, "---\n") || !ok || !strings.Contains(head, "description: ") {
			t.Errorf("%s has no head:\n%s", c.Name, text)
		}
		own := c.Name == "/commit" || c.Name == "/push" // what others see is the person's own act
		if own != strings.Contains(head, "disable-model-invocation: true") || own && strings.Contains(head, "allowed-tools") {
			t.Errorf("%s:\n%s", c.Name, head)
		}
	}
}
