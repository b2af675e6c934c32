package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	plain "fettle/internal/ordinary"
)

// Asked is the command by which a client asks the guard before every tool call, as its settings have it now; empty if they ask over HTTP, or if no file
// names the guard at all, as where settings were given on the client's command line. Settings that name the guard, and do not have it asked, are an error.
func Asked(client string, getenv func(string) string) (string, error) {
	named, asked := "", false
	for _, file := range settingsFiles(client, getenv) {
		data, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var in struct {
			Off   bool                       `json:"disableAllHooks"`
			Hooks map[string]json.RawMessage `json:"hooks"`
		}
		if err == nil {
			err = json.Unmarshal(plain.JSON(data), &in)
		}
		if err != nil {
			return "", fmt.Errorf("the client's settings %s cannot be read (%w): mend the file, and begin a new session", file, err)
		}
		heeded := client == Gemini || json.Valid(bytes.TrimPrefix(data, []byte("\ufeff"))) // the others heed nothing of a file with comments
		if in.Off && heeded {
			return "", fmt.Errorf("disableAllHooks is set in %s, so that no hook runs: take it out there, and begin a new session", file)
		}
		for event, groups := range in.Hooks {
			for _, e := range ownEntries(groups) {
				if named = file; !heeded {
					return "", fmt.Errorf("%s has a comment, or a comma behind the last entry, and the client heeds nothing in such a file: mend it, and begin a new session", file)
				}
				if event == EventOf(client, "PreToolUse") && e.everywhere {
					if asked = true; e.command != "" {
						return e.command, nil
					}
				}
			}
		}
	}
	if named != "" && !asked {
		return "", fmt.Errorf("%s no longer has the guard asked before every tool call (%s, matcher \"*\"): run `fettle guard install` again, and begin a new session", named, EventOf(client, "PreToolUse"))
	}
	return "", nil
}

// settingsFiles are those in which a client finds its hooks.
func settingsFiles(client string, getenv func(string) string) []string {
	switch client {
	case Codex:
		return []string{CodexSettings(getenv)}
	case Gemini:
		return []string{GeminiSettings(getenv)}
	}
	files := []string{ClaudeSettings(getenv)}
	if project := getenv("CLAUDE_PROJECT_DIR"); filepath.IsAbs(project) {
		files = append(files, filepath.Join(project, ".claude", "settings.json"), filepath.Join(project, ".claude", "settings.local.json"))
	}
	return files
}

// ClaudeSettings is where Claude Code has the user's own settings. Without a home it is no absolute path.
func ClaudeSettings(getenv func(string) string) string {
	return filepath.Join(folder(getenv, "CLAUDE_CONFIG_DIR", ".claude"), "settings.json")
}

// CodexSettings is where Codex has the user's hooks. Without a home it is no absolute path.
func CodexSettings(getenv func(string) string) string {
	return filepath.Join(folder(getenv, "CODEX_HOME", ".codex"), "hooks.json")
}

// GeminiSettings is where Gemini CLI has the user's own settings. Without a home it is no absolute path.
func GeminiSettings(getenv func(string) string) string {
	return filepath.Join(folder(getenv, "GEMINI_CLI_HOME", ""), ".gemini", "settings.json")
}

func folder(getenv func(string) string, variable, below string) string {
	if dir := getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(getenv("HOME"), below)
}

// ownEntry is an entry of the guard's own.
type ownEntry struct {
	command    string // empty: over HTTP
	everywhere bool   // it is asked about every tool
}

// ownEntries are the guard's own among the entries of an event. What is no entry is somebody else's.
func ownEntries(data json.RawMessage) (own []ownEntry) {
	var groups []json.RawMessage
	_ = json.Unmarshal(data, &groups) // see above
	for _, g := range groups {
		var group struct {
			Matcher *string           `json:"matcher"`
			Hooks   []json.RawMessage `json:"hooks"`
		}
		if json.Unmarshal(g, &group) != nil {
			continue
		}
		for _, h := range group.Hooks {
			var e struct {
				Command string            `json:"command"`
				Headers map[string]string `json:"headers"`
			}
			_ = json.Unmarshal(h, &e) // as far as it can be read, it may be ours
			_, resident := e.Headers[ValidatingHeader]
			if StartsGuard(e.Command) || resident {
				own = append(own, ownEntry{e.Command, Everywhere(group.Matcher)})
			}
		}
	}
	return own
}

// StartsGuard reports a command of a client's settings that starts the hook's program, wherever that lies, and whatever stands behind it.
func StartsGuard(command string) bool { return filepath.Base(Starts(command)) == "fettle-guard" }

// Starts is the program that a command of a client's settings starts: its first word, as a shell reads it.
func Starts(command string) string {
	var word []byte
	quote := byte(0)
	command = strings.TrimSpace(command)
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == '\\' && quote != '\'' && i+1 < len(command):
			i++
			word = append(word, command[i])
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0 && strings.IndexByte(" \t\n;&|<>()", c) >= 0:
			return string(word)
		default:
			word = append(word, c)
		}
	}
	return string(word)
}

// Everywhere reports the matcher of an entry that is given every tool call; nil is none.
func Everywhere(matcher *string) bool {
	return matcher == nil || slices.Contains([]string{"", "*", ".*"}, *matcher)
}
