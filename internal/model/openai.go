package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// The wires of a server that speaks as OpenAI does.
const (
	wireChat      = "chat"      // chat completions, which most servers of models speak more or less
	wireResponses = "responses" // the Responses API, without which OpenAI's newer models do not think where they are given tools
)

// openAI speaks OpenAI's chat completions and its Responses API. What a server refuses of what not every one has is left out, and that is remembered for its model.
type openAI struct {
	name, base, key string
	web             *http.Client
	now             func() time.Time
	wire            func(model string) string
	forms           forms[form]
	responses       forms[responsesForm]
	chatOnly        atomic.Bool // the server does not know the Responses API, and has answered by chat completions
}

func newOpenAI(name, base, key string, web *http.Client, now func() time.Time, wire func(model string) string) *openAI {
	o := &openAI{name: name, base: strings.TrimRight(base, "/"), key: key, web: web, now: now, wire: wire}
	if u, err := url.Parse(o.base); err == nil {
		o.forms.begin.newLimit = u.Hostname() == "api.openai.com"
	}
	return o
}

func (o *openAI) Name() string { return o.name }

// Call asks by the wire that the model wants; by chat completions where the server knows no other.
func (o *openAI) Call(ctx context.Context, model string, r Request) (Reply, error) {
	if o.wire(model) != wireResponses || o.chatOnly.Load() {
		return o.chat(ctx, model, r)
	}
	reply, err := o.responses.insist(model, r, openAIRefusals, func(f responsesForm) (Reply, said, error) { return o.askResponses(ctx, model, r, f) })
	var missing *Error
	if !errors.As(err, &missing) || !slices.Contains(noSuchPath, missing.Status) {
		return reply, err
	}
	reply, err = o.chat(ctx, model, r)
	var e *Error
	switch {
	case err == nil:
		o.chatOnly.Store(true)
		reply.Tries += missing.Tries
	case errors.As(err, &e):
		e.Tries += missing.Tries
	}
	return reply, err
}

// noSuchPath are the statuses of a server that does not know what it was asked for.
var noSuchPath = []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented}

// chat asks by chat completions: once, and again in a simpler form where the form was refused.
func (o *openAI) chat(ctx context.Context, model string, r Request) (Reply, error) {
	return o.forms.insist(model, r, openAIRefusals, func(f form) (Reply, said, error) { return o.askChat(ctx, model, r, f) })
}

// form is how a request is put to a model.
type form struct {
	shape         shape
	noTemperature bool
	newLimit      bool // max_completion_tokens, as OpenAI's own models want it, instead of max_tokens
	noUsage       bool // stream_options is not known
	noThought     bool // tools are taken only by a model that is told not to think before it answers
}

// shape is how a model is held to a schema.
type shape int

const (
	strictly  shape = iota // by a schema that it cannot leave
	loosely                // by a schema
	asObject               // to JSON, and told the schema
	toldShape              // only told
)

// simpler is the form to try when a request in this one was refused as one that is not understood. What the server names comes first; else what servers lack most often.
func (f form) simpler(r Request, s said) (form, bool) {
	lessShape := func() (form, bool) { f.shape++; return f, true }
	shaped := r.Schema != nil && f.shape < toldShape
	switch {
	case s.names("reasoning_effort") && !f.noThought && len(r.Tools) > 0:
		f.noThought = true
		return f, true
	case s.names("max_completion_tokens", "max_tokens") && !s.names("response_format", "temperature"):
		f.newLimit = !f.newLimit
		return f, true
	case s.names("temperature") && !f.noTemperature && r.Temperature != nil:
		f.noTemperature = true
		return f, true
	case s.names("stream_options", "include_usage") && !f.noUsage:
		f.noUsage = true
		return f, true
	case shaped:
		return lessShape()
	case !f.noTemperature && r.Temperature != nil:
		f.noTemperature = true
		return f, true
	case !f.noUsage:
		f.noUsage = true
		return f, true
	}
	return f, false
}

// answer is what a reply is read into, as it comes.
type answer interface {
	whole(body io.Reader) error
	stream(body io.Reader) error
}

// readAnswer reads a reply to its end, in the form in which the server sends it.
func readAnswer(resp *http.Response, a answer) error {
	defer resp.Body.Close()
	if oneDocument(resp) {
		return a.whole(resp.Body)
	}
	return a.stream(resp.Body)
}

func (o *openAI) askChat(ctx context.Context, model string, r Request, f form) (Reply, said, error) {
	resp, s, err := o.post(ctx, "/chat/completions", model, r, openAIRequest(o.name, model, r, f))
	if err != nil {
		return Reply{}, s, err
	}
	a := &openAIAnswer{provider: o.name, model: model, header: resp.Header, now: o.now, repeats: repeats{asked: r}}
	if err := readAnswer(resp, a); err != nil {
		return Reply{}, said{}, err
	}
	reply, err := a.reply()
	return reply, said{}, err
}

// post sends a request and returns the answer, whose body is the caller's to close. A refusal is an error, beside what the server has said.
func (o *openAI) post(ctx context.Context, path, model string, r Request, body object) (*http.Response, said, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, said{}, &Error{Provider: o.name, Model: model, Kind: Malformed, Message: "the request cannot be written: " + err.Error(), unsent: true}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, o.base+path, bytes.NewReader(text))
	if err != nil {
		return nil, said{}, &Error{Provider: o.name, Model: model, Kind: Unconfigured, Message: "its address cannot be used", unsent: true}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream, application/json")
	req.Header.Set("User-Agent", "fettle")
	for name, value := range asks(o.base, r) {
		req.Header.Set(name, value)
	}
	if o.key != "" {
		req.Header.Set("Authorization", "Bearer "+o.key)
	}
	resp, err := o.web.Do(req)
	if err != nil {
		return nil, said{}, broken(o.name, model, 0, err)
	}
	if resp.StatusCode < 400 {
		return resp, said{}, nil
	}
	defer resp.Body.Close()
	refused, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil && len(refused) == 0 {
		return nil, said{}, broken(o.name, model, resp.StatusCode, err)
	}
	return nil, readSaid(refused), refusal(o.name, model, resp.StatusCode, resp.Header, refused, o.now())
}

// oneDocument says whether an answer comes in one piece although a stream was asked for.
func oneDocument(resp *http.Response) bool {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return kind == "application/json"
}
