package model

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// openAI speaks OpenAI's chat completions, which most servers of models speak more or less. What a server refuses of what not every one has is left out, and that is remembered
// for its model.
type openAI struct {
	name, base, key string
	web             *http.Client
	now             func() time.Time
	forms           forms[form]
}

func newOpenAI(name, base, key string, web *http.Client, now func() time.Time) *openAI {
	o := &openAI{name: name, base: strings.TrimRight(base, "/"), key: key, web: web, now: now}
	if u, err := url.Parse(o.base); err == nil {
		o.forms.begin.newLimit = u.Hostname() == "api.openai.com"
	}
	return o
}

func (o *openAI) Name() string { return o.name }

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
	names := func(words ...string) bool {
		for _, w := range words {
			if s.Param == w || strings.Contains(s.Message, w) {
				return true
			}
		}
		return false
	}
	lessShape := func() (form, bool) { f.shape++; return f, true }
	shaped := r.Schema != nil && f.shape < toldShape
	switch {
	case names("reasoning_effort") && !f.noThought && len(r.Tools) > 0:
		f.noThought = true
		return f, true
	case names("max_completion_tokens", "max_tokens") && !names("response_format", "temperature"):
		f.newLimit = !f.newLimit
		return f, true
	case names("temperature") && !f.noTemperature && r.Temperature != nil:
		f.noTemperature = true
		return f, true
	case names("stream_options", "include_usage") && !f.noUsage:
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

// Call asks once, and again in a simpler form where the form was refused.
func (o *openAI) Call(ctx context.Context, model string, r Request) (Reply, error) {
	return o.forms.insist(model, r, openAIRefusals, func(f form) (Reply, said, error) { return o.ask(ctx, model, r, f) })
}

func (o *openAI) ask(ctx context.Context, model string, r Request, f form) (Reply, said, error) {
	body, err := json.Marshal(openAIRequest(o.name, model, r, f))
	if err != nil {
		return Reply{}, said{}, &Error{Provider: o.name, Model: model, Kind: Malformed, Message: "the request cannot be written: " + err.Error(), unsent: true}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, o.base+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return Reply{}, said{}, &Error{Provider: o.name, Model: model, Kind: Unconfigured, Message: "its address cannot be used", unsent: true}
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
		return Reply{}, said{}, broken(o.name, model, 0, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 {
		text, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
		if err != nil && len(text) == 0 {
			return Reply{}, said{}, broken(o.name, model, resp.StatusCode, err)
		}
		return Reply{}, readSaid(text), refusal(o.name, model, resp.StatusCode, resp.Header, text, o.now())
	}
	a := &openAIAnswer{provider: o.name, model: model, header: resp.Header, now: o.now}
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind == "application/json" {
		err = a.whole(resp.Body)
	} else {
		err = a.stream(resp.Body)
	}
	if err != nil {
		return Reply{}, said{}, err
	}
	reply, err := a.reply()
	return reply, said{}, err
}
