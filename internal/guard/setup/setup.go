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

	"fettle/internal/guard/hook"

	"github.com/tailscale/hujson"
)

// Client is a program that runs a coding agent and knows hooks.
type Client string

// The clients.
const (
	Claude Client = hook.Claude
	Codex  Client = hook.Codex
	Gemini Client = hook.Gemini
)

// Clients are all there are.
var Clients = []Client{Claude, Codex, Gemini}

// Where says whose settings are meant.
type Where struct {
	Client  Client
	Project string              // the project's folder, for settings that count in it alone; empty: the user's, which count everywhere
	Getenv  func(string) string // HOME, CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME
	Managed string              // the folder of what the machine's administrator has settled; empty: where the client has it
}

// MayReside reports settings in which a client can be told of a resident guard: the user's own of Claude Code.
func (w Where) MayReside() bool { return w.Client == Claude && w.Project == "" }

// File is the settings file. A project's is the one that is not shared with others, as the hook's program is this user's own.
func (w Where) File() (string, error) {
	var file string
	switch {
	case w.Client == Claude && w.Project != "":
		return filepath.Join(w.Project, ".claude", "settings.local.json"), nil
	case !w.Hooks():
		return "", fmt.Errorf("%s has no settings of a project that are yours alone: install the guard for the user (--user)", w.Client)
	case w.Client == Claude:
		file = hook.ClaudeSettings(w.Getenv)
	case w.Client == Codex:
		file = hook.CodexSettings(w.Getenv)
	case w.Client == Gemini:
		file = hook.GeminiSettings(w.Getenv)
	default:
		return "", fmt.Errorf("there is no client %q", w.Client)
	}
	if !filepath.IsAbs(file) {
		return "", fmt.Errorf("HOME does not say where the settings of %s are", w.Client)
	}
	return file, nil
}

// Hooks reports settings into which the guard is hooked. A project's of other clients than Claude Code are shared with others, and count only where they trust the project: there
// they are given their skill alone.
func (w Where) Hooks() bool { return w.Client == Claude || w.Project == "" }

// Folder is where a client finds what it is given besides the settings.
func (w Where) Folder() (string, error) {
	if !w.Hooks() {
		return filepath.Join(w.Project, "."+string(w.Client)), nil
	}
	file, err := w.File()
	return filepath.Dir(file), err
}

// settings are those of a client, to be changed with their layout kept.
type settings struct {
	client Client
	value  hujson.Value
	mark   []byte // of Unicode, which some editors put before a text
	layout layout
	open   bool // they end in a comment whose line is not ended
}

var unicodeMark = []byte("\ufeff")

// read reads settings; those that are empty or are not there hold nothing.
func read(client Client, data []byte) (*settings, error) {
	var mark []byte
	if rest, ok := bytes.CutPrefix(data, unicodeMark); ok {
		data, mark = rest, unicodeMark
	}
	if len(strings.TrimSpace(string(data))) == 0 {
		data = []byte("{}\n")
	}
	v, err := hujson.Parse(data)
	open := false
	if err != nil {
		if ended, again := hujson.Parse(append(bytes.Clone(data), '\n')); again == nil {
			v, err, open = ended, nil, true
		}
	}
	if err != nil {
		return nil, err
	}
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("they are no JSON object")
	}
	if err := once(o); err != nil {
		return nil, err
	}
	if hooks := v.Find("/hooks"); hooks != nil && !isNull(hooks) {
		o, ok := hooks.Value.(*hujson.Object)
		if !ok {
			return nil, errors.New(`"hooks" is no JSON object`)
		}
		if err := once(o); err != nil {
			return nil, err
		}
	}
	return &settings{client, v, mark, layoutOf(string(data)), open}, nil
}

// once makes sure that no name stands twice in an object: the clients go by the last one, and whoever adds to the first guards nothing.
func once(o *hujson.Object) error {
	seen := map[string]bool{}
	for _, m := range o.Members {
		name, ok := m.Name.Value.(hujson.Literal)
		if !ok {
			continue
		}
		if seen[name.String()] {
			return fmt.Errorf("%q stands there twice", name.String())
		}
		seen[name.String()] = true
	}
	return nil
}

func isNull(v *hujson.Value) bool {
	l, ok := v.Value.(hujson.Literal)
	return ok && l.Kind() == 'n'
}

func (s *settings) bytes() []byte {
	text := s.value.Pack()
	if s.open {
		text = bytes.TrimSuffix(text, []byte("\n"))
	}
	return append(bytes.Clone(s.mark), text...)
}

// groups are the entries of an event.
func (s *settings) groups(event string) ([]group, error) {
	at := s.value.Find("/hooks/" + event)
	if at == nil || isNull(at) {
		return nil, nil
	}
	var all []group
	v := at.Clone()
	v.Standardize()
	if err := json.Unmarshal(v.Pack(), &all); err != nil {
		return nil, fmt.Errorf("its hooks of %s are no list", event)
	}
	return all, nil
}

// missing are the events that the guard is not hooked to in this way.
func (s *settings) missing(how How) ([]string, error) {
	var all []string
	for event, own := range how.entries(s.client) {
		groups, err := s.groups(event)
		if err != nil {
			return nil, err
		}
		if !own.in(groups) {
			all = append(all, event)
		}
	}
	return all, nil
}

// lacks are the events that the guard is not told of at all, and whether it is told of others in another way than this.
func (s *settings) lacks(how How) (missing []string, outdated bool, err error) {
	others, err := s.missing(how)
	if err != nil {
		return nil, false, err
	}
	for _, event := range others {
		groups, err := s.groups(event)
		if err != nil {
			return nil, false, err
		}
		if slices.ContainsFunc(groups, group.asks) {
			outdated = true
		} else {
			missing = append(missing, event)
		}
	}
	return missing, outdated, nil
}

// hook hooks the guard to the events where it is missing, after taking out what an earlier one has left there.
func (s *settings) hook(how How) error {
	missing, err := s.missing(how)
	if err != nil || len(missing) == 0 {
		return err
	}
	for _, event := range missing {
		if err := s.removeFrom(event); err != nil {
			return err
		}
	}
	if at := s.value.Find("/hooks"); at == nil || isNull(at) {
		if err := s.add("", "hooks", 0, map[string]any{}); err != nil {
			return err
		}
	}
	for event, own := range how.entries(s.client) {
		if !slices.Contains(missing, event) {
			continue
		}
		if at := s.value.Find("/hooks/" + event); at == nil || isNull(at) {
			err = s.add("/hooks", event, 1, []group{own})
		} else {
			err = s.add("/hooks/"+event, "-", 2, own)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// remove takes the guard's entries out of every event, and what has become empty by it. What was empty before is the person's.
func (s *settings) remove() error {
	was := s.bytes()
	for event := range (How{}).entries(s.client) {
		if err := s.removeFrom(event); err != nil {
			return err
		}
	}
	if at := s.value.Find("/hooks"); at != nil && !bytes.Equal(was, s.bytes()) {
		if o, ok := at.Value.(*hujson.Object); ok && len(o.Members) == 0 {
			return s.take("/hooks")
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
			if err := s.take(path); err != nil {
				return err
			}
			hooks = slices.Delete(hooks, j, j+1)
		}
	}
	if left == 0 && len(groups) > 0 {
		return s.take("/hooks/" + event)
	}
	return nil
}

// take takes out what stands at a path.
func (s *settings) take(path string) error {
	return s.value.Patch(fmt.Appendf(nil, `[{"op": "remove", "path": %q}]`, path))
}
