package hook_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fettle/internal/guard/hook"
	"fettle/internal/policy/shell"
)

// TestForgotten: of a session all is kept as long as anything of it was heard of, and nothing is taken from one that lives.
func TestForgotten(t *testing.T) {
	y := newYard(t)
	old, young := time.Now().Add(-40*24*time.Hour), time.Now().Add(-time.Hour)
	dir := filepath.Join(y.hook.Dir, "sessions")
	var seen []string
	age := func(session string, ages map[string]time.Time) (left func() string) {
		t.Helper()
		y.event("PreToolUse", map[string]any{"session_id": session, "tool_name": "Bash", "tool_input": map[string]any{"command": "echo x > made.txt"}})
		var files []string
		all, _ := filepath.Glob(filepath.Join(dir, "*"))
		for _, f := range all {
			ending := strings.TrimPrefix(filepath.Ext(f), ".")
			if slices.Contains(seen, f) {
				continue
			}
			seen = append(seen, f)
			at, ok := ages[ending]
			if !ok {
				if err := os.Remove(f); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if err := os.Chtimes(f, at, at); err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		return func() string {
			var there []string
			for _, f := range files {
				if _, err := os.Lstat(f); err == nil {
					there = append(there, strings.TrimPrefix(filepath.Ext(f), "."))
				}
			}
			return strings.Join(there, " ")
		}
	}
	resumed := age("resumed", map[string]time.Time{"jsonl": young, "written": old, "lock": old})
	gone := age("gone", map[string]time.Time{"jsonl": old, "written": young, "lock": young})
	torn := age("torn", map[string]time.Time{"written": old, "lock": young})
	rest := age("rest", map[string]time.Time{"written": old, "lock": old})
	y.event("SessionStart", map[string]any{"source": "startup"})
	for name, c := range map[string]struct{ got, want string }{"resumed": {resumed(), "jsonl lock written"}, "gone": {gone(), ""}, "torn": {torn(), "lock written"}, "a rest": {rest(), ""}} {
		if c.got != c.want {
			t.Errorf("%s: %q is left, want %q", name, c.got, c.want)
		}
	}
	// A session that begins again after a long time has its own memory still.
	y.bash("echo x > mine.txt").want(t, "made", "", "")
	all, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, f := range all {
		if err := os.Chtimes(f, old, old); err != nil {
			t.Fatal(err)
		}
	}
	y.event("SessionStart", map[string]any{"source": "resume"})
	if left, _ := filepath.Glob(filepath.Join(dir, "*.written")); len(left) != 1 {
		t.Errorf("%v is left of the session that begins", left)
	}
}

// TestWaiting: while another program is waited for, a session's other events are answered.
func TestWaiting(t *testing.T) {
	y := newYard(t)
	asked := false
	y.hook.Canary = func(string) error {
		asked = true
		y.bash("ls").want(t, "while the canary is out", "", "")
		return nil
	}
	y.event("SessionStart", map[string]any{"source": "startup"})
	if !asked {
		t.Error("no canary")
	}
	y = newYard(t)
	y.settles(hook.Settled{})
	pipe := func(name string) *os.File {
		file := filepath.Join(filepath.Dir(y.home), name)
		if err := syscall.Mkfifo(file, 0o600); err != nil {
			t.Skip("no pipes with names here")
		}
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	begun, goOn := pipe("begun"), pipe("go-on")
	engine := y.script("fettle", `echo > "${0%/*}/begun"; read -r x < "${0%/*}/go-on"; cat "${0%/*}/settled.json"`)
	if err := (hook.Engine{Fettle: engine, Guest: true}).Write(y.hook.Dir); err != nil {
		t.Fatal(err)
	}
	done := make(chan answer)
	go func() { done <- y.bash("ls") }()
	if _, err := begun.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	other := yard{t: t, project: y.project, home: y.home, env: y.env, hook: hook.Hook{Policy: &shell.Policy{}, Dir: y.hook.Dir, Getenv: y.hook.Getenv}}
	other.bash("echo x > made.txt").want(t, "while fettle reads the policy", "", "")
	if _, err := goOn.WriteString("\n"); err != nil {
		t.Fatal(err)
	}
	(<-done).want(t, "when it has read it", "", "")
	if y.bash("git push"); len(y.log()) != 3 {
		t.Errorf("%d calls are in the log, not 3", len(y.log()))
	}
}
