// Package setup answers "is this agent guarded?". It puts the guard's hook into the settings of agents' clients, takes it out again, and
// says what is there.
//
// Settings belong to the person: an entry is added to what they hold, their order, layout and comments stay as they are, and what they held
// before is kept, so that taking the guard out gives back every byte of it. Where somebody has changed them in the meantime, only the guard's own
// entries are taken out.
package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Client is a program that runs a coding agent and knows hooks.
type Client string

// The clients.
const (
	Claude Client = "claude"
	Codex  Client = "codex"
)

// Clients are all there are.
var Clients = []Client{Claude, Codex}

// Where says whose settings are meant.
type Where struct {
	Client  Client
	Project string              // the project's folder, for settings that count in it alone; empty: the user's, which count everywhere
	Getenv  func(string) string // HOME, CLAUDE_CONFIG_DIR, CODEX_HOME
}

// MayReside reports settings in which a client can be told of a resident guard: the user's own of Claude Code.
func (w Where) MayReside() bool { return w.Client == Claude && w.Project == "" }

// File is the settings file. A project's is the one that is not shared with others, as the hook's program is this user's own.
func (w Where) File() (string, error) {
	home := w.Getenv("HOME")
	switch {
	case w.Client == Claude && w.Project != "":
		return filepath.Join(w.Project, ".claude", "settings.local.json"), nil
	case w.Client == Codex && w.Project != "":
		return "", errors.New("codex reads no hooks from a project: install the guard for the user (--user)")
	case w.Client == Claude && filepath.IsAbs(w.Getenv("CLAUDE_CONFIG_DIR")):
		return filepath.Join(w.Getenv("CLAUDE_CONFIG_DIR"), "settings.json"), nil
	case w.Client == Codex && filepath.IsAbs(w.Getenv("CODEX_HOME")):
		return filepath.Join(w.Getenv("CODEX_HOME"), "hooks.json"), nil
	case !filepath.IsAbs(home):
		return "", fmt.Errorf("HOME does not say where the settings of %s are", w.Client)
	case w.Client == Claude:
		return filepath.Join(home, ".claude", "settings.json"), nil
	case w.Client == Codex:
		return filepath.Join(home, ".codex", "hooks.json"), nil
	}
	return "", fmt.Errorf("there is no client %q", w.Client)
}

// settings are those of a client, to be changed with their layout kept.
type settings struct {
	value hujson.Value
	mark  []byte // of Unicode, which some editors put before a text
}

var unicodeMark = []byte("\ufeff")

// read reads settings; those that are empty or are not there hold nothing.
func read(data []byte) (*settings, error) {
	var mark []byte
	if rest, ok := bytes.CutPrefix(data, unicodeMark); ok {
		data, mark = rest, unicodeMark
	}
	if len(strings.TrimSpace(string(data))) == 0 {
		data = []byte("{}\n")
	}
	v, err := hujson.Parse(data)
	if err != nil {
		return nil, err
	}
	if _, ok := v.Value.(*hujson.Object); !ok {
		return nil, errors.New("they are no JSON object")
	}
	return &settings{v, mark}, nil
}

func (s *settings) bytes() []byte { return append(bytes.Clone(s.mark), s.value.Pack()...) }

// groups are the entries of an event.
func (s *settings) groups(event string) ([]group, error) {
	at := s.value.Find("/hooks/" + event)
	if at == nil {
		return nil, nil
	}
	var all []group
	v := at.Clone()
	v.Standardize()
	if err := json.Unmarshal(v.Pack(), &all); err != nil {
		return nil, fmt.Errorf("hooks of %s: %w", event, err)
	}
	return all, nil
}

// missing are the events that the guard is not hooked to in this way.
func (s *settings) missing(how How) ([]string, error) {
	var all []string
	for _, event := range slices.Concat(matched, plain) {
		groups, err := s.groups(event)
		if err != nil {
			return nil, err
		}
		if !how.own(event).in(groups) {
			all = append(all, event)
		}
	}
	return all, nil
}

// add hooks the guard to the events where it is missing, after taking out what an earlier one has left there.
func (s *settings) add(how How) error {
	missing, err := s.missing(how)
	if err != nil || len(missing) == 0 {
		return err
	}
	for _, event := range missing {
		if err := s.removeFrom(event); err != nil {
			return err
		}
	}
	if s.value.Find("/hooks") == nil {
		if err := s.patch("add", "/hooks", map[string]any{}); err != nil {
			return err
		}
	}
	for _, event := range missing {
		if s.value.Find("/hooks/"+event) == nil {
			if err := s.patch("add", "/hooks/"+event, []any{}); err != nil {
				return err
			}
		}
		if err := s.patch("add", "/hooks/"+event+"/-", how.own(event)); err != nil {
			return err
		}
	}
	return nil
}

// remove takes the guard's entries out of every event, and what has become empty by it.
func (s *settings) remove() error {
	for _, event := range slices.Concat(matched, plain) {
		if err := s.removeFrom(event); err != nil {
			return err
		}
	}
	if at := s.value.Find("/hooks"); at != nil {
		if o, ok := at.Value.(*hujson.Object); ok && len(o.Members) == 0 {
			return s.patch("remove", "/hooks", nil)
		}
	}
	return nil
}

func (s *settings) removeFrom(event string) error {
	groups, err := s.groups(event)
	if err != nil {
		return err
	}
	left := len(groups)
	for i := len(groups) - 1; i >= 0; i-- {
		hooks := groups[i].Hooks
		for j := len(hooks) - 1; j >= 0; j-- {
			if !hooks[j].isOwn() {
				continue
			}
			path := fmt.Sprintf("/hooks/%s/%d/hooks/%d", event, i, j)
			if len(hooks) == 1 {
				path = fmt.Sprintf("/hooks/%s/%d", event, i)
				left--
			}
			if err := s.patch("remove", path, nil); err != nil {
				return err
			}
			hooks = slices.Delete(hooks, j, j+1)
		}
	}
	if left == 0 && groups != nil {
		return s.patch("remove", "/hooks/"+event, nil)
	}
	return nil
}

// patch is one operation of RFC 6902.
func (s *settings) patch(op, path string, value any) error {
	ops := []map[string]any{{"op": op, "path": path}}
	if op != "remove" {
		ops[0]["value"] = value
	}
	data, err := json.Marshal(ops)
	if err != nil {
		return err
	}
	return s.value.Patch(data)
}
