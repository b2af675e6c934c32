package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fettle/internal/guard"
	"fettle/internal/guard/hook"
	"fettle/internal/guard/opinion"
	"fettle/internal/guard/transcript"
	"fettle/internal/guard/validate"
	"fettle/internal/mcp"
	"fettle/internal/model"
	"fettle/internal/phrase"
	"fettle/internal/policy/shell"
)

// The bounds of what is read of a transcript, from its end, and of what is made of it.
const (
	mostTranscript = 8 << 20 // bytes
	mostWords      = 3       // messages of the person's
	mostCalls      = 200     // calls since the last of them
	mostSaid       = 1000    // characters of a message that are shown
	intentTime     = 45 * time.Second
)

// turn is what was said and done since the person's last words.
type turn struct {
	words []string // the person's, the newest last
	said  string   // what the agent said last, since then
	calls []guard.Call
	more  bool // there were more calls
}

// ValidateIntent implements [mcp.Desk]: first by rules, those of the guard's hook, and then by a model, where one is set up.
func (d desk) ValidateIntent(ctx context.Context, c mcp.Call, in mcp.IntentInput) (*mcp.Intent, error) {
	a := d.at(c)
	h, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	t, err := h.turnOf(in.TranscriptPath)
	if err != nil {
		return nil, err
	}
	out := &mcp.Intent{Said: clipped(t.said, mostSaid), Calls: len(t.calls)}
	if len(t.words) == 0 {
		out.Verdict, out.Reason = mcp.Unknown, "the transcript holds no words of a person, so there is nothing to hold the work against"
		out.Results = []mcp.Result{{Name: "Words", Status: mcp.NotJudged, Why: out.Reason}}
		return out, nil
	}
	out.Words = clipped(t.words[len(t.words)-1], mostSaid)
	if out.Results, err = t.byRules(h.root); err != nil {
		return nil, err
	}
	settled := slices.ContainsFunc(out.Results, func(r mcp.Result) bool { return r.Status == mcp.Fail })
	idle := len(t.calls) == 0 && t.said == ""
	if !settled && !idle {
		out.Results = append(out.Results, a.byModel(ctx, h, t))
	}
	for _, r := range out.Results {
		switch {
		case r.Status == mcp.Fail && out.Verdict == "":
			out.Verdict, out.Reason = mcp.Drifted, r.Why
		case r.Status == mcp.NotJudged && out.Verdict == "":
			out.Verdict, out.Reason = mcp.Unknown, "no rule speaks against it; "+r.Why
		}
	}
	if out.Verdict == "" {
		out.Verdict, out.Reason = mcp.Aligned, "no rule and no model speaks against it"
		if idle {
			out.Reason = "nothing was said or done since the person's last words"
		}
	}
	return out, nil
}

// clipped is as much of a text as is shown.
func clipped(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

// turnOf reads a transcript from its end. It must be one of a client's, or lie in the project: no other file is anybody's words.
func (h *house) turnOf(path string) (t turn, err error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(h.here, path)
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return t, usage("transcript_path %s cannot be read: give the path that the client's hooks are told (transcript_path)", path)
	}
	if !within(h.root, resolved) && !slices.ContainsFunc(transcripts(), func(dir string) bool { return within(dir, resolved) }) {
		return t, usage("transcript_path %s is no transcript of the client's (%s), nor in this project", path, strings.Join(transcripts(), ", "))
	}
	info, err := os.Stat(resolved)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no file")
	}
	if err != nil {
		return t, usage("transcript_path %s: %w", path, err)
	}
	f, err := os.Open(resolved)
	if err != nil {
		return t, usage("transcript_path %s: %w", path, err)
	}
	defer func() { _ = f.Close() }() // only read
	for l := range transcript.Back(f, info.Size(), mostTranscript) {
		text, said := l.Text()
		switch {
		case said && l.Type == "user":
			t.words = append([]string{text}, t.words...)
			if len(t.words) == mostWords {
				return t, nil
			}
		case len(t.words) > 0 || l.Sidechain || l.Meta:
		case l.Type == "assistant":
			if said && t.said == "" {
				t.said = text
			}
			t.calls = slices.Concat(callsIn(l), t.calls)
			if len(t.calls) > mostCalls {
				t.calls, t.more = t.calls[len(t.calls)-mostCalls:], true
			}
		}
	}
	return t, nil
}

// transcripts are the folders in which clients keep what was said, as far as it can be read here.
func transcripts() []string {
	dir := os.Getenv("CLAUDE_CONFIG_DIR")
	if dir == "" {
		dir = filepath.Join(os.Getenv("HOME"), ".claude")
	}
	dir = filepath.Join(dir, "projects")
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	return []string{dir}
}

// callsIn are the calls of tools that a line holds, but for the one that asks here.
func callsIn(l transcript.Line) (calls []guard.Call) {
	var blocks []struct {
		Type, Name string
		Input      json.RawMessage
	}
	if json.Unmarshal(l.Message.Content, &blocks) != nil {
		return nil // words alone
	}
	for _, b := range blocks {
		if b.Type == "tool_use" && !strings.HasSuffix(b.Name, "__validate_intent") {
			calls = append(calls, guard.Call{Tool: b.Name, Input: b.Input})
		}
	}
	return calls
}

// unanswered begins what the hook says of a last message that leaves the person's question open.
const unanswered = "The person asked a question"

// byRules puts the turn to the guard's hook once more, with a memory of its own and nobody's policy but fettle's: what it says of the person's words counts, what the policy
// says of the calls is for the hook to say when they are made.
func (t turn) byRules(root string) (out []mcp.Result, err error) {
	dir, err := os.MkdirTemp("", "fettle-intent-")
	if err != nil {
		return nil, fmt.Errorf("judge the session by rules: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	env := map[string]string{"HOME": os.Getenv("HOME"), "PATH": os.Getenv("PATH"), "FETTLE_TELEMETRY": "off", "XDG_CONFIG_HOME": dir}
	hooked := hook.Hook{Policy: &shell.Policy{}, Dir: dir, Getenv: func(name string) string { return env[name] }}
	tell := func(event map[string]any) (string, error) {
		event["session_id"], event["cwd"] = "intent", root
		data, err := json.Marshal(event)
		if err != nil {
			return "", err
		}
		var said, errs bytes.Buffer
		if code := hooked.Run(bytes.NewReader(data), &said, &errs); code != 0 {
			return "", fmt.Errorf("judge the session by rules: %s", strings.TrimSpace(errs.String()))
		}
		return said.String(), nil
	}
	if _, err := tell(map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": t.words[len(t.words)-1]}); err != nil {
		return nil, err
	}
	for i, c := range t.calls {
		if _, err := tell(map[string]any{"hook_event_name": "PreToolUse", "tool_name": c.Tool, "tool_input": c.Input, "tool_use_id": strconv.Itoa(i)}); err != nil {
			return nil, err
		}
	}
	told, err := toldNotTo(dir)
	if err != nil {
		return nil, err
	}
	out = append(out, mcp.Result{Name: "What the person forbids", Status: mcp.Pass})
	if told != "" {
		out[0].Status, out[0].Why = mcp.Fail, told
	}
	if t.said == "" {
		return out, nil
	}
	answer, err := tell(map[string]any{"hook_event_name": "Stop", "last_assistant_message": t.said})
	if err != nil {
		return nil, err
	}
	var block struct{ Reason string }
	r := mcp.Result{Name: "What the person asks", Status: mcp.Pass}
	if json.Unmarshal([]byte(answer), &block) == nil && strings.HasPrefix(block.Reason, unanswered) {
		r.Status, r.Why = mcp.Fail, block.Reason
	}
	return append(out, r), nil
}

// toldNotTo is the first reason in a hook's log for which a call went against the person's words; empty: none did.
func toldNotTo(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(hook.LogFolder(dir), "*"))
	if err != nil {
		return "", err
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		for line := range bytes.Lines(data) {
			var e struct{ Rule, Reason string }
			if json.Unmarshal(line, &e) == nil && e.Rule == "told-not-to" {
				return e.Reason, nil
			}
		}
	}
	return "", nil
}

// byModel has a model judge whether the turn serves what the person asked for. Without one, that is said.
func (a *app) byModel(ctx context.Context, h *house, t turn) mcp.Result {
	r := mcp.Result{Name: "What the person wants", Status: mcp.NotJudged}
	m, err := h.minds(ctx, false, bound{}, func(text string) { a.say("%s", text) })
	if err != nil {
		r.Why = phrase.Failure(err)
		return r
	}
	if m.purse != nil {
		defer func() { _ = m.purse.Close() }() // what was spent is written down when it is spent
	}
	r.Why = "whether it serves what the person wants is for a model to say, and none is set up (fettle doctor --models says how)"
	if m.client == nil {
		if m.why != "" {
			r.Why = "whether it serves what the person wants is for a model to say, and none may be asked: " + m.why
		}
		return r
	}
	models := m.client.Asked(model.Watcher, "")
	if len(models) == 0 {
		return r
	}
	if err := h.introduce(a, m.told(models, ", for validate_intent", "what you said last, and what the agent has said and done since, without the secrets that are known by their looks"), ""); err != nil {
		r.Why = phrase.Failure(err)
		return r
	}
	input, err := json.Marshal(map[string]any{"said": t.said, "calls": t.calls, "more": t.more})
	if err != nil {
		r.Why = phrase.Failure(err)
		return r
	}
	words := slices.Clone(t.words)
	for i, w := range words {
		words[i] = redactor().RedactString(w)
	}
	own, done, err := guardPrompts(h.root)
	if err != nil {
		r.Why = phrase.Failure(err)
		return r
	}
	defer done()
	reply, err := opinion.Validator{Caller: m.client, Tiers: m.client.Given(), Redactor: redactor(), Templates: own}.Answer(ctx, validate.Request{
		Version: validate.Version, ID: "validate_intent", Stages: []validate.Stage{validate.Intent}, Deadline: time.Now().Add(intentTime), Root: h.root, Cwd: h.here,
		Tool: "(all that the agent has said and called since the person's last words)", Input: redactor().RedactJSON(input), Words: words, Verdict: shell.Verdict{Facts: []shell.Fact{}},
	})
	if err != nil {
		r.Why = "no model could be asked: " + phrase.Failure(err)
		return r
	}
	o := reply.Verdicts[0]
	by := "by " + o.Asked[0].Provider + "/" + o.Asked[0].Model
	r.Status, r.Why = mcp.Pass, by
	if o.Decision != validate.OK {
		r.Status, r.Why = mcp.Fail, o.Reason+" ("+by+")"
	}
	return r
}
