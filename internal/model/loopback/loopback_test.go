package loopback_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"fettle/internal/budget"
	"fettle/internal/model"
	"fettle/internal/model/loopback"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type free struct{}

func (free) Reserve(context.Context, budget.Spend) (budget.Hold, error) { return free{}, nil }
func (free) Settle(context.Context, budget.Bill) error                  { return nil }
func (free) Release(context.Context) error                              { return nil }

const play = `
strict: true
replies:
  - {last: plain, say: "Ho\"la\nthere", usage: {input: 10, cache_read: 4, output: 3}}
  - {last: calls, say: First., calls: [{name: Read, input: {path: a.go}}, {name: Glob}]}
  - {last: shape, say: '{"a":"b"}'}
  - {last: cut, say: Half, stop: length}
  - {last: refuse, stop: refusal}
  - {last: result 7, say: Seen., whole: '{"path":"a.go"}'}
  - {last: odd, calls: [{name: Read, raw: '{path:'}]}
  - {last: busy, status: 529, repeat: true}
  - {last: slow down, status: 429, retry_after: 120, repeat: true}
  - {last: key, status: 401}
  - {last: broken, say: a long text that is cut, truncate: 6, repeat: true}
  - {last: garbage, malformed: "data: <html>\n\n", repeat: true}
`

// wires are those that fettle speaks, and none.
var wires = []string{"anthropic", "chat", "responses", "script"}

// TestEveryWireAgainstEveryLine has the same script over each wire that fettle speaks, and in the process without any: what comes is the same.
func TestEveryWireAgainstEveryLine(t *testing.T) {
	took := model.Usage{Input: 10, CacheRead: 4, Output: 3}
	for _, c := range []struct {
		name  string
		r     model.Request
		want  model.Reply
		kind  model.Kind
		usage bool
	}{
		{name: "plain", r: said("plain"), want: model.Reply{Text: "Ho\"la\nthere", Stop: model.Ended, Usage: took}, usage: true},
		{name: "calls", r: said("calls"), want: model.Reply{Text: "First.", Stop: model.Asked, Calls: []model.ToolCall{{Name: "Read", Input: json.RawMessage(`{"path":"a.go"}`)}, {Name: "Glob", Input: json.RawMessage(`{}`)}}}},
		{name: "shape", r: shaped("shape"), want: model.Reply{Text: `{"a":"b"}`, Stop: model.Ended}},
		{name: "cut", r: said("cut"), want: model.Reply{Text: "Half", Stop: model.Cut}},
		{name: "refuse", r: said("refuse"), want: model.Reply{Stop: model.Refused}},
		{name: "a result", r: answered(), want: model.Reply{Text: "Seen.", Stop: model.Ended}},
		{name: "odd input", r: said("odd"), want: model.Reply{Stop: model.Asked, Calls: []model.ToolCall{{Name: "Read", Input: json.RawMessage(`{path:`)}}}},
		{name: "busy", r: said("busy"), kind: model.Overloaded},
		{name: "slow down", r: said("slow down"), kind: model.Limited},
		{name: "key", r: said("key"), kind: model.Denied},
		{name: "broken", r: said("broken"), kind: model.Unreachable},
		{name: "garbage", r: said("garbage"), kind: model.Malformed},
		{name: "not in the script", r: said("what?"), kind: model.Malformed},
	} {
		for _, wire := range wires {
			t.Run(c.name+" "+wire, func(t *testing.T) {
				got, err := client(t, wire, play).Call(t.Context(), c.r)
				if c.kind != "" {
					var e *model.Error
					if !errors.As(err, &e) || e.Kind != c.kind && (wire != "anthropic" || c.kind != model.Malformed || e.Kind != model.Unreachable) || got.Text != "" {
						t.Fatalf("%+v, %v; want %s", got, err, c.kind)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				ignore := cmpopts.IgnoreFields(model.Reply{}, "Provider", "Model", "Tries", "Took", "Cost")
				if !c.usage {
					if got.Usage.Input == 0 {
						t.Errorf("it does not say what it took: %+v", got.Usage)
					}
					got.Usage = model.Usage{}
				}
				if diff := cmp.Diff(c.want, got, ignore, cmpopts.IgnoreFields(model.ToolCall{}, "ID")); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		}
	}
}

func said(text string) model.Request {
	return model.Request{Role: model.Fixer, Purpose: "fix", System: "Mend it.", Messages: []model.Message{{Speaker: model.User, Text: "Please: " + text}}}
}

func shaped(text string) model.Request {
	r := said(text)
	r.Schema = &model.Schema{Name: "answer", Schema: json.RawMessage(`{"type":"object"}`)}
	return r
}

func answered() model.Request {
	r := said("calls")
	r.Messages = append(r.Messages, model.Message{Speaker: model.Assistant, Text: "First.", Calls: []model.ToolCall{{ID: "c", Name: "Read", Input: json.RawMessage(`{"path":"a.go"}`)}}},
		model.Message{Speaker: model.User, Results: []model.ToolResult{{ID: "c", Text: "result 7"}}})
	return r
}

// client is a client whose one model plays the script, over a wire or none.
func client(t *testing.T, wire, text string) *model.Client {
	t.Helper()
	script, err := model.ReadScript("play.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	base := &http.Transport{}
	o := model.Options{Purse: free{}, Transport: base, Clock: still{}, Table: model.Default()}
	own := model.Own{Tiers: map[model.Tier][]string{model.Standard: {"here/m"}}}
	if wire == "script" {
		own.Providers = map[string]model.Service{"here": {Kind: "script", Script: "play.yaml"}}
		o.Providers = []model.Provider{model.Scripted("here", script)}
	} else {
		s := httptest.NewServer(loopback.New(script, nil))
		t.Cleanup(s.Close)
		t.Cleanup(base.CloseIdleConnections)
		service := model.Service{Kind: "anthropic", BaseURL: s.URL + "/v1"}
		if wire != "anthropic" {
			service.Kind, service.Wire = "openai", wire
		}
		own.Providers = map[string]model.Service{"here": service}
	}
	if o.Table, err = o.Table.WithOwn(own); err != nil {
		t.Fatal(err)
	}
	c := model.New(o)
	return c
}

// TestWiresForAgents has the formats that only agents' own clients speak, streamed and whole.
func TestWiresForAgents(t *testing.T) {
	for name, c := range map[string]struct {
		path, body string
		want       []string
	}{
		"Responses": {"/v1/responses", `{"model":"m","instructions":"Mend.","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"calls"}]}]}`,
			[]string{`"status":"completed"`, `"arguments":"{\"path\":\"a.go\"}"`, `"text":"First."`}},
		"Responses, a text": {"/v1/responses", `{"model":"m","input":"plain"}`, []string{`"text":"Ho\"la\nthere"`}},
		"Responses, streamed": {"/v1/responses", `{"model":"m","stream":true,"input":[{"type":"function_call","name":"Read","arguments":"{\"path\":\"a.go\"}"},{"type":"function_call_output","output":"result 7"}]}`,
			[]string{"event: response.created", "event: response.output_item.done", `"text":"Seen."`, "event: response.completed"}},
		"Responses, cut": {"/v1/responses", `{"model":"m","stream":true,"input":"cut"}`, []string{"event: response.incomplete", "max_output_tokens"}},
		"Gemini": {"/v1beta/models/gemini-2.5-flash:generateContent", `{"systemInstruction":{"parts":[{"text":"Mend."}]},"contents":[{"role":"user","parts":[{"text":"calls"}]}]}`,
			[]string{`"functionCall":{"args":{"path":"a.go"},"name":"Read"}`, `"finishReason":"STOP"`, `"modelVersion":"gemini-2.5-flash"`}},
		"Gemini, streamed": {"/v1beta/models/m:streamGenerateContent", `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"Read","args":{"path":"a.go"}}}]},{"parts":[{"functionResponse":{"name":"Read","response":{"output":"result 7"}}}]}]}`,
			[]string{"data: ", `"text":"Seen."`}},
		"Messages, whole": {"/v1/messages", `{"model":"m","messages":[{"role":"system","content":"x"},{"role":"user","content":"calls"}]}`, []string{`"type":"message"`, `"input":{"path":"a.go"}`, `"stop_reason":"tool_use"`}},
		"chat, whole":     {"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"plain"}]}`, []string{`"object":"chat.completion"`, `"cached_tokens":4`}},
		"not in it":       {"/v1/messages", `{"messages":[{"role":"user","content":"what?"}]}`, []string{"the script has no line left", "what?"}},
		"no JSON":         {"/v1/responses", `{`, []string{"cannot be read"}},
	} {
		t.Run(name, func(t *testing.T) {
			script, err := model.ReadScript("play.yaml", []byte(play))
			if err != nil {
				t.Fatal(err)
			}
			var heard string
			w := httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodPost, c.path, strings.NewReader(c.body))
			r.Host = "127.0.0.1:1"
			loopback.New(script, func(path string, body []byte) { heard = path + string(body) }).ServeHTTP(w, r)
			for _, want := range c.want {
				if !strings.Contains(w.Body.String(), want) {
					t.Errorf("%d: %s\nwant %s", w.Code, w.Body, want)
				}
			}
			if heard != c.path+c.body {
				t.Errorf("it heard %s", heard)
			}
		})
	}
}

func TestOnlyLoopback(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "localhost:0", "192.0.2.1:80", "example.org:80", "nowhere", "127.0.0.1"} {
		if l, err := loopback.Listen(addr); err == nil {
			l.Close()
			t.Errorf("%s was opened", addr)
		}
	}
	script, err := model.ReadScript("play.yaml", []byte(play))
	if err != nil {
		t.Fatal(err)
	}
	server := loopback.New(script, nil)
	all, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	if err := server.Serve(t.Context(), all); err == nil || !strings.Contains(err.Error(), "not loopback") {
		t.Errorf("%v", err)
	}
	for host, want := range map[string]int{"127.0.0.1:9": 200, "localhost:9": 200, "[::1]:9": 200, "localhost": 200, "evil.example": 403, "evil.example:9": 403, "10.0.0.1:9": 403} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(`{"messages":[{"role":"user","content":"garbage"}]}`))
		r.Host = host
		server.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%s: %d, want %d", host, w.Code, want)
		}
	}
}

// TestServeEndsWithItsContext: also while a client waits.
func TestServeEndsWithItsContext(t *testing.T) {
	script, err := model.ReadScript("s.yaml", []byte("replies: [{say: late, delay: 1h}]"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	l, err := loopback.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan struct{})
	over := make(chan error, 1)
	go func() { over <- loopback.New(script, func(string, []byte) { close(asked) }).Serve(ctx, l) }()
	go func() { <-asked; cancel() }()
	web := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := web.Post("http://"+l.Addr().String()+"/v1/messages", "application/json", strings.NewReader("{}"))
	if err == nil {
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	if err := <-over; err != nil {
		t.Error(err)
	}
}

// TestWhoAsks: over each wire a script knows who asks of fettle's own questions, and of nobody else's; and no id of an answer comes twice.
func TestWhoAsks(t *testing.T) {
	const who = `
strict: true
replies:
  - {purpose: doctor, say: ready, repeat: true}
  - {role: fixer, calls: [{name: Read}, {name: Read}], repeat: true}
  - {last: stranger, calls: [{name: Read}, {name: Read}], repeat: true}
`
	for _, wire := range wires {
		c := client(t, wire, who)
		ids := map[string]bool{}
		for range 2 {
			got, err := c.Call(t.Context(), said("mend it"))
			if err != nil || len(got.Calls) != 2 {
				t.Fatalf("%s: the fixer is answered %+v, %v", wire, got, err)
			}
			for _, call := range got.Calls {
				if ids[call.ID] {
					t.Errorf("%s: the id %s comes again", wire, call.ID)
				}
				ids[call.ID] = true
			}
		}
		asks := said("anything")
		asks.Purpose = "doctor"
		if got, err := c.Call(t.Context(), asks); err != nil || got.Text != "ready" {
			t.Errorf("%s: the doctor is answered %+v, %v", wire, got, err)
		}
	}
	script, err := model.ReadScript("play.yaml", []byte(who))
	if err != nil {
		t.Fatal(err)
	}
	server := loopback.New(script, nil)
	ids := map[string]bool{}
	for path, body := range map[string]string{
		"/v1/messages":         `{"messages":[{"role":"user","content":"%s"}]}`,
		"/v1/chat/completions": `{"messages":[{"role":"user","content":"%s"}]}`,
		"/v1/responses":        `{"input":"%s"}`,
	} {
		for _, text := range []string{"stranger", "stranger", "anybody"} {
			w := httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(strings.Replace(body, "%s", text, 1)))
			r.Host = "127.0.0.1:1"
			server.ServeHTTP(w, r)
			if text == "anybody" {
				if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "who asks is not known") {
					t.Errorf("%s: anybody is answered %s", path, w.Body)
				}
				continue
			}
			for _, id := range regexp.MustCompile(`"(?:call_)?id":"([^"]+)"`).FindAllStringSubmatch(w.Body.String(), -1) {
				if ids[path+id[1]] {
					t.Errorf("%s: the id %s comes again", path, id[1])
				}
				ids[path+id[1]] = true
			}
		}
	}
}
