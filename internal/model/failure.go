package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// said is what a provider says of a failure. Each has a form of its own; what they mean is told from codes and types where there are any.
type said struct {
	Type, Code, Param, Message string
	Status                     int // in the body, as OpenRouter and Gemini have it
}

// names says whether the server speaks of one of these parts of a request.
func (s said) names(words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return s.Param == w || strings.Contains(s.Message, w) })
}

// sayings are the failures that providers tell apart by words alone: their codes are those of any bad request. The words decide only what kind a failure is.
var sayings = []struct {
	words string
	kind  Kind
}{
	{"prompt is too long", TooLong},
	{"exceed context limit", TooLong},
	{"maximum context length", TooLong},
	{"context window", TooLong},
	{"exceeds the maximum number of tokens", TooLong},
	{"exceed_context_size", TooLong},
	{"credit balance is too low", Spent},
}

// kinds are what types and codes mean.
var kinds = map[string]Kind{
	"authentication_error": Denied, "permission_error": Denied, "invalid_api_key": Denied, "UNAUTHENTICATED": Denied, "PERMISSION_DENIED": Denied,
	"billing_error": Spent, "insufficient_quota": Spent, "billing_hard_limit_reached": Spent, "insufficient_credits": Spent,
	"rate_limit_error": Limited, "rate_limit_exceeded": Limited, "slow_down": Limited, "RESOURCE_EXHAUSTED": Limited,
	"overloaded_error": Overloaded, "server_is_overloaded": Overloaded, "api_error": Overloaded, "server_error": Overloaded, "INTERNAL": Overloaded, "UNAVAILABLE": Overloaded,
	"timeout_error": Unreachable, "DEADLINE_EXCEEDED": Unreachable,
	"request_too_large": TooLong, "context_length_exceeded": TooLong, "string_above_max_length": TooLong, "exceed_context_size_error": TooLong,
	"not_found_error": Unconfigured, "model_not_found": Unconfigured, "NOT_FOUND": Unconfigured,
	"invalid_request_error": Malformed, "INVALID_ARGUMENT": Malformed,
}

// readSaid reads an error object: {"error":{…}}, {"error":"…"}, {"message":"…"}, or one of these in a list.
func readSaid(body []byte) said {
	body = bytes.TrimSpace(body)
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var outer struct {
		Error   json.RawMessage
		Message string
		Detail  json.RawMessage
	}
	if json.Unmarshal(body, &outer) != nil {
		return said{}
	}
	var s said
	var inner struct {
		Type    string
		Status  string
		Code    json.RawMessage
		Param   string
		Message string
	}
	switch {
	case json.Unmarshal(outer.Error, &s.Message) == nil && s.Message != "":
	case json.Unmarshal(outer.Error, &inner) == nil && (inner.Message != "" || inner.Type != "" || len(inner.Code) > 0):
		s.Type, s.Param, s.Message = inner.Type, inner.Param, inner.Message
		if s.Type == "" {
			s.Type = inner.Status
		}
		if json.Unmarshal(inner.Code, &s.Code) != nil {
			_ = json.Unmarshal(inner.Code, &s.Status) // neither a text nor a number says nothing
		}
	case outer.Message != "":
		s.Message = outer.Message
	default:
		_ = json.Unmarshal(outer.Detail, &s.Message) // as FastAPI has it
	}
	return s
}

// kind is what the failure asks for.
func (s said) kind(status int) Kind {
	for _, word := range []string{s.Code, s.Type} {
		if k, ok := kinds[word]; ok && k != Malformed {
			return k
		}
	}
	lower := strings.ToLower(s.Message)
	if status < 500 {
		for _, w := range sayings {
			if strings.Contains(lower, w.words) {
				return w.kind
			}
		}
	}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return Denied
	case status == http.StatusPaymentRequired:
		return Spent
	case status == http.StatusNotFound:
		return Unconfigured
	case status == http.StatusRequestTimeout:
		return Unreachable
	case status == http.StatusRequestEntityTooLarge:
		return TooLong
	case status == http.StatusTooManyRequests:
		return Limited
	case status >= 500:
		return Overloaded
	}
	return Malformed
}

// advice is what to do about a failure.
var advice = map[Kind]string{
	Unconfigured: "it does not know this model: name another in your models.yaml, or in the section models of fettle.yaml",
	Denied:       "it refuses the key: check the variable of the environment that holds it",
	Spent:        "the account has no credit left: top it up, or use another provider",
	Limited:      "too many calls: try later, or set requests_per_minute for it in your models.yaml",
	Overloaded:   "it cannot answer now: try later, or add another model to the tier",
	TooLong:      "the request is longer than the model reads: choose a model with a longer context",
	Malformed:    "it does not understand the request",
	Unreachable:  "it does not answer: check the network and the address",
}

// refusal is the error of an answer that is no reply. The status of a body counts where HTTP says that all is well.
func refusal(provider, model string, status int, header http.Header, body []byte, now time.Time) *Error {
	s := readSaid(body)
	if status < 400 && s.Status >= 400 {
		status = s.Status
	}
	e := &Error{Provider: provider, Model: model, Status: status, Kind: s.kind(status), After: retryAfter(header, now)}
	if status < 400 && e.Kind == Malformed && s.Type != "invalid_request_error" && s.Type != "INVALID_ARGUMENT" {
		e.Kind = Overloaded // it began to answer, and failed without saying why
	}
	e.Message = advice[e.Kind]
	if text := oneLine(s.Message); text != "" {
		e.Message += " (it says: " + text + ")"
	} else if status >= 400 {
		e.Message += fmt.Sprintf(" (HTTP %d)", status)
	}
	return e
}

// broken is the error of a call that brought no whole answer.
func broken(provider, model string, status int, err error) *Error {
	e := &Error{Provider: provider, Model: model, Status: status, Kind: Unreachable, Message: "no whole answer came: " + oneLine(err.Error())}
	var op *net.OpError
	var lookup *net.DNSError
	switch {
	case errors.Is(err, errIdle) || errors.Is(err, context.DeadlineExceeded):
		e.Message = "no whole answer came in time: try later, or set timeout and idle for it in your models.yaml"
	case errors.Is(err, errMove):
		e.Kind, e.Message, e.unsent = Malformed, errMove.Error(), true
	case errors.As(err, &lookup), errors.As(err, &op) && op.Op == "dial":
		e.Message, e.unsent = advice[Unreachable]+" ("+oneLine(err.Error())+")", true
	}
	return e
}

func unreadable(provider, model, what string) *Error {
	return &Error{Provider: provider, Model: model, Status: http.StatusOK, Kind: Malformed, Message: "its answer cannot be read: " + oneLine(what)}
}

// retryAfter is how long the provider asks to wait, in seconds, in milliseconds or until a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	for name, unit := range map[string]time.Duration{"Retry-After-Ms": time.Millisecond, "Retry-After": time.Second} {
		if n, err := strconv.ParseFloat(strings.TrimSpace(h.Get(name)), 64); err == nil && n >= 0 && n < math.MaxInt32 {
			return time.Duration(n * float64(unit))
		}
	}
	if at, err := http.ParseTime(h.Get("Retry-After")); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// oneLine is a text for the middle of a sentence: one line, and not long.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300]) + "…"
	}
	return s
}
