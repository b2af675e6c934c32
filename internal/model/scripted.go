package model

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// scripted is a provider that plays a script.
type scripted struct {
	name   string
	script *Script
	asked  atomic.Int64 // calls of tools until now: each has an id of its own
}

// Scripted is a provider that plays a script, in this process.
func Scripted(name string, s *Script) Provider { return &scripted{name: name, script: s} }

func (p *scripted) Name() string { return p.name }

func (p *scripted) Call(ctx context.Context, model string, r Request) (Reply, error) {
	q := AsQuestion(model, r)
	l, err := p.script.Next(q)
	if err != nil {
		return Reply{}, &Error{Provider: p.name, Model: model, Kind: Malformed, Status: http.StatusBadRequest, Message: err.Error()}
	}
	if d, err := time.ParseDuration(l.Delay); err == nil {
		if err := (wall{}).Sleep(ctx, d); err != nil {
			return Reply{}, err
		}
	}
	switch {
	case l.Status != 0:
		h := http.Header{}
		if l.RetryAfter > 0 {
			h.Set("Retry-After", strconv.FormatFloat(l.RetryAfter, 'f', -1, 64))
		}
		return Reply{}, refusal(p.name, model, l.Status, h, l.Failure(), time.Now())
	case l.Malformed != "":
		return Reply{}, unreadable(p.name, model, "it is no answer of a model")
	case l.Truncate > 0:
		return Reply{}, broken(p.name, model, http.StatusOK, io.ErrUnexpectedEOF)
	}
	reply := Reply{Text: l.Say, Stop: l.Ending(), Usage: l.Took(q)}
	for _, c := range l.Calls {
		reply.Calls = append(reply.Calls, ToolCall{ID: fmt.Sprintf("call_%d", p.asked.Add(1)), Name: c.Name, Input: c.Written()})
	}
	return reply, nil
}

// Failure is the body of a line that fails, in the form that all wires share.
func (l Line) Failure() []byte {
	kind := l.Error
	if kind == "" {
		kind = map[int]string{400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error", 404: "not_found_error",
			413: "request_too_large", 429: "rate_limit_error", 529: "overloaded_error"}[l.Status]
	}
	if kind == "" {
		kind = "api_error"
	}
	message := l.Say
	if message == "" {
		message = "the script says so"
	}
	return fmt.Appendf(nil, `{"type":"error","error":{"type":%q,"message":%q}}`, kind, message)
}

// AsQuestion is a request as a script goes by it.
func AsQuestion(model string, r Request) Question {
	q := Question{Role: r.Role, Purpose: r.Purpose, Model: model}
	parts := []string{r.System}
	for _, m := range r.Messages {
		said := []string{m.Text}
		for _, c := range m.Calls {
			said = append(said, c.Name+" "+string(c.Input))
		}
		for _, res := range m.Results {
			said = append(said, res.Text)
		}
		text := strings.Trim(strings.Join(said, "\n"), "\n")
		if m.Speaker == User {
			q.Last = text
		}
		parts = append(parts, text)
	}
	q.Whole = strings.Join(parts, "\n")
	return q
}
