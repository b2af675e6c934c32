package hook_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
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
