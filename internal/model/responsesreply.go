package model

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

func (o *openAI) askResponses(ctx context.Context, model string, r Request, f responsesForm) (Reply, said, error) {
	by := o.name + "/" + model
	resp, s, err := o.post(ctx, "/responses", model, r, responsesRequest(by, model, r, f))
	if err != nil {
		return Reply{}, s, err
	}
	a := &responsesAnswer{provider: o.name, model: model, header: resp.Header, now: o.now}
	if err := readAnswer(resp, a); err != nil {
		return Reply{}, said{}, err
	}
	reply, err := a.reply(by)
	return reply, said{}, err
}

// responsesAnswer puts an answer together from the events of its stream, of which those count that bring a whole item or the end.
type responsesAnswer struct {
	provider, model string
	header          http.Header
	now             func() time.Time

	items []json.RawMessage // as they were done
	end   *responsesEnd
}

// responsesEvent is an event of the stream. One that is an error has its words in itself, or in an object of that name.
type responsesEvent struct {
	Type     string
	Item     json.RawMessage
	Response json.RawMessage
	Error    json.RawMessage
}

// responsesEnd is a response when it has ended.
type responsesEnd struct {
	Status     string
	Error      json.RawMessage
	Incomplete struct{ Reason string } `json:"incomplete_details"`
	Output     []json.RawMessage
	Usage      struct {
		Input   int          `json:"input_tokens"`
		Output  int          `json:"output_tokens"` // what the model has thought counts
		Total   int          `json:"total_tokens"`
		Details openAICached `json:"input_tokens_details"`
	}
}

// responsesItem is a part of the output.
type responsesItem struct {
	Type      string
	Phase     string
	ID        string
	CallID    string `json:"call_id"`
	Name      string
	Arguments json.RawMessage
	Content   []struct{ Type, Text, Refusal string }
	Encrypted string `json:"encrypted_content"`
}

// whole reads an answer that came in one piece although a stream was asked for.
func (a *responsesAnswer) whole(r io.Reader) error {
	body, err := io.ReadAll(r)
	if err != nil {
		return broken(a.provider, a.model, http.StatusOK, err)
	}
	return a.ended(body)
}

func (a *responsesAnswer) stream(r io.Reader) error {
	in := newEvents(r)
	for a.end == nil {
		data, err := in.next()
		switch data = bytes.TrimSpace(data); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return broken(a.provider, a.model, http.StatusOK, err)
		case len(data) == 0 || string(data) == "[DONE]":
			continue
		}
		if err := a.take(data); err != nil {
			return err
		}
	}
	return nil
}

// take reads one event.
func (a *responsesAnswer) take(data []byte) error {
	var ev responsesEvent
	if err := json.Unmarshal(data, &ev); err != nil {
		return unreadable(a.provider, a.model, err.Error())
	}
	switch {
	case ev.Type == "response.output_item.done":
		a.items = append(a.items, ev.Item)
	case slices.Contains([]string{"response.completed", "response.incomplete", "response.failed"}, ev.Type):
		return a.ended(ev.Response)
	case some(ev.Error):
		return a.failed(ev.Error)
	case ev.Type == "error":
		return a.failed(data)
	}
	return nil
}

// ended reads the response at its end.
func (a *responsesAnswer) ended(data []byte) error {
	var end responsesEnd
	if err := json.Unmarshal(data, &end); err != nil {
		return unreadable(a.provider, a.model, err.Error())
	}
	switch {
	case end.Status == "failed" && turnedDown(end.Error):
	case some(end.Error):
		return a.failed(end.Error)
	case end.Status == "":
		return unreadable(a.provider, a.model, "it does not say whether it has ended")
	case end.Status != "completed" && end.Status != "incomplete":
		return a.failed(json.RawMessage(`{}`))
	}
	a.end = &end
	return nil
}

// failed is the error that an answer ended in.
func (a *responsesAnswer) failed(what json.RawMessage) *Error {
	body, err := json.Marshal(map[string]json.RawMessage{"error": what})
	if err != nil {
		return unreadable(a.provider, a.model, err.Error())
	}
	return refusal(a.provider, a.model, http.StatusOK, a.header, body, a.now())
}

func some(value json.RawMessage) bool { return len(value) > 0 && string(value) != "null" }

// turnedDown says whether the provider has not let a question come to the model, for what it is about.
func turnedDown(failure json.RawMessage) bool {
	var s struct{ Code, Message string }
	if json.Unmarshal(failure, &s) != nil || !slices.Contains([]string{"invalid_prompt", "cyber_policy", "bio_policy"}, s.Code) {
		return false
	}
	return said{Message: s.Message}.kind(http.StatusOK) == Malformed // servers call so what is too long, too
}

// reply is the whole reply; an answer that was cut off is an error, never a half reply.
func (a *responsesAnswer) reply(by string) (Reply, error) {
	if a.end == nil {
		return Reply{}, broken(a.provider, a.model, http.StatusOK, io.ErrUnexpectedEOF)
	}
	u := a.end.Usage
	r := Reply{Stop: Ended, Usage: u.Details.usage(u.Input, u.Output, u.Total)}
	output := a.end.Output
	if len(output) == 0 {
		output = a.items // some servers say the items once only
	}
	refused, err := a.read(&r, by, output)
	if err != nil {
		return Reply{}, unreadable(a.provider, a.model, err.Error())
	}
	switch {
	case refused, a.end.Status == "failed", a.end.Incomplete.Reason == "content_filter":
		r.Stop = Refused
	case a.end.Status == "incomplete":
		r.Stop = Cut
	case len(r.Calls) > 0:
		r.Stop = Asked
	case r.Text == "":
		return Reply{}, unreadable(a.provider, a.model, "there is none in it")
	}
	return r, nil
}

// read puts the items of the output into a reply, and says whether the model would not answer. What was thought is kept with the item that it led to.
func (a *responsesAnswer) read(r *Reply, by string, output []json.RawMessage) (refused bool, err error) {
	var thought responsesKept
	var answer, aside strings.Builder
	for _, raw := range output {
		var item responsesItem
		if err := json.Unmarshal(raw, &item); err != nil {
			return false, err
		}
		switch item.Type {
		case "reasoning":
			if item.Encrypted != "" || len(item.Content) > 0 { // else it stands at the server only, where nothing is kept
				thought.Reasoning = append(thought.Reasoning, raw)
			}
		case "message":
			text, refusal := item.said()
			if text == "" {
				continue
			}
			refused = refused || refusal
			if item.Phase == "commentary" {
				aside.WriteString(text)
			} else {
				answer.WriteString(text)
			}
			thought.Phase = item.Phase
			r.Kept = cmp.Or(thought.by(by), r.Kept)
			thought = responsesKept{}
		case "function_call":
			call, err := item.call(len(r.Calls))
			if err != nil {
				return false, err
			}
			call.Kept = thought.by(by)
			r.Calls = append(r.Calls, call)
			thought = responsesKept{}
		}
	}
	r.Text = cmp.Or(answer.String(), aside.String()) // what was said on the way is none of the answer
	return refused, nil
}

// said is the text of a message, and whether that is a refusal.
func (i responsesItem) said() (text string, refusal bool) {
	var all strings.Builder
	for _, part := range i.Content {
		all.WriteString(part.Text + part.Refusal)
		refusal = refusal || part.Type == "refusal"
	}
	return all.String(), refusal
}

// call is a call of a tool, the n-th of the answer.
func (i responsesItem) call(n int) (ToolCall, error) {
	if i.Name == "" {
		return ToolCall{}, errors.New("a call of a tool has no name")
	}
	var arguments string
	if some(i.Arguments) && json.Unmarshal(i.Arguments, &arguments) != nil {
		arguments = string(i.Arguments) // an object, where a text with one should be
	}
	arguments = strings.TrimSpace(arguments)
	return ToolCall{ID: cmp.Or(i.CallID, i.ID, fmt.Sprintf("call_%d", n)), Name: i.Name, Input: json.RawMessage(cmp.Or(arguments, "{}"))}, nil
}
