package guest_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fettle/internal/fix/agent"
	"fettle/internal/guard/guest"
	"fettle/internal/guard/hook"
	"fettle/internal/guard/setup"
)

// TestLay is what stands in a home afterwards: the hook in the client's settings, and where fettle is, in private.
func TestLay(t *testing.T) {
	for client, settings := range map[setup.Client]string{setup.Claude: ".claude/settings.json", setup.Codex: ".codex/hooks.json", setup.Gemini: ".gemini/settings.json"} {
		home := t.TempDir()
		g := guest.Guard{Client: client, Program: "/opt/fettle-guard", Fettle: "/opt/fettle"}
		if err := g.Lay(home); err != nil {
			t.Fatal(err)
		}
		for file, want := range map[string]string{settings: "/opt/fettle-guard", ".local/state/fettle/guard/engine.json": `{"fettle":"/opt/fettle","guest":true}`} {
			data, err := os.ReadFile(filepath.Join(home, file))
			if err != nil || !strings.Contains(string(data), want) {
				t.Errorf("%s: %s holds %q, %v", client, file, data, err)
			}
		}
		if refused, err := g.Refused(home); err != nil || len(refused) > 0 {
			t.Errorf("%s: nobody was refused anything: %v, %v", client, refused, err)
		}
	}
	if err := (guest.Guard{Client: "nobody", Program: "/opt/fettle-guard"}).Lay(t.TempDir()); err == nil {
		t.Error("a client that there is not was guarded")
	}
}

// TestRefused is what is read of a log in which an agent may have written.
func TestRefused(t *testing.T) {
	const one = `{"version":1,"tool":"Bash","decision":"deny","reason":"it would throw work away"}` + "\n"
	entry := func(more string) string { return strings.Replace(one, `"version":1`, `"version":1,`+more, 1) }
	bash := agent.Refusal{Tool: "Bash", Why: "it would throw work away"}
	for name, c := range map[string]struct {
		log  string
		want []agent.Refusal
	}{
		"a refusal":                     {one, []agent.Refusal{bash}},
		"a question":                    {strings.Replace(one, "deny", "ask", 1), []agent.Refusal{bash}},
		"what was allowed":              {strings.Replace(one, "deny", "allow", 1), nil},
		"how a call ended":              {entry(`"outcome":{}`), nil},
		"the canary's":                  {entry(`"session":"` + hook.CanarySession + `"`), nil},
		"lines that are no decisions":   {"{\n[]\nnull\n{}\n" + one + one[:20], []agent.Refusal{bash}},
		"as often as it was refused":    {one + one, []agent.Refusal{bash, bash}},
		"a log that holds nothing else": {strings.Repeat("\n", 100), nil},
	} {
		home := t.TempDir()
		put(t, home, "2026-01-02.jsonl", c.log)
		if got, err := (guest.Guard{}).Refused(home); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestRefusedElsewhere is what an agent may put in the place of a log: nobody waits for it, and nothing out of its home is read.
func TestRefusedElsewhere(t *testing.T) {
	other := t.TempDir()
	put(t, other, "1.jsonl", `{"version":1,"tool":"Bash","decision":"deny","reason":"of somebody else"}`+"\n")
	home := t.TempDir()
	put(t, home, "1.jsonl", "")
	log := hook.LogFolder(filepath.Join(home, ".local/state/fettle/guard"))
	err := errors.Join(syscall.Mkfifo(filepath.Join(log, "2.jsonl"), 0o600), os.Mkdir(filepath.Join(log, "3.jsonl"), 0o700),
		os.Symlink(filepath.Join(hook.LogFolder(filepath.Join(other, ".local/state/fettle/guard")), "1.jsonl"), filepath.Join(log, "4.jsonl")))
	if err != nil {
		t.Fatal(err)
	}
	got, err := guest.Guard{}.Refused(home)
	if err == nil || len(got) > 0 {
		t.Errorf("a link out of the home was followed: %v, %v", got, err)
	}
}

func put(t *testing.T, home, day, text string) {
	t.Helper()
	log := hook.LogFolder(filepath.Join(home, ".local/state/fettle/guard"))
	if err := errors.Join(os.MkdirAll(log, 0o700), os.WriteFile(filepath.Join(log, day), []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}
