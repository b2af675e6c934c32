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

const (
	hello = `{"choices":[{"index":0,"delta":{"content":"Hel"}}]}` + "\n\n"
	lo    = `{"choices":[{"index":0,"delta":{"content":"lo"}}]}` + "\n\n"
	stop  = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	usage = `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":3,"total_tokens":20,"prompt_tokens_details":{"cached_tokens":4}}}` + "\n\n"
	done  = "[DONE]\n\n"
)

// TestOddServers has what servers that speak OpenAI's chat completions really send.
func TestOddServers(t *testing.T) {
	whole := model.Reply{Text: "Hello", Stop: model.Ended, Usage: model.Usage{Input: 10, CacheRead: 4, Output: 10}}
	unsaid := model.Reply{Text: "Hello", Stop: model.Ended}
	call := func(calls ...model.ToolCall) model.Reply { return model.Reply{Stop: model.Asked, Calls: calls} }
	input := json.RawMessage(`{"path":"a.go"}`)
	for name, c := range map[string]struct {
		body  string
		plain bool // one JSON document
		want  model.Reply
		kind  model.Kind
	}{
		"as OpenAI":              {body: "data: " + hello + "data: " + lo + "data: " + stop + "data: " + usage + "data: " + done, want: whole},
		"data without a blank":   {body: "data:" + hello + "data:" + lo + "data:" + stop + "data:" + usage + "data:" + done, want: whole},
		"comments":               {body: ": OPENROUTER PROCESSING\n\n: again\n\ndata: " + hello + ": more\ndata: " + lo + "data: " + stop + "data: " + usage + "data: " + done, want: whole},
		"CR LF":                  {body: strings.ReplaceAll("data: "+hello+"data: "+lo+"data: "+stop+"data: "+usage+"data: "+done, "\n", "\r\n"), want: whole},
		"a byte order mark":      {body: "\xef\xbb\xbfdata: " + hello + "data: " + lo + "data: " + stop + "data: " + usage, want: whole},
		"names and ids":          {body: "event: message\nid: 1\nretry: 3\ndata: " + hello + "data: " + lo + "data: " + stop + "data: " + usage, want: whole},
		"without usage":          {body: "data: " + hello + "data: " + lo + "data: " + stop + "data: " + done, want: unsaid},
		"without DONE":           {body: "data: " + hello + "data: " + lo + "data: " + stop, want: unsaid},
		"no empty line at last":  {body: "data: " + hello + "data: " + lo + "data: " + strings.TrimSpace(stop), want: unsaid},
		"DONE, and no reason":    {body: "data: " + hello + "data: " + lo + "data: " + done, want: unsaid},
		"lines of JSON":          {body: hello + lo + stop, want: unsaid},
		"a reason of nothing":    {body: `data: {"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}` + "\n\ndata: " + stop, want: unsaid},
		"reasoning beside":       {body: `data: {"choices":[{"index":0,"delta":{"content":null,"reasoning_content":"hm","reasoning":"hm"}}]}` + "\n\ndata: " + hello + "data: " + lo + "data: " + stop, want: unsaid},
		"content in parts":       {body: `data: {"choices":[{"index":0,"delta":{"content":[{"type":"thinking","text":"hm"},{"type":"text","text":"Hello"}]}}]}` + "\n\ndata: " + stop, want: unsaid},
		"another choice":         {body: `data: {"choices":[{"index":1,"delta":{"content":"no"}}]}` + "\n\ndata: " + hello + "data: " + lo + "data: " + stop, want: unsaid},
		"one document":           {plain: true, body: `{"choices":[{"index":0,"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":10,"prompt_tokens_details":{"cached_tokens":4}}}`, want: whole},
		"cut by length":          {body: "data: " + hello + `data: {"choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":"length"}]}` + "\n\n", want: model.Reply{Text: "Hello", Stop: model.Cut}},
		"filtered":               {body: `data: {"choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}` + "\n\n", want: model.Reply{Stop: model.Refused}},
		"refused":                {body: `data: {"choices":[{"index":0,"delta":{"refusal":"No."}}]}` + "\n\ndata: " + stop, want: model.Reply{Text: "No.", Stop: model.Refused}},
		"a call in pieces":       {body: toolDelta(`{"index":0,"id":"c1","function":{"name":"Read","arguments":""}}`) + toolDelta(`{"index":0,"function":{"arguments":"{\"path\":"}}`) + toolDelta(`{"index":0,"function":{"arguments":"\"a.go\"}"}}`) + finish("tool_calls"), want: call(model.ToolCall{ID: "c1", Name: "Read", Input: input})},
		"two calls, number zero": {body: toolDelta(`{"index":0,"id":"c1","function":{"name":"Read","arguments":"{\"path\":\"a.go\"}"}},{"index":0,"id":"c2","function":{"name":"Glob"}}`) + finish("stop"), want: call(model.ToolCall{ID: "c1", Name: "Read", Input: input}, model.ToolCall{ID: "c2", Name: "Glob", Input: json.RawMessage("{}")})},
		"no number":              {body: toolDelta(`{"id":"c1","function":{"name":"Read","arguments":"{\"path\":"}}`) + toolDelta(`{"function":{"arguments":"\"a.go\"}"}}`) + finish("tool_calls"), want: call(model.ToolCall{ID: "c1", Name: "Read", Input: input})},
		"no id, an object":       {body: toolDelta(`{"index":0,"function":{"name":"Read","arguments":{"path":"a.go"}}}`) + finish("tool_calls"), want: call(model.ToolCall{ID: "call_0", Name: "Read", Input: input})},
		"input that is no JSON":  {body: toolDelta(`{"index":0,"id":"c1","function":{"name":"Read","arguments":"{path:"}}`) + finish("tool_calls"), want: call(model.ToolCall{ID: "c1", Name: "Read", Input: json.RawMessage("{path:")})},
		"a signed call": {body: toolDelta(`{"index":0,"id":"c1","function":{"name":"Read","arguments":"{\"path\":\"a.go\"}"},"extra_content":{"google":{"thought_signature":"s"}}}`) + finish("tool_calls"),
			want: call(model.ToolCall{ID: "c1", Name: "Read", Input: input, Kept: &model.Kept{By: "here/m", What: json.RawMessage(`{"google":{"thought_signature":"s"}}`)}})},

		"cut in the middle":         {body: "data: " + hello, kind: model.Unreachable},
		"cut in an event":           {body: "data: " + hello + "data: " + lo[:20], kind: model.Malformed},
		"nothing":                   {body: "", kind: model.Unreachable},
		"only DONE":                 {body: "data: " + done, kind: model.Malformed},
		"no JSON":                   {body: "data: <html>\n\n", kind: model.Malformed},
		"a page":                    {plain: true, body: "<html>", kind: model.Malformed},
		"half a document":           {plain: true, body: `{"choices":[{"message":{"content":"Hel`, kind: model.Malformed},
		"an error with 200":         {plain: true, body: `{"error":{"message":"slow down","type":"rate_limit_error"}}`, kind: model.Limited},
		"an error in the stream":    {body: "data: " + hello + `data: {"error":{"message":"gone","code":502}}` + "\n\n", kind: model.Overloaded},
		"an error by name":          {body: "data: " + hello + `data: {"error":"the model crashed"}` + "\n\n", kind: model.Overloaded},
		"a finish that is an error": {body: "data: " + hello + `data: {"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}` + "\n\n", kind: model.Overloaded},
		"a call without a name":     {body: toolDelta(`{"index":0,"id":"c1","function":{"arguments":"{}"}}`) + finish("tool_calls"), kind: model.Malformed},
		"content that is a number":  {body: `data: {"choices":[{"index":0,"delta":{"content":7}}]}` + "\n\n", kind: model.Malformed},
	} {
		t.Run(name, func(t *testing.T) {
			client, money := serve(t, "openai", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				if c.plain {
					w.Header().Set("Content-Type", "application/json; charset=utf-8")
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

func toolDelta(calls string) string {
	return `data: {"choices":[{"index":0,"delta":{"tool_calls":[` + calls + `]}}]}` + "\n\n"
}

func finish(reason string) string {
	return `data: {"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}` + "\n\n"
}

// TestServersThatRefuseAForm has servers that do not know a part of the protocol: what they refuse is left out, and stays left out.
func TestServersThatRefuseAForm(t *testing.T) {
	refuse := func(param string) string {
		return `{"error":{"type":"invalid_request_error","param":"` + param + `","message":"no"}}`
	}
	for name, c := range map[string]struct {
		accepts func(body map[string]any) string // what is refused; empty: nothing
		tries   int
	}{
		"all is taken": {func(map[string]any) string { return "" }, 1},
		"no temperature": {func(b map[string]any) string {
			if b["temperature"] != nil {
				return refuse("temperature")
			}
			return ""
		}, 2},
		"another limit": {func(b map[string]any) string {
			if b["max_tokens"] != nil {
				return refuse("max_tokens")
			}
			return ""
		}, 2},
		"no stream options": {func(b map[string]any) string {
			if b["stream_options"] != nil {
				return `{"detail":"stream_options: extra fields not permitted"}`
			}
			return ""
		}, 2},
		"no strict schema": {func(b map[string]any) string {
			if f, ok := b["response_format"].(map[string]any); ok && f["type"] == "json_schema" && f["json_schema"].(map[string]any)["strict"] == true {
				return refuse("response_format")
			}
			return ""
		}, 2},
		"JSON only": {func(b map[string]any) string {
			if f, ok := b["response_format"].(map[string]any); ok && f["type"] != "json_object" {
				return refuse("response_format")
			}
			return ""
		}, 3},
		"no tools beside thoughts": {func(b map[string]any) string {
			if b["tools"] != nil && b["reasoning_effort"] != "none" {
				return `{"error":{"type":"invalid_request_error","param":"reasoning_effort","message":"use /v1/responses, or 'none'"}}`
			}
			return ""
		}, 2},
		"no format at all": {func(b map[string]any) string {
			if b["response_format"] != nil {
				return `{"error":"bad request"}`
			}
			return ""
		}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			var bodies []map[string]any
			client, _ := serve(t, "openai", func(w http.ResponseWriter, r *http.Request) {
				var body map[string]any
				if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
					t.Error(err)
				}
				bodies = append(bodies, body)
				if no := c.accepts(body); no != "" {
					w.WriteHeader(http.StatusBadRequest)
					_, _ = io.WriteString(w, no)
					return
				}
				fmt.Fprint(w, "data: "+hello+"data: "+lo+"data: "+stop)
			}, nil)
			r := ask()
			r.Schema = &model.Schema{Name: "answer", Schema: json.RawMessage(`{"type":"object"}`)}
			r.Tools = []model.Tool{{Name: "Read", Input: json.RawMessage(`{"type":"object"}`)}}
			for i, want := range []int{c.tries, 1} {
				got, err := client.Call(t.Context(), r)
				if err != nil || got.Tries != want {
					t.Fatalf("call %d: %d tries, %v; want %d", i, got.Tries, err, want)
				}
			}
			last := bodies[len(bodies)-1]
			system := last["messages"].([]any)[0].(map[string]any)["content"].(string)
			f, _ := last["response_format"].(map[string]any)
			if told, held := strings.Contains(system, `{"type":"object"}`), f["type"] == "json_schema"; told == held {
				t.Errorf("the schema is told: %v, and held to: %v", told, held)
			}
		})
	}
}
