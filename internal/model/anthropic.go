package model

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// anthropicAPI speaks Anthropic's Messages through its own library. Of that only the service of messages is used, told everything: it looks for no keys in the environment or in files, and does
// not try again.
type anthropicAPI struct {
	name     string
	base     string
	messages anthropic.MessageService
	now      func() time.Time
	forms    forms[claudeForm]
}

// claudeForm is how a request is put to a model: what models differ in.
type claudeForm struct {
	forced        bool // the shape of an answer is the input of a tool that it has to call
	noTemperature bool
}

func newAnthropic(name, base, key, token string, web *http.Client, now func() time.Time) *anthropicAPI {
	base = strings.TrimSuffix(strings.TrimRight(base, "/"), "/v1")
	options := []option.RequestOption{option.WithBaseURL(base), option.WithHTTPClient(web), option.WithMaxRetries(0)}
	if key != "" {
		options = append(options, option.WithAPIKey(key))
	} else if token != "" {
		options = append(options, option.WithAuthToken(token))
	}
	return &anthropicAPI{name: name, base: base, messages: anthropic.NewMessageService(options...), now: now}
}

func (a *anthropicAPI) Name() string { return a.name }

// Call asks once, and again in another form where the form was refused.
func (a *anthropicAPI) Call(ctx context.Context, model string, r Request) (Reply, error) {
	return a.forms.insist(model, r, claudeRefusals, func(f claudeForm) (Reply, said, error) { return a.ask(ctx, model, r, f) })
}

// simpler is the form to try when a request in this one was refused: what is named in the refusal goes first.
func (f claudeForm) simpler(r Request, s said) (claudeForm, bool) {
	temperature, shape := r.Temperature != nil && !f.noTemperature, r.Schema != nil && !f.forced
	switch {
	case temperature && (!shape || strings.Contains(s.Message, "temperature")):
		f.noTemperature = true
	case shape:
		f.forced = true
	default:
		return f, false
	}
	return f, true
}

func (a *anthropicAPI) ask(ctx context.Context, model string, r Request, f claudeForm) (Reply, said, error) {
	params, err := claudeRequest(a.name+"/"+model, r, f)
	if err != nil {
		return Reply{}, said{}, &Error{Provider: a.name, Model: model, Kind: Malformed, Message: "the request cannot be written: " + err.Error(), unsent: true}
	}
	params.Model = model
	var options []option.RequestOption
	for name, value := range asks(a.base, r) {
		options = append(options, option.WithHeader(name, value))
	}
	stream := a.messages.NewStreaming(ctx, params, options...)
	defer stream.Close()
	answer := claudeAnswer{}
	for stream.Next() {
		if err := answer.take(stream.Current()); err != nil {
			return Reply{}, said{}, unreadable(a.name, model, err.Error())
		}
		if answer.ended {
			break
		}
	}
	if answer.ended {
		reply, err := answer.reply(a.name+"/"+model, r, f)
		if err != nil {
			return Reply{}, said{}, unreadable(a.name, model, err.Error())
		}
		return reply, said{}, nil
	}
	err = stream.Err()
	var api *anthropic.Error
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &api):
		header := http.Header{}
		if api.Response != nil {
			header = api.Response.Header
		}
		body := []byte(api.RawJSON())
		return Reply{}, readSaid(body), refusal(a.name, model, api.StatusCode, header, body, a.now())
	case errors.As(err, &syntax):
		return Reply{}, said{}, unreadable(a.name, model, err.Error())
	case err == nil:
		err = errCut
	}
	status := 0
	if answer.begun {
		status = http.StatusOK
	}
	return Reply{}, said{}, broken(a.name, model, status, err)
}

var errCut = errors.New("it ended in the middle")
