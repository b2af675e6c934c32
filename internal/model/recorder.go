package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"fettle/internal/policy/secret"
)

// Recorder is a caller that writes down what another is answered, as a script that answers the same: one JSON line a call. Secrets are taken out, so that a recording can be shown.
type Recorder struct {
	caller   Caller
	redactor *secret.Redactor

	mu sync.Mutex
	w  io.Writer
}

// Record makes a recorder. The redactor knows the secrets of the environment.
func Record(c Caller, w io.Writer, r *secret.Redactor) *Recorder {
	return &Recorder{caller: c, w: w, redactor: r}
}

// Call passes a call on, and writes down what became of it. A call that ended because the context did is not written down: nobody was answered.
func (r *Recorder) Call(ctx context.Context, req Request) (Reply, error) {
	reply, err := r.caller.Call(ctx, req)
	var e *Error
	if err != nil && !errors.As(err, &e) {
		return reply, err
	}
	if wrong := r.write(r.line(req, reply, e)); wrong != nil {
		return Reply{}, &Error{Kind: Forbidden, Message: "what a call was answered cannot be recorded: " + wrong.Error()}
	}
	return reply, err
}

// excerpt is how much of the last message tells a question from others.
const excerpt = 200

// framed is the line with which material begins: boundaries are drawn anew for each call, so nothing that holds one is ever asked twice; what is said of a file in between is.
var framed = regexp.MustCompile(`<data-([a-z]+) (?:(\{[^\n]*"path":[^\n]*\})>)?`)

// telling is what of a message comes again when the same is asked once more: what is said of the first file in it, else all before the first boundary.
func telling(s string) string {
	begins := framed.FindStringSubmatch(s)
	if begins == nil {
		return s
	}
	for _, m := range framed.FindAllStringSubmatch(s, -1) {
		if m[1] == begins[1] && m[2] != "" {
			return m[2]
		}
	}
	s, _, _ = strings.Cut(s, begins[1])
	return s
}

func (r *Recorder) line(req Request, reply Reply, e *Error) Line {
	q := AsQuestion("", req)
	l := Line{Role: req.Role, Purpose: req.Purpose, Last: r.excerpt(q.Last)}
	if e != nil {
		l.Status, l.Say, l.RetryAfter = e.Status, r.redactor.RedactString(e.Message), e.After.Seconds()
		for word, kind := range map[string]Kind{"overloaded_error": Overloaded, "rate_limit_error": Limited, "authentication_error": Denied, "billing_error": Spent,
			"request_too_large": TooLong, "timeout_error": Unreachable, "not_found_error": Unconfigured, "invalid_request_error": Malformed} {
			if kind == e.Kind {
				l.Error = word
			}
		}
		if l.Status < 400 {
			l.Status = 500
		}
		return l
	}
	usage := reply.Usage
	l.Say, l.Stop, l.Usage = r.redactor.RedactString(reply.Text), reply.Stop, &usage
	if usage == (Usage{}) {
		l.Usage, l.NoUsage = nil, true
	}
	for _, c := range reply.Calls {
		call := LineCall{Name: c.Name}
		var input any
		if text := r.redactor.RedactJSON(c.Input); json.Valid(c.Input) && json.Unmarshal(text, &input) == nil {
			call.Input = json.RawMessage(text)
		} else {
			call.Raw = r.redactor.RedactString(string(c.Input))
		}
		l.Calls = append(l.Calls, call)
	}
	return l
}

// excerpt is the beginning of a message by which the line is found again: without the secrets in it, and whatever stands from the first of them on.
func (r *Recorder) excerpt(s string) string {
	s = strings.TrimLeft(telling(s), "\n ")
	if found := r.redactor.Find([]byte(s)); len(found) > 0 {
		s = s[:found[0].Start]
	}
	if s, _, _ = strings.Cut(s, "\n"); len(s) > excerpt {
		s = s[:excerpt]
	}
	for !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return s
}

func (r *Recorder) write(l Line) error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := r.w.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("the recording cannot be written: %w", err)
	}
	return nil
}
