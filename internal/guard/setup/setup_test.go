package setup_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fettle/internal/guard/hook"
	"fettle/internal/guard/resident"
	"fettle/internal/guard/setup"
)

func where(home string, client setup.Client) setup.Where {
	return setup.Where{Client: client, Managed: filepath.Join(home, "managed"), Getenv: func(name string) string { return map[string]string{"HOME": home}[name] }}
}

// events is of how many events a client tells the guard.
var events = map[setup.Client]int{setup.Claude: 7, setup.Codex: 7, setup.Gemini: 5}

// contents are settings as people have them.
var contents = map[string]string{
	"empty":   "",
	"object":  "{}",
	"no end":  `{"model": "opus"}`,
	"tabs":    "{\n\t\"model\": \"opus\",\n\t\"hooks\": {}\n}\n",
	"marked":  "\ufeff{\r\n  \"model\": \"opus\"\r\n}\r\n",
	"windows": "{\r\n  \"model\": \"opus\"\r\n}\r\n",
	"comment": `{"model": "opus"} // mine`,
	"nothing": `{"hooks": null, "model": "opus"}`,
	"no list": `{"hooks": {"PreToolUse": null, "Stop": []}}`,
	"odd": `{"hooks": {"PreToolUse": [{"matcher": 7, "hooks": [{"type": "command", "command": "a", "timeout": 0.5}, "b", null]}, "c",
  {"hooks": {}}, {"hooks": [{"type": "http", "url": 1, "headers": {"x": 2}, "timeout": "5"}]}]}}`,
	"others": `{
  "z": 1.50, "a": "\u00e9",
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "/opt/mine", "new": true}]}
    ],
    "Notification": [{"hooks": [{"type": "command", "command": "bell"}]}]
  }
}
`,
	"others of Gemini's": `{
  "z": 1.50, "a": "\u00e9", // a comment
  "hooks": {
    "BeforeTool": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "/opt/mine", "new": true}]},
    ],
    "Notification": [{"hooks": [{"type": "command", "command": "bell"}]}]
  }
}
`,
	"Codex's": "{\n  \"description\": \"mine\",\n  \"hooks\": {\n    \"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"/opt/mine\"}]}]\n  }\n}\n",
}

// untaken are those of which a client heeds nothing: comments and commas behind the last entry are for Gemini CLI alone, and Codex knows few names.
var untaken = map[setup.Client][]string{
	setup.Claude: {"comment", "others of Gemini's"},
	setup.Codex:  {"comment", "others of Gemini's", "no end", "tabs", "marked", "windows", "nothing", "others"},
}

// TestUntaken are settings in which a client would heed no hook: the guard is not put there, and the file and the line are named. Where it stands there already the client is not guarded,
// for the same reason; it can be taken out all the same.
func TestUntaken(t *testing.T) {
	const own = `"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "/opt/fettle-guard"}]}]}`
	for text, why := range map[string]map[setup.Client]string{
		"{\n // mine\n OWN}":        {setup.Claude: "line 2: comments are no JSON", setup.Codex: "line 2: comments are no JSON"},
		"{OWN /* mine */}":          {setup.Claude: "line 1: comments are no JSON", setup.Codex: "line 1: comments are no JSON"},
		"{\n OWN,\n\n}":             {setup.Claude: "line 2: a comma behind the last entry is no JSON", setup.Codex: "line 2: a comma behind the last entry is no JSON"},
		"\ufeff{OWN}":               {setup.Codex: "line 1: a mark of Unicode (U+FEFF) stands before the text"},
		"{OWN,\n\n \"foo\": 1}":     {setup.Codex: "line 3: \"foo\" is no setting that it knows there"},
		"{\"description\": 5, OWN}": {setup.Codex: "line 1: \"description\" is no text"},
		"{\n \"permissions\": {\"allow\": \"x\"}, OWN}": {setup.Claude: `line 2: "allow" of its permissions is no list of texts`, setup.Codex: "line 2"},
		"{\n \"permissions\": {\"deny\": [1]}, OWN}":    {setup.Claude: `line 2: "deny" of its permissions is no list of texts`, setup.Codex: "line 2"},
		"{\n \"permissions\": [], OWN}":                 {setup.Claude: `line 2: "permissions" is no object`, setup.Codex: "line 2"},
		"{OWN,\n \"env\": 5}":                           {setup.Claude: `line 2: "env" is no object`, setup.Codex: "line 2"},
		"{OWN,\n \"model\": null}":                      {setup.Claude: `line 2: "model" is no text`, setup.Codex: "line 2"},
		"{\"permissions\": {\"allow\": [\"x\"]}, \"env\": {\"A\": \"b\"}, \"model\": \"opus\", \"foo\": 1, OWN}": {setup.Codex: "line 1"},
		"{OWN, \"description\": \"{} // no comment\"}":                                                           {},
	} {
		text = strings.Replace(text, "OWN", own, 1)
		for _, client := range setup.Clients {
			w := where(t.TempDir(), client)
			file, err := w.File()
			check(t, err)
			text := strings.Replace(text, "PreToolUse", map[bool]string{true: "BeforeTool", false: "PreToolUse"}[client == setup.Gemini], 1)
			check(t, os.MkdirAll(filepath.Dir(file), 0o755))
			check(t, os.WriteFile(file, []byte(text), 0o600))
			c, err := setup.Install(w, setup.How{Program: "/opt/fettle-guard"})
			if want := why[client]; (err != nil) != (want != "") || err != nil && (!strings.Contains(err.Error(), file+", "+want) || !c.None()) {
				t.Errorf("%s, %q: install: %v, want %q", client, text, err, want)
			}
			st, err := setup.Look(w)
			check(t, err)
			if want := why[client]; want != "" && (st.Active || !strings.HasPrefix(st.Trouble, want)) || want == "" && !strings.Contains(st.Trouble, "is not there") {
				t.Errorf("%s, %q: status: %+v, want %q", client, text, st, want)
			}
			c, err = setup.Uninstall(w, t.TempDir())
			check(t, err)
			check(t, c.Revert(t.TempDir()))
			if strings.Contains(read(t, file), "fettle-guard") {
				t.Errorf("%s, %q: it is still there: %s", client, text, c.After)
			}
		}
	}
}

func TestInstallAndUninstall(t *testing.T) {
	for name, text := range contents {
		for _, client := range setup.Clients {
			home, dir := t.TempDir(), t.TempDir()
			w := where(home, client)
			file, err := w.File()
			check(t, err)
			check(t, os.MkdirAll(filepath.Dir(file), 0o755))
			check(t, os.WriteFile(file, []byte(text), 0o640))

			if slices.Contains(untaken[client], name) {
				if c, err := setup.Install(w, setup.How{Program: "/opt/fettle-guard"}); err == nil || !c.None() {
					t.Errorf("%s takes %s: %v", client, name, err)
				}
				continue
			}
			install(t, w, dir, "/opt/it's/fettle-guard")
			after := read(t, file)
			for line := range strings.Lines(text) {
				if !strings.Contains(strings.ReplaceAll(after, " ", ""), strings.ReplaceAll(strings.TrimRight(line, "}]\r\n,"), " ", "")) && !slices.Contains([]string{"object", "no end", "nothing", "no list", "comment"}, name) {
					t.Errorf("%s: %q is gone from\n%s", name, line, after)
				}
			}
			if st, err := setup.Look(w); err != nil || st.Missing != nil || st.Program != "/opt/it's/fettle-guard" {
				t.Errorf("%s: %+v %v", name, st, err)
			}
			if c, err := setup.Install(w, setup.How{Program: "/opt/it's/fettle-guard"}); err != nil || !c.None() {
				t.Errorf("%s: a second time changes it again: %v\n%s", name, err, c.After)
			}
			install(t, w, dir, "/new/fettle-guard")
			if again := read(t, file); strings.Contains(again, "/opt/it") || strings.Count(again, "fettle-guard") != events[client] {
				t.Errorf("%s: an older guard is still there:\n%s", name, again)
			}
			uninstall(t, w, dir)
			if back := read(t, file); back != text {
				t.Errorf("%s: %q after it was taken out, %q before", name, back, text)
			}
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("%s: mode %v %v", name, info.Mode(), err)
			}
		}
	}
}

// TestUnasked are sessions that a client has begun since the guard came: the newest one tells whether it is asked.
func TestUnasked(t *testing.T) {
	const (
		older, newer = "11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"
		project      = "/home/me/my.work"
	)
	now := time.Now()
	at := func(d time.Duration) string { return now.Add(d).UTC().Format(time.RFC3339Nano) }
	file := map[setup.Client]string{setup.Claude: ".claude/projects/-home-me-my-work/%s.jsonl", setup.Codex: ".codex/sessions/2026/11/29/rollout-2026-11-29T00-00-00-%s.jsonl"}
	line := map[setup.Client]string{
		setup.Claude: "{\"type\":\"summary\"}\n{\"type\":\"queue-operation\",\"timestamp\":%[1]q}\n{\"type\":\"user\",\"timestamp\":%[1]q,\"cwd\":\"/home/me/my.work\"}\n",
		setup.Codex:  "{\"timestamp\":%q,\"type\":\"session_meta\",\"payload\":{\"cwd\":\"/home/me/my.work\",\"source\":\"cli\"}}\n",
	}
	for name, c := range map[string]struct {
		sessions map[string]time.Duration // since now, when the guard comes
		told     []string
		unasked  string
	}{
		"none":                        {nil, nil, ""},
		"before it came":              {map[string]time.Duration{older: -time.Hour}, nil, ""},
		"one":                         {map[string]time.Duration{older: time.Minute}, nil, older},
		"one that told":               {map[string]time.Duration{older: time.Minute}, []string{older}, ""},
		"the older alone told":        {map[string]time.Duration{older: time.Minute, newer: time.Hour}, []string{older}, newer},
		"the newer told":              {map[string]time.Duration{older: time.Minute, newer: time.Hour}, []string{newer}, ""},
		"the newer was there already": {map[string]time.Duration{older: time.Minute, newer: -time.Hour}, []string{older}, ""},
	} {
		for client, line := range line {
			home, dir := t.TempDir(), t.TempDir()
			w := where(home, client)
			install(t, w, dir, "/opt/fettle-guard")
			for id, began := range c.sessions {
				path := filepath.Join(home, fmt.Sprintf(file[client], id))
				check(t, os.MkdirAll(filepath.Dir(path), 0o755))
				check(t, os.WriteFile(path, fmt.Appendf(nil, line, at(began)), 0o600))
				check(t, os.Chtimes(path, now.Add(2*time.Hour), now.Add(2*time.Hour)))
			}
			for _, id := range c.told {
				guard := &hook.Hook{Dir: dir, Getenv: func(string) string { return "" }}
				if _, err := guard.Answer([]byte(`{"session_id": "` + id + `", "hook_event_name": "UserPromptSubmit", "cwd": "/", "prompt": "go on"}`)); err != nil {
					t.Fatal(err)
				}
			}
			if s, is := w.Unasked(dir, now); is != (c.unasked != "") || s.ID != c.unasked || is && (s.Cwd != project || s.Began.Before(now)) {
				t.Errorf("%s, %s: %+v %v", client, name, s, is)
			}
			if client == setup.Claude {
				for _, w.Project = range []string{project, project + "/sub"} {
					if s, is := w.Unasked(dir, now); is != (c.unasked != "" && w.Project == project) {
						t.Errorf("%s in %s: %+v %v", name, w.Project, s, is)
					}
				}
			}
		}
	}
	// A subagent's transcript is none of a session.
	home, dir := t.TempDir(), t.TempDir()
	w := where(home, setup.Codex)
	install(t, w, dir, "/opt/fettle-guard")
	path := filepath.Join(home, fmt.Sprintf(file[setup.Codex], older))
	check(t, os.MkdirAll(filepath.Dir(path), 0o755))
	check(t, os.WriteFile(path, []byte(strings.Replace(fmt.Sprintf(line[setup.Codex], at(time.Minute)), `"cli"`, `{"subagent":{"thread_spawn":{}}}`, 1)), 0o600))
	if s, is := w.Unasked(dir, now); is {
		t.Errorf("a subagent: %+v", s)
	}
}

// earlier are settings as earlier guards have left them: nothing stands behind the program.
func earlier(text []byte) []byte {
	return regexp.MustCompile(` \|\| /bin/sh -c '[^']*'`).ReplaceAll(text, nil)
}

// TestUpgraded is a guard that an earlier fettle has installed: it is known for what it is, becomes what this one writes, and goes without a trace.
func TestUpgraded(t *testing.T) {
	for _, program := range []string{"/opt/fettle-guard", "/opt/it's/fettle-guard", "/opt/two words/fettle-guard", `/opt/"q" \ $x; || (y)/fettle-guard`} {
		for _, client := range setup.Clients {
			for _, upgraded := range []bool{true, false} {
				home, dir := t.TempDir(), t.TempDir()
				w := where(home, client)
				file, err := w.File()
				check(t, err)
				check(t, os.MkdirAll(filepath.Dir(file), 0o755))
				was := contents[map[setup.Client]string{setup.Claude: "others", setup.Codex: "Codex's", setup.Gemini: "others of Gemini's"}[client]]
				check(t, os.WriteFile(file, []byte(was), 0o600))
				c, err := setup.Install(w, setup.How{Program: program})
				check(t, err)
				if c.After = earlier(c.After); bytes.Contains(c.After, []byte("exit 2")) {
					t.Fatalf("it is no earlier one: %s", c.After)
				}
				check(t, c.Apply(dir))
				if st, err := setup.Look(w); err != nil || st.Program != program || st.Missing != nil || !st.Outdated {
					t.Errorf("%s: the earlier one: %+v %v", program, st, err)
				}
				if upgraded {
					install(t, w, dir, program)
					if st, err := setup.Look(w); err != nil || st.Program != program || st.Missing != nil || st.Outdated {
						t.Errorf("%s: this one: %+v %v", program, st, err)
					}
					if text := read(t, file); strings.Count(text, "fettle-guard") != events[client] || strings.Count(text, "|| /bin/sh -c") != 1 {
						t.Errorf("%s: the earlier one is still there:\n%s", program, text)
					}
				}
				uninstall(t, w, dir)
				if back := read(t, file); back != was {
					t.Errorf("%s: %q is left", program, back)
				}
			}
		}
	}
}

// TestNoAnswer runs the command of the settings as the clients do, in the shells that people have: where the hook's program gives no answer, it is a refusal, with a
// reason; and where it gives one, that is what comes of it.
func TestNoAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		text string // of the program; empty: there is none
		code int
	}{
		"it allows":       {"exit 0", 0},
		"it refuses":      {"echo because >&2; exit 2", 2},
		"it fails":        {"exit 1", 2},
		"it was killed":   {"kill -9 $$", 2},
		"it is not there": {"", 2},
	} {
		home := t.TempDir()
		w := where(home, setup.Claude)
		program := filepath.Join(home, "it's mine", "fettle-guard")
		check(t, os.MkdirAll(filepath.Dir(program), 0o755))
		if c.text != "" {
			check(t, os.WriteFile(program, []byte("#!/bin/sh\n"+c.text+"\n"), 0o755))
		}
		install(t, w, t.TempDir(), program)
		file, err := w.File()
		check(t, err)
		var in struct {
			Hooks map[string][]struct{ Hooks []struct{ Command string } }
		}
		check(t, json.Unmarshal([]byte(read(t, file)), &in))
		if stop := in.Hooks["Stop"][0].Hooks[0].Command; strings.Contains(stop, "exit 2") {
			t.Errorf("%s: a turn would not end: %s", name, stop)
		}
		for _, shell := range []string{"sh", "bash", "dash", "zsh", "fish", "tcsh"} {
			path, err := exec.LookPath(shell)
			if err != nil || shell == "fish" && c.text == "" { // fish goes no further where a program is not there
				continue
			}
			cmd := exec.Command(path, "-c", in.Hooks["PreToolUse"][0].Hooks[0].Command)
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState == nil {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != c.code || (c.code == 2) != strings.Contains(string(out), "fettle guard lets no call through") {
				t.Errorf("%s, %s: exit code %d, %s", name, shell, code, out)
			}
		}
	}
}

// TestNoSettings is a home without any: none are left.
func TestNoSettings(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	w := where(home, setup.Claude)
	if st, err := setup.Look(w); err != nil || st.Active {
		t.Errorf("%+v %v", st, err)
	}
	install(t, w, dir, "/opt/fettle-guard")
	file, err := w.File()
	check(t, err)
	if text := read(t, file); !json.Valid([]byte(text)) || strings.Count(text, "\n") != 7+4 { // a line for each event, and two braces around them, twice
		t.Errorf("no JSON that a person would read:\n%s", text)
	}
	uninstall(t, w, dir)
	for _, left := range []string{file, filepath.Dir(file), filepath.Join(dir, "installed.json")} {
		if _, err := os.Stat(left); !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", left, err)
		}
	}
	// What somebody has put beside them stays.
	install(t, w, dir, "/opt/fettle-guard")
	mine := filepath.Join(filepath.Dir(file), "mine.md")
	check(t, os.WriteFile(mine, nil, 0o600))
	uninstall(t, w, dir)
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}

// TestRefusedSettings are settings that cannot, or may not, be written: they stay as they are, and nothing is kept of them.
func TestRefusedSettings(t *testing.T) {
	for name, c := range map[string]struct {
		make func(file string) error
		why  string
	}{
		"read-only":           {func(file string) error { return os.WriteFile(file, []byte("{}"), 0o444) }, "chmod u+w"},
		"a link into nowhere": {func(file string) error { return os.Symlink("/proc/no/such/settings.json", file) }, "/proc/no"},
	} {
		home, dir := t.TempDir(), t.TempDir()
		w := where(home, setup.Claude)
		file, err := w.File()
		check(t, err)
		check(t, os.MkdirAll(filepath.Dir(file), 0o755))
		check(t, c.make(file))
		change, err := setup.Install(w, setup.How{Program: "/opt/fettle-guard"})
		check(t, err)
		if err := change.Apply(dir); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", name, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: %v is kept %v", name, left, err)
		}
	}
}

// edits are changes that a person makes to the settings "others" while the guard is in them.
var edits = map[string]func(string) string{
	"a value":          func(s string) string { return strings.Replace(s, `"bell"`, `"gong"`, 1) },
	"a key before":     func(s string) string { return strings.Replace(s, `"z": 1.50`, `"y": 2, "z": 1.50`, 1) },
	"a hook of theirs": func(s string) string { return strings.Replace(s, `"/opt/mine"`, `"/opt/ours"`, 1) },
	"a key behind":     func(s string) string { return strings.Replace(s, `"\u00e9",`, `"\u00e9", "y": [2],`, 1) },
	"a line at an end": func(s string) string { return s + "\n" },
}

// TestChangedSince is a person who changes the settings between the two: what they did stays, and every byte around it is what it was.
func TestChangedSince(t *testing.T) {
	all := maps.Clone(edits)
	all["a comment"] = func(s string) string { return strings.Replace(s, `"\u00e9",`, `"\u00e9", // mine`, 1) } // the client heeds nothing of it then
	for name, change := range all {
		w, file, dir := others(t)
		install(t, w, dir, "/opt/fettle-guard")
		check(t, os.WriteFile(file, []byte(change(read(t, file))), 0o600))
		uninstall(t, w, dir)
		if back, want := read(t, file), change(contents["others"]); back != want {
			t.Errorf("%s:\n%q, want\n%q", name, back, want)
		}
	}
}

// TestChangedAndUpgraded is a person who changes the settings, and then puts another guard in the place of the one that is there: what is taken out in the end is every guard, and nothing
// of what the person did.
func TestChangedAndUpgraded(t *testing.T) {
	plain := setup.How{Program: "/opt/fettle-guard"}
	post := setup.How{Program: plain.Program, Fettle: "/opt/fettle", Post: &resident.Post{Listen: "127.0.0.1:7000", Token: strings.Repeat("0a", 32)}}
	for upgrade, hows := range map[string][]setup.How{
		"another path": {plain, {Program: "/new/fettle-guard"}}, "HTTP on": {plain, post}, "HTTP off": {post, plain},
		"back and forth": {plain, post, {Program: "/new/fettle-guard"}, plain},
	} {
		for name, change := range edits {
			w, file, dir := others(t)
			want := contents["others"]
			edit := change
			for _, how := range hows {
				installAs(t, w, dir, how)
				check(t, os.WriteFile(file, []byte(edit(read(t, file))), 0o600))
				want = edit(want)
				edit = func(s string) string { return strings.Replace(s, `"matcher": "Bash`, `"matcher": "Bash|Mine`, 1) }
			}
			uninstall(t, w, dir)
			if back := read(t, file); back != want {
				t.Errorf("%s, %s:\n%q, want\n%q", upgrade, name, back, want)
			}

			// The same, but nothing was changed since the last one.
			w, file, dir = others(t)
			installAs(t, w, dir, hows[0])
			check(t, os.WriteFile(file, []byte(change(read(t, file))), 0o600))
			for _, how := range hows[1:] {
				installAs(t, w, dir, how)
			}
			uninstall(t, w, dir)
			if back, want := read(t, file), change(contents["others"]); back != want {
				t.Errorf("%s after %s:\n%q, want\n%q", upgrade, name, back, want)
			}
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("%s after %s: mode %v %v", upgrade, name, info.Mode(), err)
			}
		}
	}
}

// TestKeptWithTheGuard is a guard that was there before anything was kept, or that an earlier fettle has kept as what was there before: it is not given back.
func TestKeptWithTheGuard(t *testing.T) {
	for _, client := range setup.Clients {
		for name, kept := range map[string]func(before, after string) any{
			"nothing": func(string, string) any { return nil },
			"a guard": func(before, after string) any {
				return []map[string]any{{"before": []byte(before), "after": []byte(after)}}
			},
			"a guard, and changed since": func(before, after string) any {
				return []map[string]any{{"before": []byte(before), "after": []byte(strings.Replace(after, `"bell"`, `"gong"`, 1))}}
			},
		} {
			for _, again := range []bool{false, true} {
				home, dir := t.TempDir(), t.TempDir()
				w := where(home, client)
				file, err := w.File()
				check(t, err)
				check(t, os.MkdirAll(filepath.Dir(file), 0o755))
				const mine = "{\n  \"hooks\": {\n    \"Notification\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"bell\"}]}]\n  }\n}\n"
				check(t, os.WriteFile(file, []byte(mine), 0o600))
				install(t, w, t.TempDir(), "/opt/fettle-guard")
				before := read(t, file)
				install(t, w, t.TempDir(), "/new/fettle-guard")
				if all := kept(before, read(t, file)); all != nil {
					all.([]map[string]any)[0]["file"] = file
					data, err := json.Marshal(all)
					check(t, err)
					check(t, os.WriteFile(filepath.Join(dir, "installed.json"), data, 0o600))
				}
				if again {
					install(t, w, dir, "/newer/fettle-guard")
				}
				uninstall(t, w, dir)
				if back := read(t, file); back != mine {
					t.Errorf("%s, %s kept, upgraded %v: %q is left", client, name, again, back)
				}
			}
		}
	}
}

// TestNotInstalled are settings without the guard: there is nothing to take out of them, however little they hold.
func TestNotInstalled(t *testing.T) {
	for name, text := range contents {
		for _, client := range setup.Clients {
			w := where(t.TempDir(), client)
			file, err := w.File()
			check(t, err)
			check(t, os.MkdirAll(filepath.Dir(file), 0o755))
			check(t, os.WriteFile(file, []byte(text), 0o600))
			if c, err := setup.Uninstall(w, t.TempDir()); err != nil || !c.None() {
				t.Errorf("%s: %q becomes %q, %v", name, text, c.After, err)
			}
		}
	}
}

// TestChangedAllOver is a person whose editor has written every line anew: what the settings mean is what they have made of them.
func TestChangedAllOver(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	w := where(home, setup.Claude)
	file, err := w.File()
	check(t, err)
	check(t, os.MkdirAll(filepath.Dir(file), 0o755))
	check(t, os.WriteFile(file, []byte(contents["others"]), 0o600))
	install(t, w, dir, "/opt/fettle-guard")
	windows := func(s string) string {
		return strings.ReplaceAll(strings.Replace(s, `"bell"`, `"gong"`, 1), "\n", "\r\n")
	}
	check(t, os.WriteFile(file, []byte(windows(read(t, file))), 0o600))
	uninstall(t, w, dir)
	if back, want := read(t, file), windows(contents["others"]); back != want {
		t.Errorf("%q, want\n%q", back, want)
	}
}

// TestLaidOut are settings that stay laid out as they were, with comments where they stood, of the client that reads these.
func TestLaidOut(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	w := where(home, setup.Gemini)
	file, err := w.File()
	check(t, err)
	check(t, os.MkdirAll(filepath.Dir(file), 0o755))
	check(t, os.WriteFile(file, []byte("{\n\t\"hooks\": {\n\t\t\"AfterAgent\": [\n\t\t\t{\"hooks\": []} // mine\n\t\t] // all\n\t}\n}\n"), 0o600))
	install(t, w, dir, "/opt/fettle-guard")
	const entry = `{"hooks": [{"type": "command", "command": "'/opt/fettle-guard'", "timeout": 60000}]}`
	text := read(t, file)
	for _, want := range []string{"\t\t\"AfterAgent\": [\n\t\t\t{\"hooks\": []}, // mine\n\t\t\t" + entry + "\n\t\t], // all\n\t\t\"BeforeTool\": [{", "\n\t\t\"SessionStart\": [" + entry + "]\n\t}\n}\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestLinked are settings that are kept elsewhere, and linked to: also where there are none yet.
func TestLinked(t *testing.T) {
	home, dir, kept := t.TempDir(), t.TempDir(), t.TempDir()
	w := where(home, setup.Claude)
	file, err := w.File()
	check(t, err)
	check(t, os.MkdirAll(filepath.Dir(file), 0o755))
	settings := filepath.Join(kept, "settings.json")
	check(t, os.Symlink(settings, filepath.Join(kept, "link")))
	check(t, os.Symlink(filepath.Join(kept, "link"), file))
	install(t, w, dir, "/opt/fettle-guard")
	if text := read(t, settings); !strings.Contains(text, "fettle-guard") {
		t.Errorf("where it leads to: %s", text)
	}
	uninstall(t, w, dir)
	if _, err := os.Lstat(settings); !os.IsNotExist(err) {
		t.Errorf("settings are left: %v", err)
	}
	if to, err := os.Readlink(file); err != nil || to != filepath.Join(kept, "link") {
		t.Errorf("the link: %q %v", to, err)
	}
}

// TestUnreadable are settings that are not to be touched.
func TestUnreadable(t *testing.T) {
	for _, text := range []string{"{", "[]", `{"hooks": {"PreToolUse": "all"}}`, `{"hooks": []}`, `{"hooks": {}, "hooks": {}}`, `{"hooks": {"Stop": [], "\u0053top": []}}`} {
		home := t.TempDir()
		w := where(home, setup.Claude)
		file, err := w.File()
		check(t, err)
		check(t, os.MkdirAll(filepath.Dir(file), 0o755))
		check(t, os.WriteFile(file, []byte(text), 0o600))
		if c, err := setup.Install(w, setup.How{Program: "/opt/fettle-guard"}); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v\n%s", text, err, c.After)
		}
	}
}

// TestBroken are settings in which the guard stands, and does nothing.
func TestBroken(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	w := where(home, setup.Claude)
	install(t, w, dir, filepath.Join(home, "fettle-guard"))
	if st, err := setup.Look(w); err != nil || st.Active || st.Trouble == "" {
		t.Errorf("no program: %+v %v", st, err)
	}
	check(t, os.WriteFile(filepath.Join(home, "fettle-guard"), nil, 0o755))
	if st, err := setup.Look(w); err != nil || !st.Active || st.Trouble != "" {
		t.Errorf("%+v %v", st, err)
	}
	file, err := w.File()
	check(t, err)
	check(t, os.WriteFile(file, []byte(strings.Replace(read(t, file), "{", `{"disableAllHooks": true,`, 1)), 0o600))
	if st, err := setup.Look(w); err != nil || st.Active || st.Trouble == "" {
		t.Errorf("hooks are off: %+v %v", st, err)
	}
}

// TestManaged is an administrator who lets no hook run, or none but their own: the guard does not hold, and it is said by which file.
func TestManaged(t *testing.T) {
	const first, second = "managed-settings.json", "managed-settings.d/10-hooks.json"
	for name, c := range map[string]struct {
		files map[string]string
		by    string // the setting, and the file; empty: the guard holds
	}{
		"nothing":                      {nil, ""},
		"no hooks":                     {map[string]string{first: `{"disableAllHooks": true}`}, "disableAllHooks is set in " + first},
		"only theirs":                  {map[string]string{first: `{"allowManagedHooksOnly": true, /* all of us */}`}, "allowManagedHooksOnly is set in " + first},
		"beside it":                    {map[string]string{first: "{}", second: `{"allowManagedHooksOnly": true}`}, "allowManagedHooksOnly is set in " + second},
		"taken back":                   {map[string]string{first: `{"disableAllHooks": true}`, second: `{"disableAllHooks": false}`}, ""},
		"said again":                   {map[string]string{second: `{"disableAllHooks": false}`, "managed-settings.d/20.json": `{"disableAllHooks": true}`}, "disableAllHooks is set in managed-settings.d/20.json"},
		"the other one is not":         {map[string]string{first: `{"disableAllHooks": true}`, second: `{"allowManagedHooksOnly": false}`}, "disableAllHooks is set in " + first},
		"something else":               {map[string]string{first: `{"allowManagedPermissionRulesOnly": true, "env": {"disableAllHooks": true}}`}, ""},
		"no JSON":                      {map[string]string{first: `{"disableAllHooks": true`}, ""},
		"hidden, or of no JSON's name": {map[string]string{"managed-settings.d/.10.json": `{"disableAllHooks": true}`, "managed-settings.d/README": `{"disableAllHooks": true}`}, ""},
	} {
		for _, client := range setup.Clients {
			home := t.TempDir()
			w := where(home, client)
			check(t, os.MkdirAll(filepath.Join(w.Managed, "managed-settings.d"), 0o755))
			for file, text := range c.files {
				check(t, os.WriteFile(filepath.Join(w.Managed, file), []byte(text), 0o600))
			}
			if st, err := setup.Look(w); err != nil || st.Active || st.Trouble != "" {
				t.Errorf("%s, %s, not installed: %+v %v", name, client, st, err)
			}
			program := filepath.Join(home, "fettle-guard")
			check(t, os.WriteFile(program, nil, 0o755))
			install(t, w, t.TempDir(), program)
			off := c.by != "" && client == setup.Claude
			want := ""
			if off {
				by, file, _ := strings.Cut(c.by, " in ")
				want = by + " in " + filepath.Join(w.Managed, file) + ", so that no hook of yours runs: ask whoever administers this machine"
			}
			if st, err := setup.Look(w); err != nil || st.Active == off || st.Trouble != want {
				t.Errorf("%s, %s: %+v %v", name, client, st, err)
			}
		}
	}
}

// TestGemini is what Gemini CLI reads: its own names of the events, a time in milliseconds, and a command that refuses where the program gives no answer. It runs no hooks where it is
// told so, by the person or by a project.
func TestGemini(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	w, program := where(home, setup.Gemini), filepath.Join(home, "fettle-guard")
	check(t, os.WriteFile(program, nil, 0o755))
	install(t, w, dir, program)
	file, err := w.File()
	check(t, err)
	text := read(t, file)
	for _, want := range []string{`"BeforeTool": [{"matcher": "*", "hooks": [{"type": "command", "command": "'` + program + `' || /bin/sh -c `, `exit 2'", "timeout": 60000}]}]`,
		`"AfterTool": [{"matcher": "*"`, `"BeforeAgent": [{"hooks"`, `"AfterAgent": [{"hooks"`, `"SessionStart": [{"hooks"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if st, err := setup.Look(w); err != nil || !st.Active || st.Trouble != "" || st.Missing != nil || st.Outdated || file != filepath.Join(home, ".gemini", "settings.json") {
		t.Errorf("%s: %+v %v", file, st, err)
	}
	for hooks, off := range map[string]bool{`"hooksConfig": {"enabled": false}`: true, `"hooksConfig": {"enabled": true}`: false, `"disableAllHooks": true`: false} {
		check(t, os.WriteFile(file, []byte(strings.Replace(text, "{", "{"+hooks+",", 1)), 0o600))
		if st, err := setup.Look(w); err != nil || st.Active == off || (st.Trouble == "hooksConfig.enabled is false: no hook runs") != off {
			t.Errorf("%s: %+v %v", hooks, st, err)
		}
		project := t.TempDir()
		check(t, os.Mkdir(filepath.Join(project, ".gemini"), 0o755))
		check(t, os.WriteFile(filepath.Join(project, ".gemini", "settings.json"), []byte("{"+hooks+"}"), 0o600))
		if why := w.SwitchedOff(project); strings.HasPrefix(why, "hooksConfig.enabled is false in ") != off || !off && why != "" {
			t.Errorf("a project's %s: %q", hooks, why)
		}
	}
}

// TestHooksOff are ways in which Codex is told to run no hooks, by the person or by a project, and what sounds like one.
func TestHooksOff(t *testing.T) {
	for text, off := range map[string]bool{
		"[features]\nhooks = false\n":                                  true,
		"[features]\napps = true\n\n\tcodex_hooks=false # for now\r\n": true,
		"features.hooks = false":                                       true,
		"\"features\" = { apps = true, hooks = false }":                true,
		"[ features ]\n'hooks' = false\n[tui]\nx = 1\n":                true,
		"": false, "[features]\nhooks = true\n": false, "[features]\n# hooks = false\n": false, "[other]\nhooks = false\n": false, "hooks = false\n[features]\napps = false\n": false,
		"features = { apps = false }": false, "[features]\nhooks_of_mine = false\n": false,
	} {
		for _, folder := range []string{"", "work"} {
			home := t.TempDir()
			w, file := where(home, setup.Codex), filepath.Join(home, folder, ".codex", "config.toml")
			check(t, os.MkdirAll(filepath.Dir(file), 0o755))
			check(t, os.WriteFile(file, []byte(text), 0o600))
			got := w.SwitchedOff(filepath.Join(home, "work"))
			if (got != "") != off || off && (!strings.Contains(got, file) || strings.Contains(got, "trusts the project") != (folder != "")) {
				t.Errorf("%q in %q: %q", text, folder, got)
			}
			if got := where(home, setup.Claude).SwitchedOff(filepath.Join(home, "work")); got != "" {
				t.Errorf("%q: Claude Code does not heed it: %s", text, got)
			}
		}
	}
}

// others is a home with the settings "others" of Claude Code, and a folder for what is kept of them.
func others(t *testing.T) (w setup.Where, file, dir string) {
	t.Helper()
	w = where(t.TempDir(), setup.Claude)
	file, err := w.File()
	check(t, err)
	check(t, os.MkdirAll(filepath.Dir(file), 0o755))
	check(t, os.WriteFile(file, []byte(contents["others"]), 0o640))
	return w, file, t.TempDir()
}

func install(t *testing.T, w setup.Where, dir, program string) {
	t.Helper()
	installAs(t, w, dir, setup.How{Program: program})
}

func installAs(t *testing.T, w setup.Where, dir string, how setup.How) {
	t.Helper()
	c, err := setup.Install(w, how)
	check(t, err)
	check(t, c.Apply(dir))
}

func uninstall(t *testing.T, w setup.Where, dir string) {
	t.Helper()
	c, err := setup.Uninstall(w, dir)
	check(t, err)
	check(t, c.Revert(dir))
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	check(t, err)
	return string(data)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
