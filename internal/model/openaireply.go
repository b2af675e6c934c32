package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// openAIAnswer puts an answer together from its parts.
type openAIAnswer struct {
	provider, model string
	header          http.Header
	now             func() time.Time

	text    strings.Builder
	refused bool
	calls   []*openAICall
	finish  string
	usage   Usage
	repeats repeats
	some    bool // a choice was seen
	done    bool // the server has said that this is all
}

type openAICall struct {
	index int
	ToolCall
	arguments bytes.Buffer
}

// whole reads an answer that came in one piece although a stream was asked for.
func (a *openAIAnswer) whole(r io.Reader) error {
	body, err := io.ReadAll(r)
	if err != nil {
		return broken(a.provider, a.model, http.StatusOK, err)
	}
	if err := a.take(body); err != nil {
		return err
	}
	a.done = a.some // it was a whole JSON document
	return nil
}

func (a *openAIAnswer) stream(r io.Reader) error {
	in := newEvents(r)
	for {
		data, err := in.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && a.finish != "":
			return nil // only what it cost is not known
		case err != nil:
			return broken(a.provider, a.model, http.StatusOK, err)
		case string(bytes.TrimSpace(data)) == "[DONE]":
			a.done = true
			return nil
		case len(bytes.TrimSpace(data)) == 0:
			continue
		}
		if err := a.take(data); err != nil {
			return err
		}
		if a.finish == "" && a.repeats.stuck(a.text.String()) {
			a.finish = repetition
			return nil
		}
	}
}

// repetition is the end of an answer that fettle does not wait for.
const repetition = "repetition"

// take reads one part.
func (a *openAIAnswer) take(data []byte) error {
	var c openAIChunk
	if err := json.Unmarshal(data, &c); err != nil {
		return unreadable(a.provider, a.model, err.Error())
	}
	if some(bytes.TrimSpace(c.Error)) {
		return refusal(a.provider, a.model, http.StatusOK, a.header, data, a.now())
	}
	if u := c.Usage; u != nil {
		a.usage = u.Details.usage(u.Prompt, u.Completion, u.Total)
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue // one was asked for
		}
		a.some = true
		for _, part := range []*openAISaid{choice.Delta, choice.Message} {
			if part == nil {
				continue
			}
			if err := a.add(part); err != nil {
				return err
			}
		}
		if choice.FinishReason != "" {
			a.finish = choice.FinishReason
		}
	}
	if a.finish == "error" {
		return &Error{Provider: a.provider, Model: a.model, Status: http.StatusOK, Kind: Overloaded, Message: advice[Overloaded] + " (it broke off)"}
	}
	return nil
}

func (a *openAIAnswer) add(s *openAISaid) error {
	t, ok := text(s.Content)
	if !ok {
		return unreadable(a.provider, a.model, "its content is neither a text nor a list of parts")
	}
	a.text.WriteString(t)
	if s.Refusal != "" {
		a.refused = true
		a.text.WriteString(s.Refusal)
	}
	for _, c := range s.ToolCalls {
		call := a.call(c.Index, c.ID)
		if c.ID != "" {
			call.ID = c.ID
		}
		call.Name += c.Function.Name
		if len(c.Extra) > 0 {
			call.Kept = &Kept{By: a.provider + "/" + a.model, What: c.Extra}
		}
		var arguments string
		if len(c.Function.Arguments) > 0 && json.Unmarshal(c.Function.Arguments, &arguments) != nil {
			arguments = string(c.Function.Arguments) // an object, where a text with one should be
		}
		call.arguments.WriteString(arguments)
	}
	return nil
}

// call is the call that a part belongs to: by its number, else by its id, else the last. Some servers give every call the number zero and an id of its own.
func (a *openAIAnswer) call(index *int, id string) *openAICall {
	last := len(a.calls) - 1
	for i := last; i >= 0; i-- {
		c := a.calls[i]
		if index != nil && c.index == *index && (id == "" || c.ID == "" || c.ID == id) || index == nil && (id == "" || c.ID == id) {
			return c
		}
	}
	c := &openAICall{index: last + 1}
	if index != nil {
		c.index = *index
	}
	a.calls = append(a.calls, c)
	return c
}

// reply is the whole reply; an answer that was cut is an error, never a half reply.
func (a *openAIAnswer) reply() (Reply, error) {
	switch {
	case a.finish == "" && !a.done:
		return Reply{}, broken(a.provider, a.model, http.StatusOK, io.ErrUnexpectedEOF)
	case !a.some:
		return Reply{}, unreadable(a.provider, a.model, "there is none in it")
	}
	r := Reply{Text: a.text.String(), Usage: a.usage, Stop: Ended}
	for i, c := range a.calls {
		if c.Name == "" {
			return Reply{}, unreadable(a.provider, a.model, "a call of a tool has no name")
		}
		if c.ID == "" {
			c.ID = fmt.Sprintf("call_%d", i)
		}
		if c.Input = bytes.TrimSpace(c.arguments.Bytes()); len(c.Input) == 0 {
			c.Input = json.RawMessage("{}")
		}
		r.Calls = append(r.Calls, c.ToolCall)
	}
	switch {
	case a.finish == "length":
		r.Stop = Cut
	case a.finish == repetition:
		r.Stop = Repeats
	case a.refused, a.finish == "content_filter":
		r.Stop = Refused
	case len(r.Calls) > 0:
		r.Stop = Asked
	}
	return r, nil
}
