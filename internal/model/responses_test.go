package model_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fettle/internal/model"
)

const (
	created = `{"type":"response.created","response":{"status":"in_progress","output":[]}}`
	delta   = `{"type":"response.output_text.delta","delta":"Hel"}`
	text    = `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hello"}]}`
	thought = `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"c2VhbGVk"}`
	calls   = `{"type":"function_call","id":"fc_1","call_id":"c1","name":"Read","arguments":"{\"path\":\"a.go\"}"}`
	tokens  = `"usage":{"input_tokens":10,"input_tokens_details":{"cached_tokens":4,"cache_write_tokens":2},"output_tokens":8,"output_tokens_details":{"reasoning_tokens":5},"total_tokens":18}`
)

// ended is the last event of a response.
func ended(status, more string, output ...string) string {
	return `{"type":"response.` + status + `","response":{"status":"` + status + `",` + more + `"output":[` + strings.Join(output, ",") + `]}}`
}

func item(text string) string { return `{"type":"response.output_item.done","item":` + text + `}` }

func stream(events ...string) string {
	return "event: x\ndata: " + strings.Join(events, "\n\nevent: x\ndata: ") + "\n\n"
}

// viaResponses asks its only model by the Responses API.
func viaResponses(o *model.Options) {
	s := o.Table.Providers["here"]
	s.Wire = "responses"
	o.Table.Providers["here"] = s
}

// TestResponses has how responses end, and what servers that speak the API as well as they can send.
func TestResponses(t *testing.T) {
	took := model.Usage{Input: 10, CacheRead: 4, CacheWrite: 2, Output: 8}
	whole := model.Reply{Text: "Hello", Stop: model.Ended, Usage: took}
	unsaid := model.Reply{Text: "Hello", Stop: model.Ended}
	call := model.ToolCall{ID: "c1", Name: "Read", Input: json.RawMessage(`{"path":"a.go"}`)}
	failed := func(code string) string {
		return stream(created, ended("failed", `"error":{"code":"`+code+`","message":"No."},`))
	}
	for name, c := range map[string]struct {
		body  string
		plain bool // one JSON document
		want  model.Reply
		kind  model.Kind
	}{
		"as OpenAI":             {body: stream(created, delta, item(text), ended("completed", tokens+",", text)), want: whole},
		"items once only":       {body: stream(created, delta, item(text), ended("completed", tokens+",")), want: whole},
		"the end alone":         {body: stream(ended("completed", tokens+`,"error":null,"incomplete_details":null,`, text)), want: whole},
		"without usage":         {body: stream(item(text), ended("completed", `"usage":null,`, text)), want: unsaid},
		"thoughts beside":       {body: stream(ended("completed", `"usage":{"input_tokens":10,"output_tokens":3,"total_tokens":20},`, text)), want: model.Reply{Text: "Hello", Stop: model.Ended, Usage: model.Usage{Input: 10, Output: 10}}},
		"events of tomorrow":    {body: stream(created, `{"type":"response.dance","error":null}`, item(`{"type":"dance"}`), item(text), ended("completed", "")), want: unsaid},
		"DONE behind":           {body: stream(item(text), ended("completed", "", text), "[DONE]"), want: unsaid},
		"one document":          {plain: true, body: `{"status":"completed","output":[` + text + `],` + tokens + `}`, want: whole},
		"cut by length":         {body: stream(ended("incomplete", `"incomplete_details":{"reason":"max_output_tokens"},`, text)), want: model.Reply{Text: "Hello", Stop: model.Cut}},
		"cut before a word":     {body: stream(ended("incomplete", `"incomplete_details":{"reason":"max_output_tokens"},`)), want: model.Reply{Stop: model.Cut}},
		"filtered":              {body: stream(ended("incomplete", `"incomplete_details":{"reason":"content_filter"},`)), want: model.Reply{Stop: model.Refused}},
		"refused":               {body: stream(ended("completed", "", `{"type":"message","content":[{"type":"refusal","refusal":"No."}]}`)), want: model.Reply{Text: "No.", Stop: model.Refused}},
		"turned down":           {body: failed("invalid_prompt"), want: model.Reply{Stop: model.Refused}},
		"a call":                {body: stream(item(calls), ended("completed", "", calls)), want: model.Reply{Stop: model.Asked, Calls: []model.ToolCall{call}}},
		"a call and a word":     {body: stream(ended("completed", "", text, calls)), want: model.Reply{Text: "Hello", Stop: model.Asked, Calls: []model.ToolCall{call}}},
		"no id, an object":      {body: stream(ended("completed", "", `{"type":"function_call","name":"Read","arguments":{"path":"a.go"}}`)), want: model.Reply{Stop: model.Asked, Calls: []model.ToolCall{{ID: "call_0", Name: "Read", Input: call.Input}}}},
		"no input":              {body: stream(ended("completed", "", `{"type":"function_call","call_id":"c1","name":"Glob","arguments":""}`)), want: model.Reply{Stop: model.Asked, Calls: []model.ToolCall{{ID: "c1", Name: "Glob", Input: json.RawMessage("{}")}}}},
		"input that is no JSON": {body: stream(ended("completed", "", `{"type":"function_call","call_id":"c1","name":"Read","arguments":"{path:"}`)), want: model.Reply{Stop: model.Asked, Calls: []model.ToolCall{{ID: "c1", Name: "Read", Input: json.RawMessage("{path:")}}}},
		"said on the way": {body: stream(ended("completed", "", `{"type":"message","phase":"commentary","content":[{"type":"output_text","text":"Let me see."}]}`, `{"type":"message","phase":"final_answer","content":[{"type":"output_text","text":"Hello"}]}`)),
			want: model.Reply{Text: "Hello", Stop: model.Ended, Kept: &model.Kept{By: "here/m", What: json.RawMessage(`{"phase":"final_answer"}`)}}},
		"thoughts": {body: stream(ended("completed", "", thought, text)), want: model.Reply{Text: "Hello", Stop: model.Ended, Kept: &model.Kept{By: "here/m", What: json.RawMessage(`{"reasoning":[` + thought + `]}`)}}},

		"cut in the middle":      {body: stream(created, item(text)), kind: model.Unreachable},
		"cut in an event":        {body: stream(created) + `data: {"type":"response.comp`, kind: model.Malformed},
		"nothing":                {body: "", kind: model.Unreachable},
		"nothing in it":          {body: stream(ended("completed", "")), kind: model.Malformed},
		"no JSON":                {body: "data: <html>\n\n", kind: model.Malformed},
		"a page":                 {plain: true, body: "<html>", kind: model.Malformed},
		"another document":       {plain: true, body: `{"choices":[]}`, kind: model.Malformed},
		"not ended":              {plain: true, body: `{"status":"in_progress","output":[]}`, kind: model.Overloaded},
		"an error with 200":      {plain: true, body: `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, kind: model.Limited},
		"failed: too many":       {body: failed("rate_limit_exceeded"), kind: model.Limited},
		"failed: at the server":  {body: failed("server_error"), kind: model.Overloaded},
		"failed: no money":       {body: failed("insufficient_quota"), kind: model.Spent},
		"failed: too long":       {body: failed("context_length_exceeded"), kind: model.TooLong},
		"failed, too long":       {body: stream(ended("failed", `"error":{"code":"invalid_prompt","message":"This is more than the context window."},`)), kind: model.TooLong},
		"failed, nobody says":    {body: stream(ended("failed", `"error":null,`)), kind: model.Overloaded},
		"an error event":         {body: stream(created, item(text), `{"type":"error","code":"rate_limit_exceeded","message":"Slow down.","param":null}`), kind: model.Limited},
		"an error in an object":  {body: stream(created, `{"type":"error","error":{"code":"server_is_overloaded","message":"Later."}}`), kind: model.Overloaded},
		"an error without type":  {body: stream(created, `{"error":{"code":502,"message":"gone"}}`), kind: model.Overloaded},
		"a call without a name":  {body: stream(ended("completed", "", `{"type":"function_call","call_id":"c1","arguments":"{}"}`)), kind: model.Malformed},
		"an item that is a text": {body: stream(ended("completed", "", `"Hello"`)), kind: model.Malformed},
	} {
		t.Run(name, func(t *testing.T) {
			client, money := serve(t, "openai", func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/v1/responses" {
					t.Errorf("it asks %s", r.URL.Path)
				}
				w.Header().Set("Content-Type", "text/event-stream")
				if c.plain {
					w.Header().Set("Content-Type", "application/json; charset=utf-8")
				}
				fmt.Fprint(w, c.body)
			}, viaResponses)
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

// TestResponsesRequest has what the API is told: everything of the conversation each time, with what the model has thought in its place, and nothing to be kept there.
func TestResponsesRequest(t *testing.T) {
	var got map[string]any
	client, _ := serve(t, "openai", func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		fmt.Fprint(w, stream(ended("completed", "", text)))
	}, viaResponses)
	kept := func(by, what string) *model.Kept { return &model.Kept{By: by, What: json.RawMessage(what)} }
	r := ask()
	r.Schema = &model.Schema{Name: "answer", Schema: json.RawMessage(`{"type":"object"}`)}
	r.Tools = []model.Tool{{Name: "Read", Description: "Reads.", Input: json.RawMessage(`{"type":"object"}`)}}
	r.Messages = append(r.Messages,
		model.Message{Speaker: model.Assistant, Text: "Let me see.", Kept: kept("here/m", `{"reasoning":[{"type":"reasoning","encrypted_content":"a"}],"phase":"commentary"}`),
			Calls: []model.ToolCall{{ID: "c1", Name: "Read", Input: json.RawMessage(`{"path":"a.go"}`), Kept: kept("here/m", `{"reasoning":[{"type":"reasoning","encrypted_content":"b"}]}`)},
				{ID: "c2", Name: "Read", Input: json.RawMessage(`{}`), Kept: kept("other/m", `{"reasoning":[{"type":"reasoning","encrypted_content":"another's"}]}`)}}},
		model.Message{Speaker: model.User, Results: []model.ToolResult{{ID: "c1", Text: "package a"}, {ID: "c2", Text: "no path", Failed: true}}})
	if _, err := client.Call(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal([]byte(`{
		"model": "m", "stream": true, "store": false, "instructions": "Mend it.", "max_output_tokens": 8192, "temperature": 0.1,
		"include": ["reasoning.encrypted_content"],
		"text": {"format": {"type": "json_schema", "name": "answer", "strict": true, "schema": {"type": "object"}}},
		"tools": [{"type": "function", "name": "Read", "description": "Reads.", "parameters": {"type": "object"}, "strict": false}],
		"input": [
			{"type": "message", "role": "user", "content": "Here it is."},
			{"type": "reasoning", "encrypted_content": "a"},
			{"type": "message", "role": "assistant", "content": "Let me see.", "phase": "commentary"},
			{"type": "reasoning", "encrypted_content": "b"},
			{"type": "function_call", "call_id": "c1", "name": "Read", "arguments": "{\"path\":\"a.go\"}"},
			{"type": "function_call", "call_id": "c2", "name": "Read", "arguments": "{}"},
			{"type": "function_call_output", "call_id": "c1", "output": "package a"},
			{"type": "function_call_output", "call_id": "c2", "output": "This failed.\nno path"}
		]}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestResponsesThatRefuseAForm has servers that do not know a part of the API: what they refuse is left out, and stays left out. One that does not know the API at all is asked by chat completions.
func TestResponsesThatRefuseAForm(t *testing.T) {
	format := func(b map[string]any) any {
		text, _ := b["text"].(map[string]any)
		f, _ := text["format"].(map[string]any)
		return f["type"]
	}
	for name, c := range map[string]struct {
		refuses func(path string, body map[string]any) (int, string)
		tries   int
	}{
		"all is taken": {func(string, map[string]any) (int, string) { return 0, "" }, 1},
		"no temperature": {func(_ string, b map[string]any) (int, string) {
			return refuse(b["temperature"] != nil, 400, `{"error":{"type":"invalid_request_error","param":"temperature","message":"no"}}`)
		}, 2},
		"no thoughts to keep": {func(_ string, b map[string]any) (int, string) {
			return refuse(b["include"] != nil, 400, `{"error":{"message":"Encrypted content is not supported with this model."}}`)
		}, 2},
		"no format at all": {func(_ string, b map[string]any) (int, string) {
			return refuse(format(b) != nil, 422, `{"error":"bad request"}`)
		}, 4},
		"no Responses": {func(path string, _ map[string]any) (int, string) {
			return refuse(path == "/v1/responses", 404, "404 page not found")
		}, 2},
		"no such method": {func(path string, _ map[string]any) (int, string) {
			return refuse(path == "/v1/responses", 405, "")
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var paths []string
			client, _ := serve(t, "openai", func(w http.ResponseWriter, r *http.Request) {
				var body map[string]any
				if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
					t.Error(err)
				}
				paths = append(paths, r.URL.Path)
				if status, no := c.refuses(r.URL.Path, body); status != 0 {
					w.WriteHeader(status)
					_, _ = io.WriteString(w, no)
					return
				}
				if r.URL.Path == "/v1/responses" {
					fmt.Fprint(w, stream(ended("completed", "", text)))
				} else {
					fmt.Fprint(w, "data: "+hello+"data: "+lo+"data: "+stop)
				}
			}, viaResponses)
			r := ask()
			r.Schema = &model.Schema{Name: "answer", Schema: json.RawMessage(`{"type":"object"}`)}
			for i, want := range []int{c.tries, 1} {
				got, err := client.Call(t.Context(), r)
				if err != nil || got.Text != "Hello" || got.Tries != want {
					t.Fatalf("call %d: %+v after %v, %v; want %d tries", i, got, paths, err, want)
				}
			}
		})
	}
}

func refuse(no bool, status int, body string) (int, string) {
	if !no {
		return 0, ""
	}
	return status, body
}

// TestResponsesFailures: what HTTP says of a failure counts as over every wire, and how long to wait is heard.
func TestResponsesFailures(t *testing.T) {
	for status, want := range map[int]model.Kind{401: model.Denied, 404: model.Unconfigured, 429: model.Limited, 500: model.Overloaded, 503: model.Overloaded} {
		c := newClock()
		client, _ := serve(t, "openai", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(status)
		}, func(o *model.Options) { viaResponses(o); o.Clock = c })
		_, err := client.Call(t.Context(), ask())
		kind(t, err, want)
		if waits := status == 429 || status >= 500; waits != slices.Contains(c.slept, 7*time.Second) {
			t.Errorf("%d: it has waited %v", status, c.slept)
		}
	}
}

// TestWires: by which API a model is asked is a column of the table. A provider's word counts for all of its models.
func TestWires(t *testing.T) {
	const prices = "models: {openai/gpt-6.2-sol: {input: 1, output: 2}}"
	for name, c := range map[string]struct{ own, model, want string }{
		"a new one":             {"", "openai/gpt-6.2-sol", "/responses"},
		"what Codex asks":       {"", "openai/gpt-6.1-sol", "/responses"},
		"one of nobody's":       {"", "openai/gpt-4o", "/chat/completions"},
		"another price":         {prices, "openai/gpt-6.2-sol", "/responses"},
		"chat all the same":     {"models: {openai/gpt-6.2-sol: {wire: chat}}", "openai/gpt-6.2-sol", "/chat/completions"},
		"one more":              {"models: {openai/gpt-9: {wire: responses}}", "openai/gpt-9", "/responses"},
		"a server":              {"providers: {lan: {kind: openai, base_url: 'https://lan.example/v1', wire: responses}}", "lan/qwen", "/responses"},
		"a server without":      {"providers: {lan: {kind: openai, base_url: 'https://lan.example/v1'}}", "lan/qwen", "/chat/completions"},
		"all models of a table": {"providers: {lan: {kind: openai, base_url: 'https://lan.example/v1'}}\nmodels: {'lan/*': {wire: responses}}", "lan/qwen", "/responses"},
		"a proxy":               {"providers: {openai: {wire: chat}}", "openai/gpt-6.2-sol", "/chat/completions"},
		"not OpenAI's":          {"", "gemini/gemini-4-neon", "/chat/completions"},
	} {
		own, err := model.ReadOwn("models.yaml", []byte(c.own))
		if err != nil {
			t.Fatal(err)
		}
		own.Tiers = map[model.Tier][]string{model.Standard: {c.model}}
		table, err := model.Default().WithOwn(own)
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		client := model.New(model.Options{Table: table, Purse: &purse{}, Clock: newClock(), Getenv: env("OPENAI_API_KEY=sk-secretsecretsecretsecret", "GEMINI_API_KEY=AIza"+strings.Repeat("s", 35)), Transport: road(func(r *http.Request) {
			asked = append(asked, r.URL.Path)
		})})
		if _, err := client.Call(t.Context(), ask()); err == nil {
			t.Fatal("it was answered")
		}
		if len(asked) == 0 || !strings.HasSuffix(asked[0], c.want) {
			t.Errorf("%s: asked is %v, want %s", name, asked, c.want)
		}
	}
}

// road is a network on which every request is seen, and none comes through.
type road func(*http.Request)

func (f road) RoundTrip(r *http.Request) (*http.Response, error) {
	f(r)
	return nil, errors.New("the road is closed")
}
