package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Abode says where a person's own things are, as their environment had it when they installed the guard. It is kept beside the hook's program, whose path
// stands in their settings: a project can set variables for the sessions of agents that work in it, and would else take the guard to a home, a
// policy and a memory of its own choice.
type Abode struct {
	Home   string `json:"home"`
	Policy string `json:"policy"`
	State  string `json:"state"`
}

// AbodeOf is the abode that an environment names.
func AbodeOf(getenv func(string) string) (Abode, error) {
	home := getenv("HOME")
	state, err := Folder(getenv)
	return Abode{Home: home, Policy: Sources(getenv, home, home)[0], State: state}, err
}

// AbodeFile is where the abode is kept for a hook's program.
func AbodeFile(program string) string { return program + ".json" }

// Bytes are what is kept.
func (a Abode) Bytes() ([]byte, error) {
	data, err := json.MarshalIndent(a, "", "  ")
	return append(data, '\n'), err
}

// Moved says in what an environment differs from what was kept for a hook's program; empty if in nothing, or if nothing was kept.
func Moved(program string, getenv func(string) string) string {
	data, err := os.ReadFile(AbodeFile(program))
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	var was Abode
	if err == nil {
		err = json.Unmarshal(data, &was)
	}
	if err != nil {
		return fmt.Sprintf("where your home is cannot be read: %v", err)
	}
	now, err := AbodeOf(getenv)
	if err != nil {
		return err.Error()
	}
	for _, part := range []struct{ what, was, now string }{{"home", was.Home, now.Home}, {"policy", was.Policy, now.Policy}, {"guard's memory", was.State, now.State}} {
		if part.was != part.now {
			return fmt.Sprintf("the environment says that your %s is %s, and it was %s when the guard was installed", part.what, part.now, part.was)
		}
	}
	return ""
}
