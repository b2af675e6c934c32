package setup

import (
	"encoding/json"
	"iter"
	"reflect"
	"slices"
	"strings"

	"fettle/internal/guard/hook"
	"fettle/internal/guard/resident"
	"fettle/internal/pattern"
	"fettle/internal/policy/shell"
)

// How says how a client reaches the guard: by starting its program for each event or, where there is a post, by asking the resident guard about tool calls.
type How struct {
	Program string         // the hook's, an absolute path
	Post    *resident.Post // where the resident guard is; nil: there is none
	Fettle  string         // what starts it when a session begins, an absolute path
}

// matched are the events of tool calls, which a hook is given for the tools that it names; others are given to all hooks.
var (
	matched = resident.Events
	plain   = []string{"UserPromptSubmit", "SessionStart", "Stop", "SubagentStop"}
)

// group is one entry of an event in the settings, as both clients have it.
type group struct {
	Matcher *string `json:"matcher,omitempty"`
	Hooks   []entry `json:"hooks"`
}

type entry struct {
	Type      string            `json:"type"`
	Command   string            `json:"command,omitempty"`
	URL       string            `json:"url,omitempty"`
	Headers   map[string]string `json:"headers,omitempty"`
	Allowed   []string          `json:"allowedEnvVars,omitempty"` // variables of the client's environment that headers may hold
	Timeout   int               `json:"timeout"`                  // seconds (of Gemini CLI's milliseconds), after which the client goes on without an answer
	OnFailure string            `json:"onFailure,omitempty"`      // what becomes of the call then; clients that do not know it let it through
}

// UnmarshalJSON reads an entry as far as it is one. Entries are mostly other people's, and what is odd in them is none of the guard's business.
// Names count letter by letter, as they do for the clients.
func (g *group) UnmarshalJSON(data []byte) error {
	in := members(data)
	if m, ok := in["matcher"]; ok {
		g.Matcher = new(string)
		if json.Unmarshal(m, g.Matcher) != nil {
			*g.Matcher = string(m)
		}
	}
	if json.Unmarshal(in["hooks"], &g.Hooks) != nil {
		g.Hooks = nil
	}
	return nil
}

// members are those of an object; anything else has none.
func members(data []byte) (all map[string]json.RawMessage) {
	_ = json.Unmarshal(data, &all) // somebody else's
	return all
}

// UnmarshalJSON reads one hook as far as it could be the guard's.
func (e *entry) UnmarshalJSON(data []byte) error {
	in := members(data)
	for name, at := range map[string]any{"type": &e.Type, "command": &e.Command, "url": &e.URL, "headers": &e.Headers, "allowedEnvVars": &e.Allowed, "timeout": &e.Timeout, "onFailure": &e.OnFailure} {
		if raw, ok := in[name]; ok {
			_ = json.Unmarshal(raw, at) // then it is not what the guard has written
		}
	}
	return nil
}

// timeout is far beyond the guard's own budget of a second, and beyond the longest that a validator may take, so that it refuses before the
// client lets the call through.
const timeout = 60

// ensuring are the arguments that start the resident guard if it is not there.
const ensuring = " guard serve --ensure"

// orRefuse stands behind the program where tool calls are judged. Of a program that was killed, or is gone, older clients know only that it has not refused, and let the
// call through. Codex gives it to the person's own shell, so it is written as bash, zsh, fish and csh all read it.
const orRefuse = ` || /bin/sh -c 'echo fettle guard lets no call through that its hook has not judged: fettle guard status says more >&2; exit 2'`

// entries are the guard's for a client, each by the client's own name of the event.
func (how How) entries(client Client) iter.Seq2[string, group] {
	return func(yield func(string, group) bool) {
		for _, event := range slices.Concat(matched, plain) {
			name, g := hook.EventOf(string(client), event), how.own(event)
			if client == Gemini {
				g.Hooks[0].Timeout, g.Hooks[0].OnFailure = 1000*timeout, ""
			}
			if name != "" && !yield(name, g) {
				return
			}
		}
	}
}

// own is the guard's entry for an event. Of all that a client's environment says, a call that comes over HTTP has to say itself only whether a validator is
// behind it: the rest is known since its turn began.
func (how How) own(event string) group {
	command := entry{Type: "command", Command: shell.Quote(how.Program), Timeout: timeout}
	g := group{Hooks: []entry{command}}
	if slices.Contains(matched, event) {
		all := "*"
		g.Matcher = &all
		if how.Post != nil {
			g.Hooks[0] = entry{Type: "http", URL: how.Post.URL(), Timeout: timeout, Allowed: []string{hook.Validating},
				Headers: map[string]string{"Authorization": "Bearer " + how.Post.Token, hook.ValidatingHeader: "$" + hook.Validating}}
		}
	}
	if event == "SessionStart" && how.Post != nil {
		g.Hooks = append(g.Hooks, entry{Type: "command", Command: shell.Quote(how.Fettle) + ensuring, Timeout: timeout})
	}
	if event == "PreToolUse" {
		g.Hooks[0].OnFailure = "block"
		if how.Post == nil {
			g.Hooks[0].Command += orRefuse
		}
	}
	return g
}

// in reports that the groups hold just what the guard would have there.
func (g group) in(groups []group) bool {
	own := 0
	for _, there := range groups {
		own += len(there.Hooks) - len(slices.DeleteFunc(slices.Clone(there.Hooks), entry.isOwn))
	}
	return own == len(g.Hooks) && slices.ContainsFunc(groups, func(there group) bool {
		return reflect.DeepEqual(there.Hooks, g.Hooks) && (g.Matcher == nil || there.Matcher != nil && *there.Matcher == *g.Matcher)
	})
}

// isOwn reports an entry that asks the guard, wherever its program lies, and whatever an earlier fettle has written behind it.
func (e entry) isOwn() bool {
	_, validates := e.Headers[hook.ValidatingHeader]
	return hook.StartsGuard(e.Command) || strings.HasSuffix(e.Command, ensuring) || validates && strings.HasSuffix(e.URL, resident.HookPath)
}

// asks reports a group in which the guard is asked about everything.
func (g group) asks() bool {
	return hook.Everywhere(g.Matcher) && slices.ContainsFunc(g.Hooks, entry.isOwn)
}

// how is the way in which settings reach the guard; nil if it is not asked before every tool call.
func (s *settings) how() (*How, error) {
	var how How
	asked := false
	judged := hook.EventOf(string(s.client), "PreToolUse")
	for event := range how.entries(s.client) {
		groups, err := s.groups(event)
		if err != nil {
			return nil, err
		}
		for _, g := range groups {
			for _, e := range g.Hooks {
				if e.isOwn() && (hook.Everywhere(g.Matcher) || event != judged) {
					asked = asked || event == judged
					how.heed(e)
				}
			}
		}
	}
	if !asked {
		return nil, nil
	}
	return &how, nil
}

// heed takes from one of the guard's own entries what it says of the way.
func (how *How) heed(e entry) {
	switch {
	case e.URL != "":
		token := strings.TrimPrefix(e.Headers["Authorization"], "Bearer ")
		how.Post = &resident.Post{Listen: strings.TrimSuffix(strings.TrimPrefix(e.URL, "http://"), resident.HookPath), Token: token}
	case strings.HasSuffix(e.Command, ensuring):
		how.Fettle = hook.Starts(e.Command)
	default:
		how.Program = hook.Starts(e.Command)
	}
}

// tokens are shown to whoever reads the settings, and to nobody else.
var tokens = pattern.New(`Bearer [0-9a-f]{64}`)

// Hide is a text of settings without the resident guard's token.
func Hide(text string) string { return tokens.ReplaceAllString(text, "Bearer …") }
