// Package fakemodel is a model on this machine that plays a script, so that the real clients of coding agents can be tested without any
// other. It speaks as much of Anthropic's Messages, of OpenAI's Responses and of Gemini's contents as Claude Code, Codex and Gemini CLI need.
package fakemodel

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Call is one tool call of the script, and nothing but it in a turn of the model.
type Call struct {
	Server string // the MCP server that the tool belongs to, for which each client has another name
	Space  string // the namespace of a tool of Codex's own
	Tool   string
	Input  map[string]any
	Text   string // instead of the input, for a tool of Codex's that takes a text as it is (apply_patch)
}

// Model is a model that makes the calls of its script, one in each turn, and then says that it is done. Which turn it is, is told from what the client
// sends of the conversation: clients that try again, or go on in another process, hear the same.
type Model struct {
	URL string
	// Refuse answers a request by itself, when it returns true. It is set before the first request.
	Refuse func(w http.ResponseWriter, r *http.Request) bool

	script []Call
	errand []Call // the script of a subagent, whose task has the word Errand in it
	before func(turn int)

	mu       sync.Mutex
	requests [][]byte
	ending   string
}

// Start serves a script until the test ends, and another to subagents, whose task has the word Errand in it. What is to happen before each answer
// may be given; the answers are counted from one.
func Start(t testing.TB, script, errand []Call, before func(turn int)) *Model {
	t.Helper()
	m := &Model{script: script, errand: errand, before: before}
	s := httptest.NewServer(m)
	t.Cleanup(s.Close)
	m.URL = s.URL
	return m
}

// Requests are the bodies of what the client has asked.
func (m *Model) Requests() [][]byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.requests
}

func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m.mu.Lock()
	m.requests = append(m.requests, body)
	if m.before != nil {
		m.before(len(m.requests))
	}
	m.mu.Unlock()
	if m.Refuse != nil && m.Refuse(w, r) {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/v1/messages"):
		m.messages(w, body)
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/responses"):
		m.responses(w, body)
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, ":streamGenerateContent"):
		m.contents(w, body, true)
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, ":generateContent"):
		m.contents(w, body, false)
	default:
		http.NotFound(w, r)
	}
}

// CodexConfig is the config.toml of a Codex that asks the model at this address, and nobody else.
func CodexConfig(url string) string {
	return fmt.Sprintf(`model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "%s/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[features]
plugins = false
apps = false
`, url)
}

// events writes server-sent events: a name each, and its data.
type events struct{ bytes.Buffer }

func (e *events) send(name string, data map[string]any) {
	data["type"] = name
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // what is sent is made here
	}
	fmt.Fprintf(e, "event: %s\ndata: %s\n\n", name, text)
}

// turn is the call of a turn; there is none when the script is at its end, nor where the script has a call of nothing.
func turn(script []Call, n int) (Call, bool) {
	if n < len(script) && script[n].Tool != "" {
		return script[n], true
	}
	return Call{}, false
}

// named is what a client calls the tool of a server, which it is told of with these signs before and behind the server's name.
func named(c Call, before, behind string) string {
	if c.Server == "" {
		return c.Tool
	}
	return before + c.Server + behind + c.Tool
}

// Errand is the word in a task that gives it to a subagent's script.
const Errand = "ERRAND"

// Ends says what the model says when its script is at its end, instead of that all has been tried.
func (m *Model) Ends(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ending = text
}

func (m *Model) last() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return cmp.Or(m.ending, done)
}

const done = "Everything that was asked for has been tried, and this is what became of it."

// messages answers as Anthropic's API does.
func (m *Model) messages(w io.Writer, body []byte) {
	var in struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		Tools []any
	}
	_ = json.Unmarshal(body, &in) // what cannot be read has no turns
	n, script := 0, m.script
	for _, msg := range in.Messages {
		switch {
		case msg.Role == "assistant":
			n++
		case n == 0 && bytes.Contains(msg.Content, []byte(Errand)):
			script = m.errand
		}
	}
	call, more := turn(script, n)
	more = more && in.Tools != nil
	var e events
	e.send("message_start", map[string]any{"message": map[string]any{"id": fmt.Sprintf("msg_%d", n), "type": "message", "role": "assistant", "model": "claude-test",
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": map[string]any{"input_tokens": 10, "output_tokens": 1}}})
	block, delta, reason := map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": m.last()}, "end_turn"
	if more {
		input, err := json.Marshal(call.Input)
		if err != nil {
			panic(err) // scripts are made of what can be written
		}
		block = map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%020d", n), "name": named(call, "mcp__", "__"), "input": map[string]any{}}
		delta, reason = map[string]any{"type": "input_json_delta", "partial_json": string(input)}, "tool_use"
	}
	e.send("content_block_start", map[string]any{"index": 0, "content_block": block})
	e.send("content_block_delta", map[string]any{"index": 0, "delta": delta})
	e.send("content_block_stop", map[string]any{"index": 0})
	e.send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": reason, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 10}})
	e.send("message_stop", map[string]any{})
	_, _ = w.Write(e.Bytes()) // a client that has gone hears nothing
}

// responses answers as OpenAI's API does.
func (m *Model) responses(w io.Writer, body []byte) {
	var in struct{ Input []json.RawMessage }
	_ = json.Unmarshal(body, &in) // what cannot be read has no turns
	n, script := 0, m.script
	for _, raw := range in.Input {
		var item struct{ Type, Role string }
		_ = json.Unmarshal(raw, &item)
		switch {
		case strings.HasSuffix(item.Type, "_call_output") || item.Role == "assistant":
			n++
		case strings.HasSuffix(item.Type, "message") && bytes.Contains(raw, []byte(Errand)):
			n, script = 0, m.errand
		}
	}
	item := map[string]any{"type": "message", "role": "assistant", "id": "msg_1", "content": []any{map[string]any{"type": "output_text", "text": m.last()}}}
	if call, more := turn(script, n); more {
		input, err := json.Marshal(call.Input)
		if err != nil {
			panic(err) // scripts are made of what can be written
		}
		item = map[string]any{"type": "function_call", "id": fmt.Sprintf("fc_%d", n), "call_id": fmt.Sprintf("call_%d", n), "name": call.Tool, "arguments": string(input)}
		switch {
		case call.Server != "":
			item["namespace"] = "mcp__" + call.Server
		case call.Space != "":
			item["namespace"] = call.Space
		case call.Text != "":
			item = map[string]any{"type": "custom_tool_call", "id": fmt.Sprintf("ctc_%d", n), "call_id": fmt.Sprintf("call_%d", n), "name": call.Tool, "input": call.Text}
		}
	}
	id := fmt.Sprintf("resp_%d", n)
	var e events
	e.send("response.created", map[string]any{"response": map[string]any{"id": id}})
	e.send("response.output_item.done", map[string]any{"output_index": 0, "item": item})
	e.send("response.completed", map[string]any{"response": map[string]any{"id": id, "usage": map[string]any{"input_tokens": 10, "output_tokens": 10, "total_tokens": 20,
		"input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0}}}})
	_, _ = w.Write(e.Bytes()) // a client that has gone hears nothing
}
