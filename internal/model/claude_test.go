package model_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fettle/internal/model"
)

func claudeEvent(name, data string) string {
	return "event: " + name + "\ndata: " + data + "\n\n"
}

var (
	begin  = claudeEvent("message_start", `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":6,"cache_read_input_tokens":3,"cache_creation_input_tokens":1,"output_tokens":1}}}`)
	saying = claudeEvent("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`) + claudeEvent("ping", `{"type":"ping"}`) +
		claudeEvent("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}`) +
		claudeEvent("content_block_stop", `{"type":"content_block_stop","index":0}`)
	ends = claudeEvent("message_stop", `{"type":"message_stop"}`)
)

func because(reason string) string {
	return claudeEvent("message_delta", `{"type":"message_delta","delta":{"stop_reason":"`+reason+`","stop_sequence":null},"usage":{"output_tokens":5}}`) + ends
}

func tool(index int, id, name string, parts ...string) string {
	var out strings.Builder
	out.WriteString(claudeEvent("content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":%q,"name":%q,"input":{}}}`, index, id, name)))
	for _, p := range parts {
		out.WriteString(claudeEvent("content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":%q}}`, index, p)))
	}
	return out.String() + claudeEvent("content_block_stop", fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index))
}

func TestAnthropicAnswers(t *testing.T) {
	took := model.Usage{Input: 10, CacheRead: 3, CacheWrite: 1, Output: 5}
	thinks := claudeEvent("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`) +
		claudeEvent("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`) +
		claudeEvent("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"sig"}}`) +
		claudeEvent("content_block_stop", `{"type":"content_block_stop","index":0}`)
	for name, c := range map[string]struct {
		status int
		header http.Header
		body   string
		want   model.Reply
		kind   model.Kind
	}{
		"a text":  {body: begin + saying + because("end_turn"), want: model.Reply{Text: "Hello", Stop: model.Ended, Usage: took}},
		"cut":     {body: begin + saying + because("max_tokens"), want: model.Reply{Text: "Hello", Stop: model.Cut, Usage: took}},
		"refused": {body: begin + saying + because("refusal"), want: model.Reply{Text: "Hello", Stop: model.Refused, Usage: took}},
		"a call": {body: begin + tool(0, "t1", "Read", `{"pa`, `th":"a.go"}`) + because("tool_use"),
			want: model.Reply{Stop: model.Asked, Usage: took, Calls: []model.ToolCall{{ID: "t1", Name: "Read", Input: json.RawMessage(`{"path":"a.go"}`)}}}},
		"two calls, one without input": {body: begin + tool(0, "t1", "Read", `{}`) + tool(1, "t2", "List") + because("tool_use"),
			want: model.Reply{Stop: model.Asked, Usage: took, Calls: []model.ToolCall{{ID: "t1", Name: "Read", Input: json.RawMessage(`{}`)}, {ID: "t2", Name: "List", Input: json.RawMessage(`{}`)}}}},
		"thoughts": {body: begin + thinks + tool(1, "t1", "Read", `{}`) + because("tool_use"),
			want: model.Reply{Stop: model.Asked, Usage: took, Calls: []model.ToolCall{{ID: "t1", Name: "Read", Input: json.RawMessage(`{}`)}},
				Kept: &model.Kept{By: "here/m", What: json.RawMessage(`[{"thinking":"hm","signature":"sig"}]`)}}},
		"a kind of part that is new": {body: begin + claudeEvent("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"hologram"}}`) +
			claudeEvent("message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}`) + ends, want: model.Reply{Stop: model.Ended, Usage: took}},

		"cut in the middle":       {body: begin + saying, kind: model.Unreachable},
		"cut before the end":      {body: strings.TrimSuffix(begin+saying+because("end_turn"), ends), kind: model.Unreachable},
		"nothing":                 {kind: model.Unreachable},
		"no reason":               {body: begin + saying + ends, kind: model.Malformed},
		"no JSON":                 {body: begin + claudeEvent("content_block_start", "{"), kind: model.Malformed},
		"parts out of order":      {body: begin + tool(1, "t", "Read", "{}") + because("tool_use"), kind: model.Malformed},
		"overloaded, in a stream": {body: begin + saying + claudeEvent("error", `{"type":"error","error":{"type":"overloaded_error","message":"busy"}}`), kind: model.Overloaded},
		"a bad key":               {status: 401, body: `{"type":"error","error":{"type":"authentication_error","message":"no"}}`, kind: model.Denied},
		"not allowed":             {status: 403, body: `{"type":"error","error":{"type":"permission_error","message":"no"}}`, kind: model.Denied},
		"no model":                {status: 404, body: `{"type":"error","error":{"type":"not_found_error","message":"model: m"}}`, kind: model.Unconfigured},
		"bad request":             {status: 400, body: `{"type":"error","error":{"type":"invalid_request_error","message":"no"}}`, kind: model.Malformed},
		"too long":                {status: 400, body: `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 300000 tokens > 200000 maximum"}}`, kind: model.TooLong},
		"no credit":               {status: 400, body: `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}`, kind: model.Spent},
		"billing":                 {status: 402, body: `{"type":"error","error":{"type":"billing_error","message":"no"}}`, kind: model.Spent},
		"too many":                {status: 429, body: `{"type":"error","error":{"type":"rate_limit_error","message":"no"}}`, kind: model.Limited},
		"overloaded":              {status: 529, body: `{"type":"error","error":{"type":"overloaded_error","message":"no"}}`, kind: model.Overloaded},
		"broken":                  {status: 500, body: `<html>`, kind: model.Overloaded},
		"moved":                   {status: 307, kind: model.Malformed},
	} {
		t.Run(name, func(t *testing.T) {
			client, money := serve(t, "anthropic", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				if c.status != 0 {
					w.Header().Set("Content-Type", "application/json")
					w.Header().Set("Location", "/elsewhere")
					w.WriteHeader(c.status)
				}
				fmt.Fprint(w, c.body)
			}, nil)
			got, err := client.Call(t.Context(), ask())
			money.settled(t)
			if c.kind != "" {
				var e *model.Error
				if !errors.As(err, &e) || e.Kind != c.kind || got.Text != "" {
					t.Fatalf("got %+v, %v; want an error of kind %s and nothing of the reply", got, err, c.kind)
				}
				if passes := c.kind == model.Overloaded || c.kind == model.Limited || c.kind == model.Unreachable || c.kind == model.Malformed && c.status == 0; passes != (e.Tries == 3) && name != "bad request" {
					t.Errorf("it was tried %d times", e.Tries)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreFields(model.Reply{}, "Provider", "Model", "Tries", "Took", "Cost")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestAnthropicRequest has what the API is told: marks of what is worth keeping, the model's own thoughts, calls and their results, the schema, and no more than that.
func TestAnthropicRequest(t *testing.T) {
	var body string
	var headers http.Header
	client, _ := serve(t, "anthropic", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		body, headers = string(text), r.Header
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, begin+saying+because("end_turn"))
	}, nil)
	r := ask()
	r.Tools = []model.Tool{{Name: "Read", Description: "reads", Input: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"additionalProperties":false}`)}}
	r.Schema = &model.Schema{Name: "answer", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)}
	r.Messages = []model.Message{
		{Speaker: model.User, Text: "Here it is.", Cached: true},
		{Speaker: model.Assistant, Calls: []model.ToolCall{{ID: "t1", Name: "Read", Input: json.RawMessage(`{broken`)}},
			Kept: &model.Kept{By: "here/m", What: json.RawMessage(`[{"thinking":"hm","signature":"sig"}]`)}},
		{Speaker: model.User, Results: []model.ToolResult{{ID: "t1", Text: "no", Failed: true}}},
		{Speaker: model.Assistant, Text: "So.", Kept: &model.Kept{By: "other/m", What: json.RawMessage(`[{"thinking":"alien"}]`)}},
		{Speaker: model.User, Text: "Go on.", Cached: true},
	}
	if _, err := client.Call(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	want := `{"max_tokens":8192,"messages":[
		{"role":"user","content":[{"type":"text","text":"Here it is.","cache_control":{"type":"ephemeral"}}]},
		{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"sig"},{"type":"tool_use","id":"t1","name":"Read","input":{"unreadable":"{broken"}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"no"}]}]},
		{"role":"assistant","content":[{"type":"text","text":"So."}]},
		{"role":"user","content":[{"type":"text","text":"Go on.","cache_control":{"type":"ephemeral"}}]}],
		"model":"m","stream":true,"temperature":0.1,
		"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"a":{"type":"string"}}}}},
		"system":[{"type":"text","text":"Mend it.","cache_control":{"type":"ephemeral"}}],
		"tools":[{"name":"Read","description":"reads","input_schema":{"type":"object","properties":{"path":{"type":"string"}},"additionalProperties":false}}]}`
	if diff := cmp.Diff(parsed(t, want), parsed(t, body)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if headers.Get("X-Api-Key") != planted || strings.Contains(body, planted) {
		t.Errorf("the key is not in its header alone: %v", headers)
	}
}

// TestAnthropicWithoutFormats has a server that knows neither formats nor temperatures: the shape becomes that of a tool that has to be called.
func TestAnthropicWithoutFormats(t *testing.T) {
	asked := 0
	client, _ := serve(t, "anthropic", func(w http.ResponseWriter, r *http.Request) {
		asked++
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		for _, word := range []string{"temperature", "output_config"} {
			if strings.Contains(string(text), `"`+word+`"`) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprintf(w, `{"type":"error","error":{"type":"invalid_request_error","message":"%s: not supported"}}`, word)
				return
			}
		}
		if !strings.Contains(string(text), `"tool_choice":{"name":"answer","type":"tool"}`) {
			t.Errorf("the tool need not be called: %s", text)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, begin+saying+tool(1, "t1", "answer", `{"a":"b"}`)+because("tool_use"))
	}, nil)
	r := ask()
	r.Schema = &model.Schema{Name: "answer", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)}
	for i, want := range []int{3, 1} {
		got, err := client.Call(t.Context(), r)
		if err != nil || got.Text != `{"a":"b"}` || got.Calls != nil || got.Stop != model.Ended || got.Tries != want {
			t.Fatalf("call %d: %+v, %v; want %d tries", i, got, err, want)
		}
	}
	if asked != 4 {
		t.Errorf("it was asked %d times", asked)
	}
}

func parsed(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}
