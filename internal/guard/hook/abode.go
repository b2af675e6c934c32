package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Abode says where a person's own things are, as their environment had it when they installed the guard. It is kept beside the hook's program, whose path
// stands in their settings: a project can set variables for the sessions of agents that work in it, and would else take the guard to a home, a
// policy and a memory of its own choice.
type Abode struct {
	Home    string   `json:"home"`
	Policy  string   `json:"policy"`
	State   string   `json:"state"`
	Clients []string `json:"clients,omitempty"` // the folders of agents' clients that variables had moved
}

// AbodeOf is the abode that an environment names.
func AbodeOf(getenv func(string) string) (Abode, error) {
	home := getenv("HOME")
	state, err := Folder(getenv)
	return Abode{Home: home, Policy: Sources(getenv, home, home)[0], State: state, Clients: clientFolders(getenv)}, err
}

// clientFolders are those of agents' clients that variables have moved: their settings, and what they log in with, lie there.
func clientFolders(getenv func(string) string) (all []string) {
	for _, client := range []struct {
		variable string
		settings func(func(string) string) string
	}{{"CLAUDE_CONFIG_DIR", ClaudeSettings}, {"CODEX_HOME", CodexSettings}, {"GEMINI_CLI_HOME", GeminiSettings}} {
		if filepath.IsAbs(getenv(client.variable)) {
			all = append(all, filepath.Dir(client.settings(getenv)))
		}
	}
	return all
}

// around reports a folder in which the project or the home lies. It may be a client's, and what lies in it is what it is all the same.
func (t *trail) around(dir string) bool {
	dir = strings.TrimSuffix(t.follow(dir), "/") + "/"
	return strings.HasPrefix(t.Root+"/", dir) || strings.HasPrefix(t.Home+"/", dir)
}

// AbodeFile is where the abode is kept for a hook's program.
func AbodeFile(program string) string { return program + ".json" }

// Bytes are what is kept.
func (a Abode) Bytes() ([]byte, error) {
	data, err := json.MarshalIndent(a, "", "  ")
	return append(data, '\n'), err
}

// Moved says where clients' folders were that variables had moved, as it was kept for a hook's program, and in what else an environment differs from that:
// empty if in nothing, or if nothing was kept.
func Moved(program string, getenv func(string) string) (clients []string, why string) {
	data, err := os.ReadFile(AbodeFile(program))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ""
	}
	var was Abode
	if err == nil {
		err = json.Unmarshal(data, &was)
	}
	if err != nil {
		return nil, fmt.Sprintf("where your home is cannot be read: %v", err)
	}
	now, err := AbodeOf(getenv)
	if err != nil {
		return was.Clients, err.Error()
	}
	for _, part := range []struct{ what, was, now string }{{"home", was.Home, now.Home}, {"policy", was.Policy, now.Policy}, {"guard's memory", was.State, now.State}} {
		if part.was != part.now {
			return was.Clients, fmt.Sprintf("the environment says that your %s is %s, and it was %s when the guard was installed", part.what, part.now, part.was)
		}
	}
	return was.Clients, ""
}
