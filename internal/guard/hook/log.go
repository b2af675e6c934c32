package hook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fettle/internal/guard"
	"fettle/internal/policy/shell"
)

// Entry is one decision in the log, and all that it takes to make it again. Secrets in it are replaced by marks.
type Entry struct {
	Version  int             `json:"version"`
	Time     time.Time       `json:"time"`
	Session  string          `json:"session"`
	Agent    string          `json:"agent,omitempty"`
	UseID    string          `json:"use,omitempty"`
	Mode     string          `json:"mode,omitempty"`
	Tool     string          `json:"tool"`
	Input    json.RawMessage `json:"input"`
	Cwd      string          `json:"cwd"`
	Trail    trail           `json:"trail"`
	Micros   int64           `json:"micros"` // from the event to the decision
	Redacted bool            `json:"redacted,omitempty"`
	Policy   Ruling          `json:"policy"`           // what the policy alone said; the verdict is that, or what the session made stricter
	Strict   []string        `json:"strict,omitempty"` // why the call should have a second opinion at once
	Second   *Second         `json:"second,omitempty"` // the second opinion, where one was asked for
	Rewound  bool            `json:"rewound,omitempty"`
	Tried    int             `json:"tried,omitempty"`     // the attempt at the same in other words that this was, from the third on
	Report   bool            `json:"telemetry,omitempty"` // telemetry was on when this was decided: only then is it ever sent
	Outcome  *Outcome        `json:"outcome,omitempty"`   // instead of a decision, which names a tool: how a call ended
	Event    string          `json:"event,omitempty"`     // instead of a judgement: where an agent was sent on, or a call refused that could not be judged; of one that was, where it names no tool
	shell.Verdict
}

// parts are those that are written. The tags above are for whoever reads the log.
func (e *Entry) parts() []part {
	v := &e.Verdict
	class := string(v.Class)
	return []part{{"version", &e.Version, true}, {"time", &e.Time, true}, {"session", &e.Session, true}, {"agent", &e.Agent, e.Agent != ""}, {"use", &e.UseID, e.UseID != ""},
		{"mode", &e.Mode, e.Mode != ""}, {"tool", &e.Tool, true}, {"input", &e.Input, true}, {"cwd", &e.Cwd, true}, {"trail", &e.Trail, true}, {"micros", &e.Micros, true},
		{"redacted", &e.Redacted, e.Redacted}, {"policy", &e.Policy, true}, {"strict", &e.Strict, len(e.Strict) > 0}, {"second", e.Second, e.Second != nil},
		{"rewound", &e.Rewound, e.Rewound}, {"tried", &e.Tried, e.Tried != 0}, {"telemetry", &e.Report, e.Report}, {"outcome", e.Outcome, e.Outcome != nil}, {"event", &e.Event, e.Event != ""},
		{"decision", &v.Decision, true}, {"final", &v.Final, true}, {"class", &class, class != ""}, {"rule", &v.Rule, v.Rule != ""}, {"reason", &v.Reason, v.Reason != ""},
		{"facts", &v.Facts, true}, {"alternative", &v.Alternative, v.Alternative != ""}, {"loosened", &v.Loosened, len(v.Loosened) > 0}}
}

func (r *Ruling) parts() []part {
	return []part{{"decision", &r.Decision, true}, {"rule", &r.Rule, r.Rule != ""}}
}

// Ruling is a decision, and the rule that made it.
type Ruling struct {
	Decision shell.Decision `json:"decision"`
	Rule     string         `json:"rule,omitempty"`
}

// LogFolder is where the log is kept below the guard's folder: a file for each day, by UTC.
func LogFolder(dir string) string { return filepath.Join(dir, "log") }

// entry is what all entries about an event say.
func (h *Hook) entry(e *Event) *Entry {
	return &Entry{Version: 1, Time: h.now().UTC(), Session: e.Session, Agent: e.Agent, UseID: e.UseID, Mode: e.Mode, Tool: e.Tool, Input: json.RawMessage(`{}`), Cwd: e.Cwd}
}

// log appends a decision.
func (h *Hook) log(s *session, o *occasion, r *ruling) error {
	entry := h.entry(&o.Event)
	entry.Input, entry.Trail, entry.Micros = essential(o.Input, r.policy.Rule == sentRule), o.trail.kept(r.policy.Decision), entry.Time.Sub(o.start).Microseconds()
	entry.Policy, entry.Strict, entry.Second, entry.Rewound, entry.Tried, entry.Report, entry.Verdict = r.policy, r.why, r.second, r.rewound, r.tried, h.reports(s, o), r.Verdict
	if entry.Tool == "" {
		entry.Event = o.Name // else nothing would say what was decided about
	}
	return h.keep(filepath.Dir(s.dir), entry)
}

// maxNoted is how much a call may be given to stand in the log with a refusal that no judgement led to.
const maxNoted = 16 << 10

// note appends what is no judgement of a call: what an agent was told, or what becomes of calls. Nobody can make it again, and it is no news for telemetry.
func (h *Hook) note(dir string, e *Event, d shell.Decision, rule, reason string) error {
	entry := h.entry(e)
	if len(e.Input) <= maxNoted {
		entry.Input = essential(e.Input, false)
	}
	entry.Event, entry.Facts = cmp.Or(e.Name, "unread"), []shell.Fact{}
	entry.Class, entry.Rule, entry.Reason, entry.Decision = "told", rule, reason, d
	entry.Policy = Ruling{d, rule}
	return h.keep(dir, entry)
}

// MemoryEvent is the event of an entry that says that the memory of a session was damaged.
const MemoryEvent = "memory"

// damaged appends that the memory of a session is damaged, and what becomes of calls by that.
func (h *Hook) damaged(s *session, id, reason string) error {
	d := shell.Allow
	if s.Broken {
		d = shell.Ask
	}
	return h.note(filepath.Dir(s.dir), &Event{Session: id, Name: MemoryEvent}, d, "memory-damaged", reason)
}

// sentOn is the rule by which an agent is told something at an event: what a call has done to the style of files is told when it has ended.
func sentOn(event string) string {
	if event == "PostToolUse" {
		return "style-drift"
	}
	return "sent-on"
}

// Before reports an entry about a call that had not happened yet, judged or not.
func (e *Entry) Before() bool {
	return e.Judged() || e.Event == "PreToolUse" && e.Tool != ""
}

// unjudgedRule is that of a refusal that no judgement led to.
const unjudgedRule = "unjudged"

// Judged reports an entry about a call that was judged, so that it can be judged again. Of one that names no tool an earlier guard has written nothing but the rule.
func (e *Entry) Judged() bool {
	return e.Outcome == nil && e.Rule != unjudgedRule && (e.Event == "" && (e.Tool != "" || e.Policy.Rule != "") || e.Event == "PreToolUse")
}

// unjudged keeps a refusal of what could not be judged. Where it cannot be kept it is one all the same.
func (h *Hook) unjudged(e *Event, reason string) {
	if dir, err := h.folder(); err == nil {
		_ = h.note(dir, e, shell.Deny, unjudgedRule, reason)
	}
}

// keep appends an entry to the log below the guard's folder, without the secrets in it.
func (h *Hook) keep(dir string, entry *Entry) error {
	dir = LogFolder(dir)
	if err := private(dir); err != nil {
		return err
	}
	data, err := written(nil, entry.parts())
	if err != nil {
		return err
	}
	if clean := h.redactor().RedactJSON(data); !bytes.Equal(clean, data) {
		if data, err = entry.redacted(clean); err != nil {
			return err
		}
	}
	data = bytes.ToValidUTF8(data, []byte("\uFFFD")) // what the client hands on as it was may hold any byte
	if err := appendTo(filepath.Join(dir, entry.Time.Format(time.DateOnly)+".jsonl"), append(data, '\n')); err != nil {
		return fmt.Errorf("the guard's log cannot be kept: %w", err)
	}
	return nil
}

// redacted is the entry without secrets. Where taking them out has broken its form, what the call was given is left out as a whole.
func (e *Entry) redacted(clean []byte) ([]byte, error) {
	var again Entry
	if json.Unmarshal(clean, &again) == nil {
		e = &again
	} else {
		e.Input, e.Trail, e.Reason, e.Facts = json.RawMessage(`{}`), trail{}, "", []shell.Fact{}
	}
	e.Redacted = true
	return json.Marshal(e)
}

// essential is of a call's input what its decision depends on: what a file is to hold is left out, as it is long and nobody's business. Where a secret was found in what
// the call was given, a mark says that it may have stood there.
func essential(input json.RawMessage, secret bool) json.RawMessage {
	var in map[string]json.RawMessage
	if json.Unmarshal(input, &in) != nil {
		return json.RawMessage(`{}`)
	}
	for _, name := range []string{"content", "old_string", "new_string", "edits", "new_source", "prompt", "todos", "plan"} {
		if _, ok := in[name]; ok && secret {
			in[name] = json.RawMessage(`"[REDACTED:left-out:0]"`)
		} else {
			delete(in, name)
		}
	}
	data, err := json.Marshal(in)
	if err != nil {
		return json.RawMessage(`{}`)
	}
	return data
}

// Again makes an entry's decision once more, by a policy.
func (e Entry) Again(p *shell.Policy) shell.Verdict {
	at := shell.Place{Root: e.Trail.Root, Home: e.Trail.Home, Venv: e.Trail.Venv, Zsh: e.Trail.Zsh, Cwd: e.Trail.at(e.Cwd), Guarded: e.Trail.Guarded, Resolve: e.Trail.at}
	at.Absent = func(path string) bool { return slices.Contains(e.Trail.Absent, path) }
	at.Folder = func(path string) bool { return slices.Contains(e.Trail.Folders, path) }
	at.Script = func(path string) (string, bool) { text, ok := e.Trail.Scripts[path]; return text, ok }
	at.Written = func() []string { return slices.Sorted(maps.Keys(e.Trail.Scripts)) }
	at.Known = at.Written
	input := standIns(string(e.Input), e.Policy.Rule == sentRule || e.Policy.Rule == "secret-kept")
	return guard.Judge(p, guard.Call{Tool: e.Tool, Input: json.RawMessage(input), Cwd: at.Cwd}, at)
}

// sentRule is that by which a call is refused for a secret among what it was given.
const sentRule = "secret-sent"

// standIn has the form of a token, and is nobody's.
const standIn = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

// standIns is what a call was given with a secret of nobody's in the place of each mark, since it was one that was decided about. What only its value in the environment told to
// be one was none to the rules, unless all are.
func standIns(input string, all bool) string {
	const mark = "[REDACTED:"
	parts := strings.Split(input, mark)
	for i, part := range parts[1:] {
		if _, behind, ok := strings.Cut(part, "]"); ok && (all || !strings.HasPrefix(part, "env:")) {
			parts[i+1] = standIn + behind
		} else {
			parts[i+1] = mark + part
		}
	}
	return strings.Join(parts, "")
}

func (t trail) at(path string) string {
	if ends, ok := t.Links[path]; ok {
		return ends
	}
	return path
}
